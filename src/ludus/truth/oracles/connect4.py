"""Connect Four: solved where it is asked about; the first plies are looked up."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game, State
from ludus.locks import TurnLock
from ludus.play import SLICE_SECONDS
from ludus.truth.openings import MOST_PLY, deepest_table, opening_job, table_bits
from ludus.truth.oracle import NoTruth, Oracle, require_actions
from ludus.truth.oracles import _small
from ludus.truth.solving import Job, find_or_solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPTIONS = ("ply", "megabytes")
MEGABYTES = 256  # of the tables of positions seen; taken only as they fill
MAKING_MEGABYTES = 1024  # the same while an opening table is made
MOST_MEGABYTES = 1 << 16
SMALL_CELLS = 20
APART = 2  # positions that are solved in slices at the same time
SOLVED = 256  # positions whose scores are remembered after that
SHOWN_SECONDS = 0.03  # a slice


Row = OrderedDict[int, "NDArray[np.int8]"]


class Connect4Oracle(Oracle):
    """Exact scores: a win with the mover's last possible stone is 1, with the one before it 2, ...

    A draw is 0, a loss the negative of the winner's score.
    """

    def __init__(self, game: Game, *, threads: int, megabytes: int) -> None:
        super().__init__(game)
        self._bits = table_bits(megabytes // threads)
        self._native = self._solver(threads)
        self._openings: tuple[int, NDArray[np.int8]] | None = None
        self._apart: list[Any] = []  # solvers of positions in slices that nobody uses now
        self._made = 0  # of those
        self._solved: Row = OrderedDict()  # by key of the position
        self._won: Row = OrderedDict()  # the same of who wins alone
        self._alone = TurnLock()
        self._cells = int(game.parameters["rows"]) * int(game.parameters["columns"])

    def _solver(self, threads: int) -> Any:
        return _core.connect4_solver(self.game.start(), threads=threads, table_bits=self._bits)

    def use_openings(self, ply: int, scores: NDArray[np.int8]) -> None:
        """Look positions up to this ply up instead of solving them."""
        with self._alone:
            self._native.use_openings(ply, scores)
            self._openings = (ply, scores)

    def solving(self, state: State) -> Iterator[None]:
        """Solve every move of a state, each slice by one thread; others may be at it meanwhile.

        Who wins comes first, since it is found sooner than how soon.
        """
        while state.outcome is None and state.key not in self._solved:
            if (native := self._take_solver()) is None:
                yield
                continue
            try:
                for only_who_wins, kept in ((True, self._won), (False, self._solved)):
                    if state.key not in kept:
                        native.ask([state], True, only_who_wins)
                        while not native.work(SHOWN_SECONDS):
                            yield
                        self._remember(kept, state, native.answers()[0])
                        yield
            finally:
                self._apart.append(native)

    def values_so_far(self, state: State) -> dict[int, float] | None:
        row = self._solved.get(state.key, self._won.get(state.key))
        return None if row is None else {a: float(np.sign(row[a])) for a in require_actions(state)}

    def _take_solver(self) -> Any:
        """A solver that nobody uses, None if all are at work."""
        with self._alone:
            if self._apart:
                return self._apart.pop()
            if self._made >= APART:
                return None
            self._made += 1
            native: Any = self._solver(1)
            if self._openings is not None:
                native.use_openings(*self._openings)
            return native

    def _remember(self, kept: Row, state: State, scores: NDArray[np.int8]) -> None:
        with self._alone:
            kept[state.key] = scores
            while len(kept) > SOLVED:
                kept.popitem(last=False)

    def scores_of(self, states: Sequence[State]) -> NDArray[np.int8]:
        """The scores of many states at once."""
        return self._solve(states)

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        """Who wins is found faster than how soon."""
        return np.sign(self._solve(states, only_who_wins=True)).astype(np.float64)

    def score(self, state: State) -> int:
        return int(self.scores_of([state])[0])

    def value(self, state: State) -> float:
        return float(self.values_of([state])[0])

    def distance(self, state: State) -> int | None:
        return self._plies(state, self.score(state))

    def scores(self, state: State) -> dict[int, int]:
        row = self._row(state)
        return {action: int(row[action]) for action in require_actions(state)}

    def values(self, state: State) -> dict[int, float]:
        row = self._row(state, only_who_wins=True)
        return {action: float(np.sign(row[action])) for action in require_actions(state)}

    def distances(self, state: State) -> dict[int, int | None]:
        return {action: self._plies(state, score) for action, score in self.scores(state).items()}

    def _row(self, state: State, only_who_wins: bool = False) -> NDArray[np.int8]:
        """The score of each action; the sign of a score is who wins."""
        known: NDArray[np.int8] | None = self._solved.get(state.key)
        if known is None and only_who_wins:
            known = self._won.get(state.key)
        if known is None:
            known = self._solve([state], moves=True, only_who_wins=only_who_wins)[0]
        return known

    def _solve(
        self, states: Sequence[State], *, moves: bool = False, only_who_wins: bool = False
    ) -> NDArray[np.int8]:
        with self._alone:
            self._native.ask(list(states), moves, only_who_wins)
            while not self._native.work(SLICE_SECONDS):
                pass
            answers: NDArray[np.int8] = self._native.answers()
        return answers

    def _plies(self, state: State, score: int) -> int | None:
        """A draw has no distance; of two lengths with one score the right one's parity fits."""
        if score == 0:
            return None
        stones = sum(mark in "xo" for mark in str(state))
        left = self._cells + 2 - 2 * abs(score) - stones
        return left - (left % 2 != (score > 0))


def job(
    game: Game, *, threads: int = 1, ply: int | None = None, megabytes: int = MAKING_MEGABYTES
) -> Job | None:
    """The opening table of a ply, if one is asked for; all else is solved when needed."""
    check_whole("megabytes", megabytes, 1, MOST_MEGABYTES)
    if ply is None:
        return None
    return opening_job(game, check_whole("ply", ply, 0, MOST_PLY), threads, megabytes)


def oracle(game: Game, *, ply: int | None = None, megabytes: int = MEGABYTES) -> Oracle:
    """The oracle, with the opening table of this ply, or else with the best there is."""
    check_whole("megabytes", megabytes, 1, MOST_MEGABYTES)
    known = Connect4Oracle(game, threads=os.cpu_count() or 1, megabytes=megabytes)
    asked = job(game, ply=ply)
    if asked is not None and ply is not None:
        known.use_openings(ply, find_or_solve(asked).array("scores", "i1"))
    elif (found := deepest_table(game)) is not None:
        known.use_openings(*found)
    return known


def summary(game: Game, *, ply: int | None = None, megabytes: int = MEGABYTES) -> dict[str, Any]:
    """What there is on a board small enough for every position to be looked at."""
    if int(game.parameters["rows"]) * int(game.parameters["columns"]) > SMALL_CELLS:
        raise NoTruth(
            f"{game.spelling} is solved position by position: give --position or --moves; "
            "connect4:ply=4 is the table of all positions with four stones"
        )
    return _small.summary(game)
