"""What a record says of a network's values: of a checkpoint, or a card of the zoo."""

from __future__ import annotations

from typing import Any, NamedTuple

from ludus.learn.settings.config import GREATEST

POLICY, ACTIONS = "policy", "actions"  # what the numbers of actions are: logits, or their values


class ReturnRange(NamedTuple):
    """Returns of a training so far: the least, the greatest, and their root mean square."""

    low: float
    high: float
    size: float

    @property
    def reach(self) -> float:
        return max(-self.low, self.high)


def is_return_range(returns: Any) -> bool:
    """Whether a stored list can be the range of a training's returns."""
    return (
        isinstance(returns, list)
        and len(returns) == len(ReturnRange._fields)
        and all(type(one) in (int, float) and abs(one) <= GREATEST for one in returns)
        and returns[0] <= 0 <= returns[1]
        and returns[2] >= 0
    )
