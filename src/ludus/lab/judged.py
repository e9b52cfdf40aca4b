"""States with the truth of each of their moves, as arrays: looked up once, asked many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import State
from ludus.truth.oracle import SAME, NoTruth, Oracle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

CHUNK = 2048  # states judged between two looks at the clock


@dataclass(frozen=True)
class Judged:
    """States that go on, what they are worth to their mover, and what each of their moves is."""

    states: list[State]
    players: NDArray[np.int8]
    values: NDArray[np.float64]
    counts: NDArray[np.int64]  # of legal moves
    actions: NDArray[np.int64]  # these, state after state
    worth: NDArray[np.float64]  # what each is worth to the mover

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the moves of each state begin."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def most(self) -> NDArray[np.float64]:
        """What the best move of each is worth."""
        return reduce(np.maximum, self.worth, self.starts)

    @cached_property
    def least(self) -> NDArray[np.float64]:
        """What the worst is."""
        return reduce(np.minimum, self.worth, self.starts)

    @property
    def contested(self) -> Mask:
        """Where moves differ, so that one can err."""
        return np.asarray(self.most - self.least > SAME)

    @property
    def tempting(self) -> Mask:
        """Won for the mover, and one can lose it by a move."""
        return np.asarray((self.values > 1 - SAME) & (self.least < SAME - 1) & self.contested)

    def take(self, rows: NDArray[Any]) -> Judged:
        """Those of these numbers, or of this mask."""
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        counts = self.counts[rows]
        begin = np.repeat(self.starts[rows] - (np.cumsum(counts) - counts), counts)
        moves = begin + np.arange(counts.sum())
        return Judged(
            [self.states[row] for row in rows.tolist()],
            self.players[rows],
            self.values[rows],
            counts,
            self.actions[moves],
            self.worth[moves],
        )

    def keeps(self, chosen: NDArray[np.int64]) -> Mask:
        """Whether each chosen move is as good as any: an illegal one is not."""
        each = np.repeat(np.arange(len(self)), self.counts)
        right = (self.actions == chosen[each]) & (self.worth >= self.most[each] - SAME)
        found = np.zeros(len(self), np.bool_)
        found[each[right]] = True
        return found

    def move_counts(self) -> dict[str, float]:
        """Legal, winning, losing and drawing moves of a state, on average."""
        n = max(1, len(self))
        winning = int((self.worth > 1 - SAME).sum())
        losing = int((self.worth < SAME - 1).sum())
        return {
            "states": len(self),
            "legal": len(self.worth) / n,
            "winning": winning / n,
            "losing": losing / n,
            "drawing": (len(self.worth) - winning - losing) / n,
        }


def reduce(
    choose: Any, values: NDArray[np.float64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The same of each state's moves, of which there is at least one."""
    return np.asarray(choose.reduceat(values, starts)) if len(starts) else np.zeros(0)


EMPTY = Judged(
    [],
    np.zeros(0, np.int8),
    np.zeros(0),
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0),
)


def judge(
    oracle: Oracle,
    states: Iterable[State],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> Judged:
    """What is true of those states that go on and that the oracle knows."""
    parts, waiting, done = [EMPTY], iter(states), 0
    while chunk := list(islice(waiting, CHUNK)):
        parts.append(judge_chunk(oracle, [one for one in chunk if one.outcome is None]))
        done += len(chunk)
        progress(done)
    return join(parts)


def judge_chunk(oracle: Oracle, states: Sequence[Any]) -> Judged:
    """The same of a few; where some are not known, one by one."""
    if not states:
        return EMPTY
    try:
        worth = worths(oracle, states)
        values = oracle.values_of(states)
    except NoTruth:
        if len(states) == 1:
            return EMPTY
        return join([judge_chunk(oracle, [one]) for one in states])
    return Judged(
        list(states),
        np.array([one.player for one in states], np.int8),
        np.asarray(values, np.float64),
        np.array([len(one) for one in worth], np.int64),
        np.array([action for one in worth for action in one], np.int64),
        np.array([value for one in worth for value in one.values()], np.float64),
    )


def worths(oracle: Oracle, states: Sequence[Any]) -> list[dict[int, float]]:
    """What each move of each state is worth to its mover, all successors asked about at once."""
    if any(state.chancy for state in states):
        return [oracle.values(state) for state in states]
    legal = [state.legal() for state in states]
    after = [
        state.play(action)
        for state, actions in zip(states, legal, strict=True)
        for action in actions
    ]
    found = oracle.values_of(after).tolist()
    movers = [state.player for state, actions in zip(states, legal, strict=True) for _ in actions]
    signed = iter(
        value if child.player == mover else -value
        for value, child, mover in zip(found, after, movers, strict=True)
    )
    return [{action: next(signed) for action in actions} for actions in legal]


def join(parts: Sequence[Judged]) -> Judged:
    """One after the other."""
    if not parts:
        return EMPTY
    return Judged(
        [state for part in parts for state in part.states],
        np.concatenate([part.players for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.worth for part in parts]),
    )
