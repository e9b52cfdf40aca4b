"""Settings that matter only beside others: what is asked for in vain is refused in one sentence.

Each `Config` has a table `NEEDS` of its own fields. Only what somebody asked for is looked at:
presets and stored runs carry whole sets of settings, whether they matter or not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Need:
    """Another setting, whether it is as it has to be, and what to choose for it."""

    setting: str
    enough: Callable[[Any], bool]  # of the whole config
    choose: str


Needs = Mapping[str, tuple[Need, ...]]
NEVER = (Need("", lambda config: False, ""),)  # a field that this method shares and does not use


def needs_set(setting: str, choose: str) -> Need:
    """Another one that is given, switched on or above 0."""
    return Need(setting, lambda config: bool(getattr(config, setting)), choose)


def needs_off(setting: str) -> Need:
    """Another one that is switched off."""
    return Need(setting, lambda config: not getattr(config, setting), "false")


def needs_zero(setting: str) -> Need:
    """Another one that would be followed in its place, and is 0."""
    return Need(setting, lambda config: not getattr(config, setting), "0")


def needs_choice(setting: str, *choices: str) -> Need:
    """Another one that is one of these words."""
    return Need(setting, lambda config: getattr(config, setting) in choices, " or ".join(choices))


def needs_below(setting: str, most: float) -> Need:
    """Another one that is less than all."""
    return Need(setting, lambda config: getattr(config, setting) < most, f"below {most:g}")


def needs_of(kind: type) -> dict[str, tuple[Need, ...]]:
    """The tables of a Config and of all that it builds on; its own come last."""
    found: dict[str, tuple[Need, ...]] = {}
    for base in reversed(kind.__mro__):
        found |= vars(base).get("NEEDS", {})
    return found


def missing_need(config: DataclassInstance, name: str) -> Need | None:
    """What a setting would need to have an effect; None if it has one, or asks for nothing."""
    value = getattr(config, name)
    default = next(one.default for one in dataclasses.fields(config) if one.name == name)
    if value == default or (type(value) in (int, str) and not value):
        return None
    needs = needs_of(type(config)).get(name, ())
    return next((need for need in needs if not need.enough(config)), None)


def no_effect_sentence(config: DataclassInstance, name: str, need: Need) -> str:
    """The sentence for a setting that would do nothing."""
    if not need.setting:
        return f"{name} has no effect in this method: leave it out"
    option = need.setting.replace("_", "-")
    held = getattr(config, need.setting)
    shown = str(held).lower() if isinstance(held, bool) else held if held != "" else "''"
    how = f"choose --{option} {need.choose}" if need.choose else "leave one of them out"
    return f"{name} has no effect with {need.setting} {shown!s:.60}; {how}"
