"""Draughts: jumps, and the piece that has to jump on."""

from __future__ import annotations

from typing import Any

from ludus.draw.checkers import capturing_square, centre
from ludus.game import Game, State


def facts(game: Game, state: State, board: Any) -> dict[str, Any]:
    """Where a piece in the middle of a capture stands: it moves on, no other."""
    square = capturing_square(state)
    return {"continues": None if square is None else centre(square)}


def action_facts(game: Game, state: State, board: Any, action: int, move: str) -> dict[str, Any]:
    """Whether it takes a piece."""
    return {"how": "jump" if "x" in move else "step"}
