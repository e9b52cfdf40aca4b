"""A stored network: its plan by the settings it was built by, its arrays checked against that."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import Game
from ludus.learn.networks import nearness
from ludus.learn.networks.architectures import RELU, NetworkSpec, is_leaky, on_encoder, plan_network
from ludus.learn.networks.onnx import StoredNetwork, graph_of, in_onnx
from ludus.learn.networks.places import places_of
from ludus.learn.networks.plan import Layer, Plan, Shape, check_names
from ludus.learn.networks.player import Evaluator
from ludus.learn.networks.rough import in_int8
from ludus.learn.settings.config import MOST_BLOCKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.store.checkpoint import Checkpoint

LAST_OF_ENCODER = "trunk.7.weight"


@dataclass(frozen=True)
class GameKey:
    """A game by its spelling, so that what is made for it can be remembered."""

    spelling: str
    game: Game = field(compare=False)


def make_evaluator(network: StoredNetwork, played: Game, planes: str, int8: bool) -> Evaluator:
    """The network ready to play: in float32, or in int8 where that says much the same."""
    return in_int8(network, played, planes) if int8 else in_onnx(graph_of(network))


def evaluator_of(one: Checkpoint, played: Game, int8: bool = False) -> Evaluator:
    """What a checkpoint plays with, ready to play."""
    part = one.playing_part
    shapes = one.shapes(part)
    try:
        plan = plan_of(played, one.record["config"], one.record["planes"], shapes)
        check_names(plan, shapes)  # before anything is read
        arrays = one.arrays(part)
        check_arrays(plan, arrays)
    except KeyError as missing:
        raise ValueError(f"{one.path} is damaged: its state.json has no {missing}") from None
    except ValueError as wrong:
        if str(wrong).startswith(str(one.path)):
            raise
        raise ValueError(f"{one.path} is damaged: {wrong}") from None
    return make_evaluator(StoredNetwork(plan, arrays), played, one.record["planes"], int8)


def plan_of(played: Game, known: Mapping[str, Any], planes: str, shapes: Mapping[str, Any]) -> Plan:
    """The plan by settings that were stored; which heads there are is told by the arrays' names.

    Whatever is said there, arrays of any other shape than the plan's are refused afterwards.
    """
    start = played.start()
    shape = start.shape(planes)
    value, critic = (
        any(name.startswith(head) for name in shapes) for head in ("value.", "critic.")
    )
    if setting(known, "separate_networks", False) and value != critic:
        raise ValueError("its value has no trunk of its own")
    asked = NetworkSpec(
        shape,
        start.num_actions,
        setting(known, "width", 0),
        setting(known, "blocks", 0),
        value,
        critic,
        setting(known, "bounded_value", True),
        leaky_of(known, shape),
        setting(known, "head_width", 0),
        setting(known, "head_layers", 0),
        places_of(played),
    )
    for wide, deep in ((asked.width, asked.blocks), (asked.head_width, asked.head_layers)):
        if wide < 0 or not 0 <= deep <= MOST_BLOCKS:
            raise ValueError(f"no network is {wide} wide and has {deep} blocks")
    if setting(known, "encoder", ""):
        plan = on_encoder(asked, *encoder_sizes(shapes))
    else:
        plan = plan_network(setting(known, "network", ""), asked)
    if setting(known, "proximity_weighting", False):
        cells = nearness.cells_of(played, planes)
        plan = dataclasses.replace(plan, weighting=nearness.Weighting(shape[0], tuple(cells)))
    return plan


def leaky_of(known: Mapping[str, Any], shape: Shape) -> bool:
    """Whether dense layers have leaky ReLU; none had before there was a choice."""
    activation, name = setting(known, "activation", RELU), setting(known, "network", "")
    if setting(known, "encoder", ""):
        return bool(activation != RELU)
    return is_leaky(activation, name, shape)


def setting(known: Mapping[str, Any], name: str, default: Any) -> Any:
    """One of the settings, which runs that are older than it do not know."""
    found = known.get(name, default)
    if type(found) is not type(default):
        raise ValueError(f"its {name} is {found!r:.60}")
    return found


def encoder_sizes(shapes: Mapping[str, Any]) -> tuple[int, int]:
    """Latent numbers and width of the encoder that arrays are of."""
    layers = [shapes.get(name) for name in (LAST_OF_ENCODER, "trunk.0.weight")]
    sizes = [one.shape[0] for one in layers if one is not None and one.shape]
    if len(sizes) < 2:
        raise ValueError("its encoder is none")
    return sizes[0], sizes[1]


def check_arrays(plan: Layer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays that are not those of the plan, or hold what no training leaves behind."""
    check_names(plan, arrays)
    for name, weights in plan.arrays():
        array = arrays[name]
        if not np.isfinite(array).all():
            raise ValueError(f"{name} is not finite")
        if (array < weights.least).any():
            raise ValueError(f"{name} is below {weights.least:g}")
        if (np.abs(array) > weights.most).any():
            raise ValueError(f"{name} goes beyond {weights.most:g}")
    if isinstance(plan, Plan) and isinstance(plan.weighting, nearness.Weighting):
        constants = {
            "kernels": nearness.kernels(plan.weighting.planes),
            "cells": np.array(plan.weighting.cells),
        }
        for name, constant in constants.items():
            if not np.array_equal(arrays[f"weighting.{name}"], constant):
                raise ValueError(f"weighting.{name} is not what this game has")
