"""A ply of every game at once: the learner chooses, others choose, and what came of it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ludus.learn.net.masked import uniform
from ludus.learn.play.opponents import Opponents
from ludus.learn.play.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

ILLEGAL = -2.0  # what an illegal choice pays, where nothing stops it: worse than losing

# Rows, their features and masks in; an action for each out.
Choose = Callable[
    ["NDArray[np.int64]", "NDArray[np.float32]", "NDArray[np.bool_]"], "NDArray[np.int32]"
]


@dataclass(frozen=True)
class Ply:
    """What was seen, done and paid in every row."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]
    players: NDArray[np.int8]
    actions: NDArray[np.int32]
    paid: NDArray[np.float32]  # [rows, 2] who acted, the other
    ended: NDArray[np.bool_]
    mine: NDArray[np.bool_]  # where the learner acted
    illegal: NDArray[np.bool_]  # where its choice ended the game


@dataclass
class Tally:
    """What the games of a step came to."""

    games: int = 0
    plies: int = 0
    illegal: int = 0
    away: int = 0  # games against somebody else
    points: float = 0.0  # in those
    paid: float = 0.0  # to the learner, for all it did

    def metrics(self) -> dict[str, float]:
        found: dict[str, float] = {}
        if self.games:
            found["plies a game"] = self.plies / self.games
            found["reward a game"] = self.paid / self.games
            found["illegal ends"] = self.illegal / self.games
        if self.away:
            found["points in training"] = self.points / self.away
        return found


@dataclass
class Collector:
    """A table and who sits at it."""

    table: Table
    opponents: Opponents
    rng: np.random.Generator
    tally: Tally = field(default_factory=Tally)

    def ply(self, choose: Choose) -> Ply:
        """Everybody plays once."""
        table, others = self.table, self.opponents
        features, masks = table.features.copy(), table.masks.copy()
        players, mine = table.players.copy(), others.mine(table)
        actions = np.zeros(len(table), np.int32)
        rows = np.flatnonzero(mine)
        if len(rows) == len(table):
            actions = choose(rows, features, masks)
        elif len(rows):
            actions[rows] = choose(rows, features[rows], masks[rows])
        others.act(table, actions, ~mine)
        illegal = ~masks[np.arange(len(table)), actions]
        played = actions
        if illegal.any():
            played = np.where(illegal, uniform(masks, self.rng), actions)
        before = table.plies.copy()
        paid, ended = table.step(played, illegal)
        paid[illegal, 0] = ILLEGAL
        points = np.nan_to_num(table.outcomes, nan=0.0) / np.float32(2) + np.float32(0.5)
        points[illegal] = 0
        self.count(paid, ended, mine, illegal, points, before)
        others.over(ended, np.where(mine, 1 - points, points).astype(np.float32))
        return Ply(features, masks, players, actions, paid, ended, mine, illegal)

    def count(
        self,
        paid: NDArray[np.float32],
        ended: NDArray[np.bool_],
        mine: NDArray[np.bool_],
        illegal: NDArray[np.bool_],
        points: NDArray[np.float32],
        before: NDArray[np.int32],
    ) -> None:
        tally = self.tally
        tally.games += int(ended.sum())
        tally.plies += int((before[ended] + 1).sum())
        tally.illegal += int(illegal.sum())
        tally.paid += float(paid[mine, 0].sum())
        away = ended & (self.opponents.seats >= 0)
        tally.away += int(away.sum())
        tally.points += float(np.where(mine, points, 1 - points)[away].sum())

    def counted(self) -> dict[str, float]:
        """The tally of the step that is over, and a new one."""
        found, self.tally = self.tally.metrics(), Tally()
        return {"games": float(self.table.games), **found}
