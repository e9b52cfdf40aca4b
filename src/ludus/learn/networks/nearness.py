"""Which cells are near a cell and in line with it: what position-based weighting counts by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludus.game import Game
from ludus.learn.networks.plan import COUNT, Layer, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 3
LEAST = 0.1
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Weighting(Layer):
    """What to add to the logits, from the planes of own and other stones: nothing of it learns."""

    planes: int
    cells: tuple[int, ...]  # of each action

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        side = 2 * REACH + 1
        shape = (1 + 2 * len(LINES), self.planes, side, side)
        yield "kernels", Weights(shape, learned=False)
        yield "cells", Weights((len(self.cells),), COUNT, learned=False)


def kernels(planes: int) -> NDArray[np.float32]:
    """One that counts neighbours of any colour, then one a line and colour."""
    side = 2 * REACH + 1
    found = np.zeros((1 + 2 * len(LINES), planes, side, side), np.float32)
    found[0, :2, REACH - 1 : REACH + 2, REACH - 1 : REACH + 2] = 1
    found[0, :, REACH, REACH] = 0
    for place, (down, right) in enumerate(LINES):
        for far in range(1, REACH + 1):
            for way in (-far, far):
                for colour in range(2):
                    kernel = found[1 + 2 * place + colour, colour]
                    kernel[REACH + way * down, REACH + way * right] = 1
    return found


def cells_of(game: Game, planes: str) -> list[int]:
    """The cell of each action, where every action puts a stone on one."""
    start = game.start()
    refusal = ValueError(
        f"proximity_weighting needs a game whose every action is a cell, unlike {game.name}"
    )
    if start.legal() != list(range(start.num_actions)):
        raise refusal
    if start.shape(planes)[0] < 2:
        raise ValueError(
            "proximity_weighting needs a plane for each player's stones, planes full or paper, "
            f"not {planes}"
        )
    found = []
    for action in start.legal():
        after = start.play(action, chance=action if start.chancy else None)
        stones = after.features(planes)[1]
        if stones.sum() != 1 or action in after.legal():
            raise refusal
        found.append(int(stones.argmax()))
    if len(set(found)) < len(found):
        raise refusal
    return found
