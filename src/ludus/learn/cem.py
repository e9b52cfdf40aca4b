"""Cross-entropy method: sample networks from a Gaussian and refit it to the best of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from ludus.arena.seeds import generator, numbers
from ludus.arena.tasks import Workers
from ludus.game import Game
from ludus.learn.collecting.fitness import flatten_weights, load_flat
from ludus.learn.collecting.spread_fitness import fitness_games
from ludus.learn.networks.build import Heads, build
from ludus.learn.networks.optimise import check_finite
from ludus.learn.settings import presets
from ludus.learn.settings.config import GREATEST
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.population import PopulationConfig
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Array
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

PAPER = "Rubinstein 1999"
MOST_SIGMA = GREATEST**0.5  # it is squared


@dataclass(frozen=True)
class Config(PopulationConfig):
    """How many networks, how they are judged, and how the next are drawn."""

    steps: int = 200
    population_size: int = option(
        64, "networks of a generation", group="search", low=1, symbol="N", paper=PAPER
    )
    elite_frac: float = option(
        0.2,
        "share of networks that the next distribution is fitted to",
        group="search",
        above=0,
        high=1,
        symbol="rho",
        paper=PAPER,
    )
    sigma: float = option(
        0.5,
        "standard deviation of every weight at the beginning",
        group="search",
        above=0,
        high=MOST_SIGMA,
        symbol="sigma",
    )
    min_variance: float = option(
        0.001, "variance below which no weight's distribution falls", group="search", low=0
    )
    smoothing: float = option(
        1.0,
        "how far the distribution moves to that of the elite",
        group="search",
        low=0,
        high=1,
        symbol="alpha",
        paper=PAPER,
    )

    def work(self, plies: float) -> Work:
        games = self.population_size * self.fitness_games  # both sides look at every ply
        return Work(2 * games * min(plies, self.max_plies), 0, games)

    def footprint(self, sizes: Sizes) -> Footprint:
        games = self.population_size * self.fitness_games * (sizes.state + 2 * sizes.seen)
        return {**super().footprint(sizes), ("population_size", "fitness_games"): games}


PRESETS = presets.CEM


class Learner:
    """A mean and a variance for each weight, and what a generation does to them."""

    values = POLICY
    eval_simulations = 0

    def __init__(
        self, game: Game, config: Config, seed: int, workers: Workers | None = None
    ) -> None:
        self.config = config
        weights, rows = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.games = fitness_games(game, config, rows, workers)
        table = self.games.table
        self.network = build(
            game, config, table.shape, table.num_actions, weights, Heads(value=False)
        )
        self.mean = flatten_weights(self.network)
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

    def games_played(self, number: int) -> int:
        return number * self.config.population_size * self.config.fitness_games

    def step(self, number: int) -> dict[str, float]:
        """One generation."""
        config = self.config
        noise = torch.from_numpy(
            self.rng.standard_normal((config.population_size, len(self.mean)), np.float32)
        )
        drawn = self.mean + noise * self.variance.sqrt()
        fitness = self.games.fitness(self.network, drawn, int(self.rng.integers(2**63)))
        count = max(1, round(config.elite_frac * config.population_size))
        best = torch.from_numpy(np.argsort(-fitness, kind="stable")[:count].copy())
        elite = drawn[best]
        self.mean = self.mean.lerp(elite.mean(0), config.smoothing)
        spread = elite.var(0, correction=0)
        self.variance = self.variance.lerp(spread, config.smoothing)
        self.variance = self.variance.clamp(min=config.min_variance)
        check_finite(mean=self.mean, variance=self.variance)
        load_flat(self.network, self.mean)
        return {
            "games": float(self.games_played(number)),
            "fitness": float(fitness.mean()),
            "fitness_best": float(fitness.max()),
            "sigma": float(self.variance.sqrt().mean()),
            **self.games.head_metrics(self.network),
        }


def train(
    game: Game,
    config: Config,
    *,
    seed: int = 0,
    saved: Saved | None = None,
    workers: Workers | None = None,
) -> Iterator[Step]:
    """Generation after generation; goes on from `saved` as if it had never stopped."""
    return train_steps(partial(Learner, workers=workers), game, config, seed, saved)
