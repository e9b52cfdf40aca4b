"""Any small game: every state that play can reach, solved in memory when it is asked for."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game, State
from ludus.play import SLICE_SECONDS
from ludus.truth.native import NativeOracle
from ludus.truth.oracle import NoTruth, Oracle
from ludus.truth.solving import Job, outcome_text, peak_bytes
from ludus.written import Written

OPTIONS = ("states",)
STATES = 5_000_000  # seconds, and a few hundred megabytes
PYTHON_STATES = 20_000  # of a game written in Python: seconds too


def job(game: Game, *, threads: int = 1, states: int | None = None) -> Job | None:
    """Nothing is kept: it is solved faster than it is read."""
    return None


def oracle(game: Game, *, states: int | None = None) -> Oracle:
    """The oracle, if play reaches at most so many states."""
    return NativeOracle(game, explore(game, states), "play cannot reach this position")


@dataclass(frozen=True)
class ReachableStates:
    """All states that play can reach, in the order in which they were found."""

    space: Any

    @property
    def size(self) -> int:
        return int(self.space.states)

    def numbered(self, number: int) -> State | None:
        """The state with this number."""
        found: State = self.space.state(number)
        return found


def numbering(game: Game) -> ReachableStates:
    """The states that play can reach, by their numbers."""
    return ReachableStates(explore(game, None))


def summary(game: Game, *, states: int | None = None) -> dict[str, Any]:
    """What there is in this game, and what its start is worth."""
    started = time.perf_counter()
    space = explore(game, states)
    value, distance = space.look(game.start())
    return {
        **space.counts(),
        "illegal": 0,
        "start": outcome_text(value, distance),
        "seconds": time.perf_counter() - started,
        "peak_bytes": peak_bytes(),
    }


def explore(game: Game, states: int | None) -> Any:
    """All states that play can reach, solved."""
    start = game.start()
    usual = PYTHON_STATES if isinstance(start, Written) else STATES
    space = _core.reachable(start, check_whole("states", states or usual, 1, 10**9))
    try:
        while not space.done:
            space.work(SLICE_SECONDS)
    except ValueError as error:
        raise NoTruth(f"{game.spelling} has no table: {error}") from None
    return space
