"""The averages of batch normalisation, where learning has to see the very policy that played.

Playing and learning go by the same averages, so that nothing but the weights makes a policy another
one; between two steps the averages follow what was just played. They are stored with the weights.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def follow(network: nn.Module, features: Tensor, size: int) -> None:
    """Move the averages, if there are any, towards those of positions, `size` or more at a time."""
    if len(features) < 2 or not any(isinstance(part, nn.BatchNorm2d) for part in network.modules()):
        return
    parts = max(1, len(features) // size)
    network.train()
    with torch.no_grad():
        for part in range(parts):
            network(features[part::parts])  # of every ply some, as openings are unlike ends
    network.eval()
