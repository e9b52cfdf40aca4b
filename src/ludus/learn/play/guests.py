"""Agents at a table of many games: asked row by row, and remembering nothing between plies.

An agent that kept a tree or a generator of its own could not be stored with the training; a new one
is made for every thought, from a seed that the training draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ludus.agent import Agent, Thought, batched, fresh, think_many
from ludus.game import State
from ludus.learn.play.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray


def answers(
    guest: Agent,
    table: Table,
    rows: NDArray[np.int64],
    seeds: NDArray[np.int64],
    draws: NDArray[np.float64],
) -> NDArray[np.int32]:
    """The guest's actions in these rows; numbers in [0, 1) decide between equals, or draw."""
    states = [table.batch.state(int(row)) for row in rows]
    thoughts = thoughts_of(guest, states, seeds)
    policies = np.stack([thought.policy for thought in thoughts])
    if not getattr(guest, "samples", False):
        policies = (policies == policies.max(1, keepdims=True)).astype(np.float64)
    chosen = picked(policies, draws)
    return np.array(
        [state.seen(int(action)) for state, action in zip(states, chosen, strict=True)], np.int32
    )


def thoughts_of(
    guest: Agent, states: Sequence[State], seeds: NDArray[np.int64]
) -> Sequence[Thought]:
    """What the guest thinks of each state, whatever it thought before."""
    if batched(guest):
        return think_many(guest, states)
    return [fresh(guest, int(seed)).think(state) for seed, state in zip(seeds, states, strict=True)]


def picked(weights: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """An action a row, in proportion to its weights, by numbers in [0, 1) drawn before."""
    upto = np.cumsum(weights, axis=1)
    mark = draws[:, None] * upto[:, -1:] * (1 - 1e-12)
    return np.asarray((upto > mark).argmax(1))
