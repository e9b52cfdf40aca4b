"""DQN: learn what each action is worth, from a memory of games, with targets right for two players.

With `credit="adversarial"` the target of an action is r - gamma * max over legal a' of Q(s', a')
where the other player moves next, and r + gamma * max where the same player does.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from ludus.game import Game
from ludus.learn.collecting.collector import Ply
from ludus.learn.collecting.opponents import PLAYS_ITSELF, mixed, stages
from ludus.learn.collecting.playing import Bootstrapped, Playing
from ludus.learn.collecting.replay import Drawn, Replay
from ludus.learn.collecting.targets import returns, window
from ludus.learn.networks.collapse import SPREAD
from ludus.learn.networks.masked import best, highest, of_actions, sampled, uniform
from ludus.learn.networks.optimise import annealed, averaged, descend
from ludus.learn.networks.player import ACTIONS
from ludus.learn.networks.precision import PRECISIONS, looked
from ludus.learn.settings import presets
from ludus.learn.settings.config import natural, one_of, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Need, Needs, below, beside, without
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Whole
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step

if TYPE_CHECKING:
    from numpy.typing import NDArray


def meets_others(config: Config) -> bool:
    """Whether somebody else than the learner plays in any stage of the curriculum."""
    return any(stage.opponent not in PLAYS_ITSELF for stage in stages(config.opponent))


@dataclass(frozen=True)
class Config(Bootstrapped):
    """How to play, what to remember, and how to learn from it."""

    plies: int = 16  # of each game in a step
    updates: int = 16  # of the network in a step
    batch: int = 256  # plies an update
    learning_rate: float = 0.0005
    anneal: int = 0  # steps over which it falls to 0; 0 for never
    n_step: int = 3
    double: bool = True
    spread: bool = False  # targets are the game's end, discounted and spread backward
    target_every: int = 200  # updates after which the target network becomes the network
    target_share: float = 1.0  # how far it then goes
    huber: bool = True  # else squared errors
    clip: float = 10.0  # of the gradient's length
    memory: int = 100_000  # plies
    warmup: int = 2_000  # plies remembered before learning begins
    alpha: float = 0.6  # of prioritised replay; 0 for uniform
    beta: float = 0.4  # corrects for it
    beta_steps: int = 1_000  # after which the correction is whole
    exploration: str = "epsilon"  # or boltzmann
    explore_start: float = 1.0  # epsilon, or the temperature
    explore_end: float = 0.05
    explore_decay: float = 2_000.0  # games after which it has come down to 1/e of the way
    precision: str = "float32"  # or bfloat16, twice as fast where the processor has it
    watch: bool = False  # learn from the plies of others too, as one may off policy

    NEEDS: ClassVar[Needs] = {
        **dict.fromkeys(
            ("credit", "n_step", "double", "target_every", "target_share"), (without("spread"),)
        ),
        "beta": (beside("alpha", "0.6"),),
        "beta_steps": (beside("alpha", "0.6"), below("beta", 1)),
        "watch": (Need("opponent", meets_others, "AGENT"),),
    }

    @property
    def judges(self) -> bool:
        return False

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "plies", "batch", "learning_rate", "n_step", "target_every")
        positive(self, "memory", "explore_decay", "beta_steps", "clip")
        natural(self, "updates", "warmup", "anneal")
        share(self, "alpha", "beta", "target_share")
        one_of(self, "exploration", ("epsilon", "boltzmann"))
        one_of(self, "precision", PRECISIONS)
        inside = share if self.exploration == "epsilon" else positive  # or a temperature
        inside(self, "explore_start", "explore_end")

    def work(self, plies: float) -> Work:
        # An update also looks at what came after, once more if it is double: a third each.
        played, drawn = self.games * self.plies, self.updates * self.batch
        return Work(played, drawn * (5 / 3 if self.double else 4 / 3), played / plies)

    def footprint(self, sizes: Sizes) -> Footprint:
        ply = 2 * sizes.features + sizes.actions // 8 + 32  # half floats, bits, and what came of it
        return {
            **super().footprint(sizes),
            ("memory",): self.memory * ply,
            ("batch",): self.batch * 2 * sizes.seen,
        }


PRESETS = presets.DQN


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = ACTIONS

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        self.playing = Playing(game, config, seed, value=False, choice=self.explored)
        self.network, self.rng = self.playing.network, self.playing.rng
        self.target = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate)
        met = (stage.opponent for stage in self.playing.opponents.stages)
        ahead = max(window(config.credit_against(one), config.n_step) for one in met)
        self.replay = Replay(self.playing.table, config.memory, ahead, config.alpha)
        self.updates = 0

    @property
    def parts(self) -> dict[str, Any]:
        own = {"target": self.target, "optimizer": self.optimizer, "replay": self.replay}
        return {**self.playing.parts, **own, "learner": self}

    def state(self) -> dict[str, Any]:
        return {"updates": self.updates}

    def form(self) -> dict[str, Any]:
        return {"updates": Whole()}

    def restore(self, state: dict[str, Any]) -> None:
        self.updates = state["updates"]

    @property
    def exploration(self) -> float:
        """Epsilon or the temperature: it falls exponentially with the games played."""
        c = self.config
        fallen = math.exp(-self.playing.table.games / c.explore_decay)
        return c.explore_end + (c.explore_start - c.explore_end) * fallen

    def explored(self, values: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Mostly the best action, now and then another."""
        if self.playing.opponents.legality:
            masks = np.ones_like(masks)
        if self.config.exploration == "boltzmann":
            return sampled(values / np.float32(self.exploration), masks, self.rng)[0]
        greedy = np.where(masks, values, -np.inf).argmax(1).astype(np.int32)
        astray = self.rng.random(len(values)) < self.exploration
        return np.where(astray, uniform(masks, self.rng), greedy).astype(np.int32)

    def collect(self) -> None:
        """Play, and remember."""
        look = self.playing.look(self.config.plies)
        for _ in range(self.config.plies):
            ply = self.playing.collector.ply(
                lambda rows, features, masks: self.explored(look(features)[0], masks)
            )
            self.remember(ply)

    def remember(self, ply: Ply) -> None:
        replay = self.replay
        seen = (ply.features, ply.masks, ply.players)
        learned_from = np.ones_like(ply.mine) if self.config.watch else ply.mine
        replay.add(seen, ply.actions, ply.paid, ply.ended, learned_from)
        if ply.illegal is not None and ply.illegal.any():
            replay.forget(ply.illegal)  # one bad end tells nothing of the moves before it
        if self.config.spread and ply.ended.any():
            replay.hand_back(ply.ended, self.config.gamma)
        replay.close(ply.ended)

    def targets(self, plies: Drawn) -> tuple[Tensor, Tensor]:
        """The value that each drawn action should have had, and whether it is known."""
        config = self.config
        credit = config.credit_against(self.playing.opponents.now)
        paid, ahead, factor = returns(
            plies.players, plies.paid, plies.ended, config.n_step, config.gamma, credit
        )
        features, masks = self.replay.later(plies.slots, ahead)
        masks[~(np.abs(factor) > 0)] = True  # of another game, or not to be learned from
        with torch.no_grad():
            seen, legal = torch.from_numpy(features), torch.from_numpy(masks)
            values = looked(self.target, seen, config.precision)[0]
            if config.double:
                chosen = best(looked(self.network, seen, config.precision)[0], legal)
                value = of_actions(values, chosen)
            else:
                value = highest(values, legal)
        known = np.isfinite(factor)
        reached = torch.from_numpy(np.where(known, factor, np.float32(0)))
        return torch.from_numpy(paid) + reached * value, torch.from_numpy(known)

    def learn(self, beta: float) -> dict[str, float]:
        """One update from drawn plies."""
        config = self.config
        plies = self.replay.draw(config.batch, self.rng, beta)
        if plies is None:
            return {}
        weights = torch.from_numpy(plies.weights)
        self.network.eval()
        if config.spread:
            target, known = torch.from_numpy(plies.spread), torch.from_numpy(plies.finished)
        else:
            target, known = self.targets(plies)
        weights = weights * known
        self.network.train()
        judged, _ = looked(self.network, torch.from_numpy(plies.features), config.precision)
        values = of_actions(judged, torch.from_numpy(plies.actions))
        error = values - target
        lost = torch.nn.functional.huber_loss(values, target, reduction="none")
        losses = lost if config.huber else error**2
        loss = (weights * losses).mean()
        length = descend(self.network, self.optimizer, loss, config.clip, targets=target)
        self.replay.surprised(plies.slots, (error.detach() * known).numpy())
        self.updates += 1
        if self.updates % config.target_every == 0:
            mixed(self.target, self.network, config.target_share)
        spread = {SPREAD: values.detach().std(correction=0).item()}
        return {"loss": loss.item(), "value": values.mean().item(), **spread, "gradient": length}

    def played(self, number: int) -> int:
        return self.playing.table.games

    def step(self, number: int) -> dict[str, float]:
        """Play, then learn."""
        config = self.config
        self.collect()
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * annealed(number, config.anneal)
        beta = min(1.0, config.beta + (1 - config.beta) * number / config.beta_steps)
        found: list[dict[str, float]] = []
        if self.replay.ready >= config.warmup:
            found = [self.learn(beta) for _ in range(config.updates)]
        return {
            "positions": float(number * config.games * config.plies),
            **self.playing.learned(),
            "exploration": self.exploration,
            **averaged(found),
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
