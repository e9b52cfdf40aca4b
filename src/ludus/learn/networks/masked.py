"""Heads under a mask: illegal actions never enter a softmax, a maximum or an entropy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ludus import _core
from ludus.learn.networks.plan import Diverged

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEVER = float("-inf")
SPREAD = "value_std"  # the standard deviation of values over the positions of a batch
EVENNESS = "prior_entropy"  # of the policy, as a share of that of an even one


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Log probabilities over legal actions; minus infinity for the others."""
    return torch.log_softmax(logits.masked_fill(~mask, NEVER), dim=-1)


def entropy(log_probabilities: Tensor) -> Tensor:
    """Of each row; what has no probability has no share in it, nor in its gradient."""
    finite = log_probabilities.masked_fill(log_probabilities == NEVER, 0.0)
    return -(log_probabilities.exp() * finite).sum(-1)


@torch.no_grad()
def head_metrics(log_probabilities: Tensor, values: Tensor | None = None) -> dict[str, float]:
    """Whether the heads still tell positions and actions apart: for the metrics of a step."""
    actions = (log_probabilities > NEVER).sum(-1)
    choosing = actions > 1
    found = {}
    if choosing.any():
        most = actions[choosing].float().log()
        found[EVENNESS] = float((entropy(log_probabilities[choosing]) / most).mean())
    if values is not None:
        found[SPREAD] = float(values.float().std(correction=0))
    return found


def highest_value(values: Tensor, mask: Tensor) -> Tensor:
    """The greatest value of a legal action, in each row."""
    return values.masked_fill(~mask, NEVER).amax(-1)


def best_action(values: Tensor, mask: Tensor) -> Tensor:
    """The legal action of the greatest value, in each row."""
    return values.masked_fill(~mask, NEVER).argmax(-1)


def of_actions(values: Tensor, actions: Tensor) -> Tensor:
    """The entry of each row's action."""
    return values.gather(-1, actions[:, None].long())[:, 0]


def sample(
    logits: NDArray[np.float32], mask: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """An action for each row, drawn from its policy, and the log of its probability."""
    rows = len(mask)
    actions, logs = np.empty(rows, np.int32), np.empty(rows, np.float32)
    if _core.draw(logits, mask, rng.random(rows), actions, logs) < rows:
        raise Diverged("the policy is not finite")
    return actions, logs


def uniform_actions(mask: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int32]:
    """Any legal action of each row."""
    at, _, begin = legal_entries(mask)
    found = begin[:-1] + rng.integers(np.diff(begin))
    return np.asarray(at[found] % mask.shape[1], np.int32)


def legal_entries(
    mask: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where in the flat mask the legal actions are, of which rows, and where each row begins."""
    at = np.flatnonzero(mask)
    row = at // mask.shape[1]
    return at, row, np.searchsorted(row, np.arange(len(mask) + 1))


def softmax(values: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A softmax over legal actions, in numpy; the illegal get nothing."""
    scaled = np.where(mask, values.astype(np.float64), NEVER)
    scaled -= scaled.max(1, keepdims=True)
    weights = np.exp(scaled)
    return np.asarray(weights / weights.sum(1, keepdims=True))
