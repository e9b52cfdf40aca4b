"""Which side the learner takes, and who sits opposite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.agent import Agent, agent
from ludus.agents.random import RandomAgent
from ludus.agents.uct import UctAgent

if TYPE_CHECKING:
    import numpy as np

SIDES = ("first", "second", "alternating", "random")


def check_side(side: str) -> str:
    """Whether the learner moves first, second, by turns or by a coin."""
    if side not in SIDES:
        raise ValueError(f"no side {side!r}; there are {', '.join(SIDES)}")
    return side


def sits_second(side: str, episode: int, rng: np.random.Generator) -> bool:
    """Whether the learner moves second in this episode."""
    if side == "alternating":
        return episode % 2 == 1
    return side == "second" or (side == "random" and rng.random() < 0.5)


def probability(name: str, value: float) -> float:
    """Check a probability that a person gave."""
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{name} is a probability from 0 to 1, not {value!r}")
    return float(value)


def learner_side(side: str) -> tuple[bool, bool, float]:
    """The same for native games: both sides, alternating, or the probability of being second."""
    second = {"first": 0.0, "second": 1.0, "random": 0.5, "alternating": 0.0}
    return False, check_side(side) == "alternating", second[side]


BOTH = (True, False, 0.0)


def as_opponent(opponent: str | Agent, seed: int = 0) -> Agent:
    """An opponent from its spelling, or the one that was brought."""
    if isinstance(opponent, str):
        return agent(opponent, seed=seed)
    if not hasattr(opponent, "think"):
        raise ValueError(f"an opponent is an agent or its spelling, not {opponent!r}")
    return opponent


def native_opponent(opponent: Agent, game: str) -> dict[str, Any] | None:
    """How native games play this opponent by themselves, or None if they cannot."""
    if isinstance(opponent, RandomAgent):
        return {"opponent": "random"}
    if not isinstance(opponent, UctAgent) or opponent.seconds is not None or opponent.threads > 1:
        return None
    counted = {"opponent": "uct", "simulations": opponent.simulations}
    return counted | opponent.native_options(game)
