"""Chinese Checkers: every position of a board, solved backwards row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import _core
from ludus.game import Game, State, make_game
from ludus.truth.oracle import NoTruth, Oracle
from ludus.truth.placements import NumberedBoards, Placements
from ludus.truth.solving import Job, Solver, find_or_solve, outcome_text
from ludus.truth.table import SolvedTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPTIONS = ("distances", "truth")


class ChineseCheckersOracle(Oracle):
    """Looks positions up in a table."""

    def __init__(self, game: Game, table: SolvedTable) -> None:
        super().__init__(game)
        values = table.array("values", "u8")
        start: Any = game.start()
        self._table: Any = _core.row_table(start, values, table.arrays.get("distances"))

    def value(self, state: State) -> float:
        return float(self._table.value(state))

    def distance(self, state: State) -> int | None:
        plies: int | None = self._table.distance(state)
        return plies

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        return np.asarray(self._table.values_of(list(states)), dtype=np.float64)

    def distances_of(self, states: Sequence[State]) -> list[int | None]:
        found = self._table.distances_of(list(states))
        return [int(plies) if plies >= 0 else None for plies in found]

    def values(self, state: State) -> dict[int, float]:
        return {action: float(value) for action, value, _ in self._moves(state)}

    def distances(self, state: State) -> dict[int, int | None]:
        moves = self._moves(state)
        return {action: None if left is None else left + 1 for action, _, left in moves}

    def _moves(self, state: State) -> list[tuple[int, int, int | None]]:
        if not state.legal():
            raise ValueError("the game is over: there is nothing to choose")
        moves: list[tuple[int, int, int | None]] = self._table.moves(state)
        return moves


class FullTruth(Oracle):
    """Judges forward-only play by the table of the full game, as the thesis does.

    What is over is over by the rules that are played. Everything else is looked up as if both might
    also move backwards from here on: a winning move by this table need not win (RULES say why).
    """

    def __init__(self, game: Game, full: Oracle) -> None:
        super().__init__(game)
        self.full = full

    def _there(self, state: State) -> State:
        return self.full.game.state(str(state))

    def value(self, state: State) -> float:
        if state.outcome is not None:
            return float(state.outcome)
        return self.full.value(self._there(state))

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        outcomes = [state.outcome for state in states]
        found = np.array([0.0 if one is None else one for one in outcomes])
        open_ = [row for row, one in enumerate(outcomes) if one is None]
        found[open_] = self.full.values_of([self._there(states[row]) for row in open_])
        return found

    def distance(self, state: State) -> int | None:
        return 0 if state.outcome is not None else self.full.distance(self._there(state))


class RowSolver:
    """The native solver, with what it needs in memory."""

    def __init__(self, game: Game, threads: int, distances: bool) -> None:
        self.threads = threads
        start: Any = game.start()
        self.sizes = _core.row_sizes(start)
        self.bytes = np.zeros(self.sizes["distances"], np.uint8) if distances else None
        self.native = _core.row_solver(start, self.bytes)

    @property
    def done(self) -> bool:
        return bool(self.native.done)

    @property
    def progress(self) -> float:
        now = self.native.progress
        return float(2 * (sum(now["by_distance"]) + now["illegal"]) / self.sizes["states"])

    def work(self, seconds: float) -> None:
        self.native.work(seconds, self.threads)

    def _arrays(self, *names: str) -> dict[str, NDArray[Any]]:
        buffers = self.native.buffers()
        arrays = {name: buffers[name] for name in names}
        return arrays if self.bytes is None else {**arrays, "distances": self.bytes}

    def checkpoint(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        return self.native.progress, self._arrays("values", "fresh", "resolved")

    def resume(self, facts: dict[str, Any]) -> None:
        self.native.resume(facts)

    def table(self) -> Mapping[str, NDArray[Any]]:
        return self._arrays("values")

    def result(self) -> dict[str, Any]:
        counts: dict[str, Any] = self.native.counts()
        distance = counts["start"]
        longest = max((d for d, n in enumerate(counts["by_distance"]) if n and d % 2), default=None)
        value = 0 if distance is None else 1 if distance % 2 else -1
        return {**counts, "start": outcome_text(value, distance), "longest_win": longest}


def job(game: Game, *, threads: int = 1, distances: bool = True, truth: str = "own") -> Job:
    """What a table of this board takes: two bits a position, and a byte for its distance."""
    if truth != "own":
        raise ValueError("truth=full judges by the full game's table: solve that")
    if not isinstance(distances, bool):
        raise ValueError(f"distances is true or false, not {distances!r}")
    start: Any = game.start()
    sizes: dict[str, int] = _core.row_sizes(start)
    extra = sizes["distances"] if distances else 0
    chosen = {name: game.parameters[name] for name in ("size", "pieces", "forward_only")}
    spelled = ",".join(f"{name}={value}" for name, value in chosen.items())

    def solver() -> Solver:
        return RowSolver(game, threads, distances)

    return Job(
        spelling=f"chinesecheckers:{spelled}" + ("" if distances else ",distances=False"),
        rules=game.kind.rules,
        states=sizes["states"],
        memory=sizes["solver_bytes"] + extra,
        # The table and, until it is there, two checkpoints: the old and the new.
        disk=8 * sizes["values"] + 2 * sizes["solver_bytes"] + 3 * extra,
        solver=solver,
    )


def numbering(game: Game) -> NumberedBoards:
    """All positions by their numbers, as in the table, which this does not take."""
    size, pieces = (int(game.parameters[name]) for name in ("size", "pieces"))
    placements = Placements(size * size, ((("1", pieces), ("2", pieces)),))
    return NumberedBoards(game, placements, lambda board, mover: f"{''.join(board)} {mover + 1}")


def oracle(game: Game, *, distances: bool = True, truth: str = "own") -> Oracle:
    """The oracle of a board; small tables are made on the spot."""
    if truth not in ("own", "full"):
        raise ValueError(f"truth is own or full, not {truth!r}")
    if truth == "full":
        if not game.parameters["forward_only"]:
            raise ValueError("truth=full is for forward_only=true: the full game has its own truth")
        full = make_game(game.kind, **{**game.parameters, "forward_only": False})
        return FullTruth(game, oracle(full, distances=distances))
    try:
        wanted = job(game, distances=distances)
    except ValueError as error:
        raise NoTruth(f"{error}; `uct:judge=distance` plays without a table") from None
    return ChineseCheckersOracle(game, find_or_solve(wanted))
