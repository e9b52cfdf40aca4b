"""What a training would cost: memory, disk, and time as its first steps take.

A step that is too much to be tried is estimated, from what the network takes to see some positions
and to learn from some: how much is tried is counted before, so that the answer comes in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ludus.game import Game
from ludus.learn.runs.evaluate import TENTHS, check_opponents
from ludus.learn.settings.config import Common
from ludus.learn.settings.footprint import Work, check_footprint
from ludus.play import playouts

GAMES = 16  # random ones, for how long a game is
MEMORIES = ("replay", "window")  # parts that hold room for what is to come
KEPT = 3  # checkpoints: the last two and the best
LINE, RECORD = 400, 700  # bytes of a line of metrics, and of a game that measured strength
MOMENTS = {True: 2, False: 1}  # that an optimizer has of each weight: Adam, or momentum


def cost(
    game: Game, module: Any, config: Common, seed: int, minutes: float | None = None
) -> dict[str, Any]:
    """Look at what a training is made of, and try a little of it; it may end after some minutes."""
    import torch

    from ludus.learn.networks.network import size
    from ludus.learn.runs.trial import measure_step, multiplications

    check_footprint(game, config)
    config.check_new()
    check_opponents(game, config)
    torch.set_num_threads(config.threads)
    learner = module.Learner(game, config, seed)
    parts = learner.parts
    network = parts["network"]
    work = config.work(playouts(game, GAMES, seed=seed).plies / GAMES)
    weights, bytes_ = size(network), stored_bytes(parts)
    each, how = measure_step(
        game, module, config, seed, learner, work, multiplications(network, game)
    )
    steps = expected_steps(config, work)
    in_time = math.inf if minutes is None else max(1, math.ceil(60 * minutes / each))
    stopped = in_time < steps
    steps = int(min(steps, in_time))
    return {
        "weights": weights,
        "bytes": bytes_,
        **disk(config, work, steps, each * steps, bytes_),
        "steps": steps,
        "games": round(steps * work.games if stopped else config.total_games or steps * work.games),
        "seconds_a_step": each,
        "seconds": each * steps,
        "how": how,
    }


def expected_steps(config: Common, work: Work) -> int:
    """Until it ends, by steps or by games."""
    ends: list[int] = [config.steps] if config.steps else []
    if config.total_games and work.games:
        ends.append(math.ceil(config.total_games / work.games))
    return min(ends)


def disk(config: Common, work: Work, steps: int, seconds: float, bytes_: int) -> dict[str, int]:
    """Bytes that are kept in the end, and all that are written on the way."""
    measured = 0
    if config.eval_freq != 0 and config.eval_freq_games:
        measured = int(steps * work.games / config.eval_freq_games)
    elif config.eval_freq is None:
        measured = min(steps, TENTHS) + 1
    elif config.eval_freq:
        measured = steps // config.eval_freq
    by_time = seconds / config.checkpoint_seconds if config.checkpoint_seconds else steps
    stored = max(1, min(steps, measured + int(by_time)))
    forever = steps // config.keep_every if config.keep_every else 0
    rungs = sum(1 for rung in config.eval_opponents.split(";") if rung.strip())
    small = steps * LINE + measured * rungs * config.n_eval_games * RECORD
    return {
        "evaluations": measured,
        "checkpoints": stored,
        "disk": min(stored, KEPT + forever) * bytes_ + small,
        "written": stored * bytes_ + small,
    }


def stored_bytes(parts: Any) -> int:
    """Bytes of all arrays that the training keeps, the empty part of its memories included."""
    from ludus.learn.store.components import save_parts

    arrays = save_parts(
        0, {name: part for name, part in parts.items() if name not in MEMORIES}
    ).arrays
    own = [array for name in MEMORIES if name in parts for array in arrays_of(parts[name])]
    kept: int = sum(array.nbytes for array in [*arrays.values(), *own])
    return kept + (moments(parts["optimizer"]) if "optimizer" in parts else 0)


def moments(optimizer: Any) -> int:
    """Bytes that it will remember of the weights."""
    if optimizer.state:
        return 0  # they are there, and counted
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    size: int = sum(weight.numel() * weight.element_size() for weight in weights)
    return MOMENTS["betas" in optimizer.param_groups[0]] * size


def arrays_of(memory: Any) -> Iterator[Any]:
    """The arrays of a memory, and of what it has inside."""
    for part in vars(memory).values():
        if hasattr(part, "nbytes"):
            yield part
        elif type(part).__module__.startswith("ludus.learn."):
            yield from arrays_of(part)
