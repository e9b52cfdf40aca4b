"""How finely a network multiplies while it learns, and whether this machine can do it roughly."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from ludus.learn.networks.network import Network

PRECISIONS = ("float32", "bfloat16")
ROUGHLY = """
import torch
with torch.autocast("cpu", torch.bfloat16):
    torch.nn.functional.linear(torch.ones(64, 64), torch.ones(64, 64))
"""


def forward(network: nn.Module, seen: Tensor, precision: str) -> tuple[Tensor, Tensor | None]:
    """What the network says while it learns, as floats however it multiplies.

    Weights stay floats. Products of bfloat16 are rough (8 bits), and twice as fast on processors
    that have them.
    """
    kind = seen.device.type
    with torch.autocast(
        kind if kind != "meta" else "cpu", torch.bfloat16, enabled=precision == "bfloat16"
    ):
        actions, value = network(seen)
    return actions.float(), None if value is None else value.float()


def forward_beside(
    network: Network, head: nn.Module, seen: Tensor, precision: str
) -> tuple[Tensor, Tensor | None, Tensor]:
    """The same, and what another head makes of what the trunk saw."""
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        trunk = network.trunk(seen)
        actions, value = network.heads(trunk, seen)
        other = head(trunk)
    return actions.float(), None if value is None else value.float(), other.float()


@cache
def has_bfloat16() -> bool:
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
    if precision == "bfloat16" and not has_bfloat16():
        raise ValueError("torch cannot multiply in bfloat16 on this machine; use float32")
