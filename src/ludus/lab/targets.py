"""What training was told, beside what is true: over time and by ply.

A game's outcome is a target of each of its positions, and the value that is learned is another;
both are wrong where somebody erred later in the game.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import State
from ludus.lab.accuracy import results_of
from ludus.lab.datasets import Progress, quiet
from ludus.lab.seen import SeenStates
from ludus.truth.oracle import SAME, NoTruth, Oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

CHUNK = 8192  # states that are asked about at once


def target_accuracy(
    oracle: Oracle, seen: SeenStates, band: float, progress: Progress = quiet
) -> dict[str, Any]:
    """How many targets say what is true of their position: in all, by step, and by ply."""
    record = seen.record
    if record is None:
        raise ValueError("these states were not recorded by a training")
    values = values_of_all(oracle, seen, progress)
    arrays = record.arrays
    true = values[arrays["states"]]
    known = ~np.isnan(true)
    result = results_of(np.nan_to_num(true), SAME)
    right = {
        "outcome": known & (arrays["outcomes"] == result),
        "target": known & (results_of(arrays["targets"].astype(np.float64), band) == result),
    }
    steps, plies = record.sample_steps, arrays["plies"].astype(np.int64)
    first = np.unique(arrays["states"], return_index=True)[1]  # the sample of each that came first
    distinct = np.zeros(len(known), np.bool_)
    distinct[first] = True
    distinct &= known
    return {
        "samples": int(known.sum()),
        "unknown": int((~known).sum()),
        "not_recorded": record.missed,
        "states": int(distinct.sum()),
        **{f"right_{name}": int(which.sum()) for name, which in right.items()},
        "right_first_outcome": int((right["outcome"] & distinct).sum()),
        "by_step": table(steps, known, right, "step"),
        "by_ply": table(plies, known, right, "ply"),
        "so_far": so_far(steps, distinct, right["outcome"]),
    }


def values_of_all(oracle: Oracle, seen: SeenStates, progress: Progress) -> NDArray[np.float64]:
    """What each recorded state is worth; not a number where that is not known."""
    parts, waiting, done = [np.zeros(0)], seen.states(), 0
    while chunk := list(islice(waiting, CHUNK)):
        parts.append(values_or_nan(oracle, chunk))
        done += len(chunk)
        progress("targets", done / len(seen.texts))
    return np.concatenate(parts)


def values_or_nan(oracle: Oracle, states: Sequence[State]) -> NDArray[np.float64]:
    """Of a few; one by one where some are not known."""
    try:
        return np.asarray(oracle.values_of(states), np.float64)
    except NoTruth:
        if len(states) == 1:
            return np.array([np.nan])
        return np.concatenate([values_or_nan(oracle, [one]) for one in states])


def table(
    place: NDArray[np.int64],
    known: NDArray[np.bool_],
    right: dict[str, NDArray[np.bool_]],
    name: str,
) -> list[dict[str, int]]:
    """A row for each step, or ply: its samples, and how many of them are right."""
    places, row = np.unique(place[known], return_inverse=True)
    counts = {
        "samples": np.bincount(row, minlength=len(places)),
        **{
            f"right_{key}": np.bincount(row[which[known]], minlength=len(places))
            for key, which in right.items()
        },
    }
    return [
        {name: int(at), **{key: int(found[number]) for key, found in counts.items()}}
        for number, at in enumerate(places)
    ]


def so_far(
    steps: NDArray[np.int64], distinct: NDArray[np.bool_], right: NDArray[np.bool_]
) -> list[dict[str, int]]:
    """Of the distinct states up to each step, how many were told right when they came first."""
    rows = table(steps, distinct, {"outcome": right & distinct}, "step")
    states = np.cumsum([row["samples"] for row in rows]).tolist()
    told = np.cumsum([row["right_outcome"] for row in rows]).tolist()
    return [
        {"step": row["step"], "states": states[at], "right_outcome": told[at]}
        for at, row in enumerate(rows)
    ]
