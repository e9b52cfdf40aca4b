"""The network as self-play asks it: quantised to int8 where the error is small, else in floats.

A graph can be made as soon as a step has learned, while its games still go on. What is kept of it
are the ranges of activations on a sample: with the weights they make the same graph again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ludus.arena.seeds import generator
from ludus.learn.collecting.window import Window
from ludus.learn.networks import int8, onnx
from ludus.learn.networks.masked import softmax
from ludus.learn.networks.network import Network
from ludus.learn.networks.onnx import in_onnx, plays_on_gpu
from ludus.learn.networks.plan import FAR
from ludus.learn.networks.player import in_torch
from ludus.learn.store.forms import Array, Flag, Number, Perhaps

SAMPLE = 512  # positions on which ranges and errors are measured
LEAST = 1_000  # positions in the window before that says anything
POLICY_ERROR, VALUE_ERROR = 0.03, 0.03  # that self-play does not notice: of probabilities, values
ERRORS = ("int8_policy_error", "int8_value_error", "int8")  # metrics: how far, and whether used
FLOAT_ERROR = 1e-3  # beyond which an export is not what it was made from


class Export:
    """The graph of a network that learns on, and how far it was off when it was made."""

    younger = True  # runs from before it was stored make their graph when they go on

    def __init__(self, network: Network, int8: str) -> None:
        self.network, self.int8 = network, int8
        self.ready = False  # for a step that has not begun
        self.ranges: list[tuple[float, float]] = []  # none: in floats
        self.errors: dict[str, float] = {}
        self._graph = b""

    def prepare(self, window: Window, seed: tuple[int, int]) -> None:
        """Make the graph of the network as it is; the seed draws the sample, so it repeats."""
        self.ready, self.ranges, self.errors = True, [], {}
        self._graph = plain = onnx.graph_of(self.network)
        if len(window) < LEAST:
            return
        drawn = window.draw(SAMPLE, generator(*seed, 2), 0.0)
        exact = Answers(self.network, drawn.features, drawn.masks)
        policy, value = exact.errors(plain)
        if max(policy, value) > FLOAT_ERROR:
            raise ValueError(f"the exported network differs from torch's by {max(policy, value)}")
        if plays_on_gpu():
            self._graph = self.half_graph(exact) or plain
            return
        if self.int8 == "off" or not int8.can_quantise(self.network):
            return
        quantised, ranges = int8.measured_graph(self.network, torch.from_numpy(drawn.features))
        policy, value = exact.errors(quantised)
        fits = policy <= POLICY_ERROR and value <= VALUE_ERROR
        used = fits or self.int8 == "on"
        self.errors = dict(zip(ERRORS, (policy, value, float(used)), strict=True))
        if used:
            self._graph, self.ranges = quantised, ranges

    def take(self) -> bytes:
        """The graph for the step that begins; the next one needs another."""
        if not self._graph:  # after a pause
            self._graph = (
                int8.ranged_graph(self.network, self.ranges)
                if self.ranges
                else onnx.graph_of(self.network)
            )
        graph, self._graph, self.ready = self._graph, b"", False
        return graph

    def state(self) -> dict[str, Any]:
        ranges = self.ranges if self.ready else []
        return {
            "ready": self.ready,
            "ranges": np.array(ranges, np.float64).reshape(-1, 2),
            "errors": self.errors if self.ready else {},
        }

    def form(self) -> dict[str, Any]:
        return {
            "ready": Flag(),
            "ranges": Array("float64", (None, 2), -FAR, FAR),
            "errors": dict.fromkeys(ERRORS, Perhaps(Number(0, 2))),
        }

    def restore(self, state: dict[str, Any]) -> None:
        ranges = [(float(low), float(high)) for low, high in state["ranges"]]
        if ranges and not int8.can_quantise(self.network):
            raise ValueError("export/ranges are of no network that is not quantised")
        if ranges and len(ranges) != int8.count_ranges(self.network):
            raise ValueError(f"export/ranges are {len(ranges)}, which are not the network's")
        if any(low > 0 or high <= 0 for low, high in ranges):
            raise ValueError("export/ranges do not go from below 0 to above")
        self.ready, self.ranges, self._graph = bool(state["ready"]), ranges, b""
        self.errors = dict(state["errors"])

    def half_graph(self, exact: Answers) -> bytes:
        """Half floats for a GPU, where their error is small; nothing where it is not."""
        half = onnx.graph_of(self.network, half=True)
        policy, value = exact.errors(half)
        return half if policy <= POLICY_ERROR and value <= VALUE_ERROR else b""


class Answers:
    """What torch says of a sample, beside which graphs of the same network are held."""

    def __init__(self, network: Network, sample: Any, masks: Any) -> None:
        self.sample, self.masks = sample, masks
        logits, values = in_torch(network)(sample)
        assert values is not None
        self.policies, self.values = softmax(logits, masks), values

    def errors(self, graph: bytes) -> tuple[float, float]:
        """By how much probabilities (half the sum of differences) and values are off on average."""
        logits, values = in_onnx(graph)(self.sample)
        assert values is not None
        apart = np.abs(self.policies - softmax(logits, self.masks)).sum(1) / 2
        return float(apart.mean()), float(np.abs(self.values - values).mean())
