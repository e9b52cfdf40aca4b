"""A part of a study: work that is done once, kept under an address made of all that it is.

A part is a frozen dataclass. What it needs are the parts among its fields, so its address tells
theirs too: whatever changes in a training changes the address of every match of its agent.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from ludus.extras import version
from ludus.game import game

if TYPE_CHECKING:
    from ludus.studies.engine.bench import Bench

DIGITS = 16  # of an address
ZOO = re.compile(r"zoo/([\w-]+)")


@runtime_checkable
class Part(Protocol):
    """Work with a result, which is JSON: `numbers` by name, `series` or a `course` for pictures."""

    @property
    def title(self) -> str: ...  # what is done, in a line

    def guess(self) -> float: ...  # about how many seconds it takes

    def work(self, bench: Bench) -> dict[str, Any]: ...


def identity(value: Any) -> Any:
    """A part, or what stands in it, as JSON that tells it from every other."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = {one.name: identity(getattr(value, one.name)) for one in dataclasses.fields(value)}
        return {"kind": type(value).__name__, "rules": rules_of(own.get("game")), **own}
    if isinstance(value, Mapping):
        return {str(name): identity(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [identity(one) for one in value]
    return value


def rules_of(spelling: Any) -> int:
    """The version of a game's rules, by which old games are told apart."""
    return int(game(spelling).kind.rules) if isinstance(spelling, str) and spelling else 0


def address(part: Part) -> str:
    """Where its result is kept; another version of ludus may do it otherwise."""
    return address_of(cast(Hashable, part))  # a frozen dataclass, which a protocol cannot say


@cache
def address_of(part: Hashable) -> str:
    """The same, worked out once."""
    said = json.dumps({"ludus": version(), "part": identity(part)}, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:DIGITS]


def needs(part: Part) -> list[Part]:
    """The parts among its fields, at any depth short of their own."""
    fields: Any = part
    return list(found_in([getattr(part, one.name) for one in dataclasses.fields(fields)]))


def found_in(value: Any) -> Iterator[Part]:
    """The parts in a value."""
    if isinstance(value, Part):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for one in dataclasses.fields(value):
            yield from found_in(getattr(value, one.name))
    elif isinstance(value, Mapping):
        yield from found_in(list(value.values()))
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from found_in(inner)


def in_order(parts: Iterable[Part]) -> dict[str, Part]:
    """These and all that they need, by address, each after what it needs."""
    found: dict[str, Part] = {}

    def add(part: Part) -> None:
        at = address(part)
        if at in found:
            return
        for one in needs(part):
            add(one)
        found[at] = part

    for part in parts:
        add(part)
    return found


def zoo_names(parts: Iterable[Part]) -> list[str]:
    """The networks of the zoo that some parts name, wherever they do: they are finished parts."""
    said = json.dumps([identity(part) for part in parts])
    return sorted(set(ZOO.findall(said)))
