"""Settings that matter only beside others: what is asked for in vain is refused in one sentence.

Each `Config` has a table `NEEDS` of its own fields. Only what somebody asked for is looked at:
presets and stored runs carry whole sets of settings, whether they matter or not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludus.game import Game

BUILT_BY = ("network", "width", "blocks", "activation")  # settings that a network's plan tells of


@dataclass(frozen=True)
class Need:
    """Another setting, whether it is as it has to be, and what to choose for it."""

    setting: str
    enough: Callable[[Any], bool]  # of the whole config
    choose: str


Needs = Mapping[str, tuple[Need, ...]]
NEVER = (Need("", lambda config: False, ""),)  # a field that this method shares and does not use


def beside(setting: str, choose: str) -> Need:
    """Another one that is given, switched on or above 0."""
    return Need(setting, lambda config: bool(getattr(config, setting)), choose)


def without(setting: str) -> Need:
    """Another one that is switched off."""
    return Need(setting, lambda config: not getattr(config, setting), "false")


def instead_of(setting: str) -> Need:
    """Another one that would be followed in its place, and is 0."""
    return Need(setting, lambda config: not getattr(config, setting), "0")


def among(setting: str, *choices: str) -> Need:
    """Another one that is one of these words."""
    return Need(setting, lambda config: getattr(config, setting) in choices, " or ".join(choices))


def naming(setting: str, *words: str) -> Need:
    """Another one in which one of these words stands, as in a curriculum of opponents."""
    return Need(
        setting,
        lambda config: any(word in getattr(config, setting) for word in words),
        " or ".join(words),
    )


def below(setting: str, most: float) -> Need:
    """Another one that is less than all."""
    return Need(setting, lambda config: getattr(config, setting) < most, f"below {most:g}")


def needs_of(kind: type) -> dict[str, tuple[Need, ...]]:
    """The tables of a Config and of all that it builds on; its own come last."""
    found: dict[str, tuple[Need, ...]] = {}
    for base in reversed(kind.__mro__):
        found |= vars(base).get("NEEDS", {})
    return found


def lacking(config: Any, name: str) -> Need | None:
    """What a setting would need to have an effect; None if it has one, or asks for nothing."""
    value = getattr(config, name)
    default = next(one.default for one in dataclasses.fields(config) if one.name == name)
    if value == default or (type(value) in (int, str) and not value):
        return None
    needs = needs_of(type(config)).get(name, ())
    return next((need for need in needs if not need.enough(config)), None)


def check_effects(on: Game, config: Any, asked: Iterable[str] | None = None) -> None:
    """Refuse what was asked for and changes nothing; all settings that are no defaults if None."""
    names = [one.name for one in dataclasses.fields(config)]
    for name in names if asked is None else asked:
        if (need := lacking(config, name)) is not None:
            raise ValueError(useless(config, name, need))
        if name in BUILT_BY and not builds(on, config, name):
            other = "encoder" if config.encoder else "network"
            raise ValueError(useless(config, name, Need(other, bool, "")))


def useless(config: Any, name: str, need: Need) -> str:
    """The sentence for a setting that would do nothing."""
    if not need.setting:
        return f"{name} has no effect in this method: leave it out"
    option = need.setting.replace("_", "-")
    held = getattr(config, need.setting)
    shown = str(held).lower() if isinstance(held, bool) else held if held != "" else "''"
    how = f"choose --{option} {need.choose}" if need.choose else "leave one of them out"
    return f"{name} has no effect with {need.setting} {shown!s:.60}; {how}"


def builds(on: Game, config: Any, name: str) -> bool:
    """Whether another value of a setting would build another network."""
    from ludus.learn.networks.architectures import LEAKY, NETWORKS, RELU

    value = getattr(config, name)
    default = next(one.default for one in dataclasses.fields(config) if one.name == name)
    if value == default or not value or config.planes not in on.kind.planes:
        return True
    others: Mapping[str, Iterable[Any]] = {
        "network": NETWORKS,
        "width": (8, 16),  # which every network can have
        "blocks": (1, 2),
        "activation": (RELU, LEAKY),
    }
    plans = [plan_with(on, config, **{name: other}) for other in others[name]]
    return any(plan != plans[0] for plan in plans)


def plan_with(on: Game, config: Any, **changes: Any) -> Any:
    """The plan of the network that these settings build."""
    from ludus.learn.networks.stored import LAST_OF_ENCODER, plan_of

    known = {**dataclasses.asdict(config), "weighting": False, **changes}
    judges = config.judges
    known["separate"] = judges and known.get("separate", False)
    heads = ["value."] * judges + ["critic."] * known["separate"]
    some = SimpleNamespace(shape=(8, 8))  # of whatever encoder there is
    return plan_of(
        on, known, config.planes, dict.fromkeys([*heads, "trunk.0.weight", LAST_OF_ENCODER], some)
    )
