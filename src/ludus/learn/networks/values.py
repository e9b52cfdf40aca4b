"""How the values of a network become values in [-1, 1] that a search can go by.

Outcomes are divided by what a win pays. Signals of a game add up to more: a training counts the
range and the size of the returns it has seen. Runs from before it did know neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ludus.learn.networks.player import ACTIONS, Scale
from ludus.learn.settings.config import GREATEST

if TYPE_CHECKING:
    from ludus.learn.training.step import Step

LEAST = 1e-6  # that can be divided by
FAR = 4.0  # sizes, within which all values can be told apart
FAR_BEYOND = 2.0  # times what a bounded value can tell, from which it is said


class Seen(NamedTuple):
    """Returns of a training so far: the least, the greatest, and their root mean square."""

    low: float
    high: float
    size: float

    @property
    def reach(self) -> float:
        return max(-self.low, self.high)


def scale_of(config: Mapping[str, Any], values: str, seen: Seen | None) -> Scale | None:
    """How to scale what a network says; None where nothing that is known tells it."""
    paid = outcomes_pay(config, values)
    if paid is not None:
        size = min(paid, 1.0) if is_bounded(config, values) else paid
        return Scale(size if size >= LEAST else 1.0)
    if is_bounded(config, values):
        return Scale()
    if seen is None:
        return None
    if seen.reach <= 1:
        return Scale()
    return Scale(max(seen.size, seen.reach / FAR), beyond=True)


def stored_scale(record: Mapping[str, Any]) -> Scale | None:
    """That of a checkpoint, or of a card."""
    seen = record.get("returns")
    return scale_of(record.get("config", {}), record["values"], Seen(*seen) if seen else None)


def outcomes_pay(config: Mapping[str, Any], values: str) -> float | None:
    """What a win pays, where nothing but outcomes does; the value of a state fears illegal ends."""
    scale = config.get("reward_scale", 1.0)  # methods without it learn outcomes as they are
    told = type(scale) in (int, float) and math.isfinite(scale)
    feared = values != ACTIONS and "legality" in str(config.get("opponent", ""))
    return abs(scale) if told and not config.get("shaping", "") and not feared else None


def is_bounded(config: Mapping[str, Any], values: str) -> bool:
    """Whether a network's value cannot go beyond 1; values of actions can."""
    return values != ACTIONS and config.get("bounded", True) is True


def is_seen(returns: Any) -> bool:
    """Whether a stored list can be what a training has seen."""
    return (
        isinstance(returns, list)
        and len(returns) == len(Seen._fields)
        and all(type(one) in (int, float) and abs(one) <= GREATEST for one in returns)
        and returns[0] <= 0 <= returns[1]
        and returns[2] >= 0
    )


def unheard(step: Step) -> str:
    """A sentence if a value's bounds keep it from following the returns of its training."""
    network = step.network
    judges = network is not None and network.value is not None
    if not (judges and step.returns and is_bounded(step.settings, step.values)):
        return ""
    if step.returns.reach <= FAR_BEYOND:
        return ""
    low, high, _ = step.returns
    return (
        f"returns went from {low:.3g} to {high:.3g}, and a bounded value cannot follow them beyond "
        "-1 and 1: searches see little by it; --bounded false lets it follow"
    )
