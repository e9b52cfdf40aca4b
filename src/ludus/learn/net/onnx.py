"""A network as an ONNX graph, layer by layer, so that it plays without torch, and faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from torch import nn

from ludus.learn import MISSING
from ludus.learn.net.layers import Attention, Bounded, Cells, Residual
from ludus.learn.net.networks import Network
from ludus.learn.net.weighting import LEAST, REACH, Weighting

OPSET = 21
INPUT, ACTIONS, VALUE = "x", "actions", "value"


class Graph:
    """Nodes and weights, collected in order."""

    def __init__(self) -> None:
        try:
            import onnx
        except ModuleNotFoundError:
            raise ValueError(MISSING.format(name="onnx")) from None
        self.onnx: Any = onnx
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def constant(self, array: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(self.onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def weight(self, tensor: Any) -> str:
        return self.constant(tensor.detach().numpy())

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [name], **attributes))
        return name

    def numbers(self, *shape: int) -> str:
        return self.constant(np.array(shape, np.int64))


def sequential(graph: Graph, layer: nn.Sequential, x: str) -> str:
    """One after the other."""
    for part in layer:
        x = written(graph, part, x)
    return x


def linear(graph: Graph, layer: nn.Linear, x: str) -> str:
    """Over the last axis, whatever stands before it."""
    product = graph.add("MatMul", x, graph.weight(layer.weight.T.contiguous()))
    return graph.add("Add", product, graph.weight(layer.bias))


def convolution(graph: Graph, layer: nn.Conv2d, x: str) -> str:
    """With padding alike on all sides."""
    pad = int(layer.padding[0])
    bias = [] if layer.bias is None else [graph.weight(layer.bias)]
    return graph.add("Conv", x, graph.weight(layer.weight), *bias, pads=[pad] * 4)


def batch_norm(graph: Graph, layer: nn.BatchNorm2d, x: str) -> str:
    """With the averages of training."""
    parts = (layer.weight, layer.bias, layer.running_mean, layer.running_var)
    return graph.add(
        "BatchNormalization", x, *(graph.weight(part) for part in parts), epsilon=layer.eps
    )


def group_norm(graph: Graph, layer: nn.GroupNorm, x: str) -> str:
    """Each group of planes to mean 0 and variance 1, then each plane scaled and shifted."""
    return graph.add(
        "GroupNormalization",
        x,
        graph.weight(layer.weight),
        graph.weight(layer.bias),
        num_groups=layer.num_groups,
        epsilon=layer.eps,
    )


def layer_norm(graph: Graph, layer: nn.LayerNorm, x: str) -> str:
    """Over the last axis."""
    scale, shift = graph.weight(layer.weight), graph.weight(layer.bias)
    return graph.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=layer.eps)


def residual(graph: Graph, layer: Residual, x: str) -> str:
    """X + body(x), then ReLU."""
    return graph.add("Relu", graph.add("Add", x, sequential(graph, layer.body, x)))


def bounded(graph: Graph, layer: Bounded, x: str) -> str:
    """2 * sigmoid - 1."""
    doubled = graph.add("Mul", graph.add("Sigmoid", x), graph.constant(np.float32(2)))
    return graph.add("Sub", doubled, graph.constant(np.float32(1)))


def cells(graph: Graph, layer: Cells, x: str) -> str:
    """[batch, planes, rows, columns] to [batch, cells, width]."""
    planes = layer.mix.in_features
    flat = graph.add("Reshape", x, graph.numbers(0, planes, -1))
    mixed = linear(graph, layer.mix, graph.add("Transpose", flat, perm=[0, 2, 1]))
    return graph.add("Add", mixed, graph.weight(layer.place))


def attention(graph: Graph, layer: Attention, x: str) -> str:
    """As the layer's forward does it."""
    width = layer.out.in_features
    each = width // layer.heads
    normal = layer_norm(graph, layer.before, x)

    def split(part: nn.Linear, perm: list[int]) -> str:
        shape = graph.numbers(0, -1, layer.heads, each)
        apart = graph.add("Reshape", linear(graph, part, normal), shape)
        return graph.add("Transpose", apart, perm=perm)

    ask, tell = (split(part, [0, 2, 1, 3]) for part in (layer.ask, layer.tell))
    scores = graph.add("MatMul", ask, split(layer.key, [0, 2, 3, 1]))
    scaled = graph.add("Mul", scores, graph.constant(np.float32(each**-0.5)))
    seen = graph.add("MatMul", graph.add("Softmax", scaled, axis=-1), tell)
    together = graph.add("Transpose", seen, perm=[0, 2, 1, 3])
    joined = graph.add("Reshape", together, graph.numbers(0, -1, width))
    x = graph.add("Add", x, linear(graph, layer.out, joined))
    wide = graph.add("Relu", linear(graph, layer.wide, layer_norm(graph, layer.between, x)))
    return graph.add("Add", x, linear(graph, layer.back, wide))


def weighting(graph: Graph, layer: Weighting, x: str) -> str:
    """As the layer's forward does it."""
    counts = graph.add("Conv", x, graph.weight(layer.kernels), pads=[REACH] * 4)
    squares = graph.add("Mul", counts, counts)
    summed = graph.add("ReduceSum", squares, graph.numbers(1), keepdims=0)
    weights = graph.add("Flatten", summed)
    most = graph.add("ReduceMax", weights, graph.numbers(1), keepdims=1)
    least = graph.add("Max", most, graph.constant(np.float32(1)))
    raised = graph.add("Add", graph.add("Div", weights, least), graph.constant(np.float32(LEAST)))
    return graph.add("Gather", graph.add("Log", raised), graph.weight(layer.cells), axis=1)


WRITERS: dict[type[nn.Module], Callable[[Graph, Any, str], str]] = {
    nn.Sequential: sequential,
    nn.Linear: linear,
    nn.Conv2d: convolution,
    nn.BatchNorm2d: batch_norm,
    nn.GroupNorm: group_norm,
    nn.Flatten: lambda graph, _, x: graph.add("Flatten", x),
    nn.ReLU: lambda graph, _, x: graph.add("Relu", x),
    nn.Tanh: lambda graph, _, x: graph.add("Tanh", x),
    Residual: residual,
    Bounded: bounded,
    Cells: cells,
    Attention: attention,
    Weighting: weighting,
}


def written(graph: Graph, layer: nn.Module, x: str) -> str:
    """Add a layer to the graph; the name of its output."""
    if type(layer) not in WRITERS:
        raise ValueError(f"no ONNX form of the layer {type(layer).__name__}")
    return WRITERS[type(layer)](graph, layer, x)


def graph_of(network: Network) -> bytes:
    """The network for ONNX Runtime: x in, actions and perhaps value out."""
    graph = Graph()
    seen = written(graph, network.trunk, INPUT)
    numbers = written(graph, network.actions, seen)
    if network.weighting is not None:
        numbers = graph.add("Add", numbers, written(graph, network.weighting, INPUT))
    graph.nodes.append(renamed(graph, numbers, ACTIONS))
    outputs = [ACTIONS]
    if network.value is not None:
        judged = seen if network.critic is None else written(graph, network.critic, INPUT)
        raw = written(graph, network.value, judged)
        graph.nodes.append(renamed(graph, graph.add("Flatten", raw, axis=0), VALUE))
        outputs.append(VALUE)
    return serialised(graph, outputs)


def serialised(graph: Graph, outputs: list[str]) -> bytes:
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


def renamed(graph: Graph, name: str, to: str) -> Any:
    """A node that passes a result on under the name that players ask for."""
    return graph.onnx.helper.make_node("Identity", [name], [to])
