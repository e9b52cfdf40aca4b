"""What the native solvers of endgames and of small games have in common, seen from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import Game, State
from ludus.locks import TurnLock
from ludus.truth.oracle import NoTruth, Oracle, require_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray


class NativeOracle(Oracle):
    """Asks a native table; `unknown` says what it does not cover."""

    def __init__(self, game: Game, truth: Any, unknown: str) -> None:
        super().__init__(game)
        self._truth, self._unknown = truth, unknown
        self._alone = TurnLock()  # looking up a state written in Python lets other threads in

    def _look_up(self, state: State) -> tuple[float, int | None]:
        with self._alone:
            found: tuple[float, int | None] | None = self._truth.look(state)
        if found is None:
            raise NoTruth(self._unknown)
        return found

    def value(self, state: State) -> float:
        return self._look_up(state)[0]

    def distance(self, state: State) -> int | None:
        return self._look_up(state)[1]

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        values = np.empty(len(states))
        with self._alone:
            self._truth.values(list(states), values)
        if np.isnan(values).any():
            raise NoTruth(self._unknown)
        return values

    def values(self, state: State) -> dict[int, float]:
        return {action: value for action, (value, _) in self._actions(state)}

    def distances(self, state: State) -> dict[int, int | None]:
        return {action: plies for action, (_, plies) in self._actions(state)}

    def _actions(self, state: State) -> list[tuple[int, tuple[float, int | None]]]:
        require_actions(state)
        self._look_up(state)
        with self._alone:
            actions: list[tuple[int, tuple[float, int | None]]] = self._truth.actions(state)
        return actions


class EndgameSolver:
    """A native solver of endgames over a table with a byte a state."""

    def __init__(self, endgames: Any, start: State, threads: int) -> None:
        self.endgames, self.start, self.threads = endgames, start, threads
        self.bytes = np.zeros(endgames.size, np.uint8)
        self.native = endgames.solver(self.bytes)

    @property
    def done(self) -> bool:
        return bool(self.native.done)

    @property
    def progress(self) -> float:
        return float(self.native.finished / self.native.size)

    def work(self, seconds: float) -> None:
        self.native.work(seconds, self.threads)

    def checkpoint(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        return {"cursor": list(self.native.cursor)}, {"verdicts": self.bytes}

    def resume(self, facts: dict[str, Any]) -> None:
        self.native = self.endgames.solver(self.bytes, tuple(facts["cursor"]))

    def table(self) -> Mapping[str, NDArray[Any]]:
        return {"verdicts": self.bytes}

    def result(self) -> dict[str, Any]:
        counts: dict[str, Any] = self.native.counts()
        found = self.endgames.oracle(self.bytes).look(self.start)
        value, distance = found or (None, None)  # the start may have more pieces than the table
        return {**counts, "start": {"value": value, "distance": distance}}
