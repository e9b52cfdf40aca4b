"""King and Courtesan: steps, captures, and the king's exchange with a courtesan."""

from __future__ import annotations

from typing import Any

from ludus.game import Game, State

HOW = {"-": "step", "x": "capture", "/": "exchange"}


def action_facts(game: Game, state: State, board: Any, action: int, move: str) -> dict[str, Any]:
    """What kind of move it is."""
    return {"how": HOW[move[2]]}
