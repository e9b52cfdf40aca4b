"""PPO: move the policy towards what turned out better than expected, never far in one step.

The value of the next state belongs to whoever moves there: in play against itself it counts against
the actor unless the actor moves again. Against others a player looks ahead to its own next turn.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
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
from ludus.learn.networks.player import POLICY
from ludus.learn.settings import presets
from ludus.learn.settings.config import natural, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Needs, beside, instead_of
from ludus.learn.store.components import Saved
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step


@dataclass(frozen=True)
class Config(Bootstrapped):
    """How to play, and how to learn from what was played."""

    games: int = 128  # at the same time
    plies: int = 32  # of each game in a step
    episodes: int = 0  # whole games of each row in a step, in place of plies; 0 for plies
    longest: int = 1_000  # plies of each row after which a step waits for no game
    epochs: int = 4  # passes over them
    batch: int = 512  # plies an update
    learning_rate: float = 0.001
    critic_rate: float = 0.0  # of the value's own layers; 0 for the same
    weight_decay: float = 0.0
    anneal: int = 0  # steps over which learning rates fall to 0; 0 for never
    calming: bool = False  # the weight of the entropy falls with them
    trace: float = 0.95  # lambda of the generalised advantages
    clip: float = 0.2  # of the policy's ratio
    entropy: float = 0.1  # less, and self-play soon plays one line only and swings
    value_weight: float = 0.5
    smooth: bool = False  # smooth L1 for the value's loss, else squared errors
    normalise: bool = True  # advantages to mean 0 and variance 1
    separate: bool = False  # actor and critic share no trunk
    bounded: bool = True  # the value lies between -1 and 1; off where returns go beyond
    weighting: bool = False  # favour cells near stones, where every action is a cell
    gradient_clip: float = 0.5
    # What plays is an average of the weights, of which so much is kept each step; 0 for none.
    average: float = field(default=0.9, metadata={"before": 0.0})

    NEEDS: ClassVar[Needs] = {
        "calming": (beside("anneal", "STEPS"), beside("entropy", "0.01")),
        "longest": (beside("episodes", "GAMES"),),
        "plies": (instead_of("episodes"),),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "plies", "epochs", "batch", "learning_rate", "gradient_clip", "longest")
        natural(self, "episodes")
        share(self, "trace", "clip", "average")

    def work(self, plies: float) -> Work:
        played = self.games * (self.episodes * plies if self.episodes else self.plies)
        return Work(played, self.epochs * played, played / plies)

    def footprint(self, sizes: Sizes) -> Footprint:
        # A rollout, and its useful plies once more for torch.
        rollout = self.plies * self.games * 2 * (sizes.seen + 24)
        return {**super().footprint(sizes), ("plies", "games"): rollout}


PRESETS = presets.PPO


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        self.playing = Playing(game, config, seed, value=True, separate=config.separate)
        self.online = self.playing.network
        self.average = copy.deepcopy(self.online).requires_grad_(False) if config.average else None
        self.optimizer = torch.optim.Adam(
            self.groups(), lr=config.learning_rate, eps=1e-5, weight_decay=config.weight_decay
        )
        self.curiosity = config.entropy  # the weight of the entropy, now
        self.room = self.playing.table.empty(config.plies + 1, config.games)

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
        rate = self.config.critic_rate or self.config.learning_rate
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
        better = played.advantages(config.gamma, config.trace, self.credit)
        returns = better + played.values[:-1]
        arrays = (played.features, played.masks, played.actions, played.logs, better, returns)
        data = [torch.from_numpy(played.chosen(array)) for array in arrays]
        if not len(data[0]):
            return {}
        if config.normalise:
            data[4] = (data[4] - data[4].mean()) / (data[4].std(correction=0) + 1e-8)
        found: list[dict[str, float]] = []
        self.online.eval()  # as it played: ratios begin at 1
        for _ in range(config.epochs):
            batches = shuffled(data, config.batch, self.playing.rng)
            found += [self.update(*columns) for columns in batches]
        follow(self.online, data[0], config.batch)
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
        losses = objective(of_actions(policy, actions), logs, better, config.clip)
        loss_of = functional.smooth_l1_loss if config.smooth else functional.mse_loss
        value_loss = loss_of(values, returns)
        spread = entropy(policy).mean()
        loss = losses["policy loss"] + config.value_weight * value_loss - self.curiosity * spread
        named = {"advantages": better, "returns": returns}
        length = descend(self.online, self.optimizer, loss, config.gradient_clip, **named)
        return {
            **{name: value.item() for name, value in losses.items()},
            "value loss": value_loss.item(),
            "entropy": spread.item(),
            "value": values.mean().item(),
            **pulse(policy, values),
            "gradient": length,
        }

    def played(self, number: int) -> int:
        return self.playing.table.games

    def step(self, number: int) -> dict[str, float]:
        """Play, then learn."""
        config = self.config
        left = annealed(number, config.anneal)
        rates = (config.learning_rate, config.critic_rate or config.learning_rate)
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * left
        self.curiosity = config.entropy * (left if config.calming else 1)
        learned = self.learn(self.rollout())
        if self.average is not None:  # the first weights are nobody's to remember
            mixed(self.average, self.online, 1 - config.average if number > 2 else 1.0)
        plies = number * config.games * config.plies
        positions = float(self.playing.table.all_plies if config.episodes else plies)
        return {"positions": positions, **self.playing.learned(), **learned}

    def rollout(self) -> Rollout:
        """Some plies of every game, or whole games."""
        config, collector = self.config, self.playing.collector
        everywhere = self.credit != "own"  # which asks for the values of the other side's states
        if config.episodes:
            look = self.playing.look(config.longest)
            return episodes(collector, look, config.longest, config.episodes, everywhere=everywhere)
        look = self.playing.look(config.plies)
        return rolled(collector, look, config.plies, self.room, everywhere=everywhere)


def objective(new: Tensor, old: Tensor, better: Tensor, clip: float) -> dict[str, Tensor]:
    """The clipped objective, from log probabilities then and now; and how much was clipped."""
    ratio = (new - old).exp()
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return {
        "policy loss": -torch.minimum(ratio * better, bounded * better).mean(),
        "ratio": ratio.detach().mean(),
        "clipped": (ratio.detach() != bounded.detach()).float().mean(),
    }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
