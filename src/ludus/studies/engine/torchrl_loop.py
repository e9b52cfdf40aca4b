"""The loop of PPO in TorchRL's own words; a line of metrics an epoch."""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ludus.studies.engine.torchrl_part import (
    CLIP,
    ENTROPY,
    LAMBDA,
    NORM,
    SMOOTH,
    VALUE,
    TorchRlTraining,
)

if TYPE_CHECKING:
    from ludus.learn.networks.network import Network


class Logits(nn.Module):
    """The numbers of actions of a network."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor) -> Tensor:
        found: Tensor = self.network(observation)[0]
        return found


class Worth(nn.Module):
    """Its value."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor) -> Tensor:
        lead = observation.shape[:-3]
        value: Tensor = self.network(observation.reshape(-1, *observation.shape[-3:]))[1]
        return value.reshape(*lead, 1)


def learn(asked: TorchRlTraining, actor: Network, critic: Network) -> Iterator[dict[str, float]]:
    """Collect, estimate advantages, and learn in minibatches; once an epoch."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of TorchRL's own ways
        yield from learn_by_torchrl(asked, actor, critic)


def learn_by_torchrl(
    asked: TorchRlTraining, actor: Network, critic: Network
) -> Iterator[dict[str, float]]:
    """The same, by what the libraries have."""
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.data import LazyTensorStorage, ReplayBuffer
    from torchrl.data.replay_buffers.samplers import SamplerWithoutReplacement
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

    from ludus.envs.torchrl import LudusEnv

    logging.getLogger("torchrl").setLevel(logging.WARNING)  # it tells of every buffer
    env = LudusEnv(
        asked.game,
        batch_size=asked.n_envs,
        opponent=asked.opponent,
        opponent_first=asked.opponent_first,
        reward=asked.reward,
        planes=asked.planes,
        seed=asked.seed,
    )
    logits = TensorDictModule(Logits(actor), ["observation"], ["logits"])
    policy = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = ValueOperator(Worth(critic), in_keys=["observation"])
    if asked.opponent == "self":
        env.set_policy(policy)
    advantage = GAE(gamma=asked.gamma, lmbda=LAMBDA, value_network=value)
    loss = ClipPPOLoss(
        policy,
        value,
        clip_epsilon=CLIP,
        entropy_coeff=ENTROPY,
        critic_coeff=VALUE,
        loss_critic_type=SMOOTH,
        normalize_advantage=True,
    )
    optimizer = torch.optim.Adam(
        loss.parameters(), asked.learning_rate, weight_decay=asked.weight_decay
    )
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, asked.epochs)
    buffer = ReplayBuffer(
        storage=LazyTensorStorage(asked.frames),
        sampler=SamplerWithoutReplacement(),
        batch_size=asked.minibatch,
    )
    collector = Collector(
        env,
        policy,
        frames_per_batch=asked.frames,
        total_frames=asked.frames * asked.epochs,
        auto_register_policy_transforms=False,
    )
    started, games = time.monotonic(), 0
    for epoch, data in enumerate(collector, 1):
        parts = learn_epoch(asked, data, advantage, buffer, loss, optimizer)
        scheduler.step()
        ended = data["next", "done"]
        games += int(ended.sum())
        yield {
            "step": float(epoch),
            "games": float(games),
            "positions": float(epoch * asked.frames),
            "time_elapsed": time.monotonic() - started,
            "game_reward": float(data["next", "reward"].sum() / max(1, int(ended.sum()))),
            **parts,
        }
    collector.shutdown()


def learn_epoch(
    asked: TorchRlTraining, data: Any, advantage: Any, buffer: Any, loss: Any, optimizer: Any
) -> dict[str, float]:
    """Several passes over the frames of an epoch; the mean of each part of the loss."""
    totals: dict[str, list[float]] = {}
    for _ in range(asked.passes):
        with torch.no_grad():
            advantage(data)
        buffer.empty()
        buffer.extend(data.reshape(-1))
        for _ in range(asked.frames // asked.minibatch):
            parts = loss(buffer.sample())
            told = {
                "policy_loss": parts["loss_objective"],
                "value_loss": parts["loss_critic"],
                "entropy_loss": parts["loss_entropy"],
            }
            total = sum(told.values(), torch.zeros(()))
            optimizer.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(loss.parameters(), NORM)
            optimizer.step()
            for name, one in {**told, "loss": total}.items():
                totals.setdefault(name, []).append(float(one.detach()))
    return {name: sum(values) / len(values) for name, values in totals.items()}
