"""DQN: learn action values from a replay buffer, with targets right for two players.

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
from ludus.learn.collecting.collector import Collector, Ply
from ludus.learn.collecting.replay import ReplayBuffer, ReplaySamples
from ludus.learn.collecting.targets import credit_against, n_step_returns, window
from ludus.learn.networks.build import Heads
from ludus.learn.networks.masked import (
    SPREAD,
    best_action,
    highest_value,
    of_actions,
    sample,
    uniform_actions,
)
from ludus.learn.networks.optimise import gradient_step, linear_decay, mean_metrics, polyak_update
from ludus.learn.networks.optimizers import make_optimizer
from ludus.learn.networks.precision import PRECISIONS, check_precision, forward
from ludus.learn.settings import presets
from ludus.learn.settings.config import check_share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Need, Needs, needs_below, needs_off, needs_set
from ludus.learn.settings.playing import PLAYS_ITSELF, BootstrappedConfig, opponents_of
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Whole
from ludus.learn.store.record import ACTIONS
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

if TYPE_CHECKING:
    from numpy.typing import NDArray


def meets_others(config: Config) -> bool:
    """Whether somebody else than the learner plays in any stage of the curriculum."""
    return any(one not in PLAYS_ITSELF for one in opponents_of(config.opponent))


def plies_ahead(config: Config) -> int:
    """How many plies a target may look ahead, in any stage of the curriculum."""
    met = opponents_of(config.opponent)
    return max(window(credit_against(config, one), config.n_step) for one in met)


@dataclass(frozen=True)
class Config(BootstrappedConfig):
    """How to play, what to remember, and how to learn from it."""

    train_freq: int = option(16, "plies of each game in a step", group="self-play", low=1)
    gradient_steps: int = option(
        16, "updates of the network in a step", group="optimisation", low=0
    )
    batch_size: int = option(256, "plies of an update", group="optimisation", low=1)
    learning_rate: float = option(
        0.0005, "learning rate of Adam", group="optimisation", above=0, symbol="alpha"
    )
    lr_decay_steps: int = option(
        0,
        "steps over which the learning rate falls linearly to 0; 0 for a constant rate",
        group="optimisation",
        low=0,
    )
    n_step: int = option(
        3,
        "plies of rewards in a target before the value of a later state",
        group="targets",
        low=1,
        symbol="n",
        paper="Sutton 1988",
    )
    double_q: bool = option(
        True,
        "let the online network choose the action that the target network values",
        group="targets",
        paper="van Hasselt 2016",
    )
    monte_carlo_returns: bool = option(
        False, "targets are discounted returns of whole games", group="targets"
    )
    target_update_interval: int = option(
        200,
        "updates between two updates of the target network",
        group="targets",
        low=1,
        symbol="C",
        paper="Mnih 2015",
    )
    tau: float = option(
        1.0,
        "how far an update of the target network moves it to the online one",
        group="targets",
        above=0,
        high=1,
        symbol="tau",
        paper="Lillicrap 2016",
    )
    huber_loss: bool = option(True, "Huber loss instead of squared errors", group="optimisation")
    max_grad_norm: float = option(
        10.0, "norm to which gradients are clipped", group="optimisation", above=0
    )
    buffer_size: int = option(100_000, "plies in the replay buffer", group="self-play", low=1)
    learning_starts: int = option(
        2_000, "plies in the buffer before learning begins", group="self-play", low=0
    )
    per_alpha: float = option(
        0.6,
        "exponent of the priorities in replay; 0 for uniform sampling",
        group="optimisation",
        low=0,
        high=1,
        symbol="alpha",
        paper="Schaul 2016",
    )
    per_beta: float = option(
        0.4,
        "exponent of the importance-sampling weights at the beginning",
        group="optimisation",
        low=0,
        high=1,
        symbol="beta",
        paper="Schaul 2016",
    )
    per_beta_steps: int = option(
        1_000, "steps after which that exponent is 1", group="optimisation", low=1
    )
    exploration_strategy: str = option(
        "epsilon",
        "epsilon-greedy, or sampling from a Boltzmann distribution over values",
        group="self-play",
        choices=("epsilon", "boltzmann"),
    )
    exploration_initial: float = option(
        1.0,
        "epsilon, or the temperature, at the beginning",
        group="self-play",
        low=0,
        symbol="epsilon",
    )
    exploration_final: float = option(
        0.05, "epsilon, or the temperature, that it falls to", group="self-play", low=0
    )
    exploration_decay_games: float = option(
        2_000.0,
        "games after which 1/e of the way down is left, as it falls exponentially",
        group="self-play",
        above=0,
    )
    precision: str = option(
        "float32",
        "precision of learning; bfloat16 autocast is faster where the processor has it",
        group="optimisation",
        choices=PRECISIONS,
    )
    learn_from_opponent: bool = option(
        False, "learn from the opponent's plies too, as one may off policy", group="self-play"
    )

    NEEDS: ClassVar[Needs] = {
        **dict.fromkeys(
            ("credit", "n_step", "double_q", "target_update_interval", "tau"),
            (needs_off("monte_carlo_returns"),),
        ),
        "per_beta": (needs_set("per_alpha", "0.6"),),
        "per_beta_steps": (needs_set("per_alpha", "0.6"), needs_below("per_beta", 1)),
        "learn_from_opponent": (Need("opponent", meets_others, "AGENT"),),
    }

    @property
    def judges(self) -> bool:
        return False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exploration_strategy == "epsilon":
            check_share(self, "exploration_initial", "exploration_final")
        elif not (self.exploration_initial and self.exploration_final):
            raise ValueError("exploration_initial and exploration_final are temperatures above 0")

    def check_new(self) -> None:
        """Refuse a buffer that never has as many plies as learning waits for."""
        most = self.n_envs * (self.buffer_size // self.n_envs - plies_ahead(self))
        if 0 < most < self.learning_starts:
            raise ValueError(
                f"learning_starts {self.learning_starts} never comes: of a buffer_size of "
                f"{self.buffer_size} at most {most} plies can be drawn, as the latest wait for "
                "what comes after them"
            )

    def work(self, plies: float) -> Work:
        # An update also looks at what came after, once more if it is double: a third each.
        played, drawn = self.n_envs * self.train_freq, self.gradient_steps * self.batch_size
        return Work(played, drawn * (5 / 3 if self.double_q else 4 / 3), played / plies)

    def footprint(self, sizes: Sizes) -> Footprint:
        ply = 2 * sizes.features + sizes.actions // 8 + 32  # half floats, bits, and what came of it
        return {
            **super().footprint(sizes),
            ("buffer_size",): self.buffer_size * ply,
            ("batch_size",): self.batch_size * 2 * sizes.seen,
        }


PRESETS = presets.DQN


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = ACTIONS
    eval_simulations = 0

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        self.collector = Collector(game, config, seed, Heads(value=False), self.explore)
        self.network, self.rng = self.collector.network, self.collector.rng
        self.target = copy.deepcopy(self.network).requires_grad_(False).eval()
        self.optimizer = make_optimizer(self.network.parameters(), lr=config.learning_rate)
        self.replay = ReplayBuffer(
            self.collector.games, config.buffer_size, plies_ahead(config), config.per_alpha
        )
        self.updates = 0

    @property
    def parts(self) -> dict[str, Any]:
        own = {"target": self.target, "optimizer": self.optimizer, "replay": self.replay}
        return {**self.collector.parts, **own, "learner": self}

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
        fallen = math.exp(-self.collector.games.games / c.exploration_decay_games)
        return c.exploration_final + (c.exploration_initial - c.exploration_final) * fallen

    def explore(self, values: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Mostly the best action, now and then another."""
        if self.collector.opponents.legality:
            masks = np.ones_like(masks)
        if self.config.exploration_strategy == "boltzmann":
            return sample(values / np.float32(self.exploration), masks, self.rng)[0]
        greedy = np.where(masks, values, -np.inf).argmax(1).astype(np.int32)
        explores = self.rng.random(len(values)) < self.exploration
        return np.where(explores, uniform_actions(masks, self.rng), greedy).astype(np.int32)

    def collect(self) -> None:
        """Play, and remember."""
        evaluate = self.collector.evaluator(self.config.train_freq)
        for _ in range(self.config.train_freq):
            turn = self.collector.turn()
            actions = np.zeros(0, np.int32)
            if turn.any:
                values, _ = evaluate(turn.features[turn.rows])
                actions = self.explore(values, turn.masks[turn.rows])
            self.remember(self.collector.play(turn, actions))

    def remember(self, ply: Ply) -> None:
        replay = self.replay
        seen = (ply.features, ply.masks, ply.players)
        learned_from = np.ones_like(ply.mine) if self.config.learn_from_opponent else ply.mine
        replay.add(seen, ply.actions, ply.rewards, ply.dones, learned_from)
        if ply.illegal is not None and ply.illegal.any():
            replay.forget(ply.illegal)  # one bad end tells nothing of the moves before it
        if self.config.monte_carlo_returns and ply.dones.any():
            replay.store_returns(ply.dones, self.config.gamma)
        replay.close(ply.dones)

    def targets(self, plies: ReplaySamples) -> tuple[Tensor, Tensor]:
        """The value that each drawn action should have had, and whether it is known."""
        config = self.config
        credit = self.collector.credit
        rewards, ahead, factor = n_step_returns(
            plies.players, plies.rewards, plies.dones, config.n_step, config.gamma, credit
        )
        features, masks = self.replay.successors(plies.slots, ahead)
        masks[~(np.abs(factor) > 0)] = True  # of another game, or not to be learned from
        with torch.no_grad():
            seen, legal = torch.from_numpy(features), torch.from_numpy(masks)
            values = forward(self.target, seen, config.precision)[0]
            if config.double_q:
                chosen = best_action(forward(self.network, seen, config.precision)[0], legal)
                value = of_actions(values, chosen)
            else:
                value = highest_value(values, legal)
        known = np.isfinite(factor)
        reached = torch.from_numpy(np.where(known, factor, np.float32(0)))
        return torch.from_numpy(rewards) + reached * value, torch.from_numpy(known)

    def learn(self, beta: float) -> dict[str, float]:
        """One update from drawn plies."""
        config = self.config
        plies = self.replay.sample(config.batch_size, self.rng, beta)
        if plies is None:
            return {}
        weights = torch.from_numpy(plies.weights)
        self.network.eval()
        if config.monte_carlo_returns:
            target, known = torch.from_numpy(plies.returns), torch.from_numpy(plies.finished)
        else:
            target, known = self.targets(plies)
        weights = weights * known
        self.network.train()
        judged, _ = forward(self.network, torch.from_numpy(plies.features), config.precision)
        values = of_actions(judged, torch.from_numpy(plies.actions))
        error = values - target
        lost = torch.nn.functional.huber_loss(values, target, reduction="none")
        losses = lost if config.huber_loss else error**2
        loss = (weights * losses).mean()
        most = config.max_grad_norm
        grad_norm = gradient_step(self.network, self.optimizer, loss, most, targets=target)
        self.replay.update_priorities(plies.slots, (error.detach() * known).numpy())
        self.updates += 1
        if self.updates % config.target_update_interval == 0:
            polyak_update(self.target, self.network, config.tau)
        spread = {SPREAD: values.detach().std(correction=0).item()}
        return {
            "loss": loss.item(),
            "value_mean": values.mean().item(),
            **spread,
            "grad_norm": grad_norm,
        }

    def games_played(self, number: int) -> int:
        return self.collector.games.games

    def step(self, number: int) -> dict[str, float]:
        """Play, then learn."""
        config = self.config
        self.collect()
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * linear_decay(number, config.lr_decay_steps)
        beta = min(1.0, config.per_beta + (1 - config.per_beta) * number / config.per_beta_steps)
        found: list[dict[str, float]] = []
        if self.replay.ready >= config.learning_starts:
            found = [self.learn(beta) for _ in range(config.gradient_steps)]
        return {
            "positions": float(number * config.n_envs * config.train_freq),
            **self.collector.finish_step(),
            "exploration": self.exploration,
            **mean_metrics(found),
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    check_precision(config.precision)
    return train_steps(Learner, game, config, seed, saved)
