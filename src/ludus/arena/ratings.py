"""Ratings: Bradley and Terry's, with Davidson's draws and a term for who is first, in Elo.

With strengths s = 10 ** (rating / 400), f for being first and d for draws, a first player i and a
second player j win and draw in proportion to

    f * s_i  :  s_j  :  d * sqrt(f * s_i * s_j)

The likelihood is log-concave. A wide normal prior (1000 Elo) on each term keeps what the games
leave open finite, and puts the mean rating at 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludus.arena.interval import LEVEL
from ludus.arena.seeds import generator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ELO = 400 / math.log(10)  # Elo in one unit of log strength
PRIOR = 1000 / ELO  # standard deviation of the prior, in log strength
RESAMPLES = 1000


@dataclass(frozen=True)
class Meeting:
    """Two agents and the results of their pairs of games.

    A row is a pair: how often `one` won, drew and lost when first, then when second.
    """

    one: int
    two: int
    pairs: Floats  # [pairs, 6]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Ratings:
    """What a table of games says about strength."""

    ratings: Sequence[Estimate]  # by agent, in Elo, mean 0
    first: Estimate  # what being first is worth, in Elo
    draws: float  # the share of draws between equals, neither of them first
    apart: Sequence[Sequence[int]]  # groups that no games connect, if there are several
    unbounded: Sequence[int]  # agents whose rating only the prior holds


def meeting(one: int, two: int, points: dict[int, dict[bool, float]]) -> Meeting:
    """From the points of `one` by pair, and within it by whether it was first."""
    import numpy as np

    rows = np.zeros((len(points), 6))
    for row, pair in zip(rows, points.values(), strict=True):
        for was_first, got in pair.items():
            row[(0 if was_first else 3) + int(2 - 2 * got)] += 1
    return Meeting(one, two, rows)


def fit(agents: int, firsts: Floats, seconds: Floats, results: Floats, start: Floats) -> Floats:
    """The likeliest terms: a log strength each, then being first, then draws.

    Row k of `results` counts wins, draws and losses of agent `firsts[k]` as first against
    `seconds[k]`.
    """
    import numpy as np
    from scipy.optimize import minimize

    at, games = np.arange(len(results)), results.sum(1)
    # How each term enters the log of each proportion: [rows, win / draw / loss, terms].
    design = np.zeros((len(results), 3, agents + 2))
    design[at, 0, firsts] = 1
    design[:, 0, agents] = 1
    design[at, 2, seconds] = 1
    design[:, 1] = (design[:, 0] + design[:, 2]) / 2
    design[:, 1, agents + 1] = 1
    flat = design.reshape(-1, agents + 2)

    def shares(terms: Floats) -> tuple[Floats, Floats]:
        logs = (flat @ terms).reshape(-1, 3)
        logs -= logs.max(1, keepdims=True)
        scaled = np.exp(logs)
        total = scaled.sum(1, keepdims=True)
        return scaled / total, logs - np.log(total)

    def loss(terms: Floats) -> tuple[float, Floats]:
        expected, logs = shares(terms)
        pull = terms / PRIOR**2
        slope = (games[:, None] * expected - results).ravel() @ flat + pull
        return float(terms @ pull / 2 - (results * logs).sum()), slope

    def curvature(terms: Floats) -> Floats:
        expected, _ = shares(terms)
        mean = (expected[:, None, :] @ design)[:, 0]
        weights = (games[:, None] * expected).ravel()
        spread = (flat.T * weights) @ flat - (mean.T * games) @ mean
        return np.asarray(spread + np.eye(agents + 2) / PRIOR**2)

    found = minimize(loss, start, jac=True, hess=curvature, method="trust-exact")
    return np.asarray(found.x)


def rated(
    agents: int, meetings: Sequence[Meeting], *, seed: int = 0, resamples: int = RESAMPLES
) -> Ratings:
    """Fit the ratings, and again to games drawn anew, pair by pair, for their intervals."""
    import numpy as np

    meetings = [met for met in meetings if len(met.pairs)]
    firsts = np.array([i for met in meetings for i in (met.one, met.two)], dtype=int)
    seconds = np.array([i for met in meetings for i in (met.two, met.one)], dtype=int)
    flip = [0, 1, 2, 5, 4, 3]  # the second half, from the side of who was first

    def fitted(totals: Floats, start: Floats) -> Floats:
        return fit(agents, firsts, seconds, totals[:, flip].reshape(-1, 3), start)

    terms = np.zeros(agents + 2)
    again = np.zeros((1, agents + 2))
    if meetings:
        terms = fitted(np.array([met.pairs.sum(0) for met in meetings]), terms)
        rng = generator(seed, agents)
        drawn = np.stack([redrawn(met.pairs, resamples, rng) for met in meetings], axis=1)
        again = np.array([fitted(totals, terms) for totals in drawn])
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(again, [tail, 1 - tail], axis=0)
    estimates = [
        Estimate(*(float(ELO * bound) for bound in bounds))
        for bounds in zip(terms, np.minimum(low, terms), np.maximum(high, terms), strict=True)
    ]
    draws = math.exp(terms[-1])
    apart, unbounded = connections(agents, meetings)
    return Ratings(estimates[:agents], estimates[agents], draws / (2 + draws), apart, unbounded)


def redrawn(pairs: Floats, times: int, rng: np.random.Generator) -> Floats:
    """Totals of as many pairs drawn anew, so many times.

    Where all pairs ended alike nothing would vary; one pair won and one lost by `one` are then
    added to what is drawn from, as the next pairs could well end so.
    """
    import numpy as np

    kinds, counts = np.unique(pairs, axis=0, return_counts=True)
    if len(kinds) == 1:
        kinds = np.vstack([kinds, [[1, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1]]])
        counts = np.array([len(pairs), 1, 1])
    return np.asarray(rng.multinomial(len(pairs), counts / counts.sum(), size=times) @ kinds)


def connections(agents: int, meetings: Sequence[Meeting]) -> tuple[list[list[int]], list[int]]:
    """Groups that never met, and agents that some others never took a point from or gave one to.

    A rating is finite by the games alone if a chain of points leads from each agent to each.
    """
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    took = np.zeros((agents, agents))
    for met in meetings:
        wins = met.pairs.sum(0)
        took[met.one, met.two] = wins[[0, 1, 3, 4]].sum()
        took[met.two, met.one] = wins[[1, 2, 4, 5]].sum()
    groups, member = connected_components(took + took.T, directed=False)
    _, circle = connected_components(took, connection="strong")
    everyone = [np.flatnonzero(member == group) for group in range(groups)]
    loose: list[int] = []
    for group in everyone:
        circles, sizes = np.unique(circle[group], return_counts=True)
        held = circles[sizes == sizes.max()]
        if len(circles) > 1:
            loose += [int(i) for i in group if len(held) > 1 or circle[i] != held[0]]
    return [group.tolist() for group in everyone] if groups > 1 else [], sorted(loose)
