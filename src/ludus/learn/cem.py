"""The cross-entropy method: draw networks, keep the best, draw the next ones around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.fitness import Games, Judged, flat, put
from ludus.learn.networks.build import built
from ludus.learn.networks.optimise import sound
from ludus.learn.networks.player import POLICY
from ludus.learn.settings import presets
from ludus.learn.settings.config import GREATEST, at_most, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Array
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step

MOST_SIGMA = GREATEST**0.5  # it is squared


@dataclass(frozen=True)
class Config(Judged):
    """How many networks, how they are judged, and how the next are drawn."""

    steps: int = 200
    evaluate_every: int = 10
    population: int = 64
    elite: float = 0.2  # the share of networks that the next are drawn around
    sigma: float = 0.5  # the standard deviation to begin with, in every dimension
    least_variance: float = 0.001  # below which no dimension falls
    smoothing: float = 1.0  # how far the distribution moves to the elite's

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "population", "elite", "sigma")
        at_most(MOST_SIGMA, self, "sigma")
        share(self, "elite", "smoothing")

    def work(self, plies: float) -> Work:
        games = self.population * self.matches  # both sides look at every ply
        return Work(2 * games * min(plies, self.longest), 0, games)

    def footprint(self, sizes: Sizes) -> Footprint:
        games = self.population * self.matches * (sizes.state + 2 * sizes.seen)
        return {**super().footprint(sizes), ("population", "matches"): games}


PRESETS = presets.CEM


class Learner:
    """A mean and a variance for each weight, and what a generation does to them."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        weights, rows = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.games = Games(game, config, config.population, rows)
        self.network = built(game, config, self.games.table, weights, value=False)
        self.mean = flat(self.network)
        self.variance = torch.full_like(self.mean, config.sigma**2)

    @property
    def parts(self) -> dict[str, Any]:
        return {"network": self.network, "distribution": self, "rng": self.rng}

    def state(self) -> dict[str, Any]:
        return {"mean": self.mean, "variance": self.variance}

    def form(self) -> dict[str, Any]:
        size = (len(self.mean),)
        return {"mean": Array("float32", size), "variance": Array("float32", size, least=0)}

    def restore(self, state: dict[str, Any]) -> None:
        self.mean, self.variance = torch.tensor(state["mean"]), torch.tensor(state["variance"])

    def played(self, number: int) -> int:
        return number * self.config.population * self.config.matches

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
            "games": float(self.played(number)),
            "fitness": float(fitness.mean()),
            "fitness of the best": float(fitness.max()),
            "sigma": float(self.variance.sqrt().mean()),
            **self.games.pulse(self.network),
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Generation after generation; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
