"""Where every optimizer is made: torch's own, with the step of all weights as one fused kernel.

A step of Adam reads and writes weights, gradients and two moments; fused it does so once, not once
for each of its dozen operations. How it is computed is no setting, and nothing that is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch.optim import Optimizer

if TYPE_CHECKING:
    from torch import Tensor

ADAMW, ADAM, SGD = OPTIMIZERS = ("adamw", "adam", "sgd")
SECOND = 0.999  # Adam's second decay rate
KINDS: dict[str, Callable[..., Optimizer]] = {
    ADAMW: torch.optim.AdamW,
    ADAM: torch.optim.Adam,
    SGD: torch.optim.SGD,
}


def make_optimizer(
    weights: Iterable[Tensor] | Iterable[dict[str, Any]],
    name: str = ADAM,
    *,
    momentum: float = 0.9,
    **settings: Any,
) -> Optimizer:
    """By name; Adam's first decay rate is what others call momentum."""
    past = {"momentum": momentum} if name == SGD else {"betas": (momentum, SECOND)}
    return KINDS[name](weights, fused=True, **past, **settings)
