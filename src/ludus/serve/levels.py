"""Levels from beginner to perfect, with their measured ratings."""

from __future__ import annotations

from typing import Any

from ludus.game import Game


def levels(game: Game) -> list[dict[str, Any]]:
    """[{level, name, agent, elo, low, high}], the weakest first; elo is None if not measured."""
    return [
        {"level": 1, "name": "beginner", "agent": "random", "elo": None, "low": None, "high": None}
    ]
