"""The laws every game obeys, checked on random play: for our tests and for `ludus check-game`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ludus.game import Game
from ludus.laws.failure import failure
from ludus.laws.forms import features, frame, notation, symmetry, text
from ludus.laws.line import BrokenError, RandomGame, play_on, random_game
from ludus.laws.playing import chance, ends, legality, values

Check = Callable[[Game, RandomGame, random.Random], None]
LAWS: dict[str, Check] = {
    law.__name__: law
    for law in (legality, ends, values, text, notation, features, frame, symmetry, chance)
}


def play(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Random games can be played."""
    _ = line.states[-1].outcome


def check(game: Game, seed: int, games: int) -> Iterator[tuple[str, str, str | None]]:
    """Check every law on random games: yields its name, its sentence and how it broke, or None.

    A game that raises while it is played breaks every law alike, so that this alone is told.
    """
    if raised := next(find_breach(game, play, seed, games), None):
        yield play.__name__, summary(play), raised
        return
    told: dict[str, str] = {}  # what was raised, and the law that told it
    for name, law in LAWS.items():
        broken = next(find_breach(game, law, seed, games), None)
        what = (broken or "").partition(" after ")[0]
        if broken is not None and told.setdefault(what, name) != name:
            broken = f"the same as in {told[what]}"
        yield name, summary(law), broken


def find_breach(game: Game, law: Check, seed: int, games: int) -> Iterator[str]:
    """How a law is broken, if it is."""
    for index in range(games):
        rng, line = random.Random(f"{seed}:{index}"), RandomGame([], [])
        try:
            line.states.append(game.start(rng))
            play_on(line, rng)
            law(game, line, rng)
        except BrokenError as error:
            yield str(error)
        except Exception as error:  # a game written elsewhere may fail in any way
            yield failure(game, error, line)


def random_games(game: Game, seed: int, games: int) -> list[RandomGame]:
    """The games that laws are checked on."""
    return [random_game(game, random.Random(f"{seed}:{index}")) for index in range(games)]


def summary(law: Check) -> str:
    """The first sentence of what a law says of itself."""
    return str(law.__doc__).split("\n")[0]
