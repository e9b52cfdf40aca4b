"""Down the gradient: batches of what is known, one careful step, and what many came to."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import torch
from torch import Tensor, nn

from ludus.learn.run.step import Diverged

if TYPE_CHECKING:
    from torch.optim import Optimizer

PRECISIONS = ("float32", "bfloat16")
ROUGHLY = """
import torch
with torch.autocast("cpu", torch.bfloat16):
    torch.nn.functional.linear(torch.ones(64, 64), torch.ones(64, 64))
"""
FAR = 1e6  # nothing that still learns has weights or losses beyond


def shuffled(
    columns: Sequence[Tensor], size: int, rng: np.random.Generator
) -> Iterator[list[Tensor]]:
    """All rows once, in batches; the last may be smaller."""
    order = torch.from_numpy(rng.permutation(len(columns[0])))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        yield [column[part] for column in columns]


def looked(network: nn.Module, seen: Tensor, precision: str) -> tuple[Tensor, Tensor | None]:
    """What the network says while it learns, as floats however it multiplies.

    Weights stay floats. Products of bfloat16 are rough (8 bits), and twice as fast on processors
    that have them.
    """
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        actions, value = network(seen)
    return actions.float(), None if value is None else value.float()


@cache
def multiplies_roughly() -> bool:
    """Whether products of bfloat16 work here.

    Some virtual machines promise tiles (AMX) without describing them, and the first product ends
    the process: so another one tries.
    """
    if not torch.cpu.get_capabilities().get("amx_tile"):
        return True
    return subprocess.run([sys.executable, "-c", ROUGHLY], capture_output=True).returncode == 0


def slow_precision(precision: str) -> str:
    """A sentence about products that this processor only imitates; nothing if it has them."""
    known = torch.cpu.get_capabilities()
    if precision != "bfloat16" or known.get("avx512_bf16") or known.get("amx_bf16"):
        return ""
    return "this processor has no products of bfloat16: float32 would be faster"


def check_precision(precision: str) -> None:
    """Refuse what would end the process."""
    if precision == "bfloat16" and not multiplies_roughly():
        raise ValueError("torch cannot multiply in bfloat16 on this machine; use float32")


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
    weights = list(network.parameters())
    if nn.utils.get_total_norm(weights, math.inf) <= FAR:  # one quick look; false for no number
        return ""
    for name, parameter in network.named_parameters():
        if not torch.isfinite(parameter).all():
            return f"the weights {name} are not finite"
        if parameter.abs().max() > FAR:
            return f"the weights {name} have gone beyond {FAR:g}"
    return ""


def sound(**named: Tensor) -> None:
    """A number that is none stops everything, and is named."""
    for name, tensor in named.items():
        if not torch.isfinite(tensor).all():
            raise Diverged(f"{name} is not finite")
