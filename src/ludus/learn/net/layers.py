"""The layers that networks are made of, each known to the writer of ONNX graphs too."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn

Shape = tuple[int, int, int]  # planes, rows, columns


class Residual(nn.Module):
    """x + body(x), then ReLU."""

    def __init__(self, body: nn.Sequential) -> None:
        super().__init__()
        self.body = body

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class Bounded(nn.Module):
    """To (-1, 1) by a sigmoid, as the super tic-tac-toe paper bounds its values, doubled."""

    def forward(self, x: Tensor) -> Tensor:
        return 2 * torch.sigmoid(x) - 1


class Cells(nn.Module):
    """A word for each cell: its planes and a learned place, mixed into so many numbers."""

    def __init__(self, shape: Shape, width: int) -> None:
        super().__init__()
        planes, rows, columns = shape
        self.mix = nn.Linear(planes, width)
        self.place = nn.Parameter(torch.randn(rows * columns, width) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        mixed: Tensor = self.mix(x.flatten(2).transpose(1, 2))
        return mixed + self.place


class Attention(nn.Module):
    """Every cell looks at every other, then thinks by itself; both added to what it knew."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ask, self.key, self.tell = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)
        self.wide, self.back = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        normal = self.before(x)
        ask, key, tell = (self.split(part(normal)) for part in (self.ask, self.key, self.tell))
        weights = torch.softmax(ask @ key.transpose(2, 3) * ask.shape[-1] ** -0.5, -1)
        seen = (weights @ tell).transpose(1, 2).flatten(2)
        x = x + self.out(seen)
        back: Tensor = self.back(torch.relu(self.wide(self.between(x))))
        return x + back

    def split(self, x: Tensor) -> Tensor:
        """[batch, cells, width] to [batch, heads, cells, width / heads]."""
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


def conv(inputs: int, outputs: int, norm: str = "", *, padding: int = 1) -> list[nn.Module]:
    """A 3x3 convolution, normalised by `group`, `batch` or not at all."""
    layers: list[nn.Module] = [nn.Conv2d(inputs, outputs, 3, padding=padding, bias=not norm)]
    if norm == "group":
        layers.append(nn.GroupNorm(min(8, outputs), outputs))
    elif norm == "batch":
        layers.append(nn.BatchNorm2d(outputs))
    return layers


def tower(planes: int, width: int, blocks: int, norm: str) -> nn.Sequential:
    """A convolution, then residual blocks."""
    body = [*conv(planes, width, norm), nn.ReLU()]
    for _ in range(blocks):
        inner = [*conv(width, width, norm), nn.ReLU(), *conv(width, width, norm)]
        body.append(Residual(nn.Sequential(*inner)))
    return nn.Sequential(*body)


def dense(*sizes: int) -> list[nn.Module]:
    """Fully connected layers, each followed by ReLU."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return layers


def convolutions(*sizes: int) -> list[nn.Module]:
    """3x3 convolutions, each followed by ReLU, flattened at the end."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [*conv(inputs, outputs), nn.ReLU()]
    return [*layers, nn.Flatten()]


def squeezed(width: int, planes: int, cells: int, norm: str) -> list[nn.Module]:
    """A 1x1 convolution to a few planes, flattened: what a head of a tower begins with."""
    layers: list[nn.Module] = [nn.Conv2d(width, planes, 1)]
    if norm == "group":
        layers.append(nn.GroupNorm(min(8, planes), planes))
    elif norm == "batch":
        layers.append(nn.BatchNorm2d(planes))
    return [*layers, nn.ReLU(), nn.Flatten()]
