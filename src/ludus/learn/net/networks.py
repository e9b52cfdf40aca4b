"""Networks by name: the papers' architectures, and small ones that learn fast on a laptop."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

import torch
from torch import Tensor, nn

from ludus.learn.net.layers import (
    Attention,
    Bounded,
    Cells,
    Shape,
    conv,
    convolutions,
    dense,
    squeezed,
    tower,
)
from ludus.learn.net.weighting import Weighting


class Network(nn.Module):
    """A trunk, a number for each action, and perhaps the value of the state.

    With a critic the value has a trunk of its own.
    """

    def __init__(
        self,
        trunk: nn.Sequential,
        actions: nn.Sequential,
        value: nn.Sequential | None = None,
        critic: nn.Sequential | None = None,
    ) -> None:
        super().__init__()
        self.trunk, self.actions, self.value, self.critic = trunk, actions, value, critic
        self.weighting: Weighting | None = None  # what is known of actions before anything learned

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        seen = self.trunk(x)
        actions = self.actions(seen)
        if self.weighting is not None:
            actions = actions + self.weighting(x)
        if self.value is None:
            return actions, None
        judged = seen if self.critic is None else self.critic(x)
        return actions, self.value(judged).squeeze(-1)


@dataclass(frozen=True)
class Asked:
    """What a network is built for."""

    shape: Shape
    actions: int
    width: int  # 0: the network's own
    blocks: int
    value: bool
    separate: bool  # actor and critic share nothing
    bounded: bool  # the value lies between -1 and 1

    @property
    def planes(self) -> int:
        return self.shape[0]

    @property
    def cells(self) -> int:
        return self.shape[1] * self.shape[2]

    @property
    def inputs(self) -> int:
        return self.planes * self.cells

    def joined(
        self,
        trunk: Callable[[], list[nn.Module]],
        actions: list[nn.Module],
        value: Callable[[], list[nn.Module]],
        bound: Callable[[], nn.Module] = nn.Tanh,
    ) -> Network:
        """Put together what was asked for."""
        last = [bound()] if self.bounded else []
        return Network(
            nn.Sequential(*trunk()),
            nn.Sequential(*actions),
            nn.Sequential(*value(), *last) if self.value else None,
            nn.Sequential(*trunk()) if self.value and self.separate else None,
        )


def mlp(asked: Asked) -> Network:
    """Fully connected layers over the flattened planes."""
    width, blocks = asked.width or 128, asked.blocks or 2

    def trunk() -> list[nn.Module]:
        return [nn.Flatten(), *dense(asked.inputs, *[width] * blocks)]

    return asked.joined(trunk, [nn.Linear(width, asked.actions)], lambda: [nn.Linear(width, 1)])


def convolutional(asked: Asked) -> Network:
    """3x3 convolutions, then one wide layer: small and quick."""
    width, blocks = asked.width or 32, asked.blocks or 3

    def trunk() -> list[nn.Module]:
        return [
            *convolutions(asked.planes, *[width] * blocks),
            *dense(width * asked.cells, 4 * width),
        ]

    return asked.joined(
        trunk, [nn.Linear(4 * width, asked.actions)], lambda: [nn.Linear(4 * width, 1)]
    )


def light(norm: str, heads: str, wide: int, deep: int) -> Callable[[Asked], Network]:
    """Residual blocks and light heads, normalised by group, by batch, or (heads) not at all."""
    few = 8

    def built(asked: Asked) -> Network:
        width, blocks = asked.width or wide, asked.blocks or deep
        flat = few * asked.cells
        return asked.joined(
            lambda: [*tower(asked.planes, width, blocks, norm)],
            [*squeezed(width, few, asked.cells, heads), nn.Linear(flat, asked.actions)],
            lambda: [
                *squeezed(width, few, asked.cells, heads),
                *dense(flat, width),
                nn.Linear(width, 1),
            ],
        )

    return built


def attention(asked: Asked) -> Network:
    """Every cell attends to every other."""
    width, blocks = asked.width or 48, asked.blocks or 2
    if width % 4:
        raise ValueError(f"the width of attention is a multiple of 4, not {width}")
    flat = width * asked.cells
    return asked.joined(
        lambda: [
            Cells(asked.shape, width),
            *(Attention(width, 4) for _ in range(blocks)),
            nn.Flatten(),
        ],
        [nn.Linear(flat, asked.actions)],
        lambda: [*dense(flat, width), nn.Linear(width, 1)],
    )


def plain_conv(
    channels: tuple[int, ...], hidden: tuple[int, ...], heads: tuple[int, ...] = ()
) -> Callable[[Asked], Network]:
    """Convolutions with ReLU, then dense layers, shared and then of each head."""

    def built(asked: Asked) -> Network:
        def trunk() -> list[nn.Module]:
            flat = channels[-1] * asked.cells
            return [*convolutions(asked.planes, *channels), *dense(flat, *hidden)]

        before = hidden[-1] if hidden else channels[-1] * asked.cells
        last = heads[-1] if heads else before
        return asked.joined(
            trunk,
            [*dense(before, *heads), nn.Linear(last, asked.actions)],
            lambda: [*dense(before, *heads), nn.Linear(last, 1)],
        )

    return built


def super_tictactoe(asked: Asked) -> Network:
    """The super tic-tac-toe paper's: group-normalised blocks, heads of 32 planes, sigmoid value."""
    width, blocks, heads = asked.width or 128, asked.blocks or 4, 32
    return asked.joined(
        lambda: [*tower(asked.planes, width, blocks, "group")],
        [
            *squeezed(width, heads, asked.cells, "group"),
            nn.Linear(heads * asked.cells, asked.actions),
        ],
        lambda: [
            *squeezed(width, heads, asked.cells, "group"),
            nn.Linear(heads * asked.cells, 1),
        ],
        Bounded,
    )


