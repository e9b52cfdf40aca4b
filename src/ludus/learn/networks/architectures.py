"""Networks by name: the papers' architectures, and small ones that learn fast on a laptop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise

from ludus.learn.networks.plan import (
    Attention,
    BatchNorm,
    Bounded,
    Cells,
    Conv,
    Flatten,
    GroupNorm,
    Layer,
    LeakyRelu,
    Linear,
    Parts,
    Plan,
    Relu,
    Residual,
    Select,
    Sequence,
    Shape,
    Tanh,
    in_sequence,
)

WIDE = 8  # times the width of an autoencoder, its dense layers
HEAD = 128  # the width of a head on an encoder, unless another is asked for
GROUPS = 8  # of planes that are normalised together
SMALL_BOARD = 16  # cells up to which convolutions see nothing that layers do not


@dataclass(frozen=True)
class NetworkSpec:
    """What a network is built for."""

    shape: Shape
    actions: int
    width: int = 0  # 0: the network's own
    blocks: int = 0
    value: bool = True
    separate: bool = False  # actor and critic share nothing
    bounded: bool = True  # the value lies between -1 and 1
    leaky: bool = False  # hidden dense layers are followed by leaky ReLU
    head_width: int = 0  # of heads on an encoder; 0: their own
    head_layers: int = 0
    places: tuple[int, ...] = ()  # of the actions, in planes over the cells; none: not known

    def dense(self, *sizes: int) -> list[Layer]:
        """Fully connected layers, each followed by ReLU, leaky or not."""
        after = LeakyRelu() if self.leaky else Relu()
        return [layer for pair in pairwise(sizes) for layer in (Linear(*pair), after)]

    @property
    def planes(self) -> int:
        return self.shape[0]

    @property
    def cells(self) -> int:
        return self.shape[1] * self.shape[2]

    @property
    def inputs(self) -> int:
        return self.planes * self.cells

    def assemble(
        self,
        trunk: list[Layer],
        actions: list[Layer],
        value: list[Layer],
        bound: Layer = Tanh(),  # noqa: B008  (a value)
    ) -> Plan:
        """Put together what was asked for."""
        last = [bound] if self.bounded else []
        return Plan(
            in_sequence(trunk),
            in_sequence(actions),
            in_sequence([*value, *last]) if self.value else None,
            in_sequence(trunk) if self.value and self.separate else None,
        )


def norm_layers(width: int, norm: str) -> list[Layer]:
    """Normalised by `group`, by `batch` or not at all."""
    if norm == "group":
        groups = min(GROUPS, width)
        if width % groups:
            raise ValueError(f"this network's width is a multiple of {GROUPS}, not {width}")
        return [GroupNorm(width, groups)]
    return [BatchNorm(width)] if norm == "batch" else []


def conv(inputs: int, outputs: int, norm: str = "", *, padding: int = 1) -> list[Layer]:
    """A 3x3 convolution, normalised by `group`, `batch` or not at all."""
    return [Conv(inputs, outputs, 3, padding, not norm), *norm_layers(outputs, norm)]


def tower(planes: int, width: int, blocks: int, norm: str) -> list[Layer]:
    """A convolution, then residual blocks."""
    inner = [*conv(width, width, norm), Relu(), *conv(width, width, norm)]
    return [*conv(planes, width, norm), Relu(), *[Residual(in_sequence(inner))] * blocks]


def convolutions(*sizes: int) -> list[Layer]:
    """3x3 convolutions, each followed by ReLU, flattened at the end."""
    return [*(layer for pair in pairwise(sizes) for layer in (*conv(*pair), Relu())), Flatten()]


def head_layers(width: int, planes: int, norm: str) -> list[Layer]:
    """A 1x1 convolution to a few planes, flattened: what a head of a tower begins with."""
    return [Conv(width, planes, 1), *norm_layers(planes, norm), Relu(), Flatten()]


def mlp(spec: NetworkSpec) -> Plan:
    """Fully connected layers over the flattened planes."""
    width, blocks = spec.width or 128, spec.blocks or 2
    trunk = [Flatten(), *spec.dense(spec.inputs, *[width] * blocks)]
    return spec.assemble(trunk, [Linear(width, spec.actions)], [Linear(width, 1)])


def convolutional(spec: NetworkSpec) -> Plan:
    """3x3 convolutions, then one wide layer: small and quick."""
    width, blocks = spec.width or 32, spec.blocks or 3
    wide = 4 * width
    trunk = [
        *convolutions(spec.planes, *[width] * blocks),
        *spec.dense(width * spec.cells, wide),
    ]
    return spec.assemble(trunk, [Linear(wide, spec.actions)], [Linear(wide, 1)])


def light(
    norm: str, heads: str, wide: int, deep: int, *, over_board: bool = False
) -> Callable[[NetworkSpec], Plan]:
    """Residual blocks and light heads, normalised by group, by batch, or (heads) not at all.

    The policy is fully connected, or lies over the board.
    """
    few = 8

    def build(spec: NetworkSpec) -> Plan:
        width, blocks = spec.width or wide, spec.blocks or deep
        flat = few * spec.cells
        head = head_layers(width, few, heads)
        dense = [*head, Linear(flat, spec.actions)]
        return spec.assemble(
            tower(spec.planes, width, blocks, norm),
            policy_over_board(spec, width, heads) if over_board else dense,
            [*head, *spec.dense(flat, width), Linear(width, 1)],
        )

    return build


def policy_over_board(spec: NetworkSpec, width: int, norm: str) -> list[Layer]:
    """A plane for each way to move, so that all cells share what is learned of it."""
    if not spec.places:
        raise ValueError("a convolutional policy needs a game that tells where its actions lie")
    ways = max(spec.places) // spec.cells + 1
    return [
        *conv(width, width, norm),
        Relu(),
        Conv(width, ways, 1),
        Flatten(),
        Select(spec.places),
    ]


def attention(spec: NetworkSpec) -> Plan:
    """Every cell attends to every other."""
    width, blocks = spec.width or 48, spec.blocks or 2
    if width % 4:
        raise ValueError(f"the width of attention is a multiple of 4, not {width}")
    flat = width * spec.cells
    return spec.assemble(
        [Cells(spec.shape, width), *[Attention(width, 4)] * blocks, Flatten()],
        [Linear(flat, spec.actions)],
        [*spec.dense(flat, width), Linear(width, 1)],
    )


def plain_conv(
    channels: tuple[int, ...], hidden: tuple[int, ...], heads: tuple[int, ...] = ()
) -> Callable[[NetworkSpec], Plan]:
    """Convolutions with ReLU, then dense layers, shared and then of each head."""

    def build(spec: NetworkSpec) -> Plan:
        flat = channels[-1] * spec.cells
        before = hidden[-1] if hidden else flat
        last = heads[-1] if heads else before
        return spec.assemble(
            [*convolutions(spec.planes, *channels), *spec.dense(flat, *hidden)],
            [*spec.dense(before, *heads), Linear(last, spec.actions)],
            [*spec.dense(before, *heads), Linear(last, 1)],
        )

    return build


def super_tictactoe(spec: NetworkSpec) -> Plan:
    """The super tic-tac-toe paper's: group-normalised blocks, heads of 32 planes, sigmoid value."""
    width, blocks, heads = spec.width or 128, spec.blocks or 4, 32
    head, flat = head_layers(width, heads, "group"), heads * spec.cells
    return spec.assemble(
        tower(spec.planes, width, blocks, "group"),
        [*head, Linear(flat, spec.actions)],
        [*head, Linear(flat, 1)],
        Bounded(),
    )


