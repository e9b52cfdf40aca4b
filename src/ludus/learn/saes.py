"""(1+1)-SA-ES: one network and its mutant meet; the better lives on, with the step it took."""

from __future__ import annotations

import math
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
from ludus.learn.settings.config import GREATEST, at_most, natural, one_of, positive
from ludus.learn.settings.footprint import Work
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Array, Number
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step

MOST_TAU = 10  # e to the power of it is a factor of the step: it is below 1 by the theory


@dataclass(frozen=True)
class Config(Judged):
    """How a mutant is made, and how it is judged."""

    steps: int = 2000
    evaluate_every: int = 100
    sigma: float = 0.1  # the step to begin with
    tau: float = 0.0  # how fast steps adapt; 0 for 1 / sqrt(2n) of n weights
    mutation: str = "new"  # the mutant is made with its own step, or with the parent's (old)
    matches: int = 64  # games that both are judged by, the same for both, the sides exchanged

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "sigma")
        natural(self, "tau")
        at_most(MOST_TAU, self, "tau")
        one_of(self, "mutation", ("new", "old"))

    def work(self, plies: float) -> Work:
        games = 2 * self.matches  # both sides look at every ply
        return Work(2 * games * min(plies, self.longest), 0, games)


PRESETS = presets.SAES


class Learner:
    """The parent, its step, and what a generation does to them."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        weights, rows = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.games = Games(game, config, 2, rows)
        self.network = built(game, config, self.games.table, weights, value=False)
        self.parent = flat(self.network)
        self.sigma = config.sigma
        self.tau = config.tau or 1 / math.sqrt(2 * len(self.parent))

    @property
    def parts(self) -> dict[str, Any]:
        return {"network": self.network, "parent": self, "rng": self.rng}

    def state(self) -> dict[str, Any]:
        return {"weights": self.parent, "sigma": self.sigma}

    def form(self) -> dict[str, Any]:
        return {"weights": Array("float32", (len(self.parent),)), "sigma": Number(0, GREATEST)}

    def restore(self, state: dict[str, Any]) -> None:
        self.parent, self.sigma = torch.tensor(state["weights"]), state["sigma"]

    def played(self, number: int) -> int:
        return number * 2 * self.config.matches

    def step(self, number: int) -> dict[str, float]:
        """One mutant."""
        config = self.config
        sigma = self.sigma * math.exp(self.tau * self.rng.standard_normal())
        reach = sigma if config.mutation == "new" else self.sigma
        noise = torch.from_numpy(self.rng.standard_normal(len(self.parent), np.float32))
        mutant = self.parent + reach * noise
        both = torch.stack([self.parent, mutant])
        old, new = self.games.judged(self.network, both, int(self.rng.integers(2**63)))
        if new > old:
            self.parent, self.sigma = mutant, sigma
        sound(weights=self.parent)
        put(self.network, self.parent)
        return {
            "games": float(self.played(number)),
            "fitness": float(max(old, new)),
            "accepted": float(new > old),
            "sigma": self.sigma,
            **self.games.pulse(self.network),
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Mutant after mutant; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
