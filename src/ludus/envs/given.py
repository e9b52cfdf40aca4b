"""What all doors are given: a game, and the library they lead to."""

from __future__ import annotations

from typing import Any

from ludus.game import Game, game

Given = str | type | Game  # a spelling, a class that is a game, or a game


def chosen(given: Given, parameters: dict[str, Any]) -> Game:
    """The game that was asked for."""
    if not isinstance(given, Game):
        return game(given, **parameters)
    if parameters:
        raise ValueError("a game that is already made takes no more parameters")
    return given


def checked_planes(game: Game, planes: str) -> str:
    """Which feature planes, among those the game has."""
    if planes not in game.kind.planes:
        raise ValueError(f"no planes {planes!r} here; there are {', '.join(game.kind.planes)}")
    return planes


def bound(game: Game, planes: str) -> float:
    """What no feature exceeds in size."""
    return game.kind.largest.get(planes, 1.0)


def checked_shaping(game: Game, shaping: str | None) -> str | None:
    """The name of an extra signal, among those the game has."""
    there: list[str] = getattr(game.start(), "shapings", list)()
    if shaping is not None and shaping not in there:
        raise ValueError(f"no shaping {shaping!r} here; there are {', '.join(there) or 'none'}")
    return shaping


def missing(door: str, library: str) -> ModuleNotFoundError:
    """What to say where the door's library is not installed."""
    return ModuleNotFoundError(
        f"ludus.envs.{door} needs {library}: pip install ludus[{door}]", name=door
    )
