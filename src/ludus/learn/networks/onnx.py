"""A network as an ONNX graph, layer by layer, so that it plays without torch, and faster.

The graph is written from a plan and its arrays; no graph that anybody gives is ever loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ludus.device import ASKED, AUTO, CPU, CUDA
from ludus.learn import NO_PLAYING
from ludus.learn.networks import plan
from ludus.learn.networks.nearness import LEAST, REACH, Weighting
from ludus.learn.networks.player import Evaluator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.player import Floats

OPSET = 21
INPUT, ACTIONS, VALUE = "x", "actions", "value"
PROVIDERS = {CPU: "CPUExecutionProvider", CUDA: "CUDAExecutionProvider"}


class NetworkLike(Protocol):
    """A network, as far as its graph depends on it."""

    @property
    def plan(self) -> plan.Plan: ...

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]: ...


@dataclass(frozen=True)
class StoredNetwork:
    """A network that is known by its plan and arrays alone."""

    plan: plan.Plan
    arrays: Mapping[str, NDArray[Any]]


class Graph:
    """Nodes and weights, collected in order."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], half: bool = False) -> None:
        try:
            import onnx
        except ModuleNotFoundError:
            raise ValueError(NO_PLAYING.format(name="onnx")) from None
        self.onnx: Any = onnx
        self.arrays, self.half = arrays, half
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def constant(self, array: Any) -> str:
        name = f"w{len(self.weights)}"
        array = np.asarray(array)
        if self.half and array.dtype == np.float32:
            array = array.astype(np.float16)
        self.weights.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(self.arrays[name])

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [name], **attributes))
        return name

    def cast(self, x: str, half: bool) -> str:
        """To half floats or to floats, in a graph that computes in half."""
        kinds = self.onnx.TensorProto
        kind = kinds.FLOAT16 if half else kinds.FLOAT
        return self.add("Cast", x, to=kind) if self.half else x

    def numbers(self, *shape: int) -> str:
        return self.constant(np.array(shape, np.int64))


def sequential(graph: Graph, layer: plan.Sequence, name: str, x: str) -> str:
    """One after the other."""
    for place, part in enumerate(layer.layers):
        x = write_layer(graph, part, f"{name}.{place}", x)
    return x


def linear(graph: Graph, layer: plan.Linear, name: str, x: str) -> str:
    """Over the last axis, whatever stands before it."""
    turned = np.ascontiguousarray(graph.arrays[f"{name}.weight"].T)
    product = graph.add("MatMul", x, graph.constant(turned))
    return graph.add("Add", product, graph.weight(f"{name}.bias"))


def convolution(graph: Graph, layer: plan.Conv, name: str, x: str) -> str:
    """With padding alike on all sides."""
    bias = [graph.weight(f"{name}.bias")] if layer.bias else []
    weight = graph.weight(f"{name}.weight")
    return graph.add("Conv", x, weight, *bias, pads=[layer.padding] * 4)


def batch_norm(graph: Graph, layer: plan.BatchNorm, name: str, x: str) -> str:
    """With the averages of training."""
    parts = ("weight", "bias", "running_mean", "running_var")
    weights = [graph.weight(f"{name}.{part}") for part in parts]
    return graph.add("BatchNormalization", x, *weights, epsilon=plan.EPSILON)


def group_norm(graph: Graph, layer: plan.GroupNorm, name: str, x: str) -> str:
    """Each group of planes to mean 0 and variance 1, then each plane scaled and shifted."""
    weights = [graph.weight(f"{name}.{part}") for part in ("weight", "bias")]
    kind, groups = "GroupNormalization", layer.groups
    return graph.add(kind, x, *weights, num_groups=groups, epsilon=plan.EPSILON)


def layer_norm(graph: Graph, layer: plan.LayerNorm, name: str, x: str) -> str:
    """Over the last axis."""
    weights = [graph.weight(f"{name}.{part}") for part in ("weight", "bias")]
    return graph.add("LayerNormalization", x, *weights, axis=-1, epsilon=plan.EPSILON)


