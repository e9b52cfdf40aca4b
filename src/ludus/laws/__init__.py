"""The laws every game obeys, checked on random play: for our tests and for `ludus check-game`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ludus.game import Game
from ludus.laws.forms import features, frame, notation, symmetry, text
from ludus.laws.line import BrokenError, RandomGame, random_game
from ludus.laws.playing import chance, ends, legality, values

Check = Callable[[Game, RandomGame, random.Random], None]
LAWS: dict[str, Check] = {
    law.__name__: law
    for law in (legality, ends, values, text, notation, features, frame, symmetry, chance)
}


def check(game: Game, seed: int, games: int) -> Iterator[tuple[str, str, str | None]]:
    """Check every law on random games: yields its name, its sentence and how it broke, or None."""
    for name, law in LAWS.items():
        broken: str | None = None
        try:
            for index in range(games):
                rng = random.Random(f"{seed}:{index}")
                law(game, random_game(game, rng), rng)
        except BrokenError as error:
            broken = str(error)
        except Exception as error:  # a game written elsewhere may fail in any way
            broken = f"{type(error).__name__}: {error}"
        yield name, summary(law), broken


def summary(law: Check) -> str:
    """The first sentence of what a law says of itself."""
    return str(law.__doc__).split("\n")[0]
