"""(1+1)-SA-ES: evolve a network by mutations whose step size adapts itself."""

from __future__ import annotations

import math
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
from ludus.learn.settings.footprint import Work
from ludus.learn.settings.population import PopulationConfig
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Array, Number
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

PAPER = "Schwefel 1981"
MOST_TAU = 10  # e to the power of it is a factor of the step: it is below 1 by the theory


@dataclass(frozen=True)
class Config(PopulationConfig):
    """How a mutant is made, and how it is judged."""

    steps: int = 2000
    sigma: float = option(
        0.1,
        "standard deviation of a mutation at the beginning",
        group="search",
        above=0,
        symbol="sigma",
        paper=PAPER,
    )
    sigma_learning_rate: float = option(
        0.0,
        "rate at which sigma adapts; 0 for 1 / sqrt(2n) of n weights",
        group="search",
        low=0,
        high=MOST_TAU,
        symbol="tau",
        paper=PAPER,
    )
    mutation: str = option(
        "new",
        "whose sigma makes the mutant: its own new one, or its parent's old one",
        group="search",
        choices=("new", "old"),
    )
    fitness_games: int = 64

    def work(self, plies: float) -> Work:
        games = 2 * self.fitness_games  # both sides look at every ply
        return Work(2 * games * min(plies, self.max_plies), 0, games)


PRESETS = presets.SAES


class Learner:
    """The parent, its step, and what a generation does to them."""

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
        self.parent = flatten_weights(self.network)
        self.sigma = config.sigma
        self.learning_rate = config.sigma_learning_rate or 1 / math.sqrt(2 * len(self.parent))

    @property
    def parts(self) -> dict[str, Any]:
        return {"network": self.network, "parent": self, "rng": self.rng}

    def state(self) -> dict[str, Any]:
        return {"weights": self.parent, "sigma": self.sigma}

    def form(self) -> dict[str, Any]:
        return {"weights": Array("float32", (len(self.parent),)), "sigma": Number(0, GREATEST)}

    def restore(self, state: dict[str, Any]) -> None:
        self.parent, self.sigma = torch.tensor(state["weights"]), state["sigma"]

    def games_played(self, number: int) -> int:
        return number * 2 * self.config.fitness_games

    def step(self, number: int) -> dict[str, float]:
        """One mutant."""
        config = self.config
        sigma = self.sigma * math.exp(self.learning_rate * self.rng.standard_normal())
        reach = sigma if config.mutation == "new" else self.sigma
        noise = torch.from_numpy(self.rng.standard_normal(len(self.parent), np.float32))
        mutant = self.parent + reach * noise
        both = torch.stack([self.parent, mutant])
        old, new = self.games.fitness(self.network, both, int(self.rng.integers(2**63)))
        if new > old:
            self.parent, self.sigma = mutant, sigma
        check_finite(weights=self.parent)
        load_flat(self.network, self.parent)
        return {
            "games": float(self.games_played(number)),
            "fitness": float(max(old, new)),
            "accepted": float(new > old),
            "sigma": self.sigma,
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
    """Mutant after mutant; goes on from `saved` as if it had never stopped."""
    return train_steps(partial(Learner, workers=workers), game, config, seed, saved)
