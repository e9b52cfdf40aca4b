"""Heads under a mask: illegal actions never enter a softmax, a maximum or an entropy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEVER = float("-inf")


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Log probabilities over legal actions; minus infinity for the others."""
    return torch.log_softmax(logits.masked_fill(~mask, NEVER), dim=-1)


def entropy(log_probabilities: Tensor) -> Tensor:
    """Of each row; what has no probability has no share in it, nor in its gradient."""
    finite = log_probabilities.masked_fill(log_probabilities == NEVER, 0.0)
    return -(log_probabilities.exp() * finite).sum(-1)


def highest(values: Tensor, mask: Tensor) -> Tensor:
    """The greatest value of a legal action, in each row."""
    return values.masked_fill(~mask, NEVER).amax(-1)


def best(values: Tensor, mask: Tensor) -> Tensor:
    """The legal action of the greatest value, in each row."""
    return values.masked_fill(~mask, NEVER).argmax(-1)


def of_actions(values: Tensor, actions: Tensor) -> Tensor:
    """The entry of each row's action."""
    return values.gather(-1, actions[:, None].long())[:, 0]


def drawn(
    weights: NDArray[np.float64], mask: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int32]:
    """An action for each row, in proportion to its weights over legal actions."""
    upto = np.cumsum(np.where(mask, weights, 0.0), axis=1, dtype=np.float64)
    # A number below one keeps the mark below the total, so that no row finds nothing.
    mark = rng.random((len(weights), 1)) * upto[:, -1:] * (1 - 1e-12)
    return np.asarray((upto > mark).argmax(1), np.int32)


def uniform(mask: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int32]:
    """Any legal action of each row."""
    upto = np.cumsum(mask, axis=1, dtype=np.int32)
    mark = rng.integers(upto[:, -1])
    return np.asarray((upto > mark[:, None]).argmax(1), np.int32)


def softened(values: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A softmax over legal actions, in numpy; the illegal get nothing."""
    scaled = np.where(mask, values.astype(np.float64), NEVER)
    scaled -= scaled.max(1, keepdims=True)
    weights = np.exp(scaled)
    return np.asarray(weights / weights.sum(1, keepdims=True))
