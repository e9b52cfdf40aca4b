"""A network of convolutions as an ONNX graph in int8: three times as fast, a little less exact.

Batch normalisation is folded into the convolution before it. Ranges of activations are those on a
sample of positions: the graph is made while the sample goes through the same layers, or from ranges
that were found before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ludus.learn.networks import onnx
from ludus.learn.networks.plan import (
    EPSILON,
    BatchNorm,
    Conv,
    Flatten,
    GroupNorm,
    Layer,
    Plan,
    Relu,
    Residual,
)

LEVELS, WEIGHT_LEVELS = 255, 127
Range = tuple[float, float]  # the least and the greatest of what is seen somewhere


class Course:
    """A graph and a sample on their way through the layers, side by side.

    Without a sample the ranges are known.
    """

    def __init__(self, arrays: Mapping[str, Any], known: Iterable[Range] = ()) -> None:
        self.graph = onnx.Graph(arrays)
        self.known = iter(known)
        self.ranges: list[Range] = []  # in the order in which they were asked for

    def range_of(self, seen: Tensor | None) -> Range:
        """Of the sample, or as it is known."""
        if seen is None:
            return next(self.known)
        return min(float(seen.min()), 0.0), max(float(seen.max()), 1e-6)

    def quantise(self, x: str, seen: Tensor | None) -> Int8Tensor:
        """What is seen there, on 256 levels between the least and the greatest of the sample."""
        low, high = self.range_of(seen)
        self.ranges.append((low, high))
        scale = (high - low) / LEVELS
        zero = round(-low / scale)
        ends = (
            self.graph.constant(np.float32(scale)),
            self.graph.constant(np.uint8(zero)),
        )
        levels = self.graph.add("QuantizeLinear", x, *ends)
        return Int8Tensor(self.graph.add("DequantizeLinear", levels, *ends), seen, scale)

    def convolve(
        self, x: Int8Tensor, layer: Conv, name: str, norm: str | None
    ) -> tuple[str, Tensor | None]:
        """A convolution with its normalisation folded in; in int8 where it is fast."""
        weight, bias = fold(self.graph.arrays, layer, name, norm)
        pad = layer.padding
        scale = weight.abs().amax((1, 2, 3)).clamp(min=1e-12) / WEIGHT_LEVELS
        levels = torch.round(weight / scale[:, None, None, None]).to(torch.int8)
        graph, zeros = self.graph, np.zeros(len(scale), np.int8)
        weights = graph.add(
            "DequantizeLinear",
            graph.constant(levels.numpy()),
            graph.constant(scale.numpy()),
            graph.constant(zeros),
            axis=0,
        )
        unit = (scale.double() * x.scale).numpy()
        whole = np.clip(np.round(bias.double().numpy() / unit), -(2**31) + 1, 2**31 - 1)
        biases = graph.add(
            "DequantizeLinear",
            graph.constant(whole.astype(np.int32)),
            graph.constant(unit.astype(np.float32)),
            graph.constant(zeros.astype(np.int32)),
            axis=0,
        )
        out = graph.add("Conv", x.name, weights, biases, pads=[pad] * 4)
        seen = None if x.seen is None else functional.conv2d(x.seen, weight, bias, padding=pad)
        return out, seen

    def add_layers(
        self, layers: Sequence[Layer], name: str, x: Int8Tensor, *, last_rounded: bool
    ) -> Int8Tensor:
        """Convolutions, normalised and cut at zero, or residual blocks of these."""
        place = 0
        while place < len(layers):
            layer, own = layers[place], f"{name}.{place}"
            place += 1
            if isinstance(layer, Residual):
                inner = self.add_layers(layer.body.layers, f"{own}.body", x, last_rounded=True)
                out = self.graph.add("Add", x.name, inner.name)
                seen = None if x.seen is None or inner.seen is None else x.seen + inner.seen
            elif isinstance(layer, Conv):
                normed = place < len(layers) and isinstance(layers[place], BatchNorm)
                out, seen = self.convolve(x, layer, own, f"{name}.{place}" if normed else None)
                place += normed
                if place == len(layers) and last_rounded:
                    return self.quantise(out, seen)
                place += 1  # its ReLU
            else:
                raise ValueError(f"no int8 form of {type(layer).__name__}")
            cut = None if seen is None else torch.relu(seen)
            x = self.quantise(self.graph.add("Relu", out), cut)
        return x


class Int8Tensor:
    """A result in the graph, what the sample is there, and the size of a level."""

    def __init__(self, name: str, seen: Tensor | None, scale: float) -> None:
        self.name, self.seen, self.scale = name, seen, scale


def fold(
    arrays: Mapping[str, Any], layer: Conv, name: str, norm: str | None
) -> tuple[Tensor, Tensor]:
    """Weights and bias that do what convolution and normalisation do in turn."""
    weight = torch.from_numpy(arrays[f"{name}.weight"])
    bias = torch.from_numpy(arrays[f"{name}.bias"]) if layer.bias else torch.zeros(len(weight))
    if norm is None:
        return weight, bias
    parts = ("weight", "bias", "running_mean", "running_var")
    gain, shift, mean, variance = (torch.from_numpy(arrays[f"{norm}.{part}"]) for part in parts)
    factor = gain / torch.sqrt(variance + EPSILON)
    return weight * factor[:, None, None, None], (bias - mean) * factor + shift


def can_quantise(network: onnx.NetworkLike) -> bool:
    """Whether all its layers have an int8 form: a tower with batch normalisation."""
    plan = network.plan
    return (
        plan.critic is None
        and plan.weighting is None
        and plan.value is not None
        and all(isinstance(one, Conv | BatchNorm | Relu | Residual) for one in plan.trunk.layers)
        and not any(isinstance(layer, GroupNorm) for layer in all_layers(plan))
    )


def all_layers(plan: Plan) -> Iterator[Layer]:
    """The layers of the trunk, those inside residual blocks too, and of the heads."""
    for part in (plan.trunk, plan.actions, plan.value):
        for layer in () if part is None else part.layers:
            yield layer
            if isinstance(layer, Residual):
                yield from layer.body.layers


def whole_layers(layers: Sequence[Layer]) -> int:
    """How many of a head's layers have an int8 form: up to its last ReLU of planes."""
    flat = next(i for i, layer in enumerate(layers) if isinstance(layer, Flatten))
    return flat - isinstance(layers[flat - 1], Conv)


