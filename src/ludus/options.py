"""Options that describe themselves: help, checks, references and schemas come from one record.

A field made by `option` carries a sentence, a range and, where there is one, the symbol that the
literature uses. `describe` lists the options of a dataclass, `check` refuses values out of range.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

KEY = "option"
WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
SHORT = {int: "INT", float: "FLOAT", bool: "BOOL", str: "TEXT"}


@dataclass(frozen=True)
class Facts:
    """What a field says of itself beside its name, type and default."""

    help: str
    low: float | None = None
    high: float | None = None
    above: float | None = None  # a lower bound that is not included
    below: float | None = None  # an upper bound that is not included
    choices: tuple[str, ...] = ()
    group: str = ""
    symbol: str = ""
    paper: str = ""


@dataclass(frozen=True)
class Option:
    """One option of a dataclass."""

    name: str
    types: tuple[type, ...]  # without None
    optional: bool  # whether it may be none
    default: Any
    facts: Facts

    @property
    def kind(self) -> str:
        """Its type in one word, or its choices."""
        return "|".join(self.facts.choices) or SHORT[self.types[-1]]

    @property
    def meaning(self) -> str:
        """What a value has to be, as the end of a sentence."""
        facts = self.facts
        if facts.choices:
            return f"one of {', '.join(choice or repr(choice) for choice in facts.choices)}"
        return WORDS[self.types[-1]] + self.range

    @property
    def range(self) -> str:
        """Its bounds, in words."""
        facts = self.facts
        low, high = bound(facts.low), bound(facts.high)
        if low and high:
            return f" from {low} to {high}"
        above, below = bound(facts.above), bound(facts.below)
        least = f"above {above}" if above else f"of at least {low}" if low else ""
        most = f"below {below}" if below else f"at most {high}" if high else ""
        if most and not least and not below:
            most = f"of {most}"
        said = " and ".join(filter(None, (least, most)))
        return f" {said}" if said else ""

    def accepts(self, value: Any) -> bool:
        """Whether a value has its type and lies in its range."""
        if value is None:
            return self.optional
        if type(value) not in self.types and not (float in self.types and type(value) is int):
            return False
        facts = self.facts
        if facts.choices:
            return value in facts.choices
        if isinstance(value, bool | str):
            return True
        return (
            math.isfinite(value)
            and (facts.low is None or value >= facts.low)
            and (facts.high is None or value <= facts.high)
            and (facts.above is None or value > facts.above)
            and (facts.below is None or value < facts.below)
        )


def bound(end: float | None) -> str:
    """A bound, short: 10**15 is 1e+15."""
    if end is None:
        return ""
    return str(end) if isinstance(end, int) and abs(end) < 10**7 else f"{end:g}"


def option(default: Any, help: str, **facts: Any) -> Any:
    """A field of a dataclass that describes itself; `facts` are those of `Facts`.

    `before` is the value that records without the field stand for, where it is not the default.
    """
    before = {name: facts.pop(name) for name in ("before",) if name in facts}
    return dataclasses.field(default=default, metadata={KEY: Facts(help, **facts), **before})


@cache
def describe(kind: Any) -> tuple[Option, ...]:
    """The options of a dataclass, in order; a class that changes a default need not say more."""
    hints = typing.get_type_hints(kind)
    found = []
    for field in dataclasses.fields(kind):
        if (facts := facts_of(kind, field.name)) is not None:
            hint = hints[field.name]
            kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
            own = tuple(one for one in kinds if one is not types.NoneType)
            optional = len(own) < len(kinds)
            found.append(Option(field.name, own, optional, field.default, facts))
    return tuple(found)


def facts_of(kind: Any, name: str) -> Facts | None:
    """What a field says of itself, here or where it is inherited from."""
    for base in kind.__mro__:
        field = vars(base).get("__dataclass_fields__", {}).get(name)
        if field is not None and KEY in field.metadata:
            facts: Facts = field.metadata[KEY]
            return facts
    return None


def check(record: Any) -> None:
    """Refuse the first option whose value is of another type or out of range."""
    kind: Any = type(record)
    for one in describe(kind):
        value = getattr(record, one.name)
        if not one.accepts(value):
            raise ValueError(f"{one.name} is {one.meaning}, not {value!r:.60}")
