"""How late a thought of 50 ms comes at worst while every core is busy, in milliseconds."""

import multiprocessing
import os
import time
from contextlib import contextmanager

from harness import Row, main

import ludus
from ludus.agent import move

SECONDS = 0.05
PLIES = 40


def spin() -> None:
    """Keep a core busy."""
    while True:
        pass


@contextmanager
def busy_cores():
    """One spinning process a core; we compete with them as any program would."""
    processes = [
        multiprocessing.Process(target=spin, daemon=True) for _ in range(os.cpu_count() or 1)
    ]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def lateness(name: str, spelling: str) -> Row:
    """The worst over a game, in a row as if it were a rate."""
    agent, rng, worst = ludus.agent(f"{spelling}:seconds={SECONDS}"), ludus.rng(1), 0.0
    state = ludus.game(name).start(rng)
    with busy_cores():
        while state.outcome is None and state.plies < PLIES:
            started = time.perf_counter()
            action, _ = move(agent, state, rng)
            worst = max(worst, time.perf_counter() - started - SECONDS)
            state = state.play(action, rng) if state.chancy else state.play(action)
    return Row(name, worst * 1e3, f"ms late, {spelling}")


def measure(name: str) -> list[Row]:
    """Both searches."""
    return [lateness(name, spelling) for spelling in ("uct", "alphabeta")]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
