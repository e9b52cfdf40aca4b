"""Backward analysis: states solved a second on one thread, by size of the board; two threads."""

import time
from statistics import median

from harness import EFFORT, Row, main

import ludus
from ludus.truth.oracle import module_of

BOARDS = [
    "chinesecheckers:size=4,pieces=3",
    "chinesecheckers:size=4,pieces=6",
    "chinesecheckers:size=5,pieces=3",
    "chinesecheckers:size=5,pieces=4",
    "chinesecheckers:size=7,pieces=2",
    "kingcourtesan:size=3",
    "checkers",
]
MOST_ROUNDS = 3
SMALL = ("chinesecheckers:size=4,pieces=3", "kingcourtesan:size=3")  # for a quick look


def seconds(spelling: str, threads: int) -> tuple[float, int]:
    """A whole solve in memory; nothing is kept."""
    game = ludus.game(spelling)
    job = module_of(game).job(game, threads=threads)
    solver = job.solver()
    started = time.perf_counter()
    while not solver.done:
        solver.work(10)
    return time.perf_counter() - started, job.states


def measure(spelling: str) -> list[Row]:
    """One thread and two in turn."""
    if EFFORT.quick and spelling not in SMALL:
        return []
    one, two = [], []
    for _ in range(min(MOST_ROUNDS, EFFORT.rounds)):
        spent, states = seconds(spelling, 1)
        one.append(states / spent)
        two.append(states / seconds(spelling, 2)[0])
    ratio = median(b / a for a, b in zip(one, two, strict=True))
    short = spelling.replace("chinesecheckers:", "").replace("kingcourtesan", "kc")
    return [Row(short, median(two), "states/s, 2 threads", "1 thread", median(one), ratio)]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in BOARDS})