def c4net(spec: NetworkSpec) -> Plan:
    """The Connect Four network: four normalised convolutions, the last two unpadded, two layers.

    On boards too small for that the last two are padded too. The paper gives no widths.
    """
    width, wide = spec.width or 64, 2 * (spec.width or 64)
    _, rows, columns = spec.shape
    padding = 0 if min(rows, columns) > 4 else 1
    shrunk = 4 * (1 - padding)
    flat = width * (rows - shrunk) * (columns - shrunk)
    trunk: list[Layer] = []
    for place in range(4):
        inputs = width if place else spec.planes
        pad = 1 if place < 2 else padding
        trunk += [*conv(inputs, width, "batch", padding=pad), Relu()]
    trunk += [Flatten(), *spec.dense(flat, wide, wide)]
    return spec.assemble(trunk, [Linear(wide, spec.actions)], [Linear(wide, 1)])


def draughts(spec: NetworkSpec) -> Plan:
    """The draughts paper's: batch-normalised residual blocks of 256 filters, policy and value."""
    width, blocks, wide = spec.width or 256, spec.blocks or 4, 256
    return spec.assemble(
        tower(spec.planes, width, blocks, "batch"),
        [*head_layers(width, 2, "batch"), Linear(2 * spec.cells, spec.actions)],
        [*head_layers(width, 1, "batch"), *spec.dense(spec.cells, wide), Linear(wide, 1)],
    )


