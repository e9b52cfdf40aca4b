"""States drawn at random: uniform over the numbers of a game's states, or from random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ludus.game import Game, State
from ludus.truth.oracle import NoTruth, module_of

if TYPE_CHECKING:
    import numpy as np

CHUNK = 1024
MOST_NUMBERS = 1 << 22  # of a space whose numbers are drawn without putting back
UNIFORM = "uniform over the numbered states of the game"
PLAYED = "random games of uniform moves, stopped at a uniform ply"


class Numbering(Protocol):
    """Gives the states of a game by their numbers, whether or not anything judges them."""

    @property
    def size(self) -> int: ...
    def numbered(self, number: int) -> State | None: ...  # None: the rules allow none


def numbering(game: Game) -> Numbering | None:
    """That of a game, if it has one."""
    own = getattr(module_of(game), "numbering", None)
    try:
        found: Numbering | None = None if own is None else own(game)
    except NoTruth:
        return None
    return found


def random_states(game: Game, rng: np.random.Generator) -> tuple[str, Iterator[State]]:
    """How they are drawn, and as many as are asked for that go on; few numbers come to an end."""
    known = numbering(game)
    if known is None:
        return PLAYED, played_states(game, rng)
    return UNIFORM, numbered_states(known, rng)


def numbered_states(known: Numbering, rng: np.random.Generator) -> Iterator[State]:
    """Each number as likely as any other; none twice while there are few."""
    for number in numbers_of(known.size, rng):
        state = known.numbered(number)
        if state is not None and state.outcome is None:
            yield state


def numbers_of(size: int, rng: np.random.Generator) -> Iterable[int]:
    """In a random order if there are few, else drawn again and again."""
    if size <= MOST_NUMBERS:
        yield from rng.permutation(size).tolist()
        return
    while True:
        yield from rng.integers(size, size=CHUNK).tolist()


def played_states(game: Game, rng: np.random.Generator) -> Iterator[State]:
    """A state of each of many random games, without its past."""
    while True:
        line = [game.start(rng)]
        while line[-1].outcome is None:
            legal = line[-1].legal()
            line.append(line[-1].play(legal[rng.integers(len(legal))], rng))
        yield game.state(str(line[rng.integers(len(line) - 1)]))
