"""Networks that learn: torch modules made by a plan, their first weights by a seed."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ludus.learn.networks.architectures import AUTO, NetworkSpec, is_leaky, plan_network
from ludus.learn.networks.architectures import NETWORKS as NETWORKS
from ludus.learn.networks.architectures import default_network as default_network
from ludus.learn.networks.layers import sequential
from ludus.learn.networks.plan import Plan, Shape
from ludus.learn.networks.weighting import Weighting
from ludus.resources import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRAINED_BYTES = 16  # of a weight: itself, its gradient, and two moments of it


class Network(nn.Module):
    """A trunk, a number for each action, and perhaps the value of the state.

    With a critic the value has a trunk of its own.
    """

    def __init__(
        self,
        plan: Plan,
        trunk: nn.Sequential,
        actions: nn.Sequential,
        value: nn.Sequential | None = None,
        critic: nn.Sequential | None = None,
    ) -> None:
        super().__init__()
        self.learned = plan
        self.trunk, self.actions, self.value, self.critic = trunk, actions, value, critic
        self.weighting: Weighting | None = None  # what is known of actions before anything learned

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        return self.heads(self.trunk(x), x)

    def heads(self, seen: Tensor, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """What its heads make of what the trunk saw in a position."""
        actions = self.actions(seen)
        if self.weighting is not None:
            actions = actions + self.weighting(x)
        if self.value is None:
            return actions, None
        judged = seen if self.critic is None else self.critic(x)
        return actions, self.value(judged).squeeze(-1)

    @property
    def plan(self) -> Plan:
        """What it is, without torch."""
        known = None if self.weighting is None else self.weighting.plan
        return dataclasses.replace(self.learned, weighting=known)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Its weights as they are now, by name; in the same memory if that is the processor's."""
        return {name: tensor.detach().cpu().numpy() for name, tensor in self.state_dict().items()}


def network(
    name: str,
    shape: Shape,
    actions: int,
    *,
    seed: int,
    width: int = 0,
    blocks: int = 0,
    value: bool = True,
    separate: bool = False,
    bounded: bool = True,
    activation: str = AUTO,
    places: tuple[int, ...] = (),
) -> Network:
    """Build a network; the seed decides its first weights."""
    leaky = is_leaky(activation, name, shape)
    asked = NetworkSpec(shape, actions, width, blocks, value, separate, bounded, leaky)
    plan = plan_network(name, dataclasses.replace(asked, places=places))
    check_room(plan)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = sequential(plan.actions)  # first, as in all runs so far: a seed means these weights
        return Network(
            plan,
            sequential(plan.trunk),
            head,
            None if plan.value is None else sequential(plan.value),
            None if plan.critic is None else sequential(plan.critic),
        )


def check_room(plan: Plan) -> None:
    """Refuse what cannot be trained here, before any memory is asked for."""
    check_memory(TRAINED_BYTES * plan.size, f"to train a network of {plan.size:,} weights")


def size(of: nn.Module) -> int:
    """How many numbers it has to learn."""
    return sum(parameter.numel() for parameter in of.parameters())
