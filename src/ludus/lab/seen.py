"""States seen in training, their neighbours, and all others: no state is in two classes.

A state is known by the key of its position: the past of a game is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEEN, NEIGHBOURING, OTHER = "seen", "neighbouring", "other"
CLASSES = (SEEN, NEIGHBOURING, OTHER)


class SeenStates:
    """The states that a training has seen; with `mirrored`, their mirror images count as seen."""

    def __init__(self, states: Sequence[State], *, mirrored: bool = False) -> None:
        self.states, self.mirrored = states, mirrored
        self.keys = np.unique(self.keys_of(states))

    @classmethod
    def load(cls, run: str, *, mirrored: bool = False) -> SeenStates:
        """Those that a run has recorded."""
        raise ValueError(f"{run} has no record of the states it saw")

    def __len__(self) -> int:
        return len(self.keys)

    def keys_of(self, states: Iterable[State]) -> NDArray[np.uint64]:
        """By what states are told apart: with `mirrored`, images of each other are one."""
        each: Any = (self.key(state) for state in states)
        return np.fromiter(each, np.uint64)

    def key(self, state: Any) -> int:
        """That of one state."""
        if not self.mirrored or state.num_symmetries == 1:
            return int(state.key)
        return min(int(state.transformed(image).key) for image in range(state.num_symmetries))

    @cached_property
    def neighbours(self) -> NDArray[np.uint64]:
        """Keys of states one action away from a seen one, and never seen."""
        found = np.unique(self.keys_of(after for one in self.states for after in successors(one)))
        return np.setdiff1d(found, self.keys, assume_unique=True)

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


def successors(state: Any) -> list[State]:
    """The states one action away, whatever the board does by itself after it."""
    if not state.chancy:
        return [state.play(action) for action in state.legal()]
    return [
        state.play(action, chance=result)
        for action in state.legal()
        for result, _ in state.chances(action)
    ]
