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


PLAYS = "Random games can be played."  # what a game that raises on the way breaks


def check(game: Game, seed: int, games: int) -> Iterator[tuple[str, str, str | None]]:
    """Check every law on random games: yields its name, its sentence and how it broke, or None.

    A game that raises while it is played breaks every law alike, so that this alone is told.
    """
    if broken := unplayable(game, seed, games):
        yield "play", PLAYS, broken
        return
    told: dict[str, str] = {}  # what was raised, and the law that told it
    for name, law in LAWS.items():
        broken = next(broken_by(game, law, seed, games), None)
        what = (broken or "").partition(" after ")[0]
        if broken is not None and told.setdefault(what, name) != name:
            broken = f"the same as in {told[what]}"
        yield name, summary(law), broken


def broken_by(game: Game, law: Check, seed: int, games: int) -> Iterator[str]:
    """How a law is broken, if it is."""
    for line, rng in random_games(game, seed, games):
        try:
            law(game, line, rng)
        except BrokenError as error:
            yield str(error)
        except Exception as error:  # a game written elsewhere may fail in any way
            yield failure(game, error, line)


def random_games(game: Game, seed: int, games: int) -> Iterator[tuple[RandomGame, random.Random]]:
    """The games that laws are checked on, each with its generator."""
    for index in range(games):
        rng = random.Random(f"{seed}:{index}")
        yield random_game(game, rng), rng


def unplayable(game: Game, seed: int, games: int) -> str:
    """What a game raises while it is played, if it does."""
    for index in range(games):
        rng = random.Random(f"{seed}:{index}")
        line = RandomGame([], [])
        try:
            line.states.append(game.start(rng))
            play_on(line, rng)
            _ = line.states[-1].outcome
        except Exception as error:  # a game written elsewhere may fail in any way
            return failure(game, error, line)
    return ""


def summary(law: Check) -> str:
    """The first sentence of what a law says of itself."""
    return str(law.__doc__).split("\n")[0]
