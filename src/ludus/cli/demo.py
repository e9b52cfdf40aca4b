"""Show every game: its board after a few random moves, and how fast random games go."""

from __future__ import annotations

import argparse
import random

from ludus.cli._common import add_json, answer
from ludus.cli.doctor import examined
from ludus.game import game, game_names


def options(parser: argparse.ArgumentParser) -> None:
    """The seed of the moves shown."""
    parser.add_argument("--seed", type=int, default=0, help="of the positions shown (0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """A board and a rate for each game."""
    reports = {}
    for name in game_names():
        chosen = game(name)
        rng, state, last = random.Random(args.seed), chosen.start(), None
        while state.plies < 8 and state.outcome is None:
            last = rng.choice(state.legal())
            state = state.play(last, rng)
        reports[name] = report = examined(name)
        if not args.json:
            print(f"\n{chosen.kind.title}\n\n{chosen.text(state, last=last)}\n")
            print(
                f"{report['games_per_second']:,} random games a second on one thread, "
                f"{report['plies_per_second']:,} plies a second; perft {report['perft']}"
            )
    if args.json:
        answer({"games": reports})
    return 0 if all(report["perft"] == "ok" for report in reports.values()) else 1