def residual(graph: Graph, layer: plan.Residual, name: str, x: str) -> str:
    """X + body(x), then ReLU."""
    inner = sequential(graph, layer.body, f"{name}.body", x)
    return graph.add("Relu", graph.add("Add", x, inner))


def bounded(graph: Graph, layer: plan.Bounded, name: str, x: str) -> str:
    """2 * sigmoid - 1."""
    doubled = graph.add("Mul", graph.add("Sigmoid", x), graph.constant(np.float32(2)))
    return graph.add("Sub", doubled, graph.constant(np.float32(1)))


def select(graph: Graph, layer: plan.Select, name: str, x: str) -> str:
    """Of each row."""
    return graph.add("Gather", x, graph.numbers(*layer.places), axis=1)


def cells(graph: Graph, layer: plan.Cells, name: str, x: str) -> str:
    """[batch, planes, rows, columns] to [batch, cells, width]."""
    flat = graph.add("Reshape", x, graph.numbers(0, layer.mix.inputs, -1))
    turned = graph.add("Transpose", flat, perm=[0, 2, 1])
    mixed = linear(graph, layer.mix, f"{name}.mix", turned)
    return graph.add("Add", mixed, graph.weight(f"{name}.place"))


def attention(graph: Graph, layer: plan.Attention, name: str, x: str) -> str:
    """As the layer's forward does it."""
    each = layer.width // layer.heads

    def part(which: str, x: str) -> str:
        return write_layer(graph, getattr(layer, which), f"{name}.{which}", x)

    normal = part("before", x)

    def split(which: str, perm: list[int]) -> str:
        shape = graph.numbers(0, -1, layer.heads, each)
        apart = graph.add("Reshape", part(which, normal), shape)
        return graph.add("Transpose", apart, perm=perm)

    ask, tell = (split(which, [0, 2, 1, 3]) for which in ("ask", "tell"))
    scores = graph.add("MatMul", ask, split("key", [0, 2, 3, 1]))
    scaled = graph.add("Mul", scores, graph.constant(np.float32(each**-0.5)))
    seen = graph.add("MatMul", graph.add("Softmax", scaled, axis=-1), tell)
    together = graph.add("Transpose", seen, perm=[0, 2, 1, 3])
    joined = graph.add("Reshape", together, graph.numbers(0, -1, layer.width))
    x = graph.add("Add", x, part("out", joined))
    wide = graph.add("Relu", part("wide", part("between", x)))
    return graph.add("Add", x, part("back", wide))


def weighting(graph: Graph, layer: Weighting, name: str, x: str) -> str:
    """As the layer's forward does it."""
    counts = graph.add("Conv", x, graph.weight(f"{name}.kernels"), pads=[REACH] * 4)
    squares = graph.add("Mul", counts, counts)
    summed = graph.add("ReduceSum", squares, graph.numbers(1), keepdims=0)
    weights = graph.add("Flatten", summed)
    most = graph.add("ReduceMax", weights, graph.numbers(1), keepdims=1)
    least = graph.add("Max", most, graph.constant(np.float32(1)))
    raised = graph.add("Add", graph.add("Div", weights, least), graph.constant(np.float32(LEAST)))
    return graph.add("Gather", graph.add("Log", raised), graph.weight(f"{name}.cells"), axis=1)


WRITERS: dict[type[plan.Layer], Callable[[Graph, Any, str, str], str]] = {
    plan.Sequence: sequential,
    plan.Linear: linear,
    plan.Conv: convolution,
    plan.BatchNorm: batch_norm,
    plan.GroupNorm: group_norm,
    plan.LayerNorm: layer_norm,
    plan.Flatten: lambda graph, layer, name, x: graph.add("Flatten", x),
    plan.Select: select,
    plan.Relu: lambda graph, layer, name, x: graph.add("Relu", x),
    plan.LeakyRelu: lambda graph, layer, name, x: graph.add("LeakyRelu", x, alpha=plan.LEAK),
    plan.Tanh: lambda graph, layer, name, x: graph.add("Tanh", x),
    plan.Residual: residual,
    plan.Bounded: bounded,
    plan.Cells: cells,
    plan.Attention: attention,
    Weighting: weighting,
}


