"""Settings for a game, a machine and a time: what a short probe says, where nothing was asked."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import torch

from ludus.game import Game
from ludus.learn.net import int8, onnx
from ludus.learn.net.networks import network
from ludus.learn.net.player import in_onnx

# Widths and blocks to choose from, and how many positions each wants before it is worth its time.
SIZES = {(32, 2): 0, (32, 4): 60_000, (48, 4): 150_000, (64, 4): 300_000, (64, 6): 700_000}
SMALL_BOARD = 16  # cells that the smallest network sees whole
MANY_ACTIONS = 200
SECONDS = 0.3  # of each probe
ROOM = 1_000_000_000  # bytes for the window


def fitted(game: Game, config: Any, minutes: float | None, asked: Collection[str]) -> Any:
    """The settings with what was not asked for chosen; the same for a run that has no time."""
    if minutes is None:
        return config
    start = game.start()
    actions, (_, rows, columns) = start.num_actions, start.shape(config.planes)
    chosen: dict[str, Any] = {}
    chosen["simulations"] = 32 if actions <= MANY_ACTIONS else 48
    chosen["considered"] = 16
    sims = config.simulations if "simulations" in asked else chosen["simulations"]
    sizes = [config.width or 32, config.blocks or 2]
    rate = 0.0
    for (width, blocks), wanted in SIZES.items():
        if wanted and rows * columns <= SMALL_BOARD:
            break
        found = positions_a_second(game, config, width, blocks, sims)
        if wanted and found * 60 * minutes < wanted:
            break
        sizes, rate = [width, blocks], found
    chosen["width"], chosen["blocks"] = sizes
    total = max(rate * 60 * minutes, 10_000)
    bytes_a_position = 2 * int(np.prod(start.shape(config.planes))) + 6 * min(actions, 256)
    chosen["positions"] = int(np.clip(total / 150, 512, 8_192)) // 256 * 256
    chosen["window"] = int(np.clip(total / 2, 20_000, ROOM // bytes_a_position))
    chosen["anneal"] = max(1, int(total / chosen["positions"]))
    free = {name: value for name, value in chosen.items() if name not in asked}
    return dataclasses.replace(config, **free)


def positions_a_second(game: Game, config: Any, width: int, blocks: int, sims: int) -> float:
    """How fast positions would be played and learned from, with all threads at work."""
    start = game.start()
    shape = start.shape(config.planes)
    made = network(config.network, shape, start.num_actions, seed=0, width=width, blocks=blocks)
    sample = torch.zeros((config.games, *shape))
    graph = int8.graph_of(made.eval(), sample) if int8.can(made) else onnx.graph_of(made)
    look, seen = in_onnx(graph), sample.numpy()
    evaluations = config.games * per_second(lambda: look(seen))
    optimizer = torch.optim.AdamW(made.parameters())
    torch.set_num_threads(1)

    def lesson() -> None:
        logits, value = made.train()(torch.zeros((config.batch, *shape)))
        optimizer.zero_grad()
        torch.autograd.backward(logits.square().mean() + value.square().mean())
        optimizer.step()

    learned = config.batch * per_second(lesson)
    # Half of the questions are answered by the cache, as it turned out in most games.
    cost = 0.5 * sims / evaluations + config.reuse / learned
    return float(config.threads / cost)


def per_second(work: Callable[[], Any]) -> float:
    """How often that can be done."""
    work()
    started, times = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        work()
        times += 1
    return times / (time.perf_counter() - started)
