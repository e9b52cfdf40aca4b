"""How fast this machine searches and learns, found in a second by doing a little of both.

What is timed is the processor time of one thread, and the best of a few tries: so whatever else
the machine does hardly changes what is chosen.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ludus import _core
from ludus.game import Game
from ludus.learn.collecting.window import Batch
from ludus.learn.networks import int8, onnx
from ludus.learn.networks.network import Network, network
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.places import places_of
from ludus.learn.networks.precision import PRECISIONS, has_bfloat16
from ludus.learn.selfplay.pools import options_of
from ludus.learn.selfplay.settings import REMEMBERED, REMEMBERED_BY_CHANCE, Config
from ludus.learn.training.student import Student

TRIES, SECONDS = 3, 0.1  # of each kind of work
CLEARLY = 1.2  # times faster, from which bfloat16 is worth it
SPENT = 0.7  # of the time, that is left beside exports, checkpoints and measuring strength


@dataclass(frozen=True)
class Rates:
    """What one thread does in a second: new positions searched, positions learned from."""

    looked: float
    learned: float
    cached: float = REMEMBERED  # share of the positions to be searched that need no network

    def playing(self, simulations: int) -> float:
        """Seconds of a thread that a position takes to be played."""
        return (1 - self.cached) * simulations / self.looked

    def learning(self, config: Config) -> float:
        """Seconds of a thread that a position takes to be learned."""
        return config.samples_per_position / self.learned

    def positions(self, config: Config, simulations: int) -> float:
        """Positions played and learned from a second, with all threads at work."""
        learning, playing = self.learning(config), self.playing(simulations)
        return float(SPENT / max(learning, (playing + learning) / config.threads))


def probe(game: Game, config: Config, width: int, blocks: int) -> Rates:
    """How fast a network of this size searches and learns here."""
    return Rates(
        per_second(searcher(game, config, build_sized(game, config, width, blocks))),
        per_second(trainer(game, config, build_sized(game, config, width, blocks))),
        REMEMBERED_BY_CHANCE if game.start().chancy else REMEMBERED,
    )


def build_sized(game: Game, config: Config, width: int, blocks: int) -> Network:
    """The network that was asked for, in this size."""
    start = game.start()
    shape, actions = start.shape(config.planes), start.num_actions
    return network(
        config.network,
        shape,
        actions,
        seed=0,
        width=width,
        blocks=blocks,
        activation=config.activation,
        places=places_of(game),
    )


def distinct_games(game: Game, config: Config) -> Any:
    """Games of self-play that all go their own ways, so that each asks about its own position."""
    options = {**options_of(config), "cache_size": 0, "symmetric_cache": False}
    return _core.selfplay(game.start(), config.n_envs, planes=config.planes, **options)


def searcher(game: Game, config: Config, made: Network) -> Callable[[], int]:
    """A round of self-play in one thread."""
    pool = distinct_games(game, config)
    features = np.zeros((config.n_envs, *pool.shape), np.float32)
    sample = torch.zeros(features.shape)
    graph = (
        int8.graph_of(made.eval(), sample)
        if int8.can_quantise(made)
        else onnx.graph_of(made.eval())
    )
    look = in_onnx(graph)

    def search() -> int:
        rows: int = pool.gather(features)
        if rows:
            pool.scatter(*look(features[:rows]))
        return rows

    return search


def trainer(game: Game, config: Config, made: Network) -> Callable[[], int]:
    """An update of the network, in one thread."""
    torch.set_num_threads(1)
    start, batch = game.start(), config.batch_size
    student = Student(made, config, config.optimizer, config.momentum)
    drawn = Batch(
        np.zeros((batch, *start.shape(config.planes)), np.float32),
        np.ones((batch, start.num_actions), np.bool_),
        np.full((batch, start.num_actions), 1 / start.num_actions, np.float32),
        np.zeros(batch, np.float32),
    )

    def learn() -> int:
        student.fit([drawn])
        return int(batch)

    return learn


def precision(game: Game, config: Config, width: int, blocks: int) -> str:
    """bfloat16, if it works and is clearly faster here."""

    def rate(one: str) -> float:
        made = build_sized(game, config, width, blocks)
        return per_second(trainer(game, dataclasses.replace(config, precision=one), made))

    float32, bfloat16 = PRECISIONS
    faster = has_bfloat16() and rate(bfloat16) > CLEARLY * rate(float32)
    return bfloat16 if faster else float32


def per_second(work: Callable[[], int]) -> float:
    """How much of that a thread can do, in the best of some tries."""
    work()
    return max(rate_of(work) for _ in range(TRIES))


def rate_of(work: Callable[[], int]) -> float:
    """How much a thread did in a second of its own time."""
    clock, done = time.thread_time, 0
    started = clock()
    while (spent := clock() - started) < SECONDS:
        done += work()
    return done / spent
