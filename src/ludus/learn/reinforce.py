"""REINFORCE: make what was done more likely, by how well the game then went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.net.build import built, guarded
from ludus.learn.net.masked import drawn, entropy, log_policy, of_actions, softened
from ludus.learn.net.player import POLICY
from ludus.learn.play.collect import Collector
from ludus.learn.play.opponents import Habits, Opponents
from ludus.learn.play.rollout import Rollout, episodes
from ludus.learn.play.table import Table
from ludus.learn.play.targets import advantages
from ludus.learn.run.config import Common, one_of, positive, share
from ludus.learn.run.parts import Saved, restore
from ludus.learn.run.step import Step

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(Common):
    """How many games a step, and how to learn from them."""

    games: int = 64  # whole games, all at once, in a step
    longest: int = 400  # plies after which a step waits for no game
    batch: int = 2048  # plies of an update; all of them are used once
    learning_rate: float = 0.001
    gamma: float = 0.99
    baseline: str = "value"  # what a return is compared with: none, mean, or a learned value
    value_weight: float = 0.5
    entropy: float = 0.01
    gradient_clip: float = 1.0
    opponent: str = "self"  # or lagged, pool, random, legality, an agent, or 200*random;self
    pool_every: int = 20  # steps after which the learner joins its past
    pool_size: int = 8
    pool_share: float = 0.5  # of games that are against the past
    shaping: str = ""  # a signal of the game, in place of the outcome
    reward_scale: float = 1.0

    def __post_init__(self) -> None:
        positive(self, "games", "longest", "batch", "learning_rate", "gradient_clip")
        positive(self, "pool_every", "pool_size")
        share(self, "gamma", "pool_share")
        one_of(self, "baseline", ("none", "mean", "value"))


PRESETS: dict[str, dict[str, Any]] = {
    "kingcourtesan": {
        "network": "kingcourtesan-reinforce",
        "planes": "paper",
        "games": 1,
        "baseline": "none",
        "entropy": 0.0,
        "learning_rate": 0.0001,
        "steps": 10_000,
    },
}


class Learner:
    """All that the training remembers, and what it does in a step."""

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        self.table = Table(
            game,
            config.games,
            rows,
            planes=config.planes,
            shaping=config.shaping,
            scale=config.reward_scale,
        )
        valued = config.baseline == "value"
        self.network = built(game, config, self.table, weights, value=valued)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate)
        habits = Habits(
            pool_every=config.pool_every, pool_size=config.pool_size, pool_share=config.pool_share
        )
        self.opponents = Opponents(
            config.opponent, habits, self.network, self.sampled, self.rng, config.games, other
        )
        self.collector = Collector(self.table, self.opponents, self.rng)

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "optimizer": self.optimizer,
            "table": self.table,
            "opponents": self.opponents,
            "rng": self.rng,
        }

    def sampled(self, logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """How copies of the learner choose."""
        return drawn(softened(logits, masks), masks, self.rng)

    def returns(self, played: Rollout) -> NDArray[np.float32]:
        """What each player was paid from each of its plies on, discounted by its own turns."""
        nothing = np.zeros_like(played.values)
        return advantages(
            played.players, played.paid, played.ended, nothing, self.config.gamma, 1.0, "own"
        )

    def learn(self, played: Rollout) -> dict[str, float]:
        """One pass over the games."""
        returns = self.returns(played)
        arrays = (played.features, played.masks, played.actions, returns)
        data = [torch.from_numpy(played.chosen(array)) for array in arrays]
        if not len(data[0]):
            return {}
        self.network.train()
        found = []
        order = torch.from_numpy(self.rng.permutation(len(data[0])))
        for start in range(0, len(order), self.config.batch):
            part = order[start : start + self.config.batch]
            found.append(self.update(*(column[part] for column in data)))
        return {name: float(np.mean([one[name] for one in found])) for name in found[0]}

    def update(
        self, features: Tensor, masks: Tensor, actions: Tensor, returns: Tensor
    ) -> dict[str, float]:
        """One step along the gradient of the score function."""
        config = self.config
        logits, values = self.network(features)
        policy = log_policy(logits, masks)
        better = returns
        if values is not None:
            better = returns - values.detach()
        elif config.baseline == "mean":
            better = returns - returns.mean()
        policy_loss = -(of_actions(policy, actions) * better).mean()
        spread = entropy(policy).mean()
        loss = policy_loss - config.entropy * spread
        found = {"policy loss": policy_loss.item(), "entropy": spread.item()}
        if values is not None:
            value_loss = functional.mse_loss(values, returns)
            loss = loss + config.value_weight * value_loss
            found |= {"value loss": value_loss.item(), "value": values.mean().item()}
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        length = guarded(self.network, config.gradient_clip, loss=loss, returns=returns)
        self.optimizer.step()
        return {**found, "gradient": length}

    def step(self, number: int) -> dict[str, float]:
        """Play whole games, then learn."""
        played = episodes(self.collector, self.network, self.config.longest)
        learned = self.learn(played)
        self.opponents.learned()
        return {**self.collector.counted(), **learned}


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    torch.set_num_threads(config.threads)
    learner = Learner(game, config, seed)
    if saved is not None:
        restore(learner.parts, saved)
    for number in range((saved.step if saved else 0) + 1, config.steps + 1):
        metrics = learner.step(number)
        yield Step(number, metrics, learner.parts, learner.network, config.planes, POLICY)
