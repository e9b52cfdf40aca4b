"""The range and size of returns that a training has seen: what its values are measured by in play.

A discounted return is a mean of sums over stretches of its game, so the least and the greatest sum
over any stretch bound it, whatever the discount. The size is that of whole games.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.networks.values import Seen
from ludus.learn.settings.config import GREATEST
from ludus.learn.store.forms import Array, Number, Whole

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Returns:
    """The least and greatest sum so far, and sums of games and of stretches that may go on."""

    younger = True  # than some checkpoints, which do not have it

    def __init__(self, rows: int, *, of_actions: bool) -> None:
        self.of_actions = of_actions  # the network tells values of actions: only legal ones count
        self.low = self.high = 0.0
        self.games, self.squares = 0, 0.0  # that ended, and of what they paid in all
        self.falling = np.zeros((rows, 2))  # the least sum of a stretch up to now, for each player
        self.rising = np.zeros((rows, 2))
        self.total = np.zeros((rows, 2))

    @property
    def seen(self) -> Seen:
        return Seen(self.low, self.high, math.sqrt(self.squares / max(1, 2 * self.games)))

    def add(
        self,
        players: NDArray[np.int8],
        paid: NDArray[np.float32],
        ended: NDArray[np.bool_],
        credit: str,
        illegal: NDArray[np.bool_] | None = None,
    ) -> None:
        """A ply of every game: who moved, what it paid the mover and the other, what ended."""
        if illegal is not None and self.of_actions:
            paid = np.where(illegal[:, None], np.float32(0), paid)
        mine = paid[:, 0].astype(np.float64)
        others = {"own": paid[:, 1].astype(np.float64), "adversarial": -mine, "max": mine}[credit]
        first = players == 0
        each = np.stack([np.where(first, mine, others), np.where(first, others, mine)], 1)
        self.falling = np.minimum(self.falling + each, 0)
        self.rising = np.maximum(self.rising + each, 0)
        self.low = min(self.low, float(self.falling.min(initial=0)))
        self.high = max(self.high, float(self.rising.max(initial=0)))
        self.total = self.total + each
        self.games += int(np.count_nonzero(ended))
        self.squares += float((self.total[ended] ** 2).sum())
        self.falling[ended] = self.rising[ended] = self.total[ended] = 0

    def state(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.form()}

    def form(self) -> dict[str, Any]:
        shape = self.falling.shape
        return {
            "low": Number(-GREATEST, 0),
            "high": Number(0, GREATEST),
            "games": Whole(),
            "squares": Number(0, GREATEST),
            "falling": Array("float64", shape, most=0),
            "rising": Array("float64", shape, least=0),
            "total": Array("float64", shape),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.low, self.high = float(state["low"]), float(state["high"])
        self.games, self.squares = state["games"], float(state["squares"])
        self.falling, self.rising, self.total = (
            state[name].copy() for name in ("falling", "rising", "total")
        )
