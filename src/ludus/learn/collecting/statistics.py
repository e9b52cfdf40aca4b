"""What games came to: those that ended in a step, and the range of returns of a whole training.

A discounted return is a mean of sums over stretches of its game, so the least and the greatest sum
over any stretch bound it, whatever the discount. The size is that of whole games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.settings.config import GREATEST
from ludus.learn.store.forms import Array, Number, Whole
from ludus.learn.store.record import ReturnRange

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass
class EpisodeStatistics:
    """What the games that ended in a step came to, from their first ply on.

    The reward of a game is all that the learner's side is paid in it, by its own plies and by those
    of the other side. Against itself it has both sides, and the reward is the mean of the two.
    Where no game ended there is nothing to tell.
    """

    games: int = 0
    plies: int = 0
    illegal: int = 0
    away: int = 0  # games against somebody else
    points: float = 0.0  # in those
    paid: float = 0.0  # to the learner's side

    def metrics(self) -> dict[str, float]:
        found: dict[str, float] = {}
        if self.games:
            found["game_length"] = self.plies / self.games
            found["game_reward"] = self.paid / self.games
            found["illegal_rate"] = self.illegal / self.games
        if self.away:
            found["training_score"] = self.points / self.away
        return found


class ReturnStatistics:
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
    def seen(self) -> ReturnRange:
        return ReturnRange(self.low, self.high, math.sqrt(self.squares / max(1, 2 * self.games)))

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
