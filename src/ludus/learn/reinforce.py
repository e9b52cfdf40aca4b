"""REINFORCE: policy gradient from the returns of whole games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.game import Game
from ludus.learn.collecting.collector import Collector
from ludus.learn.collecting.rollout import Rollout, collect_episodes
from ludus.learn.collecting.targets import advantages
from ludus.learn.networks.build import Heads
from ludus.learn.networks.masked import entropy, head_metrics, log_policy, of_actions
from ludus.learn.networks.optimise import (
    gradient_step,
    mean_metrics,
    minibatches,
    update_batch_norm,
)
from ludus.learn.networks.optimizers import make_optimizer
from ludus.learn.settings import presets
from ludus.learn.settings.footprint import Work
from ludus.learn.settings.needs import Needs, needs_choice
from ludus.learn.settings.playing import PlayingConfig
from ludus.learn.store.components import Saved
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(PlayingConfig):
    """How many games a step, and how to learn from them."""

    n_envs: int = 64
    max_rollout_plies: int = option(
        400, "plies after which a step waits for no game to end", group="self-play", low=1
    )
    batch_size: int = option(
        2048, "plies of an update; each is used once", group="optimisation", low=1
    )
    learning_rate: float = option(
        0.001, "learning rate of Adam", group="optimisation", above=0, symbol="alpha"
    )
    baseline: str = option(
        "value",
        "what a return is compared with: nothing, the mean return, or a learned value",
        group="targets",
        choices=("none", "mean", "value"),
        symbol="b",
        paper="Williams 1992",
    )
    vf_coef: float = option(0.5, "coefficient of the value loss", group="optimisation", low=0)
    bounded_value: bool = option(
        True, "bound the value to [-1, 1]; switch off where returns go beyond", group="network"
    )
    ent_coef: float = option(0.01, "coefficient of the entropy bonus", group="optimisation", low=0)
    max_grad_norm: float = option(
        1.0, "norm to which gradients are clipped", group="optimisation", above=0
    )

    NEEDS: ClassVar[Needs] = dict.fromkeys(
        ("vf_coef", "bounded_value"), (needs_choice("baseline", "value"),)
    )

    @property
    def judges(self) -> bool:
        return self.baseline == "value"

    def work(self, plies: float) -> Work:
        played = self.n_envs * min(plies, self.max_rollout_plies)
        return Work(played, played, self.n_envs)


PRESETS = presets.REINFORCE


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY
    eval_simulations = 0

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        heads = Heads(value=config.baseline == "value", bounded=config.bounded_value)
        self.collector = Collector(game, config, seed, heads)
        self.network = self.collector.network
        self.optimizer = make_optimizer(self.network.parameters(), lr=config.learning_rate)

    @property
    def parts(self) -> dict[str, Any]:
        return {**self.collector.parts, "optimizer": self.optimizer}

    def returns(self, played: Rollout) -> NDArray[np.float32]:
        """What each player was paid from each of its plies on, discounted by its own turns."""
        nothing = np.zeros_like(played.values)
        return advantages(
            played.players, played.rewards, played.dones, nothing, self.config.gamma, 1.0, "own"
        )

    def learn(self, played: Rollout) -> dict[str, float]:
        """One pass over the games."""
        returns = self.returns(played)
        arrays = (played.features, played.masks, played.actions, returns)
        data = [torch.from_numpy(played.select(array)) for array in arrays]
        if not len(data[0]):
            return {}
        self.network.eval()  # the policy that played
        batches = minibatches(data, self.config.batch_size, self.collector.rng)
        found = mean_metrics([self.update(*columns) for columns in batches])
        update_batch_norm(self.network, data[0], self.config.batch_size)
        return found

    def update(
        self, features: Tensor, masks: Tensor, actions: Tensor, returns: Tensor
    ) -> dict[str, float]:
        """One step along the gradient of the score function."""
        config = self.config
        logits, values = self.network(features)
        policy = log_policy(logits, masks)
        advantage = returns
        if values is not None:
            advantage = returns - values.detach()
        elif config.baseline == "mean":
            advantage = returns - returns.mean()
        policy_loss = -(of_actions(policy, actions) * advantage).mean()
        even = entropy(policy).mean()
        loss = policy_loss - config.ent_coef * even
        found = {"policy_loss": policy_loss.item(), "entropy": even.item()}
        if values is not None:
            value_loss = functional.mse_loss(values, returns)
            loss = loss + config.vf_coef * value_loss
            found |= {"value_loss": value_loss.item(), "value_mean": values.mean().item()}
        clip = config.max_grad_norm
        grad_norm = gradient_step(self.network, self.optimizer, loss, clip, returns=returns)
        return {**found, **head_metrics(policy, values), "grad_norm": grad_norm}

    def games_played(self, number: int) -> int:
        return self.collector.games.games

    def step(self, number: int) -> dict[str, float]:
        """Play whole games, then learn."""
        longest = self.config.max_rollout_plies
        evaluate = self.collector.evaluator(longest)
        played = collect_episodes(self.collector, evaluate, longest)
        learned = self.learn(played)
        return {**self.collector.finish_step(), **learned}


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return train_steps(Learner, game, config, seed, saved)
