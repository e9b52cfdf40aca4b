"""Measure the levels that `ludus serve` offers: a ladder of agents a game, rated by their games.

    python scripts/levels.py                    all games, as src/ludus/serve/levels.json has them
    python scripts/levels.py connect4 --games 4 --dry-run

Each agent meets the next one above it, from the same openings for both sides. Budgets are counted
(simulations, depths), so the same seed gives the same table. Elo counts from `random`.
"""

from __future__ import annotations

import argparse
import datetime
import json
import time
from pathlib import Path

import ludus
from ludus.arena.tournament import Tournament
from ludus.serve.levels import FILE, NAMES, PERFECT

GAMES, SEED, OPENINGS, APART = 40, 7, "random:2", 1
# From weak to strong, as far as is known before they are measured; 6 to 8 each.
LADDERS = {
    "tictactoe": (
        "random",
        "perfect:epsilon=0.6",
        "perfect:epsilon=0.35",
        "uct:simulations=10",
        "uct:simulations=30",
        "perfect",
    ),
    "connect4": (
        "random",
        "uct:simulations=10",
        "uct:simulations=30",
        "uct:simulations=100",
        "uct:simulations=500",
        "uct:simulations=5000",
        "zoo/connect4:simulations=100",
        "perfect:fastest=False",
    ),
    "chinesecheckers": (
        "random",
        "greedy:epsilon=0.8",
        "greedy:epsilon=0.6",
        "greedy:epsilon=0.3",
        "greedy",
        "alphabeta:depth=2",
        "alphabeta:depth=3",
        "alphabeta:depth=4",
    ),
    "chinesecheckers:size=4,pieces=3": (
        "random",
        "perfect:epsilon=0.6",
        "uct:simulations=100",
        "perfect:epsilon=0.35",
        "uct:simulations=1000",
        "perfect:epsilon=0.1",
        "perfect",
    ),
    "checkers": (
        "random",
        "uct:simulations=10",
        "uct:simulations=100",
        "alphabeta:depth=2",
        "alphabeta:depth=4",
        "alphabeta:depth=6",
        "alphabeta:depth=8",
    ),
    "kingcourtesan": (
        "random",
        "uct:simulations=50",
        "uct:simulations=200",
        "uct:simulations=1000",
        "alphabeta:depth=2",
        "alphabeta:depth=3",
        "alphabeta:depth=4",
        "zoo/kingcourtesan:simulations=100",
    ),
    "supertictactoe": (
        "random",
        "uct:simulations=100",
        "uct:simulations=300",
        "uct:simulations=1000",
        "alphabeta:depth=1",
        "uct:simulations=5000",
        "alphabeta:depth=2",
    ),
    "cathedral": (
        "random",
        "greedy:epsilon=0.8",
        "greedy:epsilon=0.6",
        "greedy:epsilon=0.4",
        "greedy:epsilon=0.2",
        "greedy",
        "alphabeta:depth=2",
    ),
}


def measured(spelling: str, games: int, apart: int, seed: int, workers: int) -> dict[str, object]:
    """The ladder of a game, rated."""
    agents = LADDERS[spelling]
    prepared = Tournament(spelling, agents, games=games, seed=seed, openings=OPENINGS)
    near = {key: plan for key, plan in prepared.plans.items() if key[1] - key[0] <= apart}
    prepared.plans, prepared.done = near, {key: {} for key in near}
    table = prepared.play(workers)
    rated = table.ratings
    zero = rated.ratings[list(prepared.names).index("random")].value
    levels = []
    for rank, i in enumerate(reversed(table.order)):
        estimate = rated.ratings[i]
        levels.append(
            {
                "name": name_of(rank, len(agents), agents[i]),
                "agent": agents[i],
                "elo": round(estimate.value - zero),
                "low": round(estimate.low - zero),
                "high": round(estimate.high - zero),
                "games": sum(len(g) for key, g in prepared.done.items() if i in key),
            }
        )
    return {
        "seed": seed,
        "ladder": agents,
        "apart": apart,
        "games_a_pair": games,
        "openings": OPENINGS,
        "date": datetime.date.today().isoformat(),
        "levels": levels,
    }


def name_of(rank: int, count: int, agent: str) -> str:
    """The weakest is the first of the names, the strongest the last; perfect play says so."""
    if agent in ("perfect", "perfect:fastest=False"):
        return PERFECT
    return NAMES[round(rank * (len(NAMES) - 1) / (count - 1))]


def main() -> None:
    """Measure, print, and keep."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", default=list(LADDERS), help="games to measure")
    parser.add_argument("--games", type=int, default=GAMES, help="of each two neighbours")
    parser.add_argument("--apart", type=int, default=APART, help="how far neighbours are")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--dry-run", action="store_true", help="print, and write nothing")
    args = parser.parse_args()
    for name in args.names:
        spelling = ludus.game(name).spelling
        started = time.perf_counter()
        found = measured(spelling, args.games, args.apart, args.seed, args.workers)
        print(f"{spelling}: {time.perf_counter() - started:.1f} s")
        for level in found["levels"]:
            print("  {name:12} {elo:6} ({low} to {high})  {agent}".format(**level))
        if not args.dry_run:
            write(FILE, spelling, found)


def write(file: Path, spelling: str, found: dict[str, object]) -> None:
    """One game's levels anew, the others as they were."""
    known = json.loads(file.read_text()) if file.exists() else {}
    known[spelling] = found
    file.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
