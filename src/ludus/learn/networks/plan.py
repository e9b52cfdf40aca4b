"""A network described without torch: its layers as plain values, and the arrays that each has.

From a plan come the torch modules that learn, the graph that plays, and the check of arrays that
somebody stored: exactly these names, of these kinds and shapes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

Shape = tuple[int, int, int]  # planes, rows, columns

FLOAT, COUNT = "float32", "int64"
FAR = 1e6  # nothing that still learns has weights or losses beyond
EPSILON = 1e-5  # added to every variance that is divided by
LEAK = 0.01  # what leaky ReLU leaves of what is below zero


class Diverged(ValueError):  # noqa: N818  (an event that stops a training)
    """A number that is none has turned up; it is named."""


@dataclass(frozen=True)
class Weights:
    """What one array has to be."""

    shape: tuple[int, ...]
    kind: str = FLOAT
    learned: bool = True  # by gradients; else an average, a count or a constant
    least: float = -math.inf

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def most(self) -> float:
        return FAR if self.learned else math.inf


@dataclass(frozen=True)
class Layer:
    """A layer; those without weights have no arrays."""

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        """Its arrays by their names, as a torch module of this kind names them."""
        yield from ()


@dataclass(frozen=True)
class Linear(Layer):
    """Fully connected, over the last axis."""

    inputs: int
    outputs: int

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        yield "weight", Weights((self.outputs, self.inputs))
        yield "bias", Weights((self.outputs,))


@dataclass(frozen=True)
class Conv(Layer):
    """A square convolution, padded alike on all sides."""

    inputs: int
    outputs: int
    side: int
    padding: int = 0
    bias: bool = True

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        yield "weight", Weights((self.outputs, self.inputs, self.side, self.side))
        if self.bias:
            yield "bias", Weights((self.outputs,))


@dataclass(frozen=True)
class Norm(Layer):
    """What normalises: numbers to mean 0 and variance 1, then scaled and shifted."""

    width: int

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        yield "weight", Weights((self.width,))
        yield "bias", Weights((self.width,))


@dataclass(frozen=True)
class BatchNorm(Norm):
    """By the averages of training."""

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        yield from super().arrays()
        yield "running_mean", Weights((self.width,), learned=False)
        yield "running_var", Weights((self.width,), learned=False, least=0)
        yield "num_batches_tracked", Weights((), COUNT, learned=False, least=0)


@dataclass(frozen=True)
class GroupNorm(Norm):
    """Within groups of planes."""

    groups: int


@dataclass(frozen=True)
class LayerNorm(Norm):
    """Over the last axis."""


@dataclass(frozen=True)
class Flatten(Layer):
    """All but the batch in one row."""


@dataclass(frozen=True)
class Select(Layer):
    """Of the numbers in a row those at these places, in this order."""

    places: tuple[int, ...]


@dataclass(frozen=True)
class Relu(Layer):
    """Cut at zero."""


@dataclass(frozen=True)
class LeakyRelu(Layer):
    """Below zero a hundredth is left, so that a number that has fallen there can come back."""


@dataclass(frozen=True)
class Tanh(Layer):
    """To (-1, 1)."""


@dataclass(frozen=True)
class Bounded(Layer):
    """To (-1, 1) by a sigmoid, as the super tic-tac-toe paper bounds its values, doubled."""


@dataclass(frozen=True)
class Parts(Layer):
    """A layer made of others, which are its fields, each under its own name."""

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        for one in fields(self):
            part = getattr(self, one.name)
            if isinstance(part, Layer):
                yield from arrays_of_part(one.name, part)


@dataclass(frozen=True)
class Sequence(Layer):
    """One after the other."""

    layers: tuple[Layer, ...]

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        for place, layer in enumerate(self.layers):
            yield from arrays_of_part(str(place), layer)


@dataclass(frozen=True)
class Residual(Parts):
    """x + body(x), then ReLU."""

    body: Sequence


@dataclass(frozen=True)
class Cells(Layer):
    """A word for each cell: its planes and a learned place, mixed into so many numbers."""

    shape: Shape
    width: int

    @property
    def mix(self) -> Linear:
        return Linear(self.shape[0], self.width)

    def arrays(self) -> Iterator[tuple[str, Weights]]:
        yield "place", Weights((self.shape[1] * self.shape[2], self.width))
        yield from arrays_of_part("mix", self.mix)


@dataclass(frozen=True)
class Attention(Parts):
    """Every cell looks at every other, then thinks by itself; both added to what it knew."""

    width: int
    heads: int
    before: LayerNorm = field(init=False)
    between: LayerNorm = field(init=False)
    ask: Linear = field(init=False)
    key: Linear = field(init=False)
    tell: Linear = field(init=False)
    out: Linear = field(init=False)
    wide: Linear = field(init=False)
    back: Linear = field(init=False)

    def __post_init__(self) -> None:
        width = self.width
        for name in ("before", "between"):
            object.__setattr__(self, name, LayerNorm(width))
        for name in ("ask", "key", "tell", "out"):
            object.__setattr__(self, name, Linear(width, width))
        object.__setattr__(self, "wide", Linear(width, 2 * width))
        object.__setattr__(self, "back", Linear(2 * width, width))


@dataclass(frozen=True)
class Plan(Parts):
    """A trunk, a number for each action, and perhaps the value of the state."""

    trunk: Sequence
    actions: Sequence
    value: Sequence | None = None
    critic: Sequence | None = None  # with which the value has a trunk of its own
    weighting: Layer | None = None  # what is known of actions before anything learned

    @property
    def size(self) -> int:
        """How many numbers it has to learn."""
        return sum(weights.size for _, weights in self.arrays() if weights.learned)


def arrays_of_part(name: str, layer: Layer) -> Iterator[tuple[str, Weights]]:
    """The arrays of a layer that is part of another."""
    for inner, weights in layer.arrays():
        yield f"{name}.{inner}", weights


def in_sequence(layers: list[Layer]) -> Sequence:
    """A sequence of a list."""
    return Sequence(tuple(layers))


def check_names(layer: Layer, found: Mapping[str, Any]) -> None:
    """Refuse what has arrays too few or too many, or one of another kind or shape.

    What is found needs no more than a `dtype` and a `shape`: nothing of it has to be read yet.
    """
    count = len(found)
    for name, expected in layer.arrays():
        if name not in found:
            raise ValueError(f"{name} is missing")
        count -= 1
        told = f"{found[name].dtype} {list(found[name].shape)}"
        meant = f"{expected.kind} {list(expected.shape)}"
        if told != meant:
            raise ValueError(f"{name} is {told}, not {meant}")
    if count:
        known = dict(layer.arrays())
        raise ValueError(f"{min(found.keys() - known.keys())} belongs to no layer")
