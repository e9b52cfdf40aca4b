"""Settings for a game, a machine and a time: what a short probe says, where nothing was asked."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection
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
from ludus.learn.selfplay.settings import REMEMBERED, Config
from ludus.learn.settings.footprint import check_footprint
from ludus.learn.training.student import Student

# Widths and blocks to choose from, and how many positions each wants before it is worth its time:
# in Connect Four (48, 5) learns more from 500,000 than (32, 4), which had them in half the time.
SIZES = {(32, 2): 0, (32, 4): 100_000, (48, 5): 1_000_000, (64, 6): 4_000_000}
SMALL_BOARD = 16  # cells that the smallest network sees whole
SIMULATIONS = (16, 24, 32, 48, 64, 96)  # to choose from
MANY_ACTIONS, LEAST_FOR_MANY = 200, 48  # so many want more simulations
SECONDS = 0.3  # of each probe
CLEARLY = 1.2  # times faster, from which bfloat16 is worth it
SPENT = 0.7  # of the time, that is left beside exports, checkpoints and measuring strength
ROOM = 1_000_000_000  # bytes for the window


@dataclass(frozen=True)
class Rates:
    """What one thread does in a second: new positions searched, positions learned from."""

    looked: float
    learned: float

    def simulations(self, config: Config) -> int:
        """As many as the other threads manage while one learns."""
        time_to_learn = config.samples_per_position / self.learned
        most = time_to_learn * max(1, config.threads - 1) * self.looked / (1 - REMEMBERED)
        return max((one for one in SIMULATIONS if one <= most), default=SIMULATIONS[0])

    def positions(self, config: Config, simulations: int) -> float:
        """Positions played and learned from a second, with all threads at work."""
        playing = (1 - REMEMBERED) * simulations / self.looked
        learning = config.samples_per_position / self.learned
        return float(SPENT / max(learning, (playing + learning) / config.threads))


def autotune(game: Game, config: Config, minutes: float | None, asked: Collection[str]) -> Config:
    """The settings with what was not asked for chosen; the same for a run that has no time."""
    if minutes is None:
        return config
    check_footprint(game, config)
    start = game.start()
    shape, actions = start.shape(config.planes), start.num_actions
    sizes = SIZES if shape[1] * shape[2] > SMALL_BOARD else dict(list(SIZES.items())[:1])
    if "width" in asked or "blocks" in asked:
        sizes = {(config.width or 64, config.blocks or 4): 0}
    chosen: dict[str, Any] = {}
    if "precision" not in asked:
        config = dataclasses.replace(config, precision=precision(game, config, *next(iter(sizes))))
    rate = 0.0
    for (width, blocks), wanted in sizes.items():
        rates = probe(game, config, width, blocks)
        least = LEAST_FOR_MANY if actions > MANY_ACTIONS else 0
        given = config.simulations if "simulations" in asked else 0
        simulations = given or max(rates.simulations(config), least)
        found = rates.positions(config, simulations)
        if wanted and found * 60 * minutes < wanted:
            break
        chosen = {"width": width, "blocks": blocks, "simulations": simulations}
        rate = found
    total = max(rate * 60 * minutes, 10_000)
    bytes_a_position = 2 * int(np.prod(shape)) + 6 * min(actions, 256)
    chosen["positions_per_step"] = int(np.clip(total / 200, 512, 8_192)) // 256 * 256
    step = config.positions_per_step if "positions_per_step" in asked else 0
    chosen["window"] = max(step, int(np.clip(total / 2, 20_000, ROOM // bytes_a_position)))
    chosen["lr_decay_steps"] = max(1, int(total / chosen["positions_per_step"]))
    free = {name: value for name, value in chosen.items() if name not in asked}
    return dataclasses.replace(config, **free)


def probe(game: Game, config: Config, width: int, blocks: int) -> Rates:
    """How fast a network of this size searches and learns here."""
    return Rates(
        per_second(searcher(game, config, build_sized(game, config, width, blocks))),
        per_second(trainer(game, config, build_sized(game, config, width, blocks))),
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
    """How much of that can be done."""
    work()
    started, done = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        done += work()
    return done / (time.perf_counter() - started)
