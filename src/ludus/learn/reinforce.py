"""REINFORCE: make what was done more likely, by how well the game then went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.game import Game
from ludus.learn.collecting.playing import AtTable, Playing
from ludus.learn.collecting.rollout import Rollout, episodes
from ludus.learn.collecting.targets import advantages
from ludus.learn.networks.averages import follow
from ludus.learn.networks.masked import entropy, log_policy, of_actions, pulse
from ludus.learn.networks.optimise import averaged, descend, shuffled
from ludus.learn.networks.player import POLICY
from ludus.learn.settings import presets
from ludus.learn.settings.config import one_of, positive
from ludus.learn.settings.footprint import Work
from ludus.learn.settings.needs import Needs, among
from ludus.learn.store.components import Saved
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(AtTable):
    """How many games a step, and how to learn from them."""

    games: int = 64  # whole games, all at once, in a step
    longest: int = 400  # plies after which a step waits for no game
    batch: int = 2048  # plies of an update; all of them are used once
    learning_rate: float = 0.001
    baseline: str = "value"  # what a return is compared with: none, mean, or a learned value
    value_weight: float = 0.5
    bounded: bool = True  # that value lies between -1 and 1; off where returns go beyond
    entropy: float = 0.01
    gradient_clip: float = 1.0

    NEEDS: ClassVar[Needs] = dict.fromkeys(
        ("value_weight", "bounded"), (among("baseline", "value"),)
    )

    @property
    def judges(self) -> bool:
        return self.baseline == "value"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "longest", "batch", "learning_rate", "gradient_clip")
        one_of(self, "baseline", ("none", "mean", "value"))

    def work(self, plies: float) -> Work:
        played = self.games * min(plies, self.longest)
        return Work(played, played, self.games)


PRESETS = presets.REINFORCE


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        self.playing = Playing(game, config, seed, value=config.baseline == "value")
        self.network = self.playing.network
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate)

    @property
    def parts(self) -> dict[str, Any]:
        return {**self.playing.parts, "optimizer": self.optimizer}

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
        self.network.eval()  # the policy that played
        batches = shuffled(data, self.config.batch, self.playing.rng)
        found = averaged([self.update(*columns) for columns in batches])
        follow(self.network, data[0], self.config.batch)
        return found

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
        clip = config.gradient_clip
        length = descend(self.network, self.optimizer, loss, clip, returns=returns)
        return {**found, **pulse(policy, values), "gradient": length}

    def played(self, number: int) -> int:
        return self.playing.table.games

    def step(self, number: int) -> dict[str, float]:
        """Play whole games, then learn."""
        longest = self.config.longest
        played = episodes(self.playing.collector, self.playing.look(longest), longest)
        learned = self.learn(played)
        return {**self.playing.learned(), **learned}


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
