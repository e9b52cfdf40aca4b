"""States seen in training, their neighbours, and all others: no state is in two classes.

A state is known by the key of its position: the past of a game is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import Game, State
from ludus.learn.runs.run import Run
from ludus.learn.store.seen import SeenRecord, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEEN, NEIGHBOURING, OTHER = "seen", "neighbouring", "other"
CLASSES = (SEEN, NEIGHBOURING, OTHER)
CHUNK = 4096  # states that are there as objects at the same time


class SeenStates:
    """The states that a training has seen; with `mirrored`, their mirror images count as seen.

    They are kept as texts, and are states again when they are asked for.
    """

    def __init__(
        self,
        game: Game,
        texts: Sequence[str],
        *,
        mirrored: bool = False,
        record: SeenRecord | None = None,
    ) -> None:
        self.game, self.texts, self.mirrored, self.record = game, texts, mirrored, record
        self.keys = np.unique(self.keys_of(self.states()))

    @classmethod
    def of(cls, game: Game, states: Iterable[State], *, mirrored: bool = False) -> SeenStates:
        """These states."""
        return cls(game, [str(state) for state in states], mirrored=mirrored)

    @classmethod
    def load(cls, run: str | Path | Run, *, mirrored: bool = False) -> SeenStates:
        """Those that a run has recorded (`--record-states`)."""
        at = run if isinstance(run, Run) else Run(run)
        record = read(at.path, at.asked.game.spelling)
        return cls(at.asked.game, list(record.texts()), mirrored=mirrored, record=record)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def full(self) -> bool:
        """Whether it took in no more: then some that were seen are not told as seen."""
        return self.record is not None and len(self.texts) >= self.record.limit

    def state(self, row: int) -> State:
        """One of them, without a past."""
        try:
            return self.game.state(self.texts[row])
        except ValueError as wrong:
            at = self.record.path if self.record else "this record"
            raise ValueError(f"{at} is damaged: {wrong}") from None

    def states(self) -> Iterator[State]:
        """All of them, in the order in which they were seen first."""
        return (self.state(row) for row in range(len(self.texts)))

    def key(self, state: Any) -> int:
        """By what states are told apart: with `mirrored`, images of each other are one."""
        if not self.mirrored or state.num_symmetries == 1:
            return int(state.key)
        return min(int(state.transformed(image).key) for image in range(state.num_symmetries))

    def keys_of(self, states: Iterable[State]) -> NDArray[np.uint64]:
        """Those of many."""
        mask = (1 << 64) - 1  # a game written in Python may have any hash for a key
        return np.fromiter((self.key(state) & mask for state in states), np.uint64)

    @cached_property
    def _near(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32]]:
        """Keys of neighbours in their order; of each, from which state it is reached, and how."""
        keys, rows, places = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)], []
        waiting, first = self.states(), 0
        while chunk := list(islice(waiting, CHUNK)):
            after = [[*successors(one)] for one in chunk]
            found = self.keys_of(one for each in after for one in each)
            row = np.repeat(first + np.arange(len(chunk)), [len(each) for each in after])
            place = np.concatenate([np.zeros(0, np.int32), *(np.arange(len(e)) for e in after)])
            new = ~among(found, self.keys)
            found, row, place = found[new], row[new], place[new].astype(np.int32)
            found, once = np.unique(found, return_index=True)
            keys.append(found)
            rows.append(row[once])
            places.append(place[once])
            first += len(chunk)
        each, once = np.unique(np.concatenate(keys), return_index=True)
        placed = np.concatenate([np.zeros(0, np.int32), *places])
        return each, np.concatenate(rows)[once], placed[once]

    @property
    def neighbours(self) -> NDArray[np.uint64]:
        """Keys of the states one action away from a seen one, and never seen."""
        return self._near[0]

    def neighbour(self, number: int) -> State:
        """The state of one of those keys."""
        _, rows, places = self._near
        return next(islice(successors(self.state(int(rows[number]))), int(places[number]), None))

    def classify(self, state: State) -> str:
        """`seen`, `neighbouring` or `other`."""
        return self.classify_all([state])[0]

    def classify_all(self, states: Iterable[State]) -> list[str]:
        """The class of each."""
        keys = self.keys_of(states)
        seen, near = among(keys, self.keys), among(keys, self.neighbours)
        return [
            SEEN if a else NEIGHBOURING if b else OTHER for a, b in zip(seen, near, strict=True)
        ]


def among(keys: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which of the keys are among those that are sorted."""
    if not len(known):
        return np.zeros(len(keys), np.bool_)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.asarray(known[at] == keys)


def successors(state: Any) -> Iterator[State]:
    """The states one action away, whatever the board does by itself after it."""
    for action in state.legal():
        if not state.chancy:
            yield state.play(action)
            continue
        for result, _ in state.chances(action):
            yield state.play(action, chance=result)
