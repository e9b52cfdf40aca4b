"""A game line: a game, where it starts, and what was played; replayed and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.game import Game, State

Token = int | str  # an action, or in games of chance `action~result`


@dataclass(frozen=True)
class Line:
    """A game as it was played: one state more than there are plies."""

    game: Game
    start: str | None  # the text of the position it starts from; None for the game's own start
    states: tuple[State, ...]
    actions: tuple[int, ...] = ()
    results: tuple[int | None, ...] = ()  # what chance did after each action

    @property
    def state(self) -> State:
        """Where it stands."""
        return self.states[-1]

    @property
    def tokens(self) -> list[Token]:
        """What was played, as a client holds it."""
        return [
            action if result is None else f"{action}~{result}"
            for action, result in zip(self.actions, self.results, strict=True)
        ]

    def record(self) -> dict[str, Any]:
        """The line as JSON."""
        return {"game": self.game.spelling, "start": self.start, "tokens": self.tokens}

    def play(self, action: int, chance: int | None = None) -> Line:
        """One ply more; the action, and the result in a game of chance, must be possible."""
        after = self.state.play(action, chance=chance)
        return Line(
            self.game,
            self.start,
            (*self.states, after),
            (*self.actions, action),
            (*self.results, chance),
        )


def begin(game: Game, start: str | None = None) -> Line:
    """A line without plies."""
    return Line(game, start, (game.start() if start is None else game.state(start),))
