"""A ply of every game at once: the learner chooses, others choose, and what came of it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ludus.learn.collecting.opponents import BOTH, Opponents
from ludus.learn.collecting.returns import Returns
from ludus.learn.collecting.vector_games import Table
from ludus.learn.networks.masked import uniform

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVERY = slice(None)

# Rows, their features and masks in; an action for each out.
Choose = Callable[
    ["NDArray[np.int64] | slice", "NDArray[np.float32]", "NDArray[np.bool_]"], "NDArray[np.int32]"
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
    illegal: NDArray[np.bool_] | None  # where its choice ended the game, if anything lets it


@dataclass
class Tally:
    """What the games that ended in a step came to, from their first ply on.

    The reward of a game is all that the learner's seat is paid in it, by its own plies and by those
    of the other side. Against itself it has both seats, and the reward is the mean of the two.
    Where no game ended there is nothing to tell.
    """

    games: int = 0
    plies: int = 0
    illegal: int = 0
    away: int = 0  # games against somebody else
    points: float = 0.0  # in those
    paid: float = 0.0  # to the learner's seat

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
    illegal: float = -2.0  # what an illegal choice pays, where nothing stops it
    returns: Returns | None = None  # counts the range of what the network is taught
    credit: Callable[[str], str] = lambda opponent: "own"
    tally: Tally = field(default_factory=Tally)

    def ply(self, choose: Choose) -> Ply:
        """Everybody plays once. What was seen stays as it is until the ply after the next."""
        table, others = self.table, self.opponents
        features, masks, players = table.seen
        mine = others.mine(table)
        if others.alone:
            actions = choose(EVERY, features, masks)
        else:
            actions = np.zeros(len(table), np.int32)
            rows = np.flatnonzero(mine)
            if len(rows):
                actions[rows] = choose(rows, features[rows], masks[rows])
            others.act(table, actions, ~mine)
        games, plies = table.games, table.all_plies
        illegal = None
        if others.legality:  # nobody else chooses what is illegal
            illegal = ~masks[np.arange(len(table)), actions]
            paid, ended = self.dared(actions, masks, illegal)
        else:
            paid, ended = table.step(actions)
        self.tally.games += table.games - games
        self.tally.plies += table.all_plies - plies
        self.tally.paid += self.earned(ended)
        if self.returns is not None:
            self.returns.add(players, paid, ended, self.credit(others.now), illegal)
        others.over(ended, None if others.alone else self.points(ended, mine))
        return Ply(features, masks, players, actions, paid, ended, mine, illegal)

    def dared(
        self, actions: NDArray[np.int32], masks: NDArray[np.bool_], illegal: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """A ply in which illegal choices end their games, and what each row paid and ended."""
        played = np.where(illegal, uniform(masks, self.rng), actions) if illegal.any() else actions
        paid, ended = self.table.step(played, illegal, self.illegal)
        self.tally.illegal += int(np.count_nonzero(illegal))
        return paid, ended

    def earned(self, ended: NDArray[np.bool_]) -> float:
        """What games that ended paid the learner's seats; of both, where it has them, the mean."""
        rows = np.flatnonzero(ended)
        total, seats = self.table.total[rows], self.opponents.seats[rows]
        own = total[np.arange(len(rows)), np.maximum(seats, 0)]
        return float(np.where(seats == BOTH, total.mean(1), own).sum())

    def points(self, ended: NDArray[np.bool_], mine: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The learner's, 1, 0.5 or 0, where a game ended; those against others are counted."""
        actors = np.where(ended, self.table.outcomes, 0) / np.float32(2) + np.float32(0.5)
        points = np.where(mine, actors, 1 - actors).astype(np.float32)
        away = ended & (self.opponents.seats >= 0)
        self.tally.away += int(np.count_nonzero(away))
        self.tally.points += float(points[away].sum())
        return points

    def counted(self) -> dict[str, float]:
        """The tally of the step that is over, and a new one."""
        found, self.tally = self.tally.metrics(), Tally()
        return {"games": float(self.table.games), **found}
