"""Any small game: every state that play can reach, solved in memory when it is asked for."""

from __future__ import annotations

from ludus import _core
from ludus.game import Game
from ludus.play import SLICE_SECONDS, whole
from ludus.truth.native import NativeOracle
from ludus.truth.oracle import NoTruth, Oracle
from ludus.truth.solving import Job

OPTIONS = ("states",)
STATES = 2_000_000  # seconds, and a few hundred megabytes


def job(game: Game, *, threads: int = 1, states: int = STATES) -> Job | None:
    """Nothing is kept: it is solved faster than it is read."""
    return None


def oracle(game: Game, *, states: int = STATES) -> Oracle:
    """The oracle, if play reaches at most so many states."""
    space = _core.reachable(game.start(), whole("states", states, 1, 10**9))
    try:
        while not space.done:
            space.work(SLICE_SECONDS)
    except ValueError as error:
        raise NoTruth(f"{game.spelling} has no table: {error}") from None
    return NativeOracle(game, space, "play cannot reach this position")
