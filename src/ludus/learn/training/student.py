"""A network that learns policies and values from batches, whoever made them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from ludus.device import torch_device
from ludus.learn.collecting.window import Batch
from ludus.learn.networks.masked import head_metrics, log_policy
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import gradient_step, mean_metrics
from ludus.learn.networks.optimizers import ADAMW, make_optimizer
from ludus.learn.networks.precision import forward, forward_beside
from ludus.learn.training.auxiliary import Auxiliary, opponent_policy_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_RATE = 0.05  # of the learning rate that is left after annealing


class Fitting(Protocol):
    """The settings of learning policies and values from batches."""

    @property
    def learning_rate(self) -> float: ...
    @property
    def lr_decay_steps(self) -> int: ...
    @property
    def weight_decay(self) -> float: ...
    @property
    def vf_coef(self) -> float: ...
    @property
    def max_grad_norm(self) -> float: ...
    @property
    def precision(self) -> str: ...


class Losses(NamedTuple):
    """A batch, as the network sees it."""

    policy: Tensor
    values: Tensor
    target: Tensor
    worth: Tensor
    policy_loss: Tensor
    value_loss: Tensor
    loss: Tensor
    more: dict[str, float]  # metrics of what else is learned


class Student:
    """The network and its optimizer, and perhaps a head that is only there to learn more by."""

    def __init__(
        self,
        network: Network,
        config: Fitting,
        optimizer: str = ADAMW,
        momentum: float = 0.9,
        auxiliary: Auxiliary | None = None,
    ) -> None:
        # Planes last in memory: convolutions learn a third faster on a CPU.
        self.device = torch_device()
        network.to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network, self.config, self.auxiliary = network, config, auxiliary
        learned = [network] if auxiliary is None else [network, auxiliary.head]
        self.learned: nn.Module = nn.ModuleList(learned).to(self.device)
        self.optimizer = make_optimizer(
            self.learned.parameters(),
            optimizer,
            momentum=momentum,
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
        )

    def anneal(self, number: int) -> None:
        """The learning rate of a step."""
        if self.config.lr_decay_steps:
            left = max(LEAST_RATE, 1 - (number - 1) / self.config.lr_decay_steps)
            for group in self.optimizer.param_groups:
                group["lr"] = self.config.learning_rate * left

    def fit(self, batches: Iterable[Batch]) -> dict[str, float]:
        """Learn from all of them; what it came to on average."""
        self.learned.train()
        found = [self.update(batch) for batch in batches]
        self.learned.eval()
        return mean_metrics(found)

    def update(self, batch: Batch) -> dict[str, float]:
        """One step along the gradient."""
        found = self.losses(batch)
        named = {"policies": found.target, "values": found.worth}
        length = gradient_step(
            self.learned, self.optimizer, found.loss, self.config.max_grad_norm, **named
        )
        known = (found.target * found.target.clamp(min=1e-9).log()).sum(1).mean()
        return {
            "policy_loss": found.policy_loss.item(),
            "value_loss": found.value_loss.item(),
            "kl": found.policy_loss.item() + known.item(),
            **found.more,
            **head_metrics(found.policy, found.values),
            "grad_norm": length,
        }

    def losses(self, batch: Batch) -> Losses:
        """What the network says of a batch, and how far it is from what it should say."""
        seen = self.tensor(batch.features).to(memory_format=torch.channels_last)
        more: dict[str, float] = {}
        extra = torch.zeros((), device=self.device)
        if self.auxiliary is None:
            logits, values = forward(self.network, seen, self.config.precision)
        else:
            assert batch.replies is not None
            logits, values, replies = forward_beside(
                self.network, self.auxiliary.head, seen, self.config.precision
            )
            lost = opponent_policy_loss(replies, self.tensor(batch.replies))
            extra, more = self.auxiliary.coef * lost, {"opponent_policy_loss": lost.item()}
        assert values is not None
        target, masks = self.tensor(batch.policies), self.tensor(batch.masks)
        policy = log_policy(logits, masks)
        logs = policy.masked_fill(~masks, 0.0)
        policy_loss = -(target * logs).sum(1).mean()
        worth = self.tensor(batch.values)
        value_loss = torch.nn.functional.mse_loss(values, worth)
        loss = policy_loss + self.config.vf_coef * value_loss + extra
        return Losses(policy, values, target, worth, policy_loss, value_loss, loss, more)

    def tensor(self, array: NDArray[Any]) -> Tensor:
        """An array where the network is."""
        return torch.from_numpy(array).to(self.device)