def c4net(asked: Asked) -> Network:
    """The Connect Four network: four normalised convolutions, the last two unpadded, two layers.

    On boards too small for that the last two are padded too. The paper gives no widths.
    """
    width, wide = asked.width or 64, 2 * (asked.width or 64)
    _, rows, columns = asked.shape
    padding = 0 if min(rows, columns) > 4 else 1
    shrunk = 4 * (1 - padding)
    flat = width * (rows - shrunk) * (columns - shrunk)

    def trunk() -> list[nn.Module]:
        layers: list[nn.Module] = []
        for place in range(4):
            inputs = width if place else asked.planes
            pad = 1 if place < 2 else padding
            layers += [*conv(inputs, width, "batch", padding=pad), nn.ReLU()]
        return [*layers, nn.Flatten(), *dense(flat, wide, wide)]

    return asked.joined(trunk, [nn.Linear(wide, asked.actions)], lambda: [nn.Linear(wide, 1)])


def draughts(asked: Asked) -> Network:
    """The draughts paper's: batch-normalised residual blocks of 256 filters, policy and value."""
    width, blocks = asked.width or 256, asked.blocks or 4
    return asked.joined(
        lambda: [*tower(asked.planes, width, blocks, "batch")],
        [*squeezed(width, 2, asked.cells, "batch"), nn.Linear(2 * asked.cells, asked.actions)],
        lambda: [
            *squeezed(width, 1, asked.cells, "batch"),
            *dense(asked.cells, 256),
            nn.Linear(256, 1),
        ],
    )


NETWORKS: dict[str, Callable[[Asked], Network]] = {
    "mlp": mlp,
    "conv": convolutional,
    "residual": light("group", "", 48, 3),
    "zero": light("batch", "batch", 64, 4),  # which plays folded into the convolutions
    "attention": attention,
    "cathedral-dqn": plain_conv((32, 64, 64, 128), (1024, 2048)),
    "cathedral-ppo": plain_conv((16, 32, 64), (), (512, 512)),
    "kingcourtesan-dqn": plain_conv((64, 128, 128), (512, 256)),
    "kingcourtesan-reinforce": plain_conv((64, 128), (512, 256)),
    "supertictactoe": super_tictactoe,
    "c4net": c4net,
    "draughts": draughts,
}

TRAINED_BYTES = 16  # of a weight: itself, its gradient, and two moments of it
SMALL_BOARD = 16  # cells up to which convolutions see nothing that layers do not


def default_network(shape: Shape) -> str:
    """The name of the small network that suits a board."""
    return "mlp" if shape[1] * shape[2] <= SMALL_BOARD else "conv"


def network(
    name: str,
    shape: Shape,
    actions: int,
    *,
    seed: int,
    width: int = 0,
    blocks: int = 0,
    value: bool = True,
    separate: bool = False,
    bounded: bool = True,
) -> Network:
    """Build a network; the seed decides its first weights."""
    name = name or default_network(shape)
    if name not in NETWORKS:
        near = get_close_matches(name, NETWORKS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no network {name!r}; {hint}there are {', '.join(NETWORKS)}")
    asked = Asked(shape, actions, width, blocks, value, separate, bounded)
    check_room(name, asked)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return NETWORKS[name](asked)


def check_room(name: str, asked: Asked) -> None:
    """Refuse what could never be trained here, before any memory is asked for."""
    try:
        with torch.device("meta"):  # shapes only
            weights = size(NETWORKS[name](asked))
    except RuntimeError:  # beyond what torch can count
        raise ValueError(f"a network {name!r} cannot be {asked.width} wide") from None
    needed, there = (
        TRAINED_BYTES * weights,
        os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
    )
    if needed > there:
        raise ValueError(
            f"a network of {weights:,} weights takes {needed / 1e9:,.0f} GB to train; "
            f"this machine has {there / 1e9:,.0f}"
        )


def size(of: nn.Module) -> int:
    """How many numbers it has to learn."""
    return sum(parameter.numel() for parameter in of.parameters())
