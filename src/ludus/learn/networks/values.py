"""How the values of a network become values in [-1, 1] that a search can go by.

Outcomes are divided by what a win pays. Signals of a game add up to more: a training counts the
range and the size of the returns it has seen. Runs from before it did know neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ludus.learn.networks.player import Scale
from ludus.learn.store.record import ACTIONS, ReturnRange

LEAST = 1e-6  # that can be divided by
FAR = 4.0  # sizes, within which all values can be told apart


def scale_of(config: Mapping[str, Any], values: str, seen: ReturnRange | None) -> Scale | None:
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
    return scale_of(
        record.get("config", {}), record["values"], ReturnRange(*seen) if seen else None
    )


def outcomes_pay(config: Mapping[str, Any], values: str) -> float | None:
    """What a win pays, where nothing but outcomes does; the value of a state fears illegal ends."""
    scale = config.get("reward_scale", 1.0)  # methods without it learn outcomes as they are
    told = type(scale) in (int, float) and math.isfinite(scale)
    feared = values != ACTIONS and "legality" in str(config.get("opponent", ""))
    return abs(scale) if told and not config.get("shaping", "") and not feared else None


def is_bounded(config: Mapping[str, Any], values: str) -> bool:
    """Whether a network's value cannot go beyond 1; values of actions can."""
    return values != ACTIONS and config.get("bounded_value", True) is True
