"""What a training would cost: memory, disk, and time as its first steps take."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from ludus.game import Game

SECONDS, STEPS = 5.0, 5  # of trial, at most
KEPT = 3  # checkpoints: the last two and the best


def cost(game: Game, module: Any, config: Any, seed: int) -> dict[str, Any]:
    """Train for a moment, and look."""
    from ludus.learn.net.networks import size

    trial = dataclasses.replace(config, steps=max(config.steps, STEPS))
    started, spent = time.perf_counter(), []
    weights = bytes_ = 0
    for step in module.train(game, trial, seed=seed):
        spent.append(time.perf_counter() - started)
        if step.number >= STEPS or spent[-1] > SECONDS:
            weights = size(step.network) if step.network is not None else 0
            bytes_ = held(step.parts)
            break
        started = time.perf_counter()
    each = spent[-1]
    return {
        "weights": weights,
        "bytes": bytes_,
        "disk": KEPT * bytes_,
        "steps": config.steps,
        "seconds_a_step": each,
        "seconds": each * config.steps,
    }


def held(parts: Any) -> int:
    """Bytes of all arrays that the training keeps, the empty part of a replay memory included."""
    from ludus.learn.run.parts import saved

    arrays = saved(0, {name: part for name, part in parts.items() if name != "replay"}).arrays
    own = vars(parts["replay"]).values() if "replay" in parts else ()
    return sum(a.nbytes for a in [*arrays.values(), *(a for a in own if hasattr(a, "nbytes"))])
