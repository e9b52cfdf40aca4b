"""A variational autoencoder of positions, from games of random players and of an agent.

It makes no agent: its encoder is a trunk for others, with their option `encoder`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from ludus.agent import agent
from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.net.architectures import WIDE
from ludus.learn.net.descent import descend
from ludus.learn.net.encoder import Vae, cells_right, losses
from ludus.learn.net.masked import uniform
from ludus.learn.net.player import POLICY
from ludus.learn.play.guests import answers
from ludus.learn.play.table import Table
from ludus.learn.run import presets
from ludus.learn.run.config import Common, positive, share
from ludus.learn.run.footprint import Footprint, Sizes
from ludus.learn.run.needs import NEVER, Needs, beside
from ludus.learn.run.parts import Saved
from ludus.learn.run.step import Step
from ludus.learn.run.steps import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(Common):
    """How many positions, whose, and how they are learned."""

    steps: int = 300
    latent: int = 32
    width: int = 16
    games: int = 64  # at the same time
    positions: int = 4096  # seen anew in a step
    passes: int = 1  # over them
    batch: int = 256
    learning_rate: float = 0.001
    divergence: float = 0.1  # its weight in the loss; 1 is the bound itself
    agent: str = ""  # whose games are looked at beside those of random players
    agent_share: float = 0.5  # of games that are the agent's, if there is one
    epsilon: float = 0.1  # of its moves that are random, so that its games differ

    NEEDS: ClassVar[Needs] = {
        # It makes no agent, and its network is its own.
        **dict.fromkeys(("network", "blocks", "activation", "init", "encoder", "frozen"), NEVER),
        **dict.fromkeys(("ladder", "evaluate_games", "openings", "truth_states"), NEVER),
        **dict.fromkeys(("agent_share", "epsilon"), (beside("agent", "AGENT"),)),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "latent", "width", "games", "positions", "passes", "batch", "learning_rate")
        share(self, "agent_share", "epsilon")

    def footprint(self, sizes: Sizes) -> Footprint:
        wide = WIDE * self.width
        weights = 2 * self.width * sizes.features * WIDE + wide * (2 * self.latent + sizes.features)
        return {
            **super().footprint(sizes),
            ("positions",): self.positions * 4 * sizes.features,
            ("games",): self.games * (sizes.state + 2 * sizes.seen),
            ("batch",): self.batch * sizes.seen,
            ("width", "latent"): 16 * weights,  # a weight, its gradient, and two moments of Adam
        }


CLIP = 10.0  # of the gradient's length
PRESETS = presets.VAE


class Learner:
    """All that the training remembers, and what it does in a step."""

    network = None  # it makes no agent
    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config = config
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        self.table = Table(game, config.games, rows, planes=config.planes)
        seen = looked(game, config.planes)
        self.signed = torch.from_numpy(seen.min((0, 2, 3)) < 0)
        self.known = distinct(self.contents(torch.from_numpy(seen)))
        self.agent = agent(config.agent, seed=other) if config.agent else None
        share_ = config.agent_share if self.agent else 0.0
        self.by_agent = np.arange(config.games) < round(share_ * config.games)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(weights)
            self.vae = Vae(self.table.shape, config.latent, config.width)
        self.optimizer = torch.optim.Adam(self.vae.parameters(), lr=config.learning_rate)

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.vae,
            "optimizer": self.optimizer,
            "table": self.table,
            "rng": self.rng,
        }

    def play(self) -> NDArray[np.int32]:
        """What everybody plays: at random, or as the agent does."""
        table = self.table
        actions = uniform(table.masks, self.rng)
        steady = self.by_agent & (self.rng.random(len(table)) >= self.config.epsilon)
        rows = np.flatnonzero(steady)
        if self.agent is not None and len(rows):
            seeds = self.rng.integers(2**31, size=len(rows))
            draws = self.rng.random(len(rows))
            actions[rows] = answers(self.agent, table, rows, seeds, draws)
        return actions

    def seen(self) -> NDArray[np.float32]:
        """Positions that were not seen before."""
        config = self.config
        plies = -(-config.positions // config.games)
        found = np.zeros((plies, *self.table.features.shape), np.float32)
        for ply in range(plies):
            found[ply] = self.table.features
            self.table.step(self.play())
        return found.reshape(-1, *self.table.shape)

    def contents(self, x: Tensor) -> Tensor:
        """What is to be read back, between 0 and 1."""
        return torch.where(self.signed[:, None, None], (x + 1) / 2, x)

    def step(self, number: int) -> dict[str, float]:
        """Look at games, then learn to read positions back."""
        config = self.config
        positions = torch.from_numpy(self.seen())
        found, right = [], []
        for _ in range(config.passes):
            order = torch.from_numpy(self.rng.permutation(len(positions)))
            for start in range(0, len(order), config.batch):
                x = positions[order[start : start + config.batch]]
                noise = self.rng.standard_normal((len(x), config.latent), np.float32)
                logits, mean, spread = self.vae(x, torch.from_numpy(noise))
                contents = self.contents(x)
                wrong, divergence = losses(logits, contents, mean, spread)
                loss = wrong + config.divergence * divergence
                descend(self.vae, self.optimizer, loss, CLIP)
                found.append((wrong.item(), divergence.item()))
                right.append(cells_right(logits.detach(), contents, self.known).numpy())
        planes = np.mean(right, 0)
        return {
            "games": float(self.table.games),
            "positions": float(number * len(positions)),
            "reconstruction loss": float(np.mean([one[0] for one in found])),
            "divergence": float(np.mean([one[1] for one in found])),
            "cells right": float(planes.mean()),
            **{f"cells right, plane {plane}": float(one) for plane, one in enumerate(planes)},
        }


def looked(game: Game, planes: str) -> NDArray[np.float32]:
    """Positions of random games; none may go beyond -1 and 1."""
    table, rng = Table(game, 32, seed=0, planes=planes), generator(0)
    found = []
    for _ in range(32):
        found.append(table.features.copy())
        table.step(uniform(table.masks, rng))
    seen = np.concatenate(found)
    if np.abs(seen).max() > 1:
        raise ValueError(f"planes {planes!r} of {game.name} go beyond 1; choose other planes")
    return seen


def distinct(contents: Tensor) -> list[Tensor]:
    """What the cells of each plane can hold: what they were seen to, and 0 and 1 in any case."""
    planes = contents.numpy().swapaxes(0, 1)
    return [torch.from_numpy(np.union1d(plane, np.array([0, 1], np.float32))) for plane in planes]


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Look and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
