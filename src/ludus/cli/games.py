"""Say which games there are, or explain one: rules, parameters, actions, planes, truth."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from ludus.cli._common import add_json, answer, say
from ludus.game import Game, game, game_names


def options(parser: argparse.ArgumentParser) -> None:
    """One game to explain, perhaps with parameters."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="explain this one")
    add_json(parser)


def describe_game(chosen: Game) -> dict[str, Any]:
    """All that is known of a game."""
    start, kind = chosen.start(), chosen.kind
    return {
        "game": chosen.name,
        "title": kind.title,
        "about": kind.about,
        "parameters": {
            name: {"value": value, "meaning": kind.parameters.get(name, "")}
            for name, value in chosen.parameters.items()
        },
        "actions": chosen.num_actions,
        "planes": {planes: list(start.shape(planes)) for planes in kind.planes},
        "symmetries": start.num_symmetries,
        "chance": start.chancy,
        "shaping": list(getattr(start, "shapings", list)()),
        "truth": kind.truth,
    }


def explain_game(record: dict[str, Any]) -> str:
    """The same for a person."""
    planes = ", ".join(
        f"{name} {'x'.join(map(str, shape))}" for name, shape in record["planes"].items()
    )
    lines = [record["title"], "", *textwrap.wrap(record["about"], 88), ""]
    for name, parameter in record["parameters"].items():
        lines.append(f"  {name} = {parameter['value']}  {parameter['meaning']}")
    lines += [
        "",
        f"actions     {record['actions']}",
        f"planes      {planes}",
        f"symmetries  {record['symmetries']}",
        f"chance      {'yes' if record['chance'] else 'no'}",
        f"shaping     {', '.join(record['shaping']) or 'none'}",
        *textwrap.wrap(f"truth       {record['truth']}", 88, subsequent_indent=" " * 12),
    ]
    return "\n".join(lines)


def run(args: argparse.Namespace) -> int:
    """List the games, or explain one."""
    if args.game:
        record = describe_game(game(args.game))
        answer(record) if args.json else say(explain_game(record))
        return 0
    records = [describe_game(game(name)) for name in game_names()]
    if args.json:
        answer({"games": records})
    else:
        for record in records:
            spelled = ", ".join(f"{k}={v['value']}" for k, v in record["parameters"].items())
            say(f"{record['game']:16}{record['title']:22}{spelled}")
    return 0
