"""Show every game and how fast random games go, then let search agents meet in Connect Four."""

from __future__ import annotations

import argparse
import random

from ludus.arena.table import Table
from ludus.arena.tournament import Tournament
from ludus.cli._common import Progress, add_json, answer
from ludus.cli.doctor import examined
from ludus.cli.tournament import reported, with_truth
from ludus.game import game, game_names

AGENTS = ["random", "greedy", "uct:simulations=100", "uct:simulations=1000", "alphabeta:depth=6"]
GAMES = 20  # for each two agents
OPENINGS = "random:8"  # many different games; and their truth is known soon


def options(parser: argparse.ArgumentParser) -> None:
    """The seed of the moves shown."""
    parser.add_argument("--seed", type=int, default=0, help="of the positions shown (0)")
    add_json(parser)


def met(seed: int) -> Table:
    """A short tournament, the same for the same seed, its moves held against the truth."""
    tournament = Tournament("connect4", AGENTS, games=GAMES, seed=seed, openings=OPENINGS)
    progress = Progress("tournament", len(tournament.jobs()), "games")
    tournament.play(2, progress=progress)
    progress.done()
    return with_truth(tournament.table(), tournament.game)


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
    table = met(args.seed)
    if args.json:
        answer({"games": reports, "tournament": table.as_dict()})
    else:
        print(f"\nA tournament of search agents\n\n{reported(table)}")
    return 0 if all(report["perft"] == "ok" for report in reports.values()) else 1
