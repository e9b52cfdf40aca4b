"""Variational autoencoder of positions, whose encoder can be the trunk of other networks.

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
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.architectures import WIDE
from ludus.learn.networks.encoder import ReconstructionMetrics, Vae, cell_accuracy, losses
from ludus.learn.networks.masked import uniform_actions
from ludus.learn.networks.optimise import gradient_step
from ludus.learn.networks.optimizers import make_optimizer
from ludus.learn.settings import presets
from ludus.learn.settings.config import Common, check_agent
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import NEVER, Needs, needs_set, needs_zero
from ludus.learn.store.components import Saved
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.options import option

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Config(Common):
    """How many positions, whose, and how they are learned."""

    steps: int = 300
    latent_dim: int = option(32, "size of the latent code", group="network", low=1, symbol="d")
    width: int = option(16, "width of the layers", group="network", low=1)
    n_envs: int = option(64, "games played at the same time", group="data", low=1)
    positions_per_step: int = option(4096, "new positions of a step", group="data", low=1)
    dataset_games: int = option(
        0,
        "learn from the positions of this many games, played once; 0 for new ones each step",
        group="data",
        low=0,
    )
    validation_fraction: float = option(
        0.0,
        "share of those games that is held out and measured after each step",
        group="data",
        low=0,
        high=1,
    )
    n_epochs: int = option(1, "passes over the positions of a step", group="optimisation", low=1)
    batch_size: int = option(256, "positions of an update", group="optimisation", low=1)
    learning_rate: float = option(0.001, "learning rate of Adam", group="optimisation", above=0)
    kl_coef: float = option(
        0.1,
        "coefficient of the KL divergence in the loss; 1 is the evidence lower bound",
        group="targets",
        low=0,
        symbol="beta",
        paper="Higgins 2017",
    )
    data_agent: str = option(
        "", "agent whose games are looked at beside those of random players", group="data"
    )
    data_agent_fraction: float = option(
        0.5, "share of games that this agent plays", group="data", low=0, high=1
    )
    epsilon: float = option(
        0.1,
        "probability of a random move of this agent, so that its games differ",
        group="data",
        low=0,
        high=1,
        symbol="epsilon",
    )

    NEEDS: ClassVar[Needs] = {
        # It makes no agent, and its network is its own.
        **dict.fromkeys(
            ("network", "blocks", "activation", "init", "encoder", "freeze_encoder"), NEVER
        ),
        **dict.fromkeys(("head_width", "head_layers"), NEVER),
        "positions_per_step": (needs_zero("dataset_games"),),
        **dict.fromkeys(
            ("eval_opponents", "n_eval_games", "eval_openings", "eval_truth_states"), NEVER
        ),
        "data_agent": (needs_set("data_agent_fraction", "0.5"),),
        **dict.fromkeys(("data_agent_fraction", "epsilon"), (needs_set("data_agent", "AGENT"),)),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        few, games = round(self.validation_fraction * self.dataset_games), self.dataset_games
        if self.validation_fraction and not games:
            raise ValueError(
                "validation_fraction is a share of dataset_games, of which there are none"
            )
        if self.validation_fraction and not 0 < few < games:
            raise ValueError(
                f"validation_fraction {self.validation_fraction:g} of {games} games is {few}: some "
                "have to be held out, and some learned from"
            )

    def check_new(self) -> None:
        if self.data_agent:
            check_agent(self.data_agent)

    def work(self, plies: float) -> Work:
        learned = (
            self.dataset_games * plies * (1 - self.validation_fraction) or self.positions_per_step
        )
        return Work(
            0, self.n_epochs * learned, 0 if self.dataset_games else self.positions_per_step / plies
        )

    def footprint(self, sizes: Sizes) -> Footprint:
        wide = WIDE * self.width
        weights = 2 * self.width * sizes.features * WIDE + wide * (
            2 * self.latent_dim + sizes.features
        )
        return {
            **super().footprint(sizes),
            ("positions_per_step",): 0
            if self.dataset_games
            else self.positions_per_step * 4 * sizes.features,
            # A game has a position at least; what there is in fact is looked at as they are played.
            ("dataset_games",): self.dataset_games * (4 * sizes.features + 4),
            ("n_envs",): self.n_envs * (sizes.state + 2 * sizes.seen),
            ("batch_size",): self.batch_size * sizes.seen,
            ("width", "latent_dim"): 16
            * weights,  # a weight, its gradient, and two moments of Adam
        }


CLIP = 10.0  # of the gradient's length
PRESETS = presets.VAE


class Learner:
    """All that the training remembers, and what it does in a step."""

    network = None  # it makes no agent
    values = POLICY
    eval_simulations = 0

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.config, self.seed = config, seed
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        seen = sample_positions(game, config.planes)
        self.signed = torch.from_numpy(seen.min((0, 2, 3)) < 0)
        self.known = distinct_contents(self.contents(torch.from_numpy(seen)))
        players = Players(config.data_agent, config.data_agent_fraction, config.epsilon, other)
        common: dict[str, Any] = {"rows": config.n_envs, "planes": config.planes, "seed": rows}
        self.source: Dataset | Stream
        if config.dataset_games:
            games, held_out = config.dataset_games, config.validation_fraction
            self.source = Dataset(game, players, games=games, held_out=held_out, **common)
        else:
            self.source = Stream(game, players, positions=config.positions_per_step, **common)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(weights)
            self.vae = Vae(game.start().shape(config.planes), config.latent_dim, config.width)
        self.optimizer = make_optimizer(self.vae.parameters(), lr=config.learning_rate)

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

    def games_played(self, number: int) -> int:
        return int(self.source.games)

    def step(self, number: int) -> dict[str, float]:
        """Look at games, then learn to read positions back."""
        config = self.config
        positions = torch.from_numpy(self.source.take(self.rng))
        found = ReconstructionMetrics()
        for _ in range(config.n_epochs):
            order = torch.from_numpy(self.rng.permutation(len(positions)))
            for start in range(0, len(order), config.batch_size):
                x = positions[order[start : start + config.batch_size]]
                wrong, divergence = self.read(x, self.rng, found)
                loss = wrong + config.kl_coef * divergence
                gradient_step(self.vae, self.optimizer, loss, CLIP)
        if isinstance(self.source, Stream):
            counted = {"positions": float(number * len(positions))}
        else:
            counted = {
                "positions": float(len(positions)),
                "epochs": float(number * config.n_epochs),
            }
        return {
            "games": float(self.source.games),
            **counted,
            **found.metrics(),
            **self.validate(),
        }

    def read(
        self, x: Tensor, rng: np.random.Generator, found: ReconstructionMetrics
    ) -> tuple[Tensor, Tensor]:
        """The two halves of the bound, and how well positions are read back noted."""
        noise = rng.standard_normal((len(x), self.config.latent_dim), np.float32)
        logits, mean, log_variance = self.vae(x, torch.from_numpy(noise))
        contents = self.contents(x)
        wrong, divergence = losses(logits, contents, mean, log_variance)
        right = cell_accuracy(logits.detach(), contents, self.known)
        found.note(len(x), wrong.item(), divergence.item(), right)
        return wrong, divergence

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """The same of positions that are not learned from; the noise is the same in every step."""
        if not isinstance(self.source, Dataset) or not len(self.source.held_out):
            return {}
        positions, rng = torch.from_numpy(self.source.held_out), generator(self.seed, 2)
        found = ReconstructionMetrics()
        for start in range(0, len(positions), self.config.batch_size):
            self.read(positions[start : start + self.config.batch_size], rng, found)
        return {f"validation_{name}": value for name, value in found.metrics(each=False).items()}


def sample_positions(game: Game, planes: str) -> NDArray[np.float32]:
    """Positions of random games; none may go beyond -1 and 1."""
    table, rng = VectorGames(game, 32, seed=0, planes=planes), generator(0)
    found = []
    for _ in range(32):
        found.append(table.features.copy())
        table.step(uniform_actions(table.masks, rng))
    seen = np.concatenate(found)
    if np.abs(seen).max() > 1:
        raise ValueError(f"planes {planes!r} of {game.name} go beyond 1; choose other planes")
    return seen


def distinct_contents(contents: Tensor) -> list[Tensor]:
    """What the cells of each plane can hold: what they were seen to, and 0 and 1 in any case."""
    planes = contents.numpy().swapaxes(0, 1)
    return [torch.from_numpy(np.union1d(plane, np.array([0, 1], np.float32))) for plane in planes]


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Look and learn, step by step; goes on from `saved` as if it had never stopped."""
    return train_steps(Learner, game, config, seed, saved)
