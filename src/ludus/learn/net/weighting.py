"""Position-based action weighting: actions near stones, and in line with them, are likelier.

As in the super tic-tac-toe paper the policy is multiplied by w + 0.1 and normalised, with w in
[0, 1] by how many stones are near a cell and in line with it; which is adding log(w + 0.1) to its
logits. The paper does not say how w is counted; here it is the sum of squares of the stones around
a cell, and of those of each colour within three cells along each line.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from ludus.game import Game
from ludus.learn.net.layers import Shape

REACH = 3
LEAST = 0.1
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Weighting(nn.Module):
    """What to add to the logits, from the planes of own and other stones."""

    kernels: Tensor
    cells: Tensor

    def __init__(self, shape: Shape, cells: Sequence[int]) -> None:
        super().__init__()
        self.register_buffer("kernels", kernels(shape[0]))
        self.register_buffer("cells", torch.tensor(cells))

    def forward(self, x: Tensor) -> Tensor:
        counts = nn.functional.conv2d(x, self.kernels, padding=REACH)
        weights = (counts * counts).sum(1).flatten(1)
        most = weights.amax(1, keepdim=True).clamp(min=1.0)
        return (weights / most + LEAST).log()[:, self.cells]


def kernels(planes: int) -> Tensor:
    """One that counts neighbours of any colour, then one a line and colour."""
    side = 2 * REACH + 1
    found = torch.zeros(1 + 2 * len(LINES), planes, side, side)
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
    refusal = ValueError(f"weighting needs a game whose every action is a cell, unlike {game.name}")
    if start.legal() != list(range(start.num_actions)):
        raise refusal
    if start.shape(planes)[0] < 2:
        raise ValueError(
            f"weighting needs a plane for each player's stones, planes full or paper, not {planes}"
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
