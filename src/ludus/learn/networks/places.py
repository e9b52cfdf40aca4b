"""Where the actions of a game lie on its board, for a policy that is convolutional."""

from __future__ import annotations

from functools import lru_cache

from ludus.game import Game, game


def places_of(on: Game) -> tuple[int, ...]:
    """Of each action the place in planes over the cells, one plane a way to move; none: unknown."""
    return () if on.kind.places is None else places_in(on.spelling)


@lru_cache(maxsize=64)
def places_in(spelling: str) -> tuple[int, ...]:
    """The same, of a game by its spelling."""
    on = game(spelling)
    start = on.start()
    _, rows, columns = start.shape()
    assert on.kind.places is not None
    return tuple(way * rows * columns + cell for way, cell in on.kind.places(start))
