"""Who wins random games: for a person to look at, since no law can know whose win is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.laws.line import RandomGame


@dataclass(frozen=True)
class Winners:
    """Random games by who began and by who made the last move."""

    first: int
    second: int
    draws: int
    last_mover: int

    @property
    def suspicious(self) -> bool:
        """Whether no last move ever won: a sign that was turned around looks like this."""
        return self.last_mover == 0 < self.first + self.second

    def __str__(self) -> str:
        decided = self.first + self.second
        told = f"first player {self.first}, second {self.second}, draws {self.draws}"
        return f"{told}; the last move wins {self.last_mover} of {decided}"


def winners(lines: Sequence[RandomGame]) -> Winners:
    """Count the results of games that are over."""
    won = [(line, line.states[-1].winner) for line in lines if line.actions]
    return Winners(
        first=sum(winner == line.states[0].player for line, winner in won if winner is not None),
        second=sum(winner != line.states[0].player for line, winner in won if winner is not None),
        draws=sum(winner is None for _, winner in won),
        last_mover=sum(winner == line.states[-2].player for line, winner in won),
    )
