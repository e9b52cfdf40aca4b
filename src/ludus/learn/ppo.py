"""PPO: move the policy towards what turned out better than expected, never far in one step.

The value of the next state belongs to whoever moves there: in play against itself it counts against
the actor unless the actor moves again. Against others a player looks ahead to its own next turn.
"""

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
from ludus.learn.play.rollout import Rollout, rolled
from ludus.learn.play.table import Table
from ludus.learn.play.targets import CREDITS
from ludus.learn.run.config import Common, one_of, positive, share
from ludus.learn.run.parts import Saved, restore
from ludus.learn.run.step import Step

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(Common):
    """How to play, and how to learn from what was played."""

    games: int = 128  # at the same time
    plies: int = 32  # of each game in a step
    epochs: int = 4  # passes over them
    batch: int = 512  # plies an update
    learning_rate: float = 0.001
    critic_rate: float = 0.0  # of the value's own layers; 0 for the same
    weight_decay: float = 0.0
    anneal: int = 0  # steps over which learning rates fall to 0; 0 for never
    gamma: float = 0.99
    trace: float = 0.95  # lambda of the generalised advantages
    credit: str = "auto"  # adversarial against itself, own against others; or one of these, or max
    clip: float = 0.2  # of the policy's ratio
    entropy: float = 0.01
    value_weight: float = 0.5
    smooth: bool = False  # smooth L1 for the value's loss, else squared errors
    normalise: bool = True  # advantages to mean 0 and variance 1
    separate: bool = False  # actor and critic share no trunk
    weighting: bool = False  # favour cells near stones, where every action is a cell
    gradient_clip: float = 0.5
    opponent: str = "self"  # or lagged, pool, random, legality, an agent, or 200*random;self
    soft_every: int = 10  # games after which the lagged copy moves
    soft_share: float = 0.3  # so far
    full_every: int = 100  # games after which it becomes the learner
    pool_every: int = 20  # steps after which the learner joins its past
    pool_size: int = 8
    pool_share: float = 0.5  # of games that are against the past
    shaping: str = ""  # a signal of the game, in place of the outcome
    reward_scale: float = 1.0

    def __post_init__(self) -> None:
        positive(self, "games", "plies", "epochs", "batch", "learning_rate", "gradient_clip")
        positive(self, "soft_every", "full_every", "pool_every", "pool_size")
        share(self, "gamma", "trace", "clip", "soft_share", "pool_share")
        one_of(self, "credit", ("auto", *CREDITS))


# The papers' settings. Theirs count episodes; a step here is `games * plies` plies.
PRESETS: dict[str, dict[str, Any]] = {
    "cathedral": {
        "network": "cathedral-ppo",
        "planes": "paper",
        "games": 5,
        "plies": 20,
        "epochs": 20,
        "batch": 100,
        "learning_rate": 0.0005,
        "critic_rate": 0.0002,
        "gamma": 0.97,
        "trace": 0.95,
        "entropy": 0.01,
        "opponent": "lagged",
        "shaping": "dense",
        "steps": 2_000,
    },
    "supertictactoe": {
        "network": "supertictactoe",
        "planes": "paper",
        "batch": 128,
        "learning_rate": 0.0003,
        "weight_decay": 0.0001,
        "anneal": 50,
        "gamma": 0.99,
        "entropy": 0.02,
        "value_weight": 0.2,
        "smooth": True,
        "separate": True,
        "weighting": True,
        "credit": "own",
        "shaping": "designed",
        "steps": 50,
    },
    "connect4": {
        "network": "c4net",
        "planes": "signed",
        "batch": 64,
        "trace": 1.0,
        "credit": "own",
        "opponent": "2000*legality;self",
        "steps": 10_000,
    },
    "checkers": {
        "network": "draughts",
        "planes": "paper",
        "batch": 64,
        "trace": 1.0,
        "credit": "own",
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
        self.network = built(
            game, config, self.table, weights, value=True, separate=config.separate
        )
        self.optimizer = torch.optim.Adam(
            self.groups(), lr=config.learning_rate, eps=1e-5, weight_decay=config.weight_decay
        )
        self.opponents = Opponents(
            config.opponent,
            Habits(
                config.soft_every,
                config.soft_share,
                config.full_every,
                config.pool_every,
                config.pool_size,
                config.pool_share,
            ),
            self.network,
            self.sampled,
            self.rng,
            config.games,
            other,
        )
        self.collector = Collector(self.table, self.opponents, self.rng)

    def groups(self) -> list[dict[str, Any]]:
        """The value's own layers may learn at a rate of their own."""
        critics = [self.network.value, self.network.critic]
        own = {id(p) for part in critics if part is not None for p in part.parameters()}
        every = [p for p in self.network.parameters() if p.requires_grad]
        rate = self.config.critic_rate or self.config.learning_rate
        return [
            {"params": [p for p in every if id(p) not in own]},
            {"params": [p for p in every if id(p) in own], "lr": rate},
        ]

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

    @property
    def credit(self) -> str:
        if self.config.credit != "auto":
            return self.config.credit
        return "adversarial" if self.opponents.plays_itself else "own"

    def learn(self, played: Rollout) -> dict[str, float]:
        """Several passes over what was played."""
        config = self.config
        better = played.advantages(config.gamma, config.trace, self.credit)
        returns = better + played.values[:-1]
        arrays = (played.features, played.masks, played.actions, played.logs, better, returns)
        data = [torch.from_numpy(played.chosen(array)) for array in arrays]
        if config.normalise:
            data[4] = (data[4] - data[4].mean()) / (data[4].std(correction=0) + 1e-8)
        found: list[dict[str, float]] = []
        self.network.train()
        for _ in range(config.epochs):
            order = torch.from_numpy(self.rng.permutation(len(data[0])))
            for start in range(0, len(order), config.batch):
                part = order[start : start + config.batch]
                found.append(self.update(*(column[part] for column in data)))
        names = found[0] if found else ()
        return {name: float(np.mean([one[name] for one in found])) for name in names}

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
        logits, values = self.network(features)
        policy = log_policy(logits, masks)
        losses = objective(of_actions(policy, actions), logs, better, config.clip)
        loss_of = functional.smooth_l1_loss if config.smooth else functional.mse_loss
        value_loss = loss_of(values, returns)
        spread = entropy(policy).mean()
        loss = losses["policy loss"] + config.value_weight * value_loss - config.entropy * spread
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        length = guarded(
            self.network, config.gradient_clip, loss=loss, advantages=better, returns=returns
        )
        self.optimizer.step()
        return {
            **{name: value.item() for name, value in losses.items()},
            "value loss": value_loss.item(),
            "entropy": spread.item(),
            "value": values.mean().item(),
            "gradient": length,
        }

    def step(self, number: int) -> dict[str, float]:
        """Play, then learn."""
        config = self.config
        if config.anneal:
            left = 1 - (number - 1) / config.anneal
            rates = (config.learning_rate, config.critic_rate or config.learning_rate)
            for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * max(left, 0.0)
        learned = self.learn(rolled(self.collector, self.network, config.plies))
        self.opponents.learned()
        positions = float(number * config.games * config.plies)
        return {"positions": positions, **self.collector.counted(), **learned}


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
    torch.set_num_threads(config.threads)
    learner = Learner(game, config, seed)
    if saved is not None:
        restore(learner.parts, saved)
    for number in range((saved.step if saved else 0) + 1, config.steps + 1):
        metrics = learner.step(number)
        yield Step(number, metrics, learner.parts, learner.network, config.planes, POLICY)
