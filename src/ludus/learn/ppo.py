"""PPO: improve the policy by clipped policy-gradient updates on games it has just played.

The value of the next state belongs to whoever moves there: in play against itself it counts against
the actor unless the actor moves again. Against others a player looks ahead to its own next turn.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.game import Game
from ludus.learn.collecting.collector import Collector
from ludus.learn.collecting.rollout import Rollout, collect_episodes, collect_rollout
from ludus.learn.networks.build import Heads
from ludus.learn.networks.masked import entropy, head_metrics, log_policy, of_actions
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import (
    gradient_step,
    linear_decay,
    mean_metrics,
    minibatches,
    polyak_update,
    update_batch_norm,
)
from ludus.learn.networks.optimizers import make_optimizer
from ludus.learn.settings import presets
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Needs, needs_set, needs_zero
from ludus.learn.settings.playing import BootstrappedConfig
from ludus.learn.store.components import Saved
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

PAPER = "Schulman 2017"

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(BootstrappedConfig):
    """How to play, and how to learn from what was played."""

    n_envs: int = 128
    n_steps: int = option(32, "plies of each game in a step", group="self-play", low=1)
    n_episodes: int = option(
        0,
        "whole games of each row in a step, instead of n_steps; 0 for n_steps",
        group="self-play",
        low=0,
    )
    max_rollout_plies: int = option(
        1_000,
        "plies of a row after which a step waits for no game to end",
        group="self-play",
        low=1,
    )
    n_epochs: int = option(
        4, "passes over the plies of a step", group="optimisation", low=1, symbol="K", paper=PAPER
    )
    batch_size: int = option(
        512, "plies of a minibatch", group="optimisation", low=1, symbol="M", paper=PAPER
    )
    learning_rate: float = option(
        0.001, "learning rate of Adam", group="optimisation", above=0, symbol="alpha"
    )
    critic_learning_rate: float = option(
        0.0,
        "learning rate of the value's own layers; 0 for learning_rate",
        group="optimisation",
        low=0,
    )
    weight_decay: float = option(0.0, "L2 penalty of Adam", group="optimisation", low=0)
    lr_decay_steps: int = option(
        0,
        "steps over which learning rates fall linearly to 0; 0 for constant rates",
        group="optimisation",
        low=0,
    )
    anneal_ent_coef: bool = option(
        False, "let the entropy coefficient fall with the learning rates", group="optimisation"
    )
    gae_lambda: float = option(
        0.95,
        "lambda of generalised advantage estimation: 0 trusts the value, 1 the returns",
        group="targets",
        low=0,
        high=1,
        symbol="lambda",
        paper="Schulman 2016",
    )
    clip_range: float = option(
        0.2,
        "how far the policy's probability ratio may leave 1 before it is clipped",
        group="optimisation",
        low=0,
        high=1,
        symbol="epsilon",
        paper=PAPER,
    )
    ent_coef: float = option(
        0.1,
        "coefficient of the entropy bonus; with less, self-play soon repeats one line of play",
        group="optimisation",
        low=0,
        symbol="c2",
        paper=PAPER,
    )
    vf_coef: float = option(
        0.5, "coefficient of the value loss", group="optimisation", low=0, symbol="c1", paper=PAPER
    )
    vf_smooth_l1: bool = option(
        False, "smooth L1 value loss instead of squared errors", group="optimisation"
    )
    normalize_advantage: bool = option(
        True, "normalise the advantages of a step to mean 0 and variance 1", group="optimisation"
    )
    separate_networks: bool = option(
        False, "give actor and critic no common trunk", group="network"
    )
    bounded_value: bool = option(
        True, "bound the value to [-1, 1]; switch off where returns go beyond", group="network"
    )
    proximity_weighting: bool = option(
        False,
        "favour cells near stones, in games whose every action is a cell",
        group="network",
        paper="Dong and Zheng",
    )
    max_grad_norm: float = option(
        0.5, "norm to which gradients are clipped", group="optimisation", above=0
    )
    ema_decay: float = option(
        0.9,
        "decay a step of the averaged weights that play; 0 for no average",
        group="optimisation",
        low=0,
        below=1,
        before=0.0,
    )

    NEEDS: ClassVar[Needs] = {
        "anneal_ent_coef": (needs_set("lr_decay_steps", "STEPS"), needs_set("ent_coef", "0.01")),
        "max_rollout_plies": (needs_set("n_episodes", "GAMES"),),
        "n_steps": (needs_zero("n_episodes"),),
        "vf_smooth_l1": (needs_set("vf_coef", "0.5"),),
    }

    def work(self, plies: float) -> Work:
        played = self.n_envs * (self.n_episodes * plies if self.n_episodes else self.n_steps)
        return Work(played, self.n_epochs * played, played / plies)

    def footprint(self, sizes: Sizes) -> Footprint:
        # A rollout, and its useful plies once more for torch.
        rollout = self.n_steps * self.n_envs * 2 * (sizes.seen + 24)
        return {**super().footprint(sizes), ("n_steps", "n_envs"): rollout}


PRESETS = presets.PPO


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY
    eval_simulations = 0

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        heads = Heads(
            separate=config.separate_networks,
            bounded=config.bounded_value,
            weighting=config.proximity_weighting,
        )
        self.collector = Collector(game, config, seed, heads)
        self.online = self.collector.network
        self.average = (
            copy.deepcopy(self.online).requires_grad_(False) if config.ema_decay else None
        )
        self.optimizer = make_optimizer(
            self.parameter_groups(),
            lr=config.learning_rate,
            eps=1e-5,
            weight_decay=config.weight_decay,
        )
        self.ent_coef = config.ent_coef  # now
        self.buffer = self.collector.games.empty(config.n_steps + 1, config.n_envs)

    @property
    def network(self) -> Network:
        """What plays."""
        return self.average or self.online

    @property
    def parts(self) -> dict[str, Any]:
        average = {} if self.average is None else {"averaged": self.average}
        return {**self.collector.parts, **average, "optimizer": self.optimizer}

    def parameter_groups(self) -> list[dict[str, Any]]:
        """The value's own layers may learn at a rate of their own."""
        critics = [self.online.value, self.online.critic]
        own = {id(p) for part in critics if part is not None for p in part.parameters()}
        every = [p for p in self.online.parameters() if p.requires_grad]
        rate = self.config.critic_learning_rate or self.config.learning_rate
        return [
            {"params": [p for p in every if id(p) not in own]},
            {"params": [p for p in every if id(p) in own], "lr": rate},
        ]

    def games_played(self, number: int) -> int:
        return self.collector.games.games

    def step(self, number: int) -> dict[str, float]:
        """Collect a rollout, see what went better than expected, and learn from it."""
        config, credit = self.config, self.collector.credit
        self.anneal(number)
        rollout = self.collect()
        advantages = rollout.advantages(config.gamma, config.gae_lambda, credit)
        learned = self.update(rollout, advantages)
        if self.average is not None:  # the first weights are nobody's to remember
            polyak_update(self.average, self.online, 1 - config.ema_decay if number > 2 else 1.0)
        plies = number * config.n_envs * config.n_steps
        positions = float(self.collector.games.all_plies if config.n_episodes else plies)
        return {"positions": positions, **self.collector.finish_step(), **learned}

    def anneal(self, number: int) -> None:
        """The learning rates of a step, and the weight of the entropy."""
        config = self.config
        left = linear_decay(number, config.lr_decay_steps)
        rates = (config.learning_rate, config.critic_learning_rate or config.learning_rate)
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * left
        self.ent_coef = config.ent_coef * (left if config.anneal_ent_coef else 1)

    def collect(self) -> Rollout:
        """Some plies of every game, or whole games."""
        config, collector = self.config, self.collector
        # Other credit than one's own asks for the values of the other side's states.
        everywhere = collector.credit != "own"
        if config.n_episodes:
            evaluate, most = collector.evaluator(config.max_rollout_plies), config.max_rollout_plies
            return collect_episodes(
                collector, evaluate, most, config.n_episodes, everywhere=everywhere
            )
        evaluate = collector.evaluator(config.n_steps)
        return collect_rollout(
            collector, evaluate, config.n_steps, self.buffer, everywhere=everywhere
        )

    def update(self, rollout: Rollout, advantages: NDArray[np.float32]) -> dict[str, float]:
        """Several passes over what was played."""
        config, rollout = self.config, rollout.learnable(self.collector.credit)
        returns = advantages + rollout.values[:-1]
        arrays = (rollout.features, rollout.masks, rollout.actions, rollout.log_probs)
        data = [torch.from_numpy(rollout.select(one)) for one in (*arrays, advantages, returns)]
        if not len(data[0]):
            return {}
        if config.normalize_advantage:
            data[4] = (data[4] - data[4].mean()) / (data[4].std(correction=0) + 1e-8)
        found: list[dict[str, float]] = []
        self.online.eval()  # as it played: ratios begin at 1
        for _ in range(config.n_epochs):
            batches = minibatches(data, config.batch_size, self.collector.rng)
            found += [self.update_batch(*columns) for columns in batches]
        update_batch_norm(self.online, data[0], config.batch_size)
        return mean_metrics(found)

    def update_batch(
        self,
        features: Tensor,
        masks: Tensor,
        actions: Tensor,
        log_probs: Tensor,
        advantages: Tensor,
        returns: Tensor,
    ) -> dict[str, float]:
        """One step along the gradient of the clipped objective."""
        config = self.config
        logits, values = self.online(features)
        policy = log_policy(logits, masks)
        losses = objective(of_actions(policy, actions), log_probs, advantages, config.clip_range)
        loss_of = functional.smooth_l1_loss if config.vf_smooth_l1 else functional.mse_loss
        value_loss = loss_of(values, returns)
        even = entropy(policy).mean()
        loss = losses["policy_loss"] + config.vf_coef * value_loss - self.ent_coef * even
        named = {"advantages": advantages, "returns": returns}
        grad_norm = gradient_step(self.online, self.optimizer, loss, config.max_grad_norm, **named)
        return {
            **{name: value.item() for name, value in losses.items()},
            "value_loss": value_loss.item(),
            "entropy": even.item(),
            "value_mean": values.mean().item(),
            **head_metrics(policy, values),
            "grad_norm": grad_norm,
        }


def objective(new: Tensor, old: Tensor, advantages: Tensor, clip: float) -> dict[str, Tensor]:
    """The clipped objective, from log probabilities then and now; and how much was clipped."""
    ratio = (new - old).exp()
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return {
        "policy_loss": -torch.minimum(ratio * advantages, bounded * advantages).mean(),
        "ratio": ratio.detach().mean(),
        "clip_fraction": (ratio.detach() != bounded.detach()).float().mean(),
    }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return train_steps(Learner, game, config, seed, saved)
