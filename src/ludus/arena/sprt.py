"""The sequential probability ratio test over pairs of games, which may stop a match early.

The unit is a pair, whose points are 0, 1/2, 1, 3/2 or 2 of 2. The likelihoods compared are those
of the likeliest distributions over these five that have the mean each hypothesis names (the
generalised test); the mean is the logistic expectation of an Elo difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean points of a pair
UNSEEN = 1e-3  # stands for the count of what has not happened


def expected_score(elo: float) -> float:
    """The points a game that an Elo difference promises."""
    return 1 / (1 + 10 ** (-elo / 400))


def fit_distribution(counts: Sequence[float], mean: float) -> list[float]:
    """The distribution over VALUES with this mean under which these counts are likeliest."""
    from scipy.optimize import brentq

    total = sum(counts)
    shares = [count / total for count in counts]
    away = [value - mean for value in VALUES]

    def tilt(strength: float) -> float:
        return sum(s * a / (1 + strength * a) for s, a in zip(shares, away, strict=True))

    margin = 1e-12
    strength = brentq(tilt, -1 / away[-1] + margin, -1 / away[0] - margin, xtol=1e-14)
    return [s / (1 + strength * a) for s, a in zip(shares, away, strict=True)]


@dataclass(frozen=True)
class Sprt:
    """H0: A is `elo0` stronger than B. H1: `elo1`. With the error rates allowed."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # of accepting H1 though H0 is so
    beta: float = 0.05  # of accepting H0 though H1 is so

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ValueError(
                "a sequential test is written ELO0,ELO1 with ELO0 below ELO1, "
                f"unlike {self.elo0:g},{self.elo1:g}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} is between 0 and 0.5, not {rate}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: below the first H0 is accepted, above the second H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The log likelihood ratio of H1 to H0 after pairs with these points."""
        if not sum(counts):
            return 0.0
        padded = [max(count, UNSEEN) for count in counts]
        zero, one = (
            fit_distribution(padded, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        return sum(
            count * math.log(p1 / p0) for count, p0, p1 in zip(padded, zero, one, strict=True)
        )

    def standing(self, counts: Sequence[int]) -> Standing:
        """Where the test stands."""
        ratio = self.ratio(counts)
        low, high = self.bounds
        return Standing(
            self, tuple(counts), ratio, "H1" if ratio >= high else "H0" if ratio <= low else None
        )


@dataclass(frozen=True)
class Standing:
    """A sequential test after some pairs."""

    sprt: Sprt
    counts: tuple[int, ...]  # of pairs, by their points
    ratio: float
    accepted: str | None  # H0, H1, or neither yet

    def __str__(self) -> str:
        rule, (low, high) = self.sprt, self.sprt.bounds
        verdict = {
            "H1": f"accepted: A is {rule.elo1:g} Elo stronger than B rather than {rule.elo0:g}",
            "H0": f"rejected: A is {rule.elo0:g} Elo stronger than B rather than {rule.elo1:g}",
            None: "undecided",
        }[self.accepted]
        return (
            f"SPRT [{rule.elo0:g}, {rule.elo1:g}] {verdict}; log likelihood ratio {self.ratio:.2f} "
            f"in ({low:.2f}, {high:.2f}) after {sum(self.counts)} pairs "
            f"({', '.join(map(str, self.counts))} by points); error rates {rule.alpha:g} of "
            f"accepting wrongly, {rule.beta:g} of rejecting wrongly"
        )

    def as_dict(self) -> dict[str, Any]:
        rule = self.sprt
        return {
            "elo0": rule.elo0,
            "elo1": rule.elo1,
            "alpha": rule.alpha,
            "beta": rule.beta,
            "bounds": list(rule.bounds),
            "ratio": self.ratio,
            "pairs": list(self.counts),
            "accepted": self.accepted,
        }


def read_sprt(text: str, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Read `ELO0,ELO1` as the command line writes it."""
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"a sequential test is written ELO0,ELO1, unlike {text!r}") from None
    return Sprt(elo0, elo1, alpha, beta)