def thesis(spec: NetworkSpec) -> Plan:
    """The thesis on Chinese Checkers: residual blocks, and a value of 256 units over all planes.

    It gives neither filters nor how many blocks; 'a few' convolutions are two.
    """
    width, blocks, wide = spec.width or 64, spec.blocks or 4, 256
    flat = width * spec.cells
    return spec.assemble(
        [*conv(spec.planes, width, "batch"), Relu(), *tower(width, width, blocks, "batch")],
        [*conv(width, width, "batch"), Relu(), Flatten(), Linear(flat, spec.actions)],
        [Flatten(), *spec.dense(flat, wide), Linear(wide, 1)],
    )


# What hidden dense layers are followed by. Adam moves all weights of a unit the same way where its
# inputs are never negative, so that a wide one may fall below zero for every position within a few
# updates; with ReLU it has no gradient there and is lost.
AUTO, RELU, LEAKY = ACTIVATIONS = ("auto", "relu", "leaky")
OWN = (
    "mlp",
    "conv",
    "residual",
    "zero",
    "zero-conv",
    "attention",
)  # leaky by default; papers' have ReLU

OVER_BOARD = ("zero-conv",)  # whose policy needs a game that tells where its actions lie

NETWORKS: dict[str, Callable[[NetworkSpec], Plan]] = {
    "mlp": mlp,
    "conv": convolutional,
    "residual": light("group", "", 48, 3),
    "zero": light("batch", "batch", 64, 4),  # which plays folded into the convolutions
    "zero-conv": light("batch", "batch", 64, 4, over_board=True),
    "attention": attention,
    "cathedral-dqn": plain_conv((32, 64, 64, 128), (1024, 2048)),
    "cathedral-ppo": plain_conv((16, 32, 64), (), (512, 512)),
    "kingcourtesan-dqn": plain_conv((64, 128, 128), (512, 256)),
    "kingcourtesan-reinforce": plain_conv((64, 128), (512, 256)),
    "supertictactoe": super_tictactoe,
    "c4net": c4net,
    "draughts": draughts,
    "thesis": thesis,
}


def default_network(shape: Shape) -> str:
    """The name of the small network that suits a board."""
    return "mlp" if shape[1] * shape[2] <= SMALL_BOARD else "conv"


def plan_network(name: str, spec: NetworkSpec) -> Plan:
    """The plan of a network, by its name; no name is the default of its board."""
    name = name or default_network(spec.shape)
    if name not in NETWORKS:
        near = get_close_matches(name, NETWORKS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no network {name!r}; {hint}there are {', '.join(NETWORKS)}")
    return NETWORKS[name](spec)


def is_leaky(activation: str, name: str, shape: Shape) -> bool:
    """Whether the hidden dense layers of a network have leaky ReLU."""
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is one of {', '.join(ACTIVATIONS)}, not {activation!r}")
    return activation == LEAKY or (activation == AUTO and (name or default_network(shape)) in OWN)


@dataclass(frozen=True)
class Autoencoder(Parts):
    """Positions to a few numbers with their uncertainty, and back."""

    encoder: Sequence
    mean: Linear
    spread: Linear
    decoder: Sequence

    @property
    def trunk(self) -> tuple[Layer, ...]:
        """What sees a position: the encoder up to its means."""
        return (*self.encoder.layers, self.mean)


def autoencoder(shape: Shape, latent: int, width: int) -> Autoencoder:
    """Of positions of this shape, with so many latent numbers."""
    planes, rows, columns = shape
    flat, wide = 2 * width * rows * columns, WIDE * width
    dense = NetworkSpec(shape, 0).dense
    return Autoencoder(
        in_sequence([*convolutions(planes, width, 2 * width), *dense(flat, wide)]),
        Linear(wide, latent),
        Linear(wide, latent),
        in_sequence([*dense(latent, wide, wide), Linear(wide, planes * rows * columns)]),
    )


def on_encoder(spec: NetworkSpec, latent: int, width: int) -> Plan:
    """Heads on the encoder of an autoencoder."""
    trunk = [*autoencoder(spec.shape, latent, width).trunk]
    wide, layers = spec.head_width or HEAD, spec.head_layers or 1
    head = spec.dense(latent, *[wide] * layers)
    plan = spec.assemble(trunk, [*head, Linear(wide, spec.actions)], [*head, Linear(wide, 1)])
    if plan.critic is None:
        return plan
    critic = in_sequence([*trunk, *spec.dense(latent, latent)])
    return Plan(plan.trunk, plan.actions, plan.value, critic)
