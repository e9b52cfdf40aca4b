"""Intervals of 95 %: Wilson's for shares, and over pairs of games for points and rewards."""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.95


def wilson(count: int, total: int) -> tuple[float, float]:
    """For the share of games that ended in some way."""
    if total == 0:
        return 0.0, 1.0
    from scipy.stats import binomtest

    low, high = binomtest(count, total).proportion_ci(LEVEL, method="wilson")
    return float(low), float(high)


def over_pairs(points: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """For the mean of points in [0, 1], where the unit is a pair of games.

    The games of a pair share an opening, so they are not independent; pairs are. As Agresti and
    Coull do for shares, z * z pairs are added in thought, half of them won and half lost, and the
    usual normal interval is taken: for won-or-lost pairs it is theirs, and it keeps an honest width
    where all pairs ended alike. A lone game has weight 1/2.
    """
    if not points:
        return 0.0, 1.0
    import numpy as np
    from scipy.stats import norm

    z = float(norm.ppf(0.5 + LEVEL / 2))
    values = np.array([*points, 0.0, 1.0])
    shares = np.array([*weights, z * z / 2, z * z / 2])
    mean = float(np.average(values, weights=shares))
    spread = float(np.average((values - mean) ** 2, weights=shares))
    reach = z * float(spread / shares.sum()) ** 0.5
    return max(0.0, mean - reach), min(1.0, mean + reach)


def ratio_over_pairs(
    totals: Sequence[float], counts: Sequence[float]
) -> tuple[float, float] | None:
    """For sum(totals) / sum(counts) of any numbers, such as rewards; an entry is a pair of games.

    Linearised, with Student's t: what pair k has beyond its share, e_k = total_k - ratio * count_k,
    has mean 0, and its spread tells that of the ratio. One pair, or pairs that are all alike, say
    nothing of that spread: None.
    """
    if len(totals) < 2 or not sum(counts):
        return None
    import numpy as np
    from scipy.stats import t

    amounts, shares = np.array(totals, float), np.array(counts, float)
    ratio = amounts.sum() / shares.sum()
    beyond = amounts - ratio * shares
    spread = (beyond**2).sum() * len(amounts) / (len(amounts) - 1)
    if not spread > 1e-12 * max(1.0, float((amounts**2).sum())):
        return None
    reach = float(t.ppf(0.5 + LEVEL / 2, len(amounts) - 1)) * float(spread**0.5 / shares.sum())
    return float(ratio) - reach, float(ratio) + reach
