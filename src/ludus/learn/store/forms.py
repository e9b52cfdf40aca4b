"""The form of a stored state: what every value and array in it has to be, before it is believed.

A form is a dict or list of forms, an `Array`, a `Whole`, a `Number`, a `Flag`, `Many` of one
form; anything else is a constant, which the state has to equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

MANY = 2**53  # beyond which nothing is counted


@dataclass(frozen=True)
class Array:
    """An array of a kind and shape, its numbers within bounds; None is any length."""

    dtype: str
    shape: tuple[int | None, ...]
    least: float = -math.inf
    most: float = math.inf
    finite: bool = True


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    least: int = 0
    most: int = MANY


@dataclass(frozen=True)
class Number:
    """A number."""

    least: float
    most: float


@dataclass(frozen=True)
class Flag:
    """Yes or no, or neither was said."""


@dataclass(frozen=True)
class Many:
    """A list of up to so many."""

    of: Any
    most: int


@dataclass(frozen=True)
class Perhaps:
    """What a dict may have, or not."""

    of: Any


def form_like(array: Any, least: float = -math.inf, most: float = math.inf) -> Array:
    """As many as there are of what such an array has in each row."""
    return Array(str(array.dtype), (None, *array.shape[1:]), least, most)


def check(form: Any, state: Any, name: str) -> None:
    """Refuse a state of another form; the sentence names what is wrong, and where."""
    if isinstance(form, dict):
        check_dict(form, state, name)
    elif isinstance(form, Many | list):
        check_list(form, state, name)
    elif isinstance(form, Array):
        check_array(form, state, name)
    elif isinstance(form, Whole):
        if type(state) is not int or not form.least <= state <= form.most:
            raise ValueError(f"{name} is {describe_value(state)}, no whole number that it can be")
    elif isinstance(form, Number):
        if type(state) not in (int, float) or not form.least <= state <= form.most:
            raise ValueError(f"{name} is {describe_value(state)}, no number that it can be")
    elif isinstance(form, Flag):
        if state is not None and type(state) is not bool:
            raise ValueError(f"{name} is {describe_value(state)}, neither true, false nor null")
    elif type(state) is not type(form) or state != form:
        raise ValueError(f"{name} is {describe_value(state)}, not {form!r}")


def check_dict(form: dict[str, Any], state: Any, name: str) -> None:
    """Exactly these names."""
    if not isinstance(state, dict):
        raise ValueError(f"{name} is {describe_value(state)}, no table of names")
    if strange := state.keys() - form.keys():
        raise ValueError(f"{name} has {describe_value(min(strange))}, which is unknown")
    for key, inner in form.items():
        if key in state:
            known = inner.of if isinstance(inner, Perhaps) else inner
            check(known, state[key], f"{name}/{key}")
        elif not isinstance(inner, Perhaps):
            raise ValueError(f"{name}/{key} is missing")


def check_list(form: Many | list[Any], state: Any, name: str) -> None:
    """As many as there have to be, or may be."""
    if not isinstance(state, list):
        raise ValueError(f"{name} is {describe_value(state)}, no list")
    forms = [form.of] * min(len(state), form.most) if isinstance(form, Many) else form
    if len(state) != len(forms):
        raise ValueError(f"{name} has {len(state)} entries, not {len(forms)}")
    for place, (inner, value) in enumerate(zip(forms, state, strict=True)):
        check(inner, value, f"{name}/{place}")


def check_array(form: Array, state: Any, name: str) -> None:
    """Kind, shape, and every number in it."""
    import numpy as np  # late: the command line has to answer quickly

    if not isinstance(state, np.ndarray):
        raise ValueError(f"{name} is {describe_value(state)}, no array")
    lengths = zip(form.shape, state.shape, strict=False)
    same = len(form.shape) == state.ndim and all(own in (None, given) for own, given in lengths)
    if str(state.dtype) != form.dtype or not same:
        meant = ", ".join("any" if one is None else str(one) for one in form.shape)
        raise ValueError(f"{name} is {describe_value(state)}, not {form.dtype} [{meant}]")
    if state.dtype == np.bool_ and (state.view(np.uint8) > 1).any():
        raise ValueError(f"{name} is neither true nor false somewhere")
    if form.finite and not np.isfinite(state).all():
        raise ValueError(f"{name} is not finite")
    for outside, bound in ((np.less, form.least), (np.greater, form.most)):
        if math.isfinite(bound) and outside(state, bound).any():
            raise ValueError(f"{name} goes beyond {bound:g}")


def describe_value(state: Any) -> str:
    """A few words for a value, however long it is."""
    if hasattr(state, "dtype"):
        return f"{state.dtype} {list(state.shape)}"
    if isinstance(state, dict | list):
        return f"a {type(state).__name__} of {len(state)}"
    text = ascii(state) if not isinstance(state, int) or abs(state) < 10**30 else "a huge number"
    return text if len(text) <= 40 else text[:40] + "..."


def check_lengths(name: str, **lengths: int) -> None:
    """Refuse arrays that belong together and are not equally long."""
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{key} {length}" for key, length in lengths.items())
        raise ValueError(f"{name} does not fit together: {told}")
