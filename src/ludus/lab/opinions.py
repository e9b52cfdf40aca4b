"""What an agent says of many states: a value and a move each, whoever works at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, Thought, choose
from ludus.arena.seeds import generator
from ludus.learn.collecting.batched_opponents import thoughts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 256  # states that are asked about at once, whoever asks: batches are the same for all


@dataclass(frozen=True)
class Opinions:
    """Of each state its value to the mover, not a number where none is said, and the move."""

    values: NDArray[np.float64]
    chosen: NDArray[np.int64]

    @property
    def valued(self) -> bool:
        """Whether it says what states are worth; a policy alone says 0 of everything."""
        return bool(not np.isnan(self.values).any() and self.values.any())

    def take(self, rows: NDArray[Any]) -> Opinions:
        """Of these states."""
        return Opinions(self.values[rows], self.chosen[rows])


def ask(
    agent: Agent,
    states: Sequence[Any],
    *,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Opinions:
    """What it says of each; a state is thought about without a past."""
    places = range(0, len(states), CHUNK)
    found: list[tuple[list[float], list[int]]] = []

    def one(at: int) -> tuple[list[float], list[int]]:
        return ask_chunk(agent, states[at : at + CHUNK], seed, at // CHUNK)

    with ThreadPoolExecutor(workers) as pool:
        try:
            for at, part in zip(places, pool.map(one, places), strict=True):
                found.append(part)
                progress(min(len(states), at + CHUNK))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    values = np.array([value for part, _ in found for value in part], np.float64)
    chosen = np.array([action for _, part in found for action in part], np.int64)
    return Opinions(values, chosen)


def ask_chunk(
    agent: Agent, states: Sequence[Any], seed: int, place: int
) -> tuple[list[float], list[int]]:
    """The values and moves of a few, by a generator of their own."""
    rng = generator(seed, place)
    thoughts: Sequence[Thought] = thoughts_of(agent, states, rng.integers(2**31, size=len(states)))
    values = [np.nan if one.value is None else float(one.value) for one in thoughts]
    return values, [choose(agent, one, rng) for one in thoughts]
