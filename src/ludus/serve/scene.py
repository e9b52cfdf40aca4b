"""A state as the page needs it: picture, geometry, legal actions, notation."""

from __future__ import annotations

from typing import Any

from ludus.game import Game
from ludus.serve.lines import Line


def scene(line: Line) -> dict[str, Any]:
    """What the page shows of the last state of a line (a stub: the picture comes later)."""
    state, game = line.state, line.game
    picture = game.draw(state, last=line.actions[-1] if line.actions else None)
    return {
        "line": line.record(),
        "plies": state.plies,
        "player": state.player,
        "over": state.outcome is not None,
        "winner": state.winner,
        "text": str(state),
        "svg": picture.svg,
        "legal": [{"action": action, "move": game.move(state, action)} for action in state.legal()],
    }


def players(game: Game) -> list[str]:
    """What the two players are called: red and blue."""
    return ["first", "second"]
