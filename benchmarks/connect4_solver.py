"""The Connect Four solver on Pons' sets: nodes and time a position, beside BitBully; two threads.

Ours starts every position with an empty table. BitBully keeps its own from position to position,
because clearing it takes longer than solving: that is to its advantage, so it sees none twice.
"""

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import peers
from harness import EFFORT, Row, Work, compare, main

import ludus
from ludus import _core
from ludus.game import State

SETS = Path(__file__).parents[2] / "shared" / "data"
NAMES = {"end": "Test_L3_R1", "middle": "Test_L2_R1", "begin": "Test_L1_R1"}
PARTS = 5  # of a set; each round has its own
PONS = {"end": 51, "middle": 449, "begin": 3296}  # nodes a position, measured once; see docs


def lines(name: str) -> list[str]:
    """The moves of each position of a set."""
    return [line.split()[0] for line in (SETS / NAMES[name]).read_text().splitlines()]


def solve_work(solver: _core.Connect4Solver, states: Sequence[State], portion: int) -> Work:
    """A portion of the positions at a time, from the first on, over and over."""
    at = 0

    def work() -> float:
        nonlocal at
        chosen = [states[i % len(states)] for i in range(at, at + portion)]
        at += portion
        solver.ask(chosen)
        while not solver.work(1):
            pass
        return portion

    return work


def mean_nodes(solver: _core.Connect4Solver, states: Sequence[State]) -> float:
    """Over the whole set, each position with an empty table."""
    before = solver.nodes
    solve_work(solver, states, len(states))()
    return (solver.nodes - before) / len(states)


def seconds(work: Work) -> float:
    """How long it takes once."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(name: str) -> list[Row]:
    """Nodes a position (the ratio says how many times fewer), and positions a second."""
    game = ludus.game("connect4")
    given = lines(name)
    states = [game.replay(moves) for moves in given]
    solver = _core.connect4_solver(game.start(), fresh=True)
    nodes = mean_nodes(solver, states)
    part = len(given) // PARTS
    ours = solve_work(solver, states, part)
    peer = peers.BitBully(given)
    pairs = [(seconds(ours), seconds(lambda: peer.solve(part))) for _ in range(EFFORT.rounds)]
    mine, other = (part / median(side) for side in zip(*pairs, strict=True))
    ratio = median(theirs / own for own, theirs in pairs)
    return [
        Row(f"{name}-easy", nodes, "nodes/position", "Pons", PONS[name], PONS[name] / nodes),
        Row(f"{name}-easy", nodes, "nodes/position", "bitbully", peer.nodes, peer.nodes / nodes),
        Row(f"{name}-easy", mine, "positions/s", "bitbully", other, ratio),
    ]


def random_positions(count: int, plies: int) -> list[State]:
    """Positions of random play in which nobody has won."""
    game, rng = ludus.game("connect4"), random.Random(1)
    found: list[State] = []
    while len(found) < count:
        state = game.start()
        while state.outcome is None and state.plies < plies:
            state = state.play(rng.choice(state.legal()))
        if state.outcome is None:
            found.append(state)
    return found


def threads() -> list[Row]:
    """Many harder positions over two threads, beside one."""
    states = random_positions(400, 14)
    start = ludus.game("connect4").start()
    both = [_core.connect4_solver(start, threads=count, fresh=True) for count in (2, 1)]
    two, one = (solve_work(solver, states, 100) for solver in both)
    return [compare("random-14", "positions/s, 2 thr.", two, "1 thread", one)]


if __name__ == "__main__":
    there = [name for name in NAMES if (SETS / NAMES[name]).exists()]
    if not there:
        print("Pons' sets are not part of this repository, and not beside it", file=sys.stderr)
    sets = {name: lambda name=name: measure(name) for name in there}
    main(__doc__ or "", {**sets, "threads": threads})
