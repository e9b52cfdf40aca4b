"""What a state of a game written in Python says of itself, checked: each lie is one sentence.

The native side checks the same in `core/bind/python_claims.hpp`, in the same words. Both are run
for every state, so what is right is found right by the cheapest tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_ACTIONS = 65535
MOST_RESULTS = 65535  # of chance
MOST_PLIES = 10**9
LONGEST = 60  # characters of somebody's object in a sentence

Answer = TypeVar("Answer")


class CachedProperty(Generic[Answer]):
    """A property that keeps its answer, so that nobody hears two.

    It holds no lock, unlike Python 3.11's own: whoever answers may ask in another thread.
    """

    def __init__(self, ask: Callable[[Any], Answer]) -> None:
        self._ask, self._name = ask, ask.__name__

    def __get__(self, owner: Any, kind: type | None = None) -> Answer:
        if owner is None:
            return self  # type: ignore[return-value]  # asked of the class, as documentation does
        answer = self._ask(owner)
        return owner.__dict__.setdefault(self._name, answer)  # type: ignore[no-any-return]


def short_repr(value: object) -> str:
    """An object as a sentence can hold it."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def index(value: Any) -> int | None:
    """The integer that this is, or stands for (numpy's); True is none."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        return None
    try:
        return int(value.__index__())
    except TypeError:
        return None


def whole_number(value: object, what: str, least: int, most: int) -> int:
    """An integer in a range."""
    number = index(value)
    if number is None:
        raise ValueError(f"{what} is an integer, not {short_repr(value)}")
    if not least <= number <= most:
        raise ValueError(f"{what} is between {least} and {most}, not {short_repr(value)}")
    return number


def num_actions(value: object) -> int:
    """How many actions a game has, legal here or not."""
    return whole_number(value, "num_actions", 1, MOST_ACTIONS)


def player(value: object) -> int:
    """Who is to move."""
    if type(value) is int and (value == 0 or value == 1):
        return value
    number = index(value)
    if number not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {short_repr(value)}")
    return number


def outcome(value: object) -> int | None:
    """The final result for the player to move, or None while the game goes on."""
    if value is None:
        return None
    number = index(value)
    if number not in (-1, 0, 1):
        raise ValueError(f"an outcome is -1, 0, 1 or None, not {short_repr(value)}")
    return number


def max_plies(value: object) -> int | None:
    """After how many plies a game is drawn, if it has such a rule."""
    return None if value is None else whole_number(value, "max_plies", 0, MOST_PLIES)


def actions(value: Any, count: int) -> list[int]:
    """Legal actions, each once. The list may be endless: one more than there are has one twice."""
    try:
        found = value[: count + 1] if type(value) is list else list(islice(value, count + 1))
    except TypeError:
        raise ValueError(f"legal() lists actions, unlike {short_repr(value)}") from None
    for action in found:
        if type(action) is not int or not 0 <= action < count:
            found = [whole_number(action, "an action", 0, count - 1) for action in found]
            break
    if len(set(found)) < len(found):
        refuse_twice(found, "legal() has each action once")
    return found


def check_end(legal: list[int], outcome: int | None) -> None:
    """A sentence for a game that is over and goes on, or neither."""
    if bool(legal) != (outcome is None):
        raise ValueError("a state has legal actions exactly while its outcome is None")


def refuse_twice(numbers: list[int], rule: str) -> None:
    """A sentence for a number that comes twice."""
    for number, following in pairwise(sorted(numbers)):
        if number == following:
            raise ValueError(f"{rule}, and {number} twice")


def chances(value: Any) -> list[tuple[int, float]]:
    """The results of an action with their probabilities, which add up to one."""
    found = []
    try:
        pairs = [tuple(islice(pair, 3)) for pair in islice(value, MOST_RESULTS + 1)]
    except TypeError:
        pairs = [()]
    if len(pairs) > MOST_RESULTS:
        raise ValueError(f"chances(action) has at most {MOST_RESULTS} results")
    for pair in pairs:
        if len(pair) != 2:
            what = "chances(action) are pairs of a result and its probability"
            raise ValueError(f"{what}, unlike {short_repr(value)}")
        result, share = pair
        probability = real_number(share)
        if not 0 < probability <= 1:
            raise ValueError(f"a probability is above 0 and at most 1, not {short_repr(share)}")
        found.append((whole_number(result, "a result of chance", 0, 10**6), probability))
    total = math.fsum(probability for _, probability in found)
    if abs(total - 1) >= 1e-6:
        raise ValueError(f"the probabilities of chances(action) add up to 1, not to {total:.6f}")
    refuse_twice([result for result, _ in found], "chances(action) has each result once")
    return found


def real_number(value: Any) -> float:
    """A real number, numpy's included; what is none, or too large to be one, is not a number."""
    if isinstance(value, bool) or not hasattr(type(value), "__float__"):
        return math.nan
    try:
        return float(value)
    except (TypeError, OverflowError):
        return math.nan


def evaluation(value: Any) -> float:
    """What a judge thinks of a position."""
    number = real_number(value)
    if not -1 <= number <= 1:
        raise ValueError(f"an evaluation is between -1 and 1, not {short_repr(value)}")
    return number


def shape(value: Any) -> tuple[int, int, int]:
    """Planes, rows and columns."""
    try:
        extents = tuple(islice(value, 4))
    except TypeError:
        extents = ()
    if len(extents) != 3:
        raise ValueError(f"shape is planes, rows and columns, not {short_repr(value)}")
    planes, rows, columns = (
        whole_number(extent, "an extent of shape", 1, 1000) for extent in extents
    )
    return planes, rows, columns


def features(value: Any, wanted: tuple[int, int, int]) -> NDArray[np.float32]:
    """Numbers in the shape that was said."""
    import numpy as np

    try:
        found = np.asarray(value)
        if found.dtype.kind not in "fiub":
            raise TypeError
    except (TypeError, ValueError):
        raise ValueError(f"features() are numbers, unlike {short_repr(value)}") from None
    if found.shape != wanted:
        raise ValueError(f"features() have the shape {wanted} that shape says, not {found.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = np.ascontiguousarray(found, np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError("features() are finite numbers")
    return numbers
