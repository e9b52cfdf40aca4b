"""A head that is learned beside the network so that its trunk sees more, and that never plays.

It says what the opponent is going to reply (an auxiliary policy target, Wu 2019). Which actions the
opponent will have depends on what is played now, so none is masked.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ludus.learn.networks.layers import sequential
from ludus.learn.networks.network import Network


@dataclass(frozen=True)
class Auxiliary:
    """The head, and how much its loss counts."""

    head: nn.Sequential
    coef: float


def opponent_policy(network: Network, coef: float, seed: int) -> Auxiliary:
    """A head of the same form as the policy's, with first weights by the seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = sequential(network.plan.actions)
    return Auxiliary(head.to(memory_format=torch.channels_last), coef)  # type: ignore[call-overload]


def opponent_policy_loss(logits: Tensor, replies: Tensor) -> Tensor:
    """Cross-entropy with the opponent's policies, over the rows that have one."""
    known = replies.sum(1) > 0
    lost = -(replies * torch.log_softmax(logits, dim=-1)).sum(1)
    return lost.sum() / known.sum().clamp(min=1)
