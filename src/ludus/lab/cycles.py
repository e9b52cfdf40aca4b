"""Whether lines of play can go round in a circle, and how long they are if not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.lab.positions import Names

    Numbers = NDArray[np.int32]


@dataclass
class Moves:
    """Which positions lead to which, by their places in a sorted list of all."""

    names: Names
    sources: list[Numbers] = field(default_factory=list)
    targets: list[Numbers] = field(default_factory=list)

    def add(self, sources: Names, targets: Names) -> None:
        self.sources.append(np.searchsorted(self.names, sources).astype(np.int32))
        self.targets.append(np.searchsorted(self.names, targets).astype(np.int32))

    def heights(self) -> Numbers:
        """The longest line from each position, in moves that do not end it; -1 if it has none.

        Positions are taken away whose moves all lead to those taken before: what is never taken
        away can go on for ever.
        """
        count = len(self.names)
        sources = np.concatenate(self.sources) if self.sources else np.empty(0, np.int32)
        targets = np.concatenate(self.targets) if self.targets else np.empty(0, np.int32)
        order = np.argsort(targets, kind="stable")
        sources, starts = sources[order], np.searchsorted(targets[order], np.arange(count + 1))
        left = np.bincount(sources, minlength=count)
        heights = np.full(count, -1, np.int32)
        ready, height = np.flatnonzero(left == 0), 0
        while len(ready):
            heights[ready] = height
            sizes = starts[ready + 1] - starts[ready]
            inner = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            before = sources[np.repeat(starts[ready], sizes) + inner]
            np.subtract.at(left, before, 1)
            ready = np.unique(before[left[before] == 0])
            height += 1
        return heights