def graph_of(network: onnx.NetworkLike, sample: Tensor) -> bytes:
    """The network in int8 up to its last layers, for ONNX Runtime."""
    return measured_graph(network, sample)[0]


def measured_graph(network: onnx.NetworkLike, sample: Tensor) -> tuple[bytes, list[Range]]:
    """The same, and the ranges from which `ranged_graph` makes it again, byte by byte."""
    course = Course(network.arrays)
    return write(network, course, sample), course.ranges


def ranged_graph(network: onnx.NetworkLike, ranges: Sequence[Range]) -> bytes:
    """The graph by ranges that were found before, with the same weights."""
    return write(network, Course(network.arrays, ranges), None)


def count_ranges(network: onnx.NetworkLike) -> int:
    """How many ranges its graph is made from."""
    course = Course(network.arrays, repeat((0.0, 1.0)))
    write(network, course, None)
    return len(course.ranges)


@torch.no_grad()
def write(network: onnx.NetworkLike, course: Course, sample: Tensor | None) -> bytes:
    """Take the course through all layers."""
    plan = network.plan
    x = course.quantise(onnx.INPUT, sample)
    seen = course.add_layers(plan.trunk.layers, "trunk", x, last_rounded=False)
    graph = course.graph
    assert plan.value is not None
    for head, name in ((plan.actions, onnx.ACTIONS), (plan.value, onnx.VALUE)):
        layers = head.layers
        cut = whole_layers(layers)
        out = course.add_layers(layers[:cut], name, seen, last_rounded=False).name
        for place in range(cut, len(layers)):
            out = onnx.write_layer(graph, layers[place], f"{name}.{place}", out)
        if name == onnx.VALUE:
            out = graph.add("Flatten", out, axis=0)
        graph.nodes.append(onnx.output_node(graph, out, name))
    return onnx.serialise(graph, [onnx.ACTIONS, onnx.VALUE])
