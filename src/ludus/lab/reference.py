"""What a strong agent says, where nobody knows the truth: a reference, and never called truth."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, fresh, is_batched, think_many
from ludus.arena.seeds import numbers
from ludus.game import Game, State
from ludus.learn.runs.evaluate import outcome_of_value
from ludus.truth.oracle import Oracle

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 256


class Reference(Oracle):
    """Answers as an oracle does: won above a third, lost below minus a third, drawn between.

    What it says of a state depends on the state, its own options and the seed alone.
    """

    def __init__(self, game: Game, agent: Agent, *, seed: int = 0, workers: int = 1) -> None:
        super().__init__(game)
        self.agent, self.seed, self.workers = agent, seed, workers

    def value(self, state: State) -> float:
        return float(self.values_of([state])[0])

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        found = np.array([0.0 if one.outcome is None else float(one.outcome) for one in states])
        rows = [row for row, one in enumerate(states) if one.outcome is None]
        parts = [rows[at : at + CHUNK] for at in range(0, len(rows), CHUNK)]
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for part, values in zip(
                    parts,
                    pool.map(lambda part: self._ask([states[r] for r in part]), parts),
                    strict=True,
                ):
                    found[part] = values
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return found

    def _ask(self, states: Sequence[Any]) -> list[int]:
        if is_batched(self.agent):
            thoughts = think_many(self.agent, states)
        else:
            thoughts = [
                fresh(self.agent, numbers(1, self.seed, state.key & (1 << 64) - 1)[0]).think(state)
                for state in states
            ]
        if any(thought.value is None for thought in thoughts):
            raise ValueError("this reference says nothing of what a state is worth: name another")
        return [outcome_of_value(float(thought.value or 0)) for thought in thoughts]
