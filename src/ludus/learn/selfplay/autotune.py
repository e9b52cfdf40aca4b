"""Settings for a game, a machine and a time: what a short probe says, where nothing was asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

import numpy as np

from ludus.game import Game
from ludus.learn.networks.architectures import NetworkSpec, plan_network
from ludus.learn.networks.places import places_of
from ludus.learn.networks.plan import Linear
from ludus.learn.selfplay.probe import Rates, precision, probe
from ludus.learn.selfplay.settings import Config
from ludus.learn.settings.footprint import check_footprint, sizes_of

# Widths and blocks to choose from, and how many positions each wants before it is worth its time:
# in Connect Four (48, 5) learns more from 500,000 than (32, 4), which had them in half the time.
SIZES = {(32, 2): 0, (32, 4): 100_000, (48, 5): 1_000_000, (64, 6): 4_000_000}
SMALL_BOARD = 16  # cells that the smallest network sees whole
FLAT, OVER_BOARD = "zero", "zero-conv"  # the same trunk, with a policy of either kind
SIMULATIONS = (16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96)  # to choose from
MANY_ACTIONS, LEAST_FOR_MANY = 200, 48  # so many want more simulations
LEAST_POSITIONS = 10_000  # of a run, however short
STEPS = 200  # of a run, about
DECAYED = 0.8  # of these, by which the learning rate has fallen: machines are rarely so free
CHECKPOINTS = 30  # of a run, about: each writes the whole window, and nothing learns meanwhile
ROOM, LEGAL = 1_000_000_000, 128  # bytes for the window, by the legal actions of most positions
FITTED = (
    *("network", "width", "blocks", "simulations", "precision"),
    *("positions_per_step", "window", "lr_decay_steps", "checkpoint_seconds"),
)
DIGITS = 2  # of the positions that are expected: what is chosen does not feign to know more


def autotune(game: Game, config: Config, minutes: float | None, asked: Collection[str]) -> Config:
    """The settings with what was not asked for chosen; the same for a run that has no time."""
    if minutes is None:
        return config
    check_footprint(game, config)
    own = {name: value for name, value in game.kind.selfplay.items() if name not in asked}
    config = dataclasses.replace(config, **own)
    start = game.start()
    shape, actions = start.shape(config.planes), start.num_actions
    sizes = SIZES if shape[1] * shape[2] > SMALL_BOARD else dict(list(SIZES.items())[:1])
    if "width" in asked or "blocks" in asked:
        sizes = {(config.width or 64, config.blocks or 4): 0}
    if "network" not in asked and not config.encoder:
        config = dataclasses.replace(config, network=choose_network(game, config))
    if "precision" not in asked:
        config = dataclasses.replace(config, precision=precision(game, config, *next(iter(sizes))))
    chosen: dict[str, Any] = {}
    rate = 0.0
    for (width, blocks), wanted in sizes.items():
        rates = probe(game, config, width, blocks)
        least = LEAST_FOR_MANY if actions > MANY_ACTIONS else 0
        given = config.simulations if "simulations" in asked else 0
        simulations = given or max(choose_simulations(rates, config), least)
        found = rates.positions(config, simulations)
        if wanted and found * 60 * minutes < wanted:
            break
        chosen = {"width": width, "blocks": blocks, "simulations": simulations}
        rate = found
    total = rounded(max(rate * 60 * minutes, LEAST_POSITIONS))
    known = sizes_of(game, config.planes)
    bytes_a_position = 2 * known.features + 6 * min(actions, max(known.legal, LEGAL))
    chosen["positions_per_step"] = int(np.clip(total / STEPS, 512, 8_192)) // 256 * 256
    step = config.positions_per_step if "positions_per_step" in asked else 0
    chosen["window"] = max(step, int(np.clip(total / 2, 20_000, ROOM // bytes_a_position)))
    chosen["checkpoint_seconds"] = float(np.clip(round(60 * minutes / CHECKPOINTS), 60, 300))
    chosen["lr_decay_steps"] = max(1, int(DECAYED * total / chosen["positions_per_step"]))
    free = {name: value for name, value in chosen.items() if name not in asked}
    return dataclasses.replace(config, **free)


def choose_network(game: Game, config: Config) -> str:
    """The small tower, with a policy over the board where one layer for all actions is most of it.

    Such a layer learns each action for itself, cell by cell; over the board all cells share what is
    learned of a way to move.
    """
    if config.network != FLAT or not places_of(game):
        return config.network
    start = game.start()
    width, blocks = next(iter(SIZES))
    spec = NetworkSpec(start.shape(config.planes), start.num_actions, width, blocks)
    plan = plan_network(FLAT, spec)
    flat = next(layer for layer in plan.actions.layers if isinstance(layer, Linear))
    return OVER_BOARD if 2 * flat.inputs * flat.outputs > plan.size else FLAT


def choose_simulations(rates: Rates, config: Config) -> int:
    """The fewest that keep the other threads busy while one learns: none of them waits for it."""
    least = max(1, config.threads - 1) * rates.learning(config)
    busy = (one for one in SIMULATIONS if rates.playing(one) >= least)
    return next(busy, SIMULATIONS[-1])


def rounded(total: float) -> int:
    """A number of positions in two digits, so that two probes mostly agree."""
    return int(float(f"{total:.{DIGITS - 1}e}"))
