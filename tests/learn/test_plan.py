"""A plan is the network that it describes: the same arrays, first weights, and numbers."""

import dataclasses

import numpy as np
import pytest
import torch

import ludus
from ludus.learn.networks.architectures import (
    NETWORKS,
    NetworkSpec,
    autoencoder,
    is_leaky,
    on_encoder,
    plan_network,
)
from ludus.learn.networks.encoder import Vae
from ludus.learn.networks.encoder import on_encoder as heads_on
from ludus.learn.networks.network import network
from ludus.learn.networks.onnx import StoredNetwork, graph_of, in_onnx
from ludus.learn.networks.plan import check_names
from ludus.learn.networks.player import in_torch
from ludus.learn.networks.stored import check_arrays
from ludus.learn.networks.weighting import Weighting, cells_of

SHAPE = (3, 6, 7)
PLACES = tuple(range(9))
HEADS = [{}, {"value": False}, {"separate": True}, {"bounded": False}]
SIZES = [(0, 0), (8, 1), (16, 3)]

# The sum of all first weights' sizes by seed 5: what a run's seed means may never change.
FIRST = {
    "mlp": 63.7175,
    "conv": 344.7134,
    "residual": 292.9073,
    "zero": 348.9073,
    "attention": 277.9714,
    "supertictactoe": 463.2795,
    "c4net": 298.8735,
}


def arrays_of(module):
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


def told(plan):
    return [(name, weights.kind, weights.shape) for name, weights in plan.arrays()]


def found(module):
    return [(name, str(array.dtype), array.shape) for name, array in arrays_of(module).items()]


@pytest.mark.parametrize("heads", HEADS, ids=str)
@pytest.mark.parametrize("name", NETWORKS)
def test_a_plan_has_the_arrays_of_its_network(name, heads):
    options = {"leaky": is_leaky("auto", name, SHAPE), "places": PLACES}
    for width, blocks in SIZES:
        plan = plan_network(name, NetworkSpec(SHAPE, 9, width, blocks, **heads, **options))
        net = network(name, SHAPE, 9, seed=3, width=width, blocks=blocks, places=PLACES, **heads)
        assert sorted(told(plan)) == sorted(found(net))
        learned = [key for key, weights in plan.arrays() if weights.learned]
        assert sorted(learned) == sorted(key for key, _ in net.named_parameters())
        assert net.plan == plan


@pytest.mark.parametrize("separate", [False, True])
def test_a_plan_on_an_encoder_has_the_arrays_of_its_network(separate):
    vae = Vae(SHAPE, 5, 8)
    assert sorted(told(autoencoder(SHAPE, 5, 8))) == sorted(found(vae))
    net = heads_on(vae, 9, frozen=True, value=True, separate=separate, seed=1)
    plan = on_encoder(NetworkSpec(SHAPE, 9, separate=separate), 5, 8)
    assert sorted(told(plan)) == sorted(found(net))
    check_arrays(plan, arrays_of(net))


def test_a_weighted_plan_has_the_arrays_of_its_network():
    game = ludus.game("supertictactoe")
    shape = game.start().shape("paper")
    net = network("mlp", shape, game.num_actions, seed=3)
    net.weighting = Weighting(shape, cells_of(game, "paper"))
    assert sorted(told(net.plan)) == sorted(found(net))
    check_arrays(net.plan, arrays_of(net))


@pytest.mark.parametrize("activation", ["relu", "leaky"])
@pytest.mark.parametrize("name", NETWORKS)
def test_arrays_and_a_plan_play_as_the_network_does(name, activation):
    sizes = {"width": 8, "blocks": 1, "places": PLACES}
    net = network(name, SHAPE, 9, seed=3, activation=activation, **sizes)
    asked = NetworkSpec(SHAPE, 9, leaky=activation == "leaky", **sizes)
    x = np.random.default_rng(1).integers(2, size=(5, *SHAPE)).astype(np.float32)
    net.train()(torch.from_numpy(x))  # moves averages
    arrays = {key: array.copy() for key, array in arrays_of(net).items()}
    stored = in_onnx(graph_of(StoredNetwork(plan_network(name, asked), arrays)))
    for one, other in zip(in_torch(net)(x), stored(x), strict=True):
        assert np.abs(one - other).max() < 1e-4


@pytest.mark.parametrize("name", FIRST)
def test_a_seed_means_the_same_first_weights_as_ever(name):
    net = network(name, SHAPE, 9, seed=5, width=8, blocks=1)
    total = sum(float(np.abs(array).sum()) for array in arrays_of(net).values())
    assert total == pytest.approx(FIRST[name], rel=1e-5)


def wrong(arrays):
    """Arrays that are not a network's, and what is said of them."""
    name = "trunk.1.weight"
    weight = arrays[name]
    yield {**arrays, "more": weight}, "more belongs to no layer"
    yield {key: one for key, one in arrays.items() if key != name}, f"{name} is missing"
    yield {**arrays, name: weight.T}, r"trunk.1.weight is float32 \[126, 8\], not"
    yield {**arrays, name: weight.astype(np.float64)}, "is float64"
    yield {**arrays, name: np.float32(1)}, r"is float32 \[\], not"
    yield {**arrays, name: np.full_like(weight, np.nan)}, f"{name} is not finite"
    yield {**arrays, name: np.full_like(weight, 1e30)}, f"{name} goes beyond"


def test_arrays_that_are_not_the_plans_are_refused():
    arrays = arrays_of(network("mlp", SHAPE, 9, seed=3, width=8, blocks=1))
    plan = plan_network("mlp", NetworkSpec(SHAPE, 9, 8, 1))
    check_arrays(plan, arrays)
    for forged, said in wrong(arrays):
        with pytest.raises(ValueError, match=said):
            check_arrays(plan, forged)


def test_a_width_that_cannot_be_normalised_in_groups_is_refused():
    for name in ("residual", "supertictactoe"):
        with pytest.raises(ValueError, match="width is a multiple of 8, not 12"):
            plan_network(name, NetworkSpec(SHAPE, 9, 12))


def test_what_is_only_told_of_arrays_is_checked_without_them():
    @dataclasses.dataclass
    class Told:
        dtype: str
        shape: tuple[int, ...]

    plan = plan_network("mlp", NetworkSpec(SHAPE, 9, 8, 1))
    tales = {name: Told(weights.kind, weights.shape) for name, weights in plan.arrays()}
    check_names(plan, tales)
    with pytest.raises(ValueError, match="is float32"):
        check_names(plan, {**tales, "trunk.1.bias": Told("float32", (10**12,))})
