"""Say which agents there are, or explain one: what it does, and its options."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from ludus.agent import WRAPPERS, agent_class, agent_names
from ludus.cli._common import add_json, answer, say
from ludus.options import Option, describe

WIDTH = 80
INDENT = " " * 4


def options(parser: argparse.ArgumentParser) -> None:
    """One agent to explain."""
    parser.add_argument("agent", metavar="NAME", nargs="?", help="explain this one")
    add_json(parser)


def record(name: str) -> dict[str, Any]:
    """What an agent says of itself."""
    kind = agent_class(name)
    summary, _, rest = (kind.__doc__ or "").partition("\n")
    return {
        "agent": name,
        "summary": summary,
        "about": " ".join(rest.split()),
        "options": [option_record(one) for one in describe(kind) if one.name != "seed"],
    }


def option_record(one: Option) -> dict[str, Any]:
    """An option for other programs."""
    return {
        "name": one.name,
        "type": one.kind,
        "default": one.default,
        "help": one.facts.help,
        "meaning": one.meaning,
        "symbol": one.facts.symbol,
        "paper": one.facts.paper,
    }


def explain(found: dict[str, Any]) -> str:
    """The same for a person, at 80 columns."""
    lines = [f"{found['agent']}: {found['summary']}"]
    lines += textwrap.wrap(found["about"], WIDTH)
    for one in found["options"]:
        paper = ", ".join(filter(None, (one["symbol"], one["paper"])))
        said = f"{one['help']}; {one['meaning']}" + (f" ({paper})" if paper else "")
        default = "none" if one["default"] in (None, "") else str(one["default"]).lower()
        lines.append(f"  {one['name']}={default}")
        lines += textwrap.wrap(said, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    lines.append(f"Every agent also takes {' and '.join(WRAPPERS)}.")
    return "\n".join(lines)


def run(args: argparse.Namespace) -> int:
    """List the agents, or explain one."""
    if args.agent:
        found = record(args.agent)
        answer(found) if args.json else say(explain(found))
        return 0
    records = [record(name) for name in agent_names()]
    if args.json:
        answer({"agents": records})
        return 0
    for one in records:
        say(f"{one['agent']:12}{one['summary']}")
    say("runs/NAME   what a run has learned; `ludus agents runs/NAME` explains it")
    say("zoo/NAME    networks that come with ludus; `ludus zoo` lists them")
    return 0
