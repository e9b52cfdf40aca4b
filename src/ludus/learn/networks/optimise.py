"""Down the gradient: batches of what is known, one careful step, and what many came to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import torch
from torch import Tensor, nn

from ludus.learn.networks.plan import FAR
from ludus.learn.training.step import Diverged

if TYPE_CHECKING:
    from torch.optim import Optimizer


def shuffled(
    columns: Sequence[Tensor], size: int, rng: np.random.Generator
) -> Iterator[list[Tensor]]:
    """All rows once, in batches; the last may be smaller."""
    order = torch.from_numpy(rng.permutation(len(columns[0])))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        yield [column[part] for column in columns]


def descend(
    network: nn.Module, optimizer: Optimizer, loss: Tensor, clip: float, **named: Tensor
) -> float:
    """One step down the gradient, shortened to `clip`; tells how long it was before."""
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    length = guarded(network, clip, loss, **named)
    optimizer.step()
    return length


def annealed(number: int, steps: int) -> float:
    """What is left in a step of something that falls evenly to nothing; all of it, if in none."""
    return max(0.0, 1 - (number - 1) / steps) if steps else 1.0


def averaged(found: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of each number, over those that have it."""
    names = dict.fromkeys(name for one in found for name in one)
    return {name: float(np.mean([one[name] for one in found if name in one])) for name in names}


def guarded(network: nn.Module, clip: float, loss: Tensor, **named: Tensor) -> float:
    """Shorten the gradient to `clip`; a number gone bad stops everything, and is named."""
    slopes = [p.grad for p in network.parameters() if p.grad is not None]
    length = nn.utils.get_total_norm(slopes)
    if not (math.isfinite(length) and abs(loss.item()) <= FAR):
        accuse(network, loss, **named)  # before shortening spreads the bad number over all
    nn.utils.clip_grads_with_norm_(network.parameters(), clip, length)
    return float(length)


def accuse(network: nn.Module, loss: Tensor, **named: Tensor) -> NoReturn:
    """Name what went bad first: weights, what was learned from, gradients, and the loss last."""
    if found := ill(network):
        raise Diverged(found)
    sound(**named)
    for name, parameter in network.named_parameters():
        if parameter.grad is not None and not torch.isfinite(parameter.grad).all():
            raise Diverged(f"the gradient of {name} is not finite")
    sound(**{"the loss": loss})
    if abs(loss.item()) > FAR:
        raise Diverged(f"the loss is {loss.item():.3g}, beyond {FAR:g}")
    raise Diverged("the length of the gradient is not finite")


@torch.no_grad()
def ill(network: nn.Module) -> str:
    """What is wrong with the weights, if anything: the first of them that are, by name."""
    for name, parameter in network.named_parameters():
        low, high = torch.aminmax(parameter)  # many times faster than a norm of infinite order
        if low >= -FAR and high <= FAR:  # which nothing is that is no number
            continue
        if not torch.isfinite(parameter).all():
            return f"the weights {name} are not finite"
        return f"the weights {name} have gone beyond {FAR:g}"
    return ""


def sound(**named: Tensor) -> None:
    """A number that is none stops everything, and is named."""
    for name, tensor in named.items():
        if not torch.isfinite(tensor).all():
            raise Diverged(f"{name} is not finite")
