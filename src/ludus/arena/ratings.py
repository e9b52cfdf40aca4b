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


def make_meeting(one: int, two: int, points: dict[int, dict[bool, float]]) -> Meeting:
    """From the points of `one` by pair, and within it by whether it was first."""
    import numpy as np

    rows = np.zeros((len(points), 6))
    for row, pair in zip(rows, points.values(), strict=True):
        for was_first, got in pair.items():
            row[(0 if was_first else 3) + int(2 - 2 * got)] += 1
    return Meeting(one, two, rows)


class Model:
    """The penalised likelihood of several tables at once, each with terms of its own.

    The terms are a log strength for each agent, then being first, then draws. Row k of a table
    counts wins, draws and losses of agent `firsts[k]` as first against `seconds[k]`.
    """

    def __init__(self, agents: int, firsts: Sequence[int], seconds: Sequence[int]) -> None:
        import numpy as np

        rows, self.terms = len(firsts), agents + 2
        # How each term enters the log of each proportion: [rows, win / draw / loss, terms].
        self.design = np.zeros((rows, 3, self.terms))
        self.design[np.arange(rows), 0, firsts] = 1
        self.design[:, 0, agents] = 1
        self.design[np.arange(rows), 2, seconds] = 1
        self.design[:, 1] = (self.design[:, 0] + self.design[:, 2]) / 2
        self.design[:, 1, agents + 1] = 1
        self.flat = self.design.reshape(-1, self.terms)

    def shares(self, terms: Floats) -> tuple[Floats, Floats]:
        """Of win, draw and loss, and their logs: [tables, rows, 3]."""
        import numpy as np

        logs = (terms @ self.flat.T).reshape(len(terms), -1, 3)
        logs -= logs.max(2, keepdims=True)
        scaled = np.exp(logs)
        total = scaled.sum(2, keepdims=True)
        return scaled / total, logs - np.log(total)

    def loss(self, terms: Floats, tables: Floats) -> Floats:
        """Minus the log likelihood and the log prior: [tables]."""
        import numpy as np

        _, logs = self.shares(terms)
        return np.asarray((terms**2).sum(1) / (2 * PRIOR**2) - (tables * logs).sum((1, 2)))

    def slope(self, terms: Floats, tables: Floats) -> Floats:
        """[tables, terms]."""
        import numpy as np

        expected, _ = self.shares(terms)
        beyond = tables.sum(2, keepdims=True) * expected - tables
        return np.asarray(beyond.reshape(len(terms), -1) @ self.flat + terms / PRIOR**2)

    def curvature(self, terms: Floats, tables: Floats) -> Floats:
        """[tables, terms, terms]."""
        import numpy as np

        expected, _ = self.shares(terms)
        games = tables.sum(2)
        mean = (expected[:, :, None, :] @ self.design)[:, :, 0]
        weights = (games[:, :, None] * expected).reshape(len(terms), 1, -1)
        spread = (self.flat.T * weights) @ self.flat
        spread -= (mean.transpose(0, 2, 1) * games[:, None, :]) @ mean
        return np.asarray(spread + np.eye(self.terms) / PRIOR**2)

    def fit(self, table: Floats) -> Floats:
        """The likeliest terms of one table."""
        import numpy as np
        from scipy.optimize import minimize

        tables = table[None]
        found = minimize(
            lambda terms: float(self.loss(terms[None], tables)[0]),
            np.zeros(self.terms),
            jac=lambda terms: self.slope(terms[None], tables)[0],
            hess=lambda terms: self.curvature(terms[None], tables)[0],
            method="trust-exact",
            options={"gtol": 1e-8},
        )
        return np.asarray(found.x)

    def fit_many(self, tables: Floats, near: Floats) -> Floats:
        """The likeliest terms of many tables, by Newton's steps from nearby, halved if too long."""
        import numpy as np

        terms = np.tile(near, (len(tables), 1))
        for _ in range(100):
            step = np.linalg.solve(
                self.curvature(terms, tables), self.slope(terms, tables)[:, :, None]
            )[:, :, 0]
            before = self.loss(terms, tables)
            for _ in range(40):
                worse = self.loss(terms - step, tables) > before + 1e-9
                if not worse.any():
                    break
                step[worse] /= 2
            terms = terms - step
            if np.abs(step).max() < 1e-7:
                break
        return terms


def fit_ratings(
    agents: int, meetings: Sequence[Meeting], *, seed: int = 0, resamples: int = RESAMPLES
) -> Ratings:
    """Fit the ratings, and again to games drawn anew, pair by pair, for their intervals."""
    import numpy as np

    meetings = [met for met in meetings if len(met.pairs)]
    firsts = [i for met in meetings for i in (met.one, met.two)]
    seconds = [i for met in meetings for i in (met.two, met.one)]
    model = Model(agents, firsts, seconds)
    flip = [0, 1, 2, 5, 4, 3]  # the second half, from the side of who was first
    rng = generator(seed, agents)
    totals = np.array([met.pairs.sum(0) for met in meetings]).reshape(-1, 6)
    drawn = np.array([bootstrap(met.pairs, resamples, rng) for met in meetings])
    drawn = drawn.reshape(-1, resamples, 6).transpose(1, 0, 2)
    terms = model.fit(totals[:, flip].reshape(-1, 3))
    again = model.fit_many(drawn[:, :, flip].reshape(resamples, -1, 3), terms)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(again, [tail, 1 - tail], axis=0)
    estimates = [
        Estimate(*(float(ELO * bound) for bound in bounds))
        for bounds in zip(terms, np.minimum(low, terms), np.maximum(high, terms), strict=True)
    ]
    for i in set(range(agents)).difference(firsts):  # nothing is known but the prior
        estimates[i] = Estimate(0.0, -2 * ELO * PRIOR, 2 * ELO * PRIOR)
    draws = math.exp(terms[-1])
    apart, unbounded = connections(agents, meetings)
    return Ratings(estimates[:agents], estimates[agents], draws / (2 + draws), apart, unbounded)


def bootstrap(pairs: Floats, times: int, rng: np.random.Generator) -> Floats:
    """Totals of pairs drawn anew, so many times.

    One pair less is drawn and the totals scaled up, so that they vary as much as the truth does
    (Rao and Wu). Where `one` got as much from each pair nothing would vary; one pair won and one
    lost by it are then added to what is drawn from, as the next pairs could well end so.
    """
    import numpy as np

    kinds, counts = np.unique(pairs, axis=0, return_counts=True)
    if np.ptp(kinds @ [1, 0, -1, 1, 0, -1]) == 0:
        kinds = np.vstack([kinds, [[1, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1]]])
        counts = np.append(counts, [1, 1])
    draws = max(1, len(pairs) - 1)
    drawn = rng.multinomial(draws, counts / counts.sum(), size=times)
    return np.asarray(drawn @ kinds * (len(pairs) / draws))


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
