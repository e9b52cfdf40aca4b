"""How often values and moves are right, by player, with intervals; and whether values mean it.

A value predicts by its sign, as in the thesis; with a draw band what lies within predicts a draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.interval import wilson
from ludus.lab.judged import Judged
from ludus.lab.opinions import Opinions
from ludus.truth.oracle import SAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

BINS = 10
PLAYERS = ("both", "first", "second")


def share(right: NDArray[np.bool_]) -> dict[str, Any]:
    """How many of how many, with Wilson's interval, as if states were independent."""
    of, count = len(right), int(right.sum())
    low, high = wilson(count, of)
    return {"right": count, "of": of, "share": count / of if of else None, "low": low, "high": high}


def results_of(values: NDArray[np.float64], band: float = 0.0) -> NDArray[np.int8]:
    """What values predict: 1 won, -1 lost, 0 drawn."""
    edge = max(band, SAME if band else 0.0)
    return ((values > edge).astype(np.int8) - (values < -edge)).astype(np.int8)


def by_player(right: NDArray[np.bool_], players: NDArray[np.int8]) -> dict[str, Any]:
    """The same of all states, and of those with one player to move."""
    masks = (np.ones(len(right), np.bool_), players == 0, players == 1)
    return {name: share(right[mask]) for name, mask in zip(PLAYERS, masks, strict=True)}


def value_accuracy(judged: Judged, said: Opinions, band: float) -> dict[str, Any] | None:
    """Share of states whose value predicts what is true; None if it values nothing."""
    if not said.valued:
        return None
    right = results_of(said.values, band) == results_of(judged.values, SAME)
    return by_player(np.asarray(right), judged.players)


def policy_accuracy(judged: Judged, said: Opinions) -> dict[str, Any]:
    """Share of chosen moves that keep the exact value."""
    return by_player(judged.keeps(said.chosen), judged.players)


def calibration(judged: Judged, said: Opinions) -> dict[str, Any] | None:
    """Whether values mean what they say: predicted points beside true ones, and how far apart.

    Points are (1 + value) / 2. The expected calibration error is the mean distance of the two over
    bins of equal width, weighted by the states in them.
    """
    if not said.valued or not len(judged):
        return None
    predicted, true = (1 + said.values) / 2, (1 + judged.values) / 2
    place = np.clip((BINS * predicted).astype(np.int64), 0, BINS - 1)
    rows, error = [], 0.0
    for bin_ in range(BINS):
        inside = place == bin_
        if count := int(inside.sum()):
            means = float(predicted[inside].mean()), float(true[inside].mean())
            error += count / len(judged) * abs(means[0] - means[1])
            rows.append({"states": count, "predicted": means[0], "true": means[1]})
    return {"expected_error": error, "bins": rows}
