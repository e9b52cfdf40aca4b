"""Down the gradient: batches of what is known, one careful step, and what many came to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import torch
from torch import Tensor, nn

from ludus.learn.networks.plan import FAR, Diverged

if TYPE_CHECKING:
    from torch.optim import Optimizer


def minibatches(
    columns: Sequence[Tensor], size: int, rng: np.random.Generator
) -> Iterator[list[Tensor]]:
    """All rows once, in batches; the last may be smaller."""
    order = torch.from_numpy(rng.permutation(len(columns[0])))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        yield [column[part] for column in columns]


def gradient_step(
    network: nn.Module, optimizer: Optimizer, loss: Tensor, clip: float, **named: Tensor
) -> float:
    """One step down the gradient, shortened to `clip`; tells how long it was before."""
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    length = clip_gradient(network, clip, loss, **named)
    optimizer.step()
    return length


def linear_decay(number: int, steps: int) -> float:
    """What is left in a step of something that falls evenly to nothing; all of it, if in none."""
    return max(0.0, 1 - (number - 1) / steps) if steps else 1.0


def mean_metrics(found: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of each number, over those that have it."""
    names = dict.fromkeys(name for one in found for name in one)
    return {name: float(np.mean([one[name] for one in found if name in one])) for name in names}


def clip_gradient(network: nn.Module, clip: float, loss: Tensor, **named: Tensor) -> float:
    """Shorten the gradient to `clip`; a number gone bad stops everything, and is named."""
    slopes = [p.grad for p in network.parameters() if p.grad is not None]
    length = nn.utils.get_total_norm(slopes)
    if not (math.isfinite(length) and abs(loss.item()) <= FAR):
        raise_diverged(network, loss, **named)  # before shortening spreads the bad number over all
    nn.utils.clip_grads_with_norm_(network.parameters(), clip, length)
    return float(length)


def raise_diverged(network: nn.Module, loss: Tensor, **named: Tensor) -> NoReturn:
    """Name what went bad first: weights, what was learned from, gradients, and the loss last."""
    if found := weight_fault(network):
        raise Diverged(found)
    check_finite(**named)
    for name, parameter in network.named_parameters():
        if parameter.grad is not None and not torch.isfinite(parameter.grad).all():
            raise Diverged(f"the gradient of {name} is not finite")
    check_finite(**{"the loss": loss})
    if abs(loss.item()) > FAR:
        raise Diverged(f"the loss is {loss.item():.3g}, beyond {FAR:g}")
    raise Diverged("the length of the gradient is not finite")


@torch.no_grad()
def weight_fault(network: nn.Module) -> str:
    """What is wrong with the weights, if anything: the first of them that are, by name."""
    for name, parameter in network.named_parameters():
        low, high = torch.aminmax(parameter)  # many times faster than a norm of infinite order
        if low >= -FAR and high <= FAR:  # which nothing is that is no number
            continue
        if not torch.isfinite(parameter).all():
            return f"the weights {name} are not finite"
        return f"the weights {name} have gone beyond {FAR:g}"
    return ""


def check_finite(**named: Tensor) -> None:
    """A number that is none stops everything, and is named."""
    for name, tensor in named.items():
        if not torch.isfinite(tensor).all():
            raise Diverged(f"{name} is not finite")


def polyak_update(target: nn.Module, source: nn.Module, tau: float) -> None:
    """Move a target network a share `tau` of the way to its source."""
    weights = source.state_dict()
    for name, own in target.state_dict().items():
        if own.is_floating_point():
            own.lerp_(weights[name], tau)
        else:
            own.copy_(weights[name])


def update_batch_norm(network: nn.Module, features: Tensor, size: int) -> None:
    """Move the averages of batch normalisation, if any, towards those of positions just played.

    Playing and learning on policy go by the same averages, so that nothing but the weights makes a
    policy another one; between two steps the averages follow, `size` positions or more at a time.
    """
    if len(features) < 2 or not any(isinstance(part, nn.BatchNorm2d) for part in network.modules()):
        return
    parts = max(1, len(features) // size)
    network.train()
    with torch.no_grad():
        for part in range(parts):
            network(features[part::parts])  # of every ply some, as openings are unlike ends
    network.eval()
