"""The board in a terminal: Unicode, and colour where it is welcome."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ludus.game import drawing

if TYPE_CHECKING:
    from ludus.game import Game, State

CODES = {"first": "31", "second": "34", "neutral": "90", "last": "33", "faint": "2", "bold": "1"}


class Ink:
    """Paints words with terminal colours, or leaves them plain."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, *styles: str) -> str:
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(CODES[style] for style in styles)}m{text}\x1b[0m"


def wants_colour() -> bool:
    """Whether standard output is a terminal that has not asked for plain text."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def terminal(
    game: Game, state: State, *, colour: bool | None = None, last: int | None = None
) -> str:
    """The game's own text board, then who is to move or how it ended."""
    ink = Ink(wants_colour() if colour is None else colour)
    own = drawing(game.kind)
    board = own.text(game, state, ink, last) if own else str(state).replace("/", "\n")
    return f"{board}\n{status(state, ink)}"


def stones(game: Game, state: State) -> tuple[str, str] | None:
    """What the stones of both players look like in the terminal, where the game says so."""
    own = drawing(game.kind)
    if hasattr(own, "stones"):
        found: tuple[str, str] = own.stones(state)
        return found
    return getattr(own, "STONES", None)


def status(state: State, ink: Ink) -> str:
    """Who moves, or who has won."""
    names = (ink("first player", "first"), ink("second player", "second"))
    if state.outcome is None:
        return f"{names[state.player]} to move"
    return "a draw" if state.winner is None else f"{names[state.winner]} has won"
