"""Games written in Python that lie, in every search and player: one sentence, never a crash."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from tests.abuse._child import survived
from tests.test_claims import PLAYERS, Lucky, Plain

ROUNDS = 40
NOUNS = ("num_actions", "player", "outcome", "legal", "play", "shape", "features", "seen")
NOUNS += ("num_symmetries", "transformed", "transformed_action", "transformed_cell", "judge")
NOUNS += ("chances", "max_plies", "__hash__", "__eq__", "__str__", "waiting", "move")


class Own(Exception):  # noqa: N818
    """What a game raises by itself."""


def lies(rng: random.Random) -> Any:
    """Something that is not so."""
    return rng.choice(
        (
            *(None, True, False, -1, 0, 1, 2, 3, 4, 65535, 65536, 60_000, 2**31, 2**63, -(2**70)),
            *(
                0.5,
                math.nan,
                math.inf,
                "",
                "x",
                "\ud800",
                b"x",
                object(),
                np.int64(2),
                np.float32(1),
            ),
            *(
                [],
                [0],
                [0, 0],
                [-1],
                [60_000],
                [None],
                ["0"],
                [0, 1, 2, 3],
                (1,),
                (1, 1, 1),
                (0, 0, 0),
            ),
            *((10**9, 10**9, 1), [(0, 0.5)], [(0, math.nan)], [(0, 1.0)], [(0, 0.5), (0, 0.5)]),
            *([(7, 1.0)], [[[math.nan]]], [[["x"]]], np.zeros((1, 1, 1)), np.zeros(3), {}, {0: 1}),
            *(
                Own("I will not say"),
                ValueError("no"),
                KeyError(3),
                MemoryError(),
                Plain(3),
                Lucky(3),
            ),
        )
    )


def said(lie: Any) -> Any:
    """A lie is told, or raised."""
    if isinstance(lie, Exception):
        raise lie
    return lie


def lying(rng: random.Random) -> type:
    """A class that lies about one or two things in some of its states, or now and then."""
    base = rng.choice((Plain, Lucky))
    names: dict[str, Any] = {}
    for noun in rng.sample(NOUNS, rng.choice((1, 1, 2))):
        honest, lie = getattr(base, noun, None), lies(rng)
        often, few = rng.choice((1.0, 0.3, 0.02)), rng.choice((10, 8, 4, 0))
        coin = random.Random(rng.randrange(10**9))

        def answer(
            self: Any,
            honest: Any = honest,
            lie: Any = lie,
            often: float = often,
            few: int = few,
            coin: random.Random = coin,
            noun: str = noun,
        ) -> Any:
            lied = self.stones <= few and coin.random() < often
            if callable(honest):
                return (lambda *_: said(lie)) if lied else honest.__get__(self)
            if lied:
                return said(lie)
            if noun == "player" and "side" not in vars(self):
                return self.stones % 2
            return honest.__get__(self) if hasattr(honest, "__get__") else honest

        if noun.startswith("__"):
            names[noun] = lambda self, *rest, answer=answer: answer(self)(*rest)
        else:
            names[noun] = property(answer, lambda self, value: None)
    return type("Lying", (base,), names)


def attack(rng: random.Random, folder: Path) -> str:
    """Many liars in one child process."""
    return survived("python_games", rng.randrange(10**9))


def hammer(seed: int) -> str:
    """Let liars play; what they are told is counted."""
    rng, told, played = random.Random(seed), 0, 0
    for _ in range(ROUNDS):
        try:
            play(rng)
            played += 1
        except (ValueError, TypeError) as error:
            sentence(error)
            told += 1
        except (Own, KeyError, MemoryError, AttributeError, OverflowError):
            told += 1  # the game's own
    return f"{told} lies told, {played} not noticed"


def play(rng: random.Random) -> None:
    """One search or player, at one liar; then the same again, however it ended."""
    state = ludus.game(lying(rng)).start()
    player = rng.choice((*PLAYERS, "agent"))
    for again in (True, False):
        try:
            if player == "agent":
                think(state, rng)
            else:
                PLAYERS[player](state)
        except Exception:
            if not again:
                raise


def think(state: Any, rng: random.Random) -> None:
    """What an agent thinks is legal, whatever it was told."""
    spelling = rng.choice(("uct:simulations=50", "alphabeta:depth=3", "greedy", "random"))
    policy = ludus.agent(spelling).think(state).policy
    assert abs(policy.sum() - 1) < 1e-6
    assert set(policy.nonzero()[0]) <= set(state.legal())


def sentence(error: Exception) -> None:
    """What a person reads is one line."""
    assert str(error), repr(error)
    assert "\n" not in str(error), error
    assert len(str(error)) < 400, error
