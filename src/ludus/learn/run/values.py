"""What a network's value is divided by, so that it lies in [-1, 1] and a search can go by it.

A training counts the least and greatest returns it has seen. Where it has not, as runs from before
it did, outcomes alone bound them; signals of a game do not, and neither do illegal ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludus.learn.net.player import ACTIONS
from ludus.learn.run.config import GREATEST

if TYPE_CHECKING:
    from ludus.learn.run.step import Step

Range = tuple[float, float]  # the least and greatest return
LEAST = 1e-6  # that can be divided by
FAR_BEYOND = 2.0  # times what a bounded value can tell, from which it is said


def divisor(returns: Range, *, bounded: bool) -> float:
    """The greatest return, either way; a value that is bounded cannot have followed beyond 1."""
    reach = max(map(abs, returns))
    if reach < LEAST:  # nothing was paid yet
        return 1.0
    return min(reach, 1.0) if bounded else reach


def is_bounded(config: Mapping[str, Any], values: str) -> bool:
    """Whether a network's value cannot go beyond 1; values of actions can."""
    return values != ACTIONS and config.get("bounded", True) is True


def stored_divisor(record: Mapping[str, Any]) -> float | None:
    """That of a checkpoint or a card; None where nothing that is stored tells the range."""
    config = record.get("config", {})
    returns = record.get("returns", derived(config, record["values"]))
    if returns is None:
        return None
    return divisor((returns[0], returns[1]), bounded=is_bounded(config, record["values"]))


def derived(config: Mapping[str, Any], values: str) -> Range | None:
    """The range of returns that settings alone tell; an outcome is paid once, at the end."""
    scale = config.get("reward_scale", 1.0)  # methods without it learn outcomes as they are
    told = isinstance(scale, int | float) and math.isfinite(scale)
    feared = values != ACTIONS and "legality" in str(config.get("opponent", ""))
    if not told or config.get("shaping", "") or feared:
        return None
    return -abs(scale), abs(scale)


def is_range(returns: Any) -> bool:
    """Whether this can be a range of returns."""
    return (
        isinstance(returns, list)
        and len(returns) == 2
        and all(type(one) in (int, float) and abs(one) <= GREATEST for one in returns)
        and returns[0] <= 0 <= returns[1]
    )


def unheard(step: Step) -> str:
    """A sentence if a value's bounds keep it from following the returns of its training."""
    network = step.network
    judges = network is not None and network.value is not None
    if not (judges and step.bounded and step.returns):
        return ""
    low, high = step.returns
    if max(-low, high) <= FAR_BEYOND:
        return ""
    return (
        f"returns went from {low:.3g} to {high:.3g}, and a bounded value cannot follow them beyond "
        "-1 and 1: searches see little by it; --bounded false lets it follow"
    )
