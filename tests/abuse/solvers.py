"""Small solves, starved, refused, cut into slices and asked again: the truth or a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from ludus import _core
from tests.starved import starved

CHILD = """
import sys
from tests.abuse.solvers import suffer
print(suffer(sys.argv[1], int(sys.argv[2]), starve, feed))
"""

Work = Callable[[float, int], bool]  # some seconds, some threads: whether all is known
Solve = tuple[Work, Callable[[], Any]]  # and then what is known


def reachable(spelling: str) -> Solve:
    """Every state of a small game."""
    start = ludus.game(spelling).start()
    space = _core.reachable(start, 10**6)

    def work(seconds: float, threads: int) -> bool:
        space.work(seconds)
        return space.done

    return work, lambda: (space.counts(), space.look(start))


def rows(spelling: str) -> Solve:
    """Chinese Checkers, row by row."""
    solver = _core.row_solver(ludus.game(spelling).start())

    def work(seconds: float, threads: int) -> bool:
        solver.work(seconds, threads)
        return solver.done

    return work, solver.counts


def endgames(spelling: str, *pieces: int) -> Solve:
    """A table of endgames."""
    space = _core.endgames(ludus.game(spelling).start(), *pieces)
    solver = space.solver(np.zeros(space.size, np.uint8))

    def work(seconds: float, threads: int) -> bool:
        solver.work(seconds, threads)
        return solver.done

    return work, solver.counts


def scores(spelling: str) -> Solve:
    """Connect Four on a small board: the score of each first move."""
    start = ludus.game(spelling).start()
    solver = _core.connect4_solver(start, threads=3, table_bits=14)
    solver.ask([start, *(start.play(action) for action in start.legal())], moves=True)
    return lambda seconds, threads: solver.work(seconds), lambda: solver.answers().tolist()


def alphabeta(spelling: str, depth: int) -> Solve:
    """A search to a depth."""
    search = _core.alphabeta(ludus.game(spelling).start(), table_bytes=1 << 24)

    def work(seconds: float, threads: int) -> bool:
        return search.run(depth, seconds=seconds)

    return work, lambda: (search.depth, search.score, search.proven)


def cathedral(seed: int) -> Solve:
    """The end of a game of Cathedral."""
    rng, line = random.Random(seed), [ludus.game("cathedral:size=8").start()]
    while line[-1].outcome is None:
        line.append(line[-1].play(rng.choice(line[-1].legal())))
    search = _core.cathedral_endgame(line[-4], every_action=True)

    def work(seconds: float, threads: int) -> bool:
        return search.run(10**6, seconds)

    return work, lambda: (search.value, search.values())


SOLVES: dict[str, Callable[[], Solve]] = {
    "tictactoe": lambda: reachable("tictactoe"),
    "noisy tictactoe": lambda: reachable("tictactoe:success=0.9"),
    "moves": lambda: reachable("chinesecheckers:size=3,pieces=3"),
    "rows": lambda: rows("chinesecheckers:size=4,pieces=3"),
    "kingcourtesan": lambda: endgames("kingcourtesan:size=3"),
    "checkers": lambda: endgames("checkers", 2),
    "connect4": lambda: scores("connect4:rows=4,columns=5"),
    "alphabeta": lambda: alphabeta("connect4", 9),
    "chancy alphabeta": lambda: alphabeta("supertictactoe", 2),
    "draughts alphabeta": lambda: alphabeta("checkers", 7),
    "cathedral": lambda: cathedral(3),
}


@cache
def truth(name: str) -> str:
    """What comes of it undisturbed."""
    work, known = SOLVES[name]()
    assert work(60.0, 1), f"{name} takes too long"
    return str(known())


def suffer(name: str, seed: int, starve: Callable[[int], None], feed: Callable[[], None]) -> str:
    """In a process of its own: solve with little memory, in small slices, over many threads."""
    rng, refusals = random.Random(seed), 0
    work, known = SOLVES[name]()
    done = False
    ballast = [bytes(size) for size in range(16, 4000, 16) for _ in range(40)]  # fills old holes
    for _ in range(rng.randint(1, 6)):
        starve(int(2 ** rng.uniform(10, 25)))
        try:
            for _ in range(rng.randint(1, 30)):
                done = work(rng.choice((0.0001, 0.001, 0.01, 0.1)), rng.choice((1, 2, 5, 33, 200)))
        except MemoryError:
            refusals += 1
        feed()
    del ballast
    while not done:
        done = work(0.2, 2)
    return f"{refusals} {known()}"


def refuse(rng: random.Random) -> str:
    """A space that is too large stays so, however often it is asked."""
    limit, times = rng.randint(1, 5477), rng.randint(1, 500)
    space = _core.reachable(ludus.game("tictactoe").start(), limit)
    refusals = 0
    for _ in range(times):
        try:
            space.work(rng.choice((0.0, 0.0001, 1.0)))
        except ValueError:
            refusals += 1
        assert not space.done, f"{space.states} of more than {limit} states were solved"
    return f"refused {refusals} times of {times}"


def attack(rng: random.Random, folder: Path) -> str:
    """One solve under hardship."""
    if rng.random() < 0.1:
        return refuse(rng)
    name = rng.choice(sorted(SOLVES))
    (line,) = starved(CHILD, name, rng.randrange(2**32))
    refusals, _, found = line.partition(" ")
    assert found == truth(name), f"{name} came to {found}, not {truth(name)}"
    return f"{name}, after {refusals} times without memory"
