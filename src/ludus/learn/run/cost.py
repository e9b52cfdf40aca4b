"""What a training would cost: memory, disk, and time as its first steps take."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ludus.game import Game

SECONDS, STEPS = 5.0, 5  # of trial, once it learns
PATIENCE, MOST_STEPS = 60.0, 100_000  # until then
MEMORIES = ("replay", "window")  # parts that hold room for what is to come
KEPT = 3  # checkpoints: the last two and the best


def cost(game: Game, module: Any, config: Any, seed: int) -> dict[str, Any]:
    """Train for a moment, and look."""
    from ludus.learn.net.networks import size

    spent, parts = tried(game, module, config, seed)
    bytes_, each = held(parts), float(np.median(spent))
    return {
        "weights": size(parts["network"]),
        "bytes": bytes_,
        "disk": KEPT * bytes_,
        "steps": config.steps,
        "seconds_a_step": each,
        "seconds": each * config.steps,
    }


def tried(game: Game, module: Any, config: Any, seed: int) -> tuple[list[float], Any]:
    """The seconds of some steps that learn, or of all if none did in time, and what they keep."""
    spent: list[float] = []
    learns = False
    begun = started = time.perf_counter()
    for step in module.train(game, brief(config), seed=seed):
        now = time.perf_counter()
        if learning(step.parts) and not learns:
            learns, spent = True, []  # the steps before were another kind
        spent.append(now - started)
        enough = now - begun > SECONDS or len(spent) >= STEPS
        if (enough and learns) or now - begun > PATIENCE:
            break
        started = time.perf_counter()
    return spent, step.parts


def brief(config: Any) -> Any:
    """The same settings, but that learning begins at once and goes on for long enough."""
    sooner = {"warmup": min(config.warmup, config.batch)} if hasattr(config, "warmup") else {}
    return dataclasses.replace(config, steps=max(config.steps, MOST_STEPS), **sooner)


def learning(parts: Any) -> bool:
    """Whether it has begun: an optimizer, where there is one, has moments to remember."""
    return "optimizer" not in parts or bool(parts["optimizer"].state)


def held(parts: Any) -> int:
    """Bytes of all arrays that the training keeps, the empty part of its memories included."""
    from ludus.learn.run.parts import saved

    arrays = saved(0, {name: part for name, part in parts.items() if name not in MEMORIES}).arrays
    own = [array for name in MEMORIES if name in parts for array in arrays_of(parts[name])]
    return sum(array.nbytes for array in [*arrays.values(), *own])


def arrays_of(memory: Any) -> Iterator[Any]:
    """The arrays of a memory, and of what it has inside."""
    for part in vars(memory).values():
        if hasattr(part, "nbytes"):
            yield part
        elif type(part).__module__.startswith("ludus.learn."):
            yield from arrays_of(part)
