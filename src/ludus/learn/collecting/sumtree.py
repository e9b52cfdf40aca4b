"""A sum-tree over arrays: draw indices in proportion to their weights, many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.settings.config import GREATEST
from ludus.learn.store.forms import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Weights = NDArray[np.float64]


class SumTree:
    """Node i has children 2i and 2i + 1; leaves are the last `width` nodes, the root is node 1."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.depth = max(1, (size - 1).bit_length())
        self.width = 1 << self.depth
        self.nodes = np.zeros(2 * self.width)

    @property
    def total(self) -> float:
        return float(self.nodes[1])

    def weights(self, leaves: Indices) -> Weights:
        return self.nodes[self.width + leaves]

    def put(self, leaves: Indices, weights: Weights | float) -> None:
        """Set weights; of a leaf given twice the last counts."""
        at = leaves + self.width
        self.nodes[at] = weights
        for _ in range(self.depth):
            at = np.unique(at >> 1)
            self.nodes[at] = self.nodes[2 * at] + self.nodes[2 * at + 1]

    def draw(self, count: int, rng: np.random.Generator) -> Indices:
        """Leaves in proportion to their weights, one from each of `count` equal shares."""
        marks = (np.arange(count) + rng.random(count)) * (self.total / count)
        at = np.ones(count, np.int64)
        for _ in range(self.depth):
            left = self.nodes[2 * at]
            # Rounding may leave a mark at the very end: never walk into what weighs nothing.
            right = (marks >= left) & (self.nodes[2 * at + 1] > 0)
            marks = np.where(right, marks - left, marks)
            at = 2 * at + right
        return at - self.width

    def state(self) -> dict[str, Any]:
        return {"leaves": self.nodes[self.width : self.width + self.size]}

    def form(self) -> dict[str, Any]:
        return {"leaves": Array("float64", (self.size,), least=0, most=GREATEST)}

    def restore(self, state: dict[str, Any]) -> None:
        self.nodes[:] = 0
        self.nodes[self.width : self.width + self.size] = state["leaves"]
        for level in range(self.depth - 1, -1, -1):
            at = np.arange(1 << level, 2 << level)
            self.nodes[at] = self.nodes[2 * at] + self.nodes[2 * at + 1]
