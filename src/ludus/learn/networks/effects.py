"""Settings that would build the same network whatever they are: told before a training begins."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from ludus.game import Game
from ludus.learn.networks.architectures import LEAKY, NETWORKS, OVER_BOARD, RELU, default_network
from ludus.learn.networks.places import places_of
from ludus.learn.networks.stored import LAST_OF_ENCODER, plan_of
from ludus.learn.settings.config import Common
from ludus.learn.settings.needs import Need, missing_need, no_effect_sentence

OF_SYMMETRIES = ("symmetric_cache", "augmentation")  # what no game without symmetries can follow
BUILT_BY = ("network", "width", "blocks", "activation")  # settings that a network's plan tells of


def check_effects(on: Game, config: Common, asked: Iterable[str] | None = None) -> None:
    """Refuse what was asked for and changes nothing; all settings that are no defaults if None."""
    names = [one.name for one in dataclasses.fields(config)]
    for name in names if asked is None else asked:
        if (need := missing_need(config, name)) is not None:
            raise ValueError(no_effect_sentence(config, name, need))
        if asked is not None and name in OF_SYMMETRIES and omits_images(on, config, name):
            raise ValueError(f"{name} has no effect in {on.name}, which has no symmetries")
        if name in BUILT_BY and not builds(on, config, name):
            other = "encoder" if config.encoder else "network"
            raise ValueError(no_effect_sentence(config, name, Need(other, bool, "")))


def omits_images(on: Game, config: Common, name: str) -> bool:
    """Whether images are left out in a game that has none; presets leave them out in any game."""
    return not getattr(config, name) and on.start().num_symmetries == 1


def builds(on: Game, config: Common, name: str) -> bool:
    """Whether another value of a setting would build another network."""
    value = getattr(config, name)
    default = next(one.default for one in dataclasses.fields(config) if one.name == name)
    if value == default or not value or config.planes not in on.kind.planes:
        return True
    others: Mapping[str, Iterable[Any]] = {
        "network": [name for name in NETWORKS if name not in OVER_BOARD or places_of(on)],
        "width": (8, 16),  # which every network can have
        "blocks": (1, 2),
        "activation": (RELU, LEAKY),
    }
    plans = [plan_with(on, config, **{name: other}) for other in others[name]]
    return any(plan != plans[0] for plan in plans)


def network_name(on: Game, config: Common) -> str:
    """The network that these settings build."""
    if config.encoder:
        return f"on the encoder of {config.encoder}"
    return config.network or default_network(on.start().shape(config.planes))


def count_weights(on: Game, config: Common) -> int | None:
    """How many numbers the network has to learn; None where only its encoder tells."""
    if config.encoder or config.planes not in on.kind.planes:
        return None
    size: int = plan_with(on, config).size
    return size


def plan_with(on: Game, config: Common, **changes: Any) -> Any:
    """The plan of the network that these settings build."""
    known = {**dataclasses.asdict(config), "proximity_weighting": False, **changes}
    judges = config.judges
    known["separate_networks"] = judges and known.get("separate_networks", False)
    heads = ["value."] * judges + ["critic."] * known["separate_networks"]
    some = SimpleNamespace(shape=(8, 8))  # of whatever encoder there is
    return plan_of(
        on, known, config.planes, dict.fromkeys([*heads, "trunk.0.weight", LAST_OF_ENCODER], some)
    )
