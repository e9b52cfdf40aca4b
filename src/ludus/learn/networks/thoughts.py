"""What networks and the trees that they guide have come to, as thoughts about a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Thought
from ludus.game import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Policy = NDArray[np.float64]


def thought_of(forest: Any, row: int, *, planned: bool, before: int = 0) -> Thought | None:
    """What a tree has come to; `before` of its visits are of earlier moves. None without visits.

    A `planned` search is Gumbel's.
    """
    looks = forest.result(row)
    counts, values = np.zeros(forest.num_actions, np.int64), {}
    for action, count, worth, proof in looks:
        counts[action] = count
        if count or proof is not None:
            values[action] = float(np.clip(worth if proof is None else proof, -1, 1))
    visits, proven = int(counts.sum()), is_proven(looks)
    if not visits and not proven:
        return None
    mean = sum(count * worth for _, count, worth, _ in looks) / max(1, visits)
    policy = by_action(forest.policy(row), forest.num_actions)
    return Thought(
        avoid(policy, forest.action(row)) if planned else policy / policy.sum(),
        max(values.values()) if proven else float(np.clip(mean, -1, 1)),
        tuple(forest.line(row)),
        visits - before,
        proven=proven,
        visits=counts,
        prior=by_action(forest.priors(row), forest.num_actions),
        values=values,
    )


def avoid(policy: Policy, move: int) -> Policy:
    """A policy without the actions that it likes as much as the move that was decided on, or more.

    Gumbel's improved policy may like an action that its rounds dropped too early.
    """
    rivals = policy >= max(policy[move], np.finfo(np.float64).tiny)
    rivals[move] = False
    kept = np.where(rivals, 0, policy)
    kept[move] = kept[move] or 1.0
    return np.asarray(kept / kept.sum())


def by_action(pairs: Sequence[tuple[int, float]], num_actions: int) -> NDArray[np.float64]:
    """A number for each action, 0 where nothing is said."""
    found = np.zeros(num_actions)
    for action, number in pairs:
        found[action] = number
    return found


def visits_of(forest: Any) -> int:
    """Of the actions of the first tree's root."""
    return sum(look[1] for look in forest.result(0))


def is_proven(looks: Sequence[tuple[int, int, float, int | None]]) -> bool:
    """Whether a win is proven, or the value of every action."""
    proofs = [proof for _, _, _, proof in looks]
    return 1 in proofs or None not in proofs


def absolute_policy(state: State, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """A policy in the mover's frame, numbered as `legal()` numbers actions."""
    turned = np.zeros_like(policy)
    legal = state.legal()
    turned[legal] = policy[[state.seen(action) for action in legal]]
    return np.asarray(turned / turned.sum())
