"""Agents at a table of many games, remembering nothing between plies.

An agent that kept a tree or a generator of its own could not be stored with the training; a new one
is made for every thought, from a seed that the training draws. Searches with a counted budget
think inside native code about all rows at once; other agents are asked row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import _core
from ludus.agent import (
    Agent,
    EpsilonGreedy,
    Tempered,
    Thought,
    fresh,
    is_batched,
    think_many,
    unwrap,
)
from ludus.agents.alphabeta import MAX_DEPTH, AlphaBeta, read_weights
from ludus.agents.uct import UctAgent
from ludus.game import State
from ludus.learn.collecting.vector_games import VectorGames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Policies = NDArray[np.float64]  # [rows, num_actions], in the frame of the mover


def choose_actions(
    opponent: Agent,
    table: VectorGames,
    rows: NDArray[np.int64],
    seeds: NDArray[np.int64],
    draws: NDArray[np.float64],
    threads: int = 1,
) -> NDArray[np.int32]:
    """The opponent's actions in these rows; numbers in [0, 1) decide between equals, or draw."""
    policies = policies_of(opponent, table, rows, seeds, threads)
    if not getattr(opponent, "samples", False):
        policies = (policies == policies.max(1, keepdims=True)).astype(np.float64)
    return pick(policies, draws).astype(np.int32)


def policies_of(
    opponent: Agent,
    table: VectorGames,
    rows: NDArray[np.int64],
    seeds: NDArray[np.int64],
    threads: int,
) -> Policies:
    """What the opponent would do in each row, whatever it thought before."""
    if table.native and thinks_natively(unwrap(opponent)):
        masks = table.masks[rows]
        return apply_wrappers(
            opponent, search(unwrap(opponent), table, rows, seeds, threads), masks
        )
    states = [table.batch.state(int(row)) for row in rows]
    thoughts = thoughts_of(opponent, states, seeds)
    return np.stack(
        [mover_policy(state, thought) for state, thought in zip(states, thoughts, strict=True)]
    )


def thinks_natively(opponent: Agent) -> bool:
    """Whether it is a search that native code can do for many games at once."""
    if isinstance(opponent, UctAgent):
        return opponent.seconds is None and opponent.threads == 1 and not opponent.judge
    if isinstance(opponent, AlphaBeta):
        bounded = opponent.depth is not None or opponent.nodes is not None
        counted = opponent.seconds is None and opponent.lines is None
        return counted and bounded and not opponent.judge
    return False


def search(
    opponent: Any,
    table: VectorGames,
    rows: NDArray[np.int64],
    seeds: NDArray[np.int64],
    threads: int,
) -> Policies:
    """The same thoughts as the agent's own, for all rows in one call."""
    policies = np.empty((len(rows), table.num_actions))
    if isinstance(opponent, UctAgent):
        _core.think_uct(
            table.batch,
            rows,
            seeds.astype(np.uint64),
            policies,
            threads,
            opponent.simulations,
            **opponent.native_options(table.game.spelling),
        )
    else:
        _core.think_alphabeta(
            table.batch,
            rows,
            policies,
            threads,
            MAX_DEPTH if opponent.depth is None else opponent.depth,
            opponent.nodes,
            read_weights(opponent.weights),
            opponent.table << 20,
            opponent.quiescence,
            opponent.multi,
        )
    return policies


def apply_wrappers(opponent: Agent, policies: Policies, masks: NDArray[np.bool_]) -> Policies:
    """What the wrappers of a opponent make of its policies."""
    if not isinstance(opponent, EpsilonGreedy | Tempered):
        return policies
    return opponent.mix_policy(
        apply_wrappers(opponent.agent, policies, masks), masks / masks.sum(1, keepdims=True)
    )


def thoughts_of(
    opponent: Agent, states: Sequence[State], seeds: NDArray[np.int64]
) -> Sequence[Thought]:
    """What the opponent thinks of each state, whatever it thought before."""
    if is_batched(opponent):
        return think_many(opponent, states)
    return [
        fresh(opponent, int(seed)).think(state) for seed, state in zip(seeds, states, strict=True)
    ]


def mover_policy(state: State, thought: Thought) -> NDArray[np.float64]:
    """A policy in the frame of the mover."""
    turned = np.zeros_like(thought.policy)
    legal = state.legal()
    turned[[state.seen(action) for action in legal]] = thought.policy[legal]
    return turned


def pick(weights: Policies, draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """An action a row, in proportion to its weights, by numbers in [0, 1) drawn before."""
    upto = np.cumsum(weights, axis=1)
    mark = draws[:, None] * upto[:, -1:] * (1 - 1e-12)
    return np.asarray((upto > mark).argmax(1))
