"""The layers that networks learn with: torch modules, each made by its plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ludus.learn.networks import plan
from ludus.learn.networks.plan import Shape


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


class Select(nn.Module):
    """Of the numbers in a row those at these places, in this order."""

    def __init__(self, places: tuple[int, ...]) -> None:
        super().__init__()
        self.register_buffer("places", torch.tensor(places), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x.index_select(1, self.get_buffer("places"))


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


MODULES: dict[type[plan.Layer], Callable[[Any], nn.Module]] = {
    plan.Linear: lambda layer: nn.Linear(layer.inputs, layer.outputs),
    plan.Conv: lambda layer: nn.Conv2d(
        layer.inputs, layer.outputs, layer.side, padding=layer.padding, bias=layer.bias
    ),
    plan.BatchNorm: lambda layer: nn.BatchNorm2d(layer.width, eps=plan.EPSILON),
    plan.GroupNorm: lambda layer: nn.GroupNorm(layer.groups, layer.width, eps=plan.EPSILON),
    plan.Flatten: lambda layer: nn.Flatten(),
    plan.Select: lambda layer: Select(layer.places),
    plan.Relu: lambda layer: nn.ReLU(),
    plan.LeakyRelu: lambda layer: nn.LeakyReLU(plan.LEAK),
    plan.Tanh: lambda layer: nn.Tanh(),
    plan.Bounded: lambda layer: Bounded(),
    plan.Residual: lambda layer: Residual(sequential(layer.body)),
    plan.Cells: lambda layer: Cells(layer.shape, layer.width),
    plan.Attention: lambda layer: Attention(layer.width, layer.heads),
}


def modules(layers: tuple[plan.Layer, ...]) -> list[nn.Module]:
    """New ones, their first weights drawn in this order."""
    return [MODULES[type(layer)](layer) for layer in layers]


def sequential(of: plan.Sequence) -> nn.Sequential:
    """One after the other."""
    return nn.Sequential(*modules(of.layers))
