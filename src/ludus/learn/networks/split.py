"""The rows of one call of a network, shared among threads.

What a network says of a position does not depend on its batch, so nobody can see who evaluated it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LEAST_ROWS = 4  # with fewer a thread costs more than it saves

_helpers: dict[int, ThreadPoolExecutor] = {}  # by process: threads do not survive a fork


def evaluate_rows(
    evaluator: Callable[[Floats], tuple[Floats, Floats | None]], features: Floats, threads: int
) -> tuple[Floats, Floats | None]:
    """What the evaluator says of all rows; it must let other threads run while it works."""
    parts = min(threads, len(features) // LEAST_ROWS)
    if parts < 2:
        return evaluator(features)
    cuts = [len(features) * part // parts for part in range(parts + 1)]
    first, *others = (features[low:high] for low, high in pairwise(cuts))
    tasks = [helpers().submit(evaluator, rows) for rows in others]
    said = [evaluator(first), *(task.result() for task in tasks)]
    values = [value for _, value in said if value is not None]
    return np.concatenate([row for row, _ in said]), np.concatenate(values) if values else None


def helpers() -> ThreadPoolExecutor:
    """The threads of this process."""
    process = os.getpid()
    if process not in _helpers:
        _helpers.clear()
        _helpers[process] = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="evaluate")
    return _helpers[process]
