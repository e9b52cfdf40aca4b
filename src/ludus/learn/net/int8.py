"""A network of convolutions as an ONNX graph in whole numbers: three times as fast, a little rough.

Batch normalisation is folded into the convolution before it. Ranges of activations are those on a
sample of positions, so the graph is made while the sample goes through the same layers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludus.learn.net import onnx
from ludus.learn.net.layers import Residual
from ludus.learn.net.networks import Network

LEVELS, WEIGHT_LEVELS = 255, 127


class Course:
    """A graph and a sample on their way through the layers, side by side."""

    def __init__(self, sample: Tensor) -> None:
        self.graph = onnx.Graph()
        self.sample = sample

    def rounded(self, x: str, seen: Tensor) -> Quantised:
        """What is seen there, on 256 levels between the least and the greatest of the sample."""
        low, high = min(float(seen.min()), 0.0), max(float(seen.max()), 1e-6)
        scale = (high - low) / LEVELS
        zero = round(-low / scale)
        ends = (
            self.graph.constant(np.float32(scale)),
            self.graph.constant(np.uint8(zero)),
        )
        levels = self.graph.add("QuantizeLinear", x, *ends)
        return Quantised(self.graph.add("DequantizeLinear", levels, *ends), seen, scale)

    def convolved(self, x: Quantised, layer: nn.Conv2d, norm: nn.Module | None) -> tuple[str, Any]:
        """A convolution with its normalisation folded in; in whole numbers where it is fast."""
        weight, bias = folded(layer, norm)
        pad = int(layer.padding[0])
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
        name = graph.add("Conv", x.name, weights, biases, pads=[pad] * 4)
        return name, functional.conv2d(x.seen, weight, bias, padding=pad)

    def through(self, layers: list[nn.Module], x: Quantised, *, last_rounded: bool) -> Quantised:
        """Convolutions, normalised and cut at zero, or residual blocks of these."""
        place = 0
        while place < len(layers):
            layer = layers[place]
            place += 1
            if isinstance(layer, Residual):
                inner = self.through(list(layer.body), x, last_rounded=True)
                name, seen = self.graph.add("Add", x.name, inner.name), x.seen + inner.seen
            elif isinstance(layer, nn.Conv2d):
                norm = layers[place] if place < len(layers) else None
                place += isinstance(norm, nn.BatchNorm2d)
                name, seen = self.convolved(
                    x, layer, norm if isinstance(norm, nn.BatchNorm2d) else None
                )
                if place == len(layers) and last_rounded:
                    return self.rounded(name, seen)
                place += 1  # its ReLU
            else:
                raise ValueError(f"no form in whole numbers of {type(layer).__name__}")
            x = self.rounded(self.graph.add("Relu", name), torch.relu(seen))
        return x


class Quantised:
    """A result in the graph, what the sample is there, and the size of a level."""

    def __init__(self, name: str, seen: Tensor, scale: float) -> None:
        self.name, self.seen, self.scale = name, seen, scale


def folded(layer: nn.Conv2d, norm: nn.Module | None) -> tuple[Tensor, Tensor]:
    """Weights and bias that do what convolution and normalisation do in turn."""
    weight = layer.weight.detach()
    bias = torch.zeros(len(weight)) if layer.bias is None else layer.bias.detach()
    if not isinstance(norm, nn.BatchNorm2d):
        return weight, bias
    mean, variance = norm.running_mean, norm.running_var
    assert mean is not None
    assert variance is not None
    factor = norm.weight.detach() / torch.sqrt(variance + norm.eps)
    return weight * factor[:, None, None, None], (bias - mean) * factor + norm.bias.detach()


def can(network: Network) -> bool:
    """Whether all its layers have a form in whole numbers: a tower with batch normalisation."""
    tower = list(network.trunk)
    return (
        network.critic is None
        and network.weighting is None
        and network.value is not None
        and all(
            isinstance(layer, nn.Conv2d | nn.BatchNorm2d | nn.ReLU | Residual) for layer in tower
        )
        and not any(isinstance(layer, nn.GroupNorm) for layer in network.modules())
    )


@torch.no_grad()
def graph_of(network: Network, sample: Tensor) -> bytes:
    """The network in whole numbers up to its last layers, for ONNX Runtime."""
    course = Course(sample)
    x = course.rounded(onnx.INPUT, sample)
    seen = course.through(list(network.trunk), x, last_rounded=False)
    graph = course.graph
    heads = [(network.actions, onnx.ACTIONS)]
    assert network.value is not None
    heads.append((network.value, onnx.VALUE))
    for head, name in heads:
        layers = list(head)
        cut = next(i for i, layer in enumerate(layers) if isinstance(layer, nn.Flatten))
        squeezed = course.through(layers[:cut], seen, last_rounded=False)
        out = onnx.written(graph, nn.Sequential(*layers[cut:]), squeezed.name)
        if name == onnx.VALUE:
            out = graph.add("Flatten", out, axis=0)
        graph.nodes.append(onnx.renamed(graph, out, name))
    return onnx.serialised(graph, [name for _, name in heads])
