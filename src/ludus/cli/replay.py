"""Show recorded games: all of a file in a list, or one move by move."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludus.arena.export import export
from ludus.arena.record import Record, read_replayed
from ludus.cli._common import add_json, answer, draw, say
from ludus.files import write
from ludus.game import game
from ludus.plain import plain


def options(parser: argparse.ArgumentParser) -> None:
    """Which file, and which game of it."""
    parser.add_argument("file", metavar="FILE", help="records, a JSON line a game")
    parser.add_argument("--game", type=int, metavar="N", help="show the N-th game of the file")
    parser.add_argument("--ply", type=int, metavar="K", help="only the state after K plies")
    parser.add_argument(
        "--source", metavar="GAME", help="the file of the game, if it is written in Python"
    )
    parser.add_argument(
        "--export", metavar="FILE", help="write the games as text: PDN for draughts, else moves"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """List the games, or show one."""
    if args.ply is not None and args.game is None:
        raise ValueError("--ply is of one game: give --game N too")
    source = game(args.source) if args.source else None
    records = enumerate(read_replayed(args.file, source), 1)
    if args.export:
        return export_games(args, [one for n, one in records if args.game in (None, n)])
    if args.game is None:
        listed = []
        for number, record in records:
            if args.json:
                listed.append(describe_game(number, record))
            else:
                say(summary(number, record))
        if args.json:
            answer({"games": listed})
        return 0
    count = 0
    for number, record in records:
        if number == args.game:
            return show_game(number, record, args)
        count = number
    raise ValueError(f"{args.file} has games 1 to {count}, not {args.game}")


def export_games(args: argparse.Namespace, records: Sequence[Record]) -> int:
    """Write games as text."""
    if not records:
        raise ValueError(f"{args.file} has no game {args.game}")
    write(Path(args.export).resolve(), export(records).encode("utf-8", "replace"))
    if args.json:
        answer({"export": args.export, "games": len(records)})
    else:
        say(f"wrote {len(records)} game{'s' if len(records) > 1 else ''} to {args.export}")
    return 0


def describe_game(number: int, record: Record) -> dict[str, Any]:
    """A game for a program."""
    played = record.played
    return {
        "number": number,
        "game": record.game.spelling,
        "agents": list(played.agents),
        "first": played.first,
        "winner": played.winner,
        "reason": played.reason,
        "plies": len(played.moves),
        "moves": list(played.moves),
        "seed": record.seed,
        "index": played.index,
        **({"reward": asdict(played.reward)} if played.reward else {}),
    }


def ending(record: Record) -> str:
    """How a game ended, in words."""
    played = record.played
    if played.winner is None:
        return "a draw" + (" by limit" if played.reason == "limit" else "")
    how = ", the other resigned" if played.reason == "resigned" else ""
    # Where a coin decides who begins, a player's number does not tell.
    side = "first" if played.winner == played.first else "second"
    began = f", who moved {side}" if record.game.kind.first is not None else ""
    return f"{plain(played.agents[played.winner])} won as player {played.winner + 1}{began}{how}"


def summary(number: int, record: Record) -> str:
    """A game in a line."""
    one, two = map(plain, record.played.agents)
    plies, on = len(record.played.moves), plain(record.game.spelling)
    return f"{number:>5}  {on}  {one} - {two}  {plies} plies  {ending(record)}"


def show_game(number: int, record: Record, args: argparse.Namespace) -> int:
    """One game: every state, or the one asked for."""
    states, played = record.states, record.played
    if args.ply is not None and not 0 <= args.ply < len(states):
        raise ValueError(f"game {number} has plies 0 to {len(states) - 1}, not {args.ply}")
    if args.json:
        texts = [str(state) for state in states]
        at = {"ply": args.ply, "position": texts[args.ply]} if args.ply is not None else {}
        answer({**describe_game(number, record), **(at or {"positions": texts})})
        return 0
    say(summary(number, record))
    for ply in range(len(states)) if args.ply is None else [args.ply]:
        last = None
        if ply:
            before, move = states[ply - 1], played.moves[ply - 1]
            last = record.game.action(before, move)
            player = played.players[ply - 1]
            how = "opening" if ply <= played.opening else plain(played.agents[player])
            say(f"\n{ply}. {plain(move)}  (player {player + 1}, {how})")
        draw(record.game.text(states[ply], last=last))
    say(ending(record))
    return 0
