"""A variational autoencoder of positions, from games of random players and of an agent.

Each step looks at new positions, or is an epoch over those of a fixed number of games, of which
some may be held out. It makes no agent: its encoder is a trunk for others, with their option
`encoder`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.dataset import Dataset
from ludus.learn.collecting.stream import Players, Stream
from ludus.learn.collecting.vector_games import Table
from ludus.learn.networks.architectures import WIDE
from ludus.learn.networks.encoder import Readings, Vae, cells_right, losses
from ludus.learn.networks.masked import uniform
from ludus.learn.networks.optimise import descend
from ludus.learn.networks.player import POLICY
from ludus.learn.settings import presets
from ludus.learn.settings.config import Common, natural, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import NEVER, Needs, beside, instead_of
from ludus.learn.store.components import Saved
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step

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
    dataset_games: int = 0  # a fixed set instead: the positions of so many games; 0 for none
    held_out: float = 0.0  # of those games: not learned from, measured after each step
    passes: int = 1  # over the positions of a step; with a fixed set, epochs
    batch: int = 256
    learning_rate: float = 0.001
    divergence: float = 0.1  # its weight in the loss; 1 is the bound itself
    agent: str = ""  # whose games are looked at beside those of random players
    agent_share: float = 0.5  # of games that are the agent's, if there is one
    epsilon: float = 0.1  # of its moves that are random, so that its games differ

    NEEDS: ClassVar[Needs] = {
        # It makes no agent, and its network is its own.
        **dict.fromkeys(("network", "blocks", "activation", "init", "encoder", "frozen"), NEVER),
        **dict.fromkeys(("head_width", "head_layers"), NEVER),
        "positions": (instead_of("dataset_games"),),
        **dict.fromkeys(("ladder", "evaluate_games", "openings", "truth_states"), NEVER),
        **dict.fromkeys(("agent_share", "epsilon"), (beside("agent", "AGENT"),)),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "latent", "width", "games", "positions", "passes", "batch", "learning_rate")
        share(self, "agent_share", "epsilon", "held_out")
        natural(self, "dataset_games")
        few, games = round(self.held_out * self.dataset_games), self.dataset_games
        if self.held_out and not games:
            raise ValueError("held_out is a share of dataset_games, of which there are none")
        if self.held_out and not 0 < few < games:
            raise ValueError(
                f"held_out {self.held_out:g} of {games} games is {few}: some have to be held out, "
                "and some learned from"
            )

    def work(self, plies: float) -> Work:
        learned = self.dataset_games * plies * (1 - self.held_out) or self.positions
        return Work(0, self.passes * learned, 0 if self.dataset_games else self.positions / plies)

    def footprint(self, sizes: Sizes) -> Footprint:
        wide = WIDE * self.width
        weights = 2 * self.width * sizes.features * WIDE + wide * (2 * self.latent + sizes.features)
        return {
            **super().footprint(sizes),
            ("positions",): 0 if self.dataset_games else self.positions * 4 * sizes.features,
            # A game has a position at least; what there is in fact is looked at as they are played.
            ("dataset_games",): self.dataset_games * (4 * sizes.features + 4),
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
        self.config, self.seed = config, seed
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        seen = looked(game, config.planes)
        self.signed = torch.from_numpy(seen.min((0, 2, 3)) < 0)
        self.known = distinct(self.contents(torch.from_numpy(seen)))
        players = Players(config.agent, config.agent_share, config.epsilon, other)
        common: dict[str, Any] = {"rows": config.games, "planes": config.planes, "seed": rows}
        self.source: Dataset | Stream
        if config.dataset_games:
            games, held_out = config.dataset_games, config.held_out
            self.source = Dataset(game, players, games=games, held_out=held_out, **common)
        else:
            self.source = Stream(game, players, positions=config.positions, **common)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(weights)
            self.vae = Vae(game.start().shape(config.planes), config.latent, config.width)
        self.optimizer = torch.optim.Adam(self.vae.parameters(), lr=config.learning_rate)

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.vae,
            "optimizer": self.optimizer,
            **self.source.parts,
            "rng": self.rng,
        }

    def contents(self, x: Tensor) -> Tensor:
        """What is to be read back, between 0 and 1."""
        return torch.where(self.signed[:, None, None], (x + 1) / 2, x)

    def played(self, number: int) -> int:
        return int(self.source.games)

    def step(self, number: int) -> dict[str, float]:
        """Look at games, then learn to read positions back."""
        config = self.config
        positions = torch.from_numpy(self.source.take(self.rng))
        found = Readings()
        for _ in range(config.passes):
            order = torch.from_numpy(self.rng.permutation(len(positions)))
            for start in range(0, len(order), config.batch):
                x = positions[order[start : start + config.batch]]
                wrong, divergence = self.read(x, self.rng, found)
                loss = wrong + config.divergence * divergence
                descend(self.vae, self.optimizer, loss, CLIP)
        if isinstance(self.source, Stream):
            counted = {"positions": float(number * len(positions))}
        else:
            counted = {"positions": float(len(positions)), "epochs": float(number * config.passes)}
        return {
            "games": float(self.source.games),
            **counted,
            **found.metrics(),
            **self.held_out(),
        }

    def read(self, x: Tensor, rng: np.random.Generator, found: Readings) -> tuple[Tensor, Tensor]:
        """The two halves of the bound, and how well positions are read back noted."""
        noise = rng.standard_normal((len(x), self.config.latent), np.float32)
        logits, mean, spread = self.vae(x, torch.from_numpy(noise))
        contents = self.contents(x)
        wrong, divergence = losses(logits, contents, mean, spread)
        right = cells_right(logits.detach(), contents, self.known)
        found.note(len(x), wrong.item(), divergence.item(), right)
        return wrong, divergence

    @torch.no_grad()
    def held_out(self) -> dict[str, float]:
        """The same of positions that are not learned from; the noise is the same in every step."""
        if not isinstance(self.source, Dataset) or not len(self.source.held_out):
            return {}
        positions, rng = torch.from_numpy(self.source.held_out), generator(self.seed, 2)
        found = Readings()
        for start in range(0, len(positions), self.config.batch):
            self.read(positions[start : start + self.config.batch], rng, found)
        return {f"held-out {name}": value for name, value in found.metrics(each=False).items()}


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
