"""The Elo difference that a score stands for."""

from __future__ import annotations

import math

from ludus.arena.ratings import Estimate


def elo_of(points: float) -> float:
    """The difference at which so many points a game are expected; infinite at 0 and 1."""
    if not 0 < points < 1:
        return math.copysign(math.inf, points - 0.5)
    return 400 * math.log10(points / (1 - points)) + 0.0


def elo_difference(points: float, interval: tuple[float, float]) -> Estimate:
    """The difference of a score, and of the ends of its interval."""
    low, high = interval
    return Estimate(elo_of(points), elo_of(low), elo_of(high))


def elo_text(elo: Estimate) -> str:
    """`+35 (-12 to +83)`; where all was won or lost there is only a bound."""
    return f"{sign_text(elo.value)} ({sign_text(elo.low)} to {sign_text(elo.high)})"


def sign_text(value: float) -> str:
    """A difference with its sign."""
    return f"{value:+.0f}" if math.isfinite(value) else "+inf" if value > 0 else "-inf"
