"""The states that an agent is asked about: seen, neighbouring and random ones, as in the thesis.

Of seen and neighbouring states those count whose moves differ in value; of random ones those that
are won for their mover, who can lose them by a move. No state is in two classes. Where nothing is
drawn, all states that count are won, so whoever calls everything won is always right there: values
are also compared on a sample of each class as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.seeds import generator
from ludus.game import State
from ludus.lab.judged import EMPTY, Judged, join, judge
from ludus.lab.seen import NEIGHBOURING, OTHER, SEEN, SeenStates
from ludus.truth.oracle import SAME, Oracle
from ludus.truth.sampling import numbering
from ludus.truth.sampling import random_states as drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANDOM = "random"
MOVES = ("legal", "winning", "losing", "drawing")
NAMES = (SEEN, NEIGHBOURING, RANDOM)
SEEDS = {name: place for place, name in enumerate(NAMES, 1)}
CHUNK = 1024  # states that are drawn before it is looked which of them count
FRUITLESS = 64  # draws for each state that is wanted, after which no more are expected


@dataclass(frozen=True)
class StateSet:
    """States of one class, which an agent is asked about, and where they come from."""

    name: str
    judged: Judged
    counts: NDArray[np.bool_]  # those that pass the filter
    plain: NDArray[np.bool_]  # the sample without it
    among: int  # states of this class that were looked at
    all_of: int | None  # states that there are in it, where that is known
    how: str  # they were chosen
    moves: dict[str, float]  # of the states that were looked at, whether they count or not

    @property
    def counted(self) -> Judged:
        """Those that pass the filter."""
        return self.judged.take(self.counts)

    def about(self) -> dict[str, Any]:
        """What is said of it in a result."""
        counted, plain = self.counted, self.judged.take(self.plain)
        return {
            "states": len(counted),
            "unfiltered": len(plain),
            "looked_at": self.among,
            "all": self.all_of,
            "chosen": self.how,
            "won": shares(counted),
            "won_unfiltered": shares(plain),
            "moves": {"looked_at": self.moves, "counted": counted.move_counts()},
        }


def shares(judged: Judged) -> float | None:
    """The share that is won for the mover: what calling all of them won would get right."""
    return float((judged.values > 1 - SAME).mean()) if len(judged) else None


Progress = Callable[[str, float], None]


def quiet(what: str, share: float) -> None:
    """Tell nobody."""


def seen_states(
    oracle: Oracle, seen: SeenStates, size: int, seed: int, progress: Progress = quiet
) -> StateSet:
    """Seen states, all of them or so many, whose moves differ in value."""
    total = len(seen.texts)
    rows = np.arange(total)
    if seen.mirrored:  # one of each pair
        rows = np.sort(np.unique(seen.keys_of(seen.states()), return_index=True)[1])
    order = generator(seed, SEEDS[SEEN]).permutation(rows) if size else rows
    how = "all of them" if not size else f"up to {size:,} drawn from all"
    candidates = (seen.state(int(row)) for row in order)
    return filtered(SEEN, oracle, candidates, size, len(rows), how, progress)


def neighbouring_states(
    oracle: Oracle, seen: SeenStates, size: int, seed: int, progress: Progress = quiet
) -> StateSet:
    """States one action from a seen one, and not seen, whose moves differ in value."""
    total = len(seen.neighbours)
    order = generator(seed, SEEDS[NEIGHBOURING]).permutation(total)
    how = "all of them" if not size else f"up to {size:,} drawn from all"
    candidates = (seen.neighbour(int(number)) for number in order)
    return filtered(NEIGHBOURING, oracle, candidates, size, total, how, progress)


def random_states(
    oracle: Oracle, seen: SeenStates | None, size: int, seed: int, progress: Progress = quiet
) -> StateSet:
    """Random states that are neither seen nor neighbouring, won, and offer a move that loses."""
    how, candidates = drawn(oracle.game, generator(seed, SEEDS[RANDOM]))
    known = numbering(oracle.game)
    return filtered(
        RANDOM,
        oracle,
        others(candidates, seen),
        size,
        None if known is None else known.size,
        how,
        progress,
        tempting=True,
    )


def filtered(
    name: str,
    oracle: Oracle,
    candidates: Iterable[State],
    size: int,
    total: int | None,
    how: str,
    progress: Progress,
    *,
    tempting: bool = False,
) -> StateSet:
    """Of the candidates, in their order, those that count, until there are enough."""
    parts, masks, found, among = [EMPTY], [np.zeros((0, 2), np.bool_)], 0, 0
    counted = np.zeros(len(MOVES))
    most = FRUITLESS * size if tempting else None
    for chunk in chunks(candidates):
        judged = judge(oracle, chunk)
        moves = judged.move_counts()
        counted += len(judged) * np.array([moves[key] for key in MOVES])
        good = judged.tempting if tempting else judged.contested
        if size:  # no more than are wanted
            good &= np.cumsum(good) <= size - found
        plain = np.arange(among, among + len(judged)) < (size or among + len(judged))
        kept = good | plain
        parts.append(judged.take(kept))
        masks.append(np.stack([good, plain], 1)[kept])
        found, among = found + int(good.sum()), among + len(judged)
        progress(name, found / size if size else among / max(1, total or 1))
        if (size and found >= size) or (most is not None and among >= most):
            break
    each = (counted / max(1, among)).tolist()
    mask = np.concatenate(masks)
    return StateSet(
        name,
        join(parts),
        mask[:, 0],
        mask[:, 1],
        among,
        total,
        how,
        {"states": among, **dict(zip(MOVES, each, strict=True))},
    )


def chunks(states: Iterable[State]) -> Iterator[list[State]]:
    """So many at a time."""
    waiting: list[State] = []
    for state in states:
        waiting.append(state)
        if len(waiting) == CHUNK:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def others(states: Iterable[State], seen: SeenStates | None) -> Iterator[State]:
    """Those that are neither seen nor neighbouring, each once."""
    known: set[int] = set()
    for chunk in chunks(states):
        keys: NDArray[Any]
        if seen is None:
            names, keys = [OTHER] * len(chunk), np.array([one.key for one in chunk], object)
        else:
            names, keys = seen.classify_all(chunk), seen.keys_of(chunk)
        for state, name, key in zip(chunk, names, keys.tolist(), strict=True):
            if name == OTHER and key not in known:
                known.add(key)
                yield state
