"""A network that learns policies and values from batches, whoever made them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import torch
from torch import nn

from ludus.learn.collecting.window import Batch
from ludus.learn.networks.masked import head_metrics, log_policy
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import gradient_step, mean_metrics
from ludus.learn.networks.optimizers import ADAMW, make_optimizer
from ludus.learn.networks.precision import forward, forward_beside
from ludus.learn.training.auxiliary import Auxiliary, opponent_policy_loss

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
        network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network, self.config, self.auxiliary = network, config, auxiliary
        learned = [network] if auxiliary is None else [network, auxiliary.head]
        self.learned: nn.Module = nn.ModuleList(learned)
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
        seen = torch.from_numpy(batch.features).to(memory_format=torch.channels_last)
        more: dict[str, float] = {}
        extra = torch.zeros(())
        if self.auxiliary is None:
            logits, values = forward(self.network, seen, self.config.precision)
        else:
            assert batch.replies is not None
            logits, values, replies = forward_beside(
                self.network, self.auxiliary.head, seen, self.config.precision
            )
            lost = opponent_policy_loss(replies, torch.from_numpy(batch.replies))
            extra, more = self.auxiliary.coef * lost, {"opponent_policy_loss": lost.item()}
        assert values is not None
        target, masks = torch.from_numpy(batch.policies), torch.from_numpy(batch.masks)
        policy = log_policy(logits, masks)
        logs = policy.masked_fill(~masks, 0.0)
        policy_loss = -(target * logs).sum(1).mean()
        worth = torch.from_numpy(batch.values)
        value_loss = torch.nn.functional.mse_loss(values, worth)
        loss = policy_loss + self.config.vf_coef * value_loss + extra
        named = {"policies": target, "values": worth}
        length = gradient_step(
            self.learned, self.optimizer, loss, self.config.max_grad_norm, **named
        )
        known = (target * target.clamp(min=1e-9).log()).sum(1).mean()
        return {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "kl": policy_loss.item() + known.item(),
            **more,
            **head_metrics(policy, values),
            "grad_norm": length,
        }
