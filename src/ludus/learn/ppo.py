"""PPO: improve the policy by clipped policy-gradient updates on games it has just played.

The value of the next state belongs to whoever moves there: in play against itself it counts against
the actor unless the actor moves again. Against others a player looks ahead to its own next turn.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from ludus.game import Game
from ludus.learn.collecting.opponents import mixed
from ludus.learn.collecting.playing import Bootstrapped, Playing
from ludus.learn.collecting.rollout import Rollout, episodes, rolled
from ludus.learn.networks.averages import follow
from ludus.learn.networks.masked import entropy, log_policy, of_actions, pulse
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import annealed, averaged, descend, shuffled
from ludus.learn.settings import presets
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Needs, beside, instead_of
from ludus.learn.store.components import Saved
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, steps
from ludus.options import option

PAPER = "Schulman 2017"


@dataclass(frozen=True)
class Config(Bootstrapped):
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
        symbol="c2",
        paper=PAPER,
    )
    vf_coef: float = option(
        0.5, "coefficient of the value loss", group="optimisation", symbol="c1", paper=PAPER
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
        high=1,
        before=0.0,
    )

    NEEDS: ClassVar[Needs] = {
        "anneal_ent_coef": (beside("lr_decay_steps", "STEPS"), beside("ent_coef", "0.01")),
        "max_rollout_plies": (beside("n_episodes", "GAMES"),),
        "n_steps": (instead_of("n_episodes"),),
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

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        self.playing = Playing(game, config, seed, value=True, separate=config.separate_networks)
        self.online = self.playing.network
        self.average = (
            copy.deepcopy(self.online).requires_grad_(False) if config.ema_decay else None
        )
        self.optimizer = torch.optim.Adam(
            self.groups(), lr=config.learning_rate, eps=1e-5, weight_decay=config.weight_decay
        )
        self.curiosity = config.ent_coef  # the weight of the entropy, now
        self.room = self.playing.table.empty(config.n_steps + 1, config.n_envs)

    @property
    def network(self) -> Network:
        """What plays."""
        return self.average or self.online

    @property
    def parts(self) -> dict[str, Any]:
        average = {} if self.average is None else {"averaged": self.average}
        return {**self.playing.parts, **average, "optimizer": self.optimizer}

    def groups(self) -> list[dict[str, Any]]:
        """The value's own layers may learn at a rate of their own."""
        critics = [self.online.value, self.online.critic]
        own = {id(p) for part in critics if part is not None for p in part.parameters()}
        every = [p for p in self.online.parameters() if p.requires_grad]
        rate = self.config.critic_learning_rate or self.config.learning_rate
        return [
            {"params": [p for p in every if id(p) not in own]},
            {"params": [p for p in every if id(p) in own], "lr": rate},
        ]

    @property
    def credit(self) -> str:
        """How credit is given in this stage of the curriculum."""
        return self.config.credit_against(self.playing.opponents.now)

    def learn(self, played: Rollout) -> dict[str, float]:
        """Several passes over what was played."""
        config, played = self.config, played.learnable(self.credit)
        better = played.advantages(config.gamma, config.gae_lambda, self.credit)
        returns = better + played.values[:-1]
        arrays = (played.features, played.masks, played.actions, played.logs, better, returns)
        data = [torch.from_numpy(played.chosen(array)) for array in arrays]
        if not len(data[0]):
            return {}
        if config.normalize_advantage:
            data[4] = (data[4] - data[4].mean()) / (data[4].std(correction=0) + 1e-8)
        found: list[dict[str, float]] = []
        self.online.eval()  # as it played: ratios begin at 1
        for _ in range(config.n_epochs):
            batches = shuffled(data, config.batch_size, self.playing.rng)
            found += [self.update(*columns) for columns in batches]
        follow(self.online, data[0], config.batch_size)
        return averaged(found)

    def update(
        self,
        features: Tensor,
        masks: Tensor,
        actions: Tensor,
        logs: Tensor,
        better: Tensor,
        returns: Tensor,
    ) -> dict[str, float]:
        """One step along the gradient of the clipped objective."""
        config = self.config
        logits, values = self.online(features)
        policy = log_policy(logits, masks)
        losses = objective(of_actions(policy, actions), logs, better, config.clip_range)
        loss_of = functional.smooth_l1_loss if config.vf_smooth_l1 else functional.mse_loss
        value_loss = loss_of(values, returns)
        spread = entropy(policy).mean()
        loss = losses["policy_loss"] + config.vf_coef * value_loss - self.curiosity * spread
        named = {"advantages": better, "returns": returns}
        length = descend(self.online, self.optimizer, loss, config.max_grad_norm, **named)
        return {
            **{name: value.item() for name, value in losses.items()},
            "value_loss": value_loss.item(),
            "entropy": spread.item(),
            "value_mean": values.mean().item(),
            **pulse(policy, values),
            "grad_norm": length,
        }

    def played(self, number: int) -> int:
        return self.playing.table.games

    def step(self, number: int) -> dict[str, float]:
        """Play, then learn."""
        config = self.config
        left = annealed(number, config.lr_decay_steps)
        rates = (config.learning_rate, config.critic_learning_rate or config.learning_rate)
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * left
        self.curiosity = config.ent_coef * (left if config.anneal_ent_coef else 1)
        learned = self.learn(self.rollout())
        if self.average is not None:  # the first weights are nobody's to remember
            mixed(self.average, self.online, 1 - config.ema_decay if number > 2 else 1.0)
        plies = number * config.n_envs * config.n_steps
        positions = float(self.playing.table.all_plies if config.n_episodes else plies)
        return {"positions": positions, **self.playing.learned(), **learned}

    def rollout(self) -> Rollout:
        """Some plies of every game, or whole games."""
        config, collector = self.config, self.playing.collector
        everywhere = self.credit != "own"  # which asks for the values of the other side's states
        if config.n_episodes:
            look = self.playing.look(config.max_rollout_plies)
            return episodes(
                collector, look, config.max_rollout_plies, config.n_episodes, everywhere=everywhere
            )
        look = self.playing.look(config.n_steps)
        return rolled(collector, look, config.n_steps, self.room, everywhere=everywhere)


def objective(new: Tensor, old: Tensor, better: Tensor, clip: float) -> dict[str, Tensor]:
    """The clipped objective, from log probabilities then and now; and how much was clipped."""
    ratio = (new - old).exp()
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return {
        "policy_loss": -torch.minimum(ratio * better, bounded * better).mean(),
        "ratio": ratio.detach().mean(),
        "clip_fraction": (ratio.detach() != bounded.detach()).float().mean(),
    }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
