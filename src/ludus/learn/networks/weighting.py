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

from ludus.learn.networks import nearness
from ludus.learn.networks.nearness import LEAST, REACH
from ludus.learn.networks.nearness import cells_of as cells_of
from ludus.learn.networks.plan import Shape


class Weighting(nn.Module):
    """What to add to the logits, from the planes of own and other stones."""

    kernels: Tensor
    cells: Tensor

    def __init__(self, shape: Shape, cells: Sequence[int]) -> None:
        super().__init__()
        self.plan = nearness.Weighting(shape[0], tuple(cells))
        self.register_buffer("kernels", torch.from_numpy(nearness.kernels(shape[0])))
        self.register_buffer("cells", torch.tensor(cells))

    def forward(self, x: Tensor) -> Tensor:
        counts = nn.functional.conv2d(x, self.kernels, padding=REACH)
        weights = (counts * counts).sum(1).flatten(1)
        most = weights.amax(1, keepdim=True).clamp(min=1.0)
        return (weights / most + LEAST).log()[:, self.cells]
