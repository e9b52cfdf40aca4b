"""Go on with a run where it was stopped, exactly as if it had not been."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ludus.cli._common import add_json
from ludus_start import importing


class Renamed(argparse.Action):
    """An option under its old name, which is told the new one."""

    def __call__(self, *given: object) -> NoReturn:
        raise ValueError("no option --ladder; did you mean --eval-opponents?")


def options(parser: argparse.ArgumentParser) -> None:
    """Which run, and for how long."""
    parser.add_argument("folder", metavar="RUN", help="where it is kept")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop, saved, after so long")
    parser.add_argument("--steps", type=int, metavar="N", help="train to this step")
    parser.add_argument("--total-games", type=int, metavar="N", help="train to this game")
    parser.add_argument(
        "--eval-opponents", metavar="A;B", help="measure strength against these agents"
    )
    parser.add_argument("--ladder", action=Renamed, help=argparse.SUPPRESS)
    parser.add_argument(
        "--game", metavar="FILE", help="the Python file of the game, if it is written in Python"
    )
    parser.add_argument(
        "--with",
        dest="files",
        action="append",
        default=[],
        metavar="FILE",
        help="the Python file of an agent that the run meets; may be given several times",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Train on."""
    with importing():
        from ludus.cli._common import check_minutes
        from ludus.cli._training import train_run
        from ludus.learn.runs.run import Run

    check_minutes(args.minutes)
    found = Run(args.folder, args.game, files=args.files)
    asked = {
        "steps": args.steps,
        "total_games": args.total_games,
        "eval_opponents": args.eval_opponents,
    }
    changes = {name: value for name, value in asked.items() if value is not None}
    last = (found.folder.course() or [{}])[-1]
    done = {"steps": last.get("step", 0), "total_games": last.get("games", 0)}
    for name, behind in done.items():
        if name in changes and 0 < changes[name] < behind:
            option = f"--{name.replace('_', '-')}"
            raise ValueError(
                f"the run in {args.folder} has {behind:,.0f} {name.removeprefix('total_')} behind "
                f"it, and {option} {changes[name]} is below that"
            )
    return train_run(found.with_config(**changes), args.minutes, args.json)
