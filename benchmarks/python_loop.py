"""Games driven move by move from Python."""

import random

import peers
from harness import Row, Work, compare, main

import ludus


def loop_work(name: str) -> Work:
    """The plainest loop there is: while something is legal, play one of it."""
    start, rng = ludus.game(name).start(), random.Random(1)
    choice = rng.choice

    def work() -> float:
        plies = 0
        for _ in range(20):
            state = start
            while legal := state.legal():
                state = state.play(choice(legal), rng)
                plies += 1
        return plies

    return work


def plain(name: str) -> Work:
    """The same without a generator, for games without chance."""
    start, choice = ludus.game(name).start(), random.Random(1).choice

    def work() -> float:
        plies = 0
        for _ in range(20):
            state = start
            while legal := state.legal():
                state = state.play(choice(legal))
                plies += 1
        return plies

    return work


def measure(name: str) -> list[Row]:
    """Moves a second; OpenSpiel beside us where it has the game."""
    work = loop_work(name) if ludus.game(name).start().chancy else plain(name)
    if name in peers.OPENSPIEL:
        return [compare(name, "moves/s", work, "openspiel", peers.openspiel_loop(name))]
    return [compare(name, "moves/s", work)]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
