"""Numbers with intervals, and what two of them allow to be said."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from ludus.arena.interval import wilson


@dataclass(frozen=True)
class Measured:
    """A number, its 95 % interval if it has one, and of how many games it is."""

    value: float
    low: float | None = None
    high: float | None = None
    of: int | None = None

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Self:
        """As a part keeps it."""
        return cls(told["value"], told.get("low"), told.get("high"), told.get("of"))

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def as_dict(self) -> dict[str, float]:
        return {name: value for name, value in vars(self).items() if value is not None}


def printed_share(value: float, games: int | None) -> Measured:
    """A share that a paper prints; where it says of how many games, it has an interval too."""
    if games is None:
        return Measured(value)
    low, high = wilson(round(min(1.0, max(0.0, value)) * games), games)
    return Measured(value, low, high, games)


@dataclass(frozen=True)
class Difference:
    """One number less another; its interval by the squares of both (Newcombe 1998, Zou 2008).

    With low and high of a and b: a - b -/+ sqrt((a - low_a)^2 + (high_b - b)^2), and so on. A
    number that is printed without an interval is taken as it is.
    """

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 if the interval lies on one side of 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


def difference(a: Measured, b: Measured) -> Difference | None:
    """None if neither has an interval."""
    if a.ends is None and b.ends is None:
        return None
    (low_a, high_a), (low_b, high_b) = (one.ends or (one.value, one.value) for one in (a, b))
    value = a.value - b.value
    low = value - math.hypot(a.value - low_a, high_b - b.value)
    high = value + math.hypot(high_a - a.value, b.value - low_b)
    return Difference(value, low, high)


def compare(ours: Measured, theirs: Measured) -> str:
    """What may be said of two numbers: differs, or no difference is seen, or nothing."""
    found = difference(ours, theirs)
    if found is None or ours.ends is None:
        return "no interval"
    return {1: "ours is higher", -1: "ours is lower", 0: "no difference seen"}[found.sign]
