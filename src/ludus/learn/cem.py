"""The cross-entropy method: draw networks, keep the best, draw the next ones around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.net.build import built, sound
from ludus.learn.net.player import POLICY
from ludus.learn.play.fitness import Games, flat, put
from ludus.learn.run.config import Common, positive, share
from ludus.learn.run.parts import Saved, restore
from ludus.learn.run.step import Step


@dataclass(frozen=True)
class Config(Common):
    """How many networks, how they are judged, and how the next are drawn."""

    network: str = "mlp"  # small: every weight is a dimension to search in
    width: int = 32
    blocks: int = 1
    steps: int = 200
    evaluate_every: int = 10
    population: int = 64
    elite: float = 0.2  # the share of networks that the next are drawn around
    sigma: float = 0.5  # the standard deviation to begin with, in every dimension
    least_variance: float = 0.001  # below which no dimension falls
    smoothing: float = 1.0  # how far the distribution moves to the elite's
    matches: int = 16  # games that each network is judged by, the sides exchanged
    opponent: str = "self"  # the mean network, or random, or an agent
    sampled: bool = False  # moves are drawn from the policy; else the likeliest is played
    opening: int = 2  # random plies that games begin with
    longest: int = 200  # plies, after which a game counts as a draw

    def __post_init__(self) -> None:
        positive(self, "population", "elite", "sigma", "matches", "longest")
        share(self, "elite", "smoothing")


PRESETS: dict[str, dict[str, Any]] = {
    "kingcourtesan": {
        "network": "kingcourtesan-dqn",
        "width": 0,
        "blocks": 0,
        "planes": "paper",
        "population": 100,
        "elite": 0.2,
        "least_variance": 0.01,
    },
}


class Learner:
    """A mean and a variance for each weight, and what a generation does to them."""

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        weights, rows = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.games = Games(
            game,
            config.population,
            config.matches,
            config.opponent,
            planes=config.planes,
            longest=config.longest,
            opening=config.opening,
            sampled=config.sampled,
            seed=rows,
        )
        self.network = built(game, config, self.games.table, weights, value=False)
        self.mean = flat(self.network)
        self.variance = torch.full_like(self.mean, config.sigma**2)

    @property
    def parts(self) -> dict[str, Any]:
        return {"network": self.network, "distribution": self, "rng": self.rng}

    def state(self) -> dict[str, Any]:
        return {"mean": self.mean, "variance": self.variance}

    def restore(self, state: dict[str, Any]) -> None:
        self.mean, self.variance = torch.tensor(state["mean"]), torch.tensor(state["variance"])

    def step(self, number: int) -> dict[str, float]:
        """One generation."""
        config = self.config
        noise = torch.from_numpy(
            self.rng.standard_normal((config.population, len(self.mean)), np.float32)
        )
        drawn = self.mean + noise * self.variance.sqrt()
        fitness = self.games.judged(self.network, drawn, int(self.rng.integers(2**63)))
        count = max(1, round(config.elite * config.population))
        best = torch.from_numpy(np.argsort(-fitness, kind="stable")[:count].copy())
        elite = drawn[best]
        self.mean = self.mean.lerp(elite.mean(0), config.smoothing)
        spread = elite.var(0, correction=0)
        self.variance = self.variance.lerp(spread, config.smoothing)
        self.variance = self.variance.clamp(min=config.least_variance)
        sound(mean=self.mean, variance=self.variance)
        put(self.network, self.mean)
        return {
            "games": float(number * config.population * config.matches),
            "fitness": float(fitness.mean()),
            "fitness of the best": float(fitness.max()),
            "sigma": float(self.variance.sqrt().mean()),
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Generation after generation; goes on from `saved` as if it had never stopped."""
    torch.set_num_threads(config.threads)
    learner = Learner(game, config, seed)
    if saved is not None:
        restore(learner.parts, saved)
    for number in range((saved.step if saved else 0) + 1, config.steps + 1):
        metrics = learner.step(number)
        yield Step(number, metrics, learner.parts, learner.network, config.planes, POLICY)
