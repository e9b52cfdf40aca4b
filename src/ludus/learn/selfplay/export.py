"""The network as self-play asks it: quantised to int8 where the error is small, else in floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ludus.arena.seeds import generator
from ludus.learn.collecting.window import Window
from ludus.learn.networks import int8, onnx
from ludus.learn.networks.masked import softmax
from ludus.learn.networks.network import Network
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.player import in_torch

SAMPLE = 512  # positions on which ranges and errors are measured
LEAST = 1_000  # positions in the window before that says anything
POLICY_ERROR, VALUE_ERROR = 0.03, 0.03  # that self-play does not notice: of probabilities, values
FLOAT_ERROR = 1e-3  # beyond which an export is not what it was made from


class Export:
    """Makes the graphs, and remembers how far they were off."""

    def __init__(self, int8: str) -> None:
        self.int8 = int8
        self.errors: dict[str, float] = {}

    def of(self, network: Network, window: Window, seed: tuple[int, int]) -> bytes:
        """The graph for this network; the seed draws the sample, so it repeats."""
        plain = onnx.graph_of(network)
        self.errors = {}
        if len(window) < LEAST:
            return plain
        drawn = window.draw(SAMPLE, generator(*seed, 2), 0.0)
        sample, masks = drawn.features, drawn.masks
        policy, value = export_errors(network, plain, sample, masks)
        if max(policy, value) > FLOAT_ERROR:
            raise ValueError(f"the exported network differs from torch's by {max(policy, value)}")
        if self.int8 == "off" or not int8.can_quantise(network):
            return plain
        quantised = int8.graph_of(network, torch.from_numpy(sample))
        policy, value = export_errors(network, quantised, sample, masks)
        fits = policy <= POLICY_ERROR and value <= VALUE_ERROR
        used = fits or self.int8 == "on"
        self.errors = {"int8_policy_error": policy, "int8_value_error": value, "int8": float(used)}
        return quantised if used else plain


def export_errors(network: Network, graph: bytes, sample: Any, masks: Any) -> tuple[float, float]:
    """By how much probabilities (half the sum of differences) and values are off on average."""
    logits, values = in_torch(network)(sample)
    others, theirs = in_onnx(graph)(sample)
    assert values is not None
    assert theirs is not None
    apart = np.abs(softmax(logits, masks) - softmax(others, masks)).sum(1) / 2
    return float(apart.mean()), float(np.abs(values - theirs).mean())