def write_layer(graph: Graph, layer: plan.Layer, name: str, x: str) -> str:
    """Add a layer, whose arrays begin with this name, to the graph; the name of its output."""
    return WRITERS[type(layer)](graph, layer, name, x)


def graph_of(network: NetworkLike, half: bool = False) -> bytes:
    """The network for ONNX Runtime: x in, actions and perhaps value out; inside perhaps in half."""
    graph, of = Graph(network.arrays, half), network.plan
    x = graph.cast(INPUT, half=True)
    seen = write_layer(graph, of.trunk, "trunk", x)
    numbers = write_layer(graph, of.actions, "actions", seen)
    if of.weighting is not None:
        numbers = graph.add("Add", numbers, write_layer(graph, of.weighting, "weighting", x))
    graph.nodes.append(output_node(graph, graph.cast(numbers, half=False), ACTIONS))
    outputs = [ACTIONS]
    if of.value is not None:
        judged = seen if of.critic is None else write_layer(graph, of.critic, "critic", x)
        raw = write_layer(graph, of.value, "value", judged)
        flat = graph.cast(graph.add("Flatten", raw, axis=0), half=False)
        graph.nodes.append(output_node(graph, flat, VALUE))
        outputs.append(VALUE)
    return serialise(graph, outputs)


def serialise(graph: Graph, outputs: list[str]) -> bytes:
    """The graph as a file for ONNX Runtime."""
    helper, kinds = graph.onnx.helper, graph.onnx.TensorProto
    made = helper.make_graph(
        graph.nodes,
        "ludus",
        [helper.make_tensor_value_info(INPUT, kinds.FLOAT, ["batch", None, None, None])],
        [helper.make_tensor_value_info(name, kinds.FLOAT, None) for name in outputs],
        graph.weights,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    data: bytes = model.SerializeToString()
    return data


def output_node(graph: Graph, name: str, to: str) -> Any:
    """A node that passes a result on under the name that players ask for."""
    return graph.onnx.helper.make_node("Identity", [name], [to])


def providers(runtime: Any) -> list[str]:
    """Who computes, as `ludus.device` asks: the first that can."""
    asked = ASKED[0]
    if asked not in (AUTO, CUDA):
        return [PROVIDERS[CPU]]
    there = PROVIDERS[CUDA] in runtime.get_available_providers()
    if asked == CUDA and not there:
        raise ValueError(
            "--device cuda needs onnxruntime-gpu for networks that play, and this build of ONNX "
            "Runtime has no CUDA provider; --device cpu plays on the processor"
        )
    return [PROVIDERS[CUDA], PROVIDERS[CPU]] if there else [PROVIDERS[CPU]]


def plays_on_gpu() -> bool:
    """Whether networks play on a GPU here."""
    if ASKED[0] not in (AUTO, CUDA):
        return False
    import onnxruntime

    return PROVIDERS[CUDA] in providers(onnxruntime)


def in_onnx(graph: bytes, threads: int = 1) -> Evaluator:
    """A network as it plays: ONNX Runtime is twice as fast as torch, and needs no torch.

    The graph is one that `onnx.py` or `int8.py` wrote in this process, never one from a file.
    """
    try:
        import onnxruntime
    except ModuleNotFoundError:
        raise ValueError(NO_PLAYING.format(name="onnxruntime")) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(graph, options, providers=providers(onnxruntime))
    names = [output.name for output in session.get_outputs()]

    def evaluate(features: Floats) -> tuple[Floats, Floats | None]:
        found = session.run(names, {"x": features})
        value = found[1].reshape(-1) if len(found) > 1 else None
        return found[0], value

    return evaluate
