"""Go on with a run where it was stopped, exactly as if it had not been."""

from __future__ import annotations

import argparse

from ludus.cli._common import add_json


def options(parser: argparse.ArgumentParser) -> None:
    """Which run, and for how long."""
    parser.add_argument("folder", metavar="RUN", help="where it is kept")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop, saved, after so long")
    parser.add_argument("--steps", type=int, metavar="N", help="train to this step")
    parser.add_argument("--ladder", metavar="A;B", help="measure strength against these agents")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Train on."""
    from ludus.cli._training import trained
    from ludus.learn.run.run import Run

    found = Run(args.folder)
    changes = {name: getattr(args, name) for name in ("steps", "ladder") if getattr(args, name)}
    return trained(found.with_config(**changes), args.minutes, args.json)
