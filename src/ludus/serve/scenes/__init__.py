"""What the page needs of one game and of no other: one file a game, found by its name.

A file may have `players(state)`, `facts(state, board)` (more of the scene) and
`action_facts(game, state, board, action, move)` (more of a legal action).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ludus.game import Game, is_registered


def find_own(game: Game, name: str) -> Any:
    """What the file of this game has by that name, or None."""
    if not is_registered(game.kind) or game.name not in files():
        return None
    return getattr(import_module(f"{__name__}.{game.name}"), name, None)


@cache
def files() -> frozenset[str]:
    """The games that have a file here."""
    return frozenset(module.name for module in iter_modules(__path__))
