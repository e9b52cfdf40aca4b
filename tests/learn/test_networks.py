"""Networks by name: for every board, equal in torch and in ONNX Runtime, the same for a seed."""

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import ppo
from ludus.learn.networks.encoder import Vae, cell_accuracy, losses, on_encoder
from ludus.learn.networks.network import NETWORKS, default_network, network, size
from ludus.learn.networks.onnx import graph_of, in_onnx
from ludus.learn.networks.player import in_torch
from ludus.learn.networks.weighting import Weighting, cells_of

SHAPE = (3, 6, 7)


def built(name, shape=SHAPE, actions=9, **options):
    small = {"width": 8, "blocks": 1} if name not in ("cathedral-dqn", "kingcourtesan-dqn") else {}
    places = tuple(range(actions))
    return network(name, shape, actions, seed=3, **{"places": places, **small, **options})


def positions(shape, count=5, seed=0):
    return np.random.default_rng(seed).integers(2, size=(count, *shape)).astype(np.float32)


def agree(net, shape=SHAPE):
    """What torch says and what ONNX Runtime says, after some moving of averages."""
    net.train()
    net(torch.from_numpy(positions(shape, 7, 1)))
    x = positions(shape)
    for one, other in zip(in_torch(net)(x), in_onnx(graph_of(net))(x), strict=True):
        if one is None:
            assert other is None
        else:
            assert one.shape == other.shape
            assert np.abs(one - other).max() < 1e-4


@pytest.mark.parametrize("name", NETWORKS)
def test_torch_and_onnx_agree(name):
    agree(built(name, value=False))
    agree(built(name))
    agree(built(name, separate=True))
    agree(built(name, bounded=False))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_value_is_bounded_unless_it_is_not(name):
    vae = Vae(SHAPE, 3, 4)
    kinds = {"frozen": True, "value": True, "separate": False, "seed": 1}
    for bounded in (True, False):
        nets = built(name, bounded=bounded), on_encoder(vae, 5, bounded=bounded, **kinds)
        for net in nets:
            last = [part for part in net.value if isinstance(part, torch.nn.Linear)][-1]
            torch.nn.init.constant_(last.bias, 10.0)
            assert (net.eval()(torch.from_numpy(positions(SHAPE)))[1] <= 1).all() == bounded


@pytest.mark.parametrize("name", NETWORKS)
def test_an_evaluation_does_not_depend_on_its_batch(name):
    look = in_onnx(graph_of(built(name)))
    x = positions(SHAPE)
    together, alone = look(x)[0], np.concatenate([look(x[i : i + 1])[0] for i in range(len(x))])
    assert np.abs(together - alone).max() < 1e-5


def test_the_papers_sizes():
    """Weights of the papers' networks, counted by hand."""
    dqn = network("cathedral-dqn", (5, 8, 8), 1753, seed=0, value=False)
    convolutions = 5 * 32 * 9 + 32 + 32 * 64 * 9 + 64 + 64 * 64 * 9 + 64 + 64 * 128 * 9 + 128
    layers = 8192 * 1024 + 1024 + 1024 * 2048 + 2048 + 2048 * 1753 + 1753
    assert size(dqn) == convolutions + layers
    king = network("kingcourtesan-reinforce", (6, 6, 6), 1296, seed=0, value=False)
    convolutions = 6 * 64 * 9 + 64 + 64 * 128 * 9 + 128
    layers = 128 * 36 * 512 + 512 + 512 * 256 + 256 + 256 * 1296 + 1296
    assert size(king) == convolutions + layers


def test_first_weights_are_the_seeds_and_leave_the_world_alone():
    torch.manual_seed(7)
    before = torch.random.get_rng_state()
    one, two = (built("residual").state_dict() for _ in range(2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_every_game_has_a_default(game):
    start = game.start()
    shape = start.shape()
    net = network("", shape, game.num_actions, seed=0)
    actions, value = net(torch.from_numpy(start.features()[None]))
    assert actions.shape == (1, game.num_actions)
    assert value.shape == (1,)
    assert default_network(shape) in NETWORKS


def test_wrong_names_are_told():
    with pytest.raises(ValueError, match="no network 'residul'; did you mean residual"):
        built("residul")
    with pytest.raises(ValueError, match="multiple of 4"):
        built("attention", width=6)


def test_weighting_favours_cells_near_stones():
    game = ludus.game("supertictactoe:success=1.0")
    cells = cells_of(game, "paper")
    assert len(set(cells)) == 80
    state = game.start().play(30)
    shape = state.shape("paper")
    net = built("mlp", shape, 80)
    net.weighting = Weighting(shape, cells)
    agree(net, shape)
    x = torch.from_numpy(state.features("paper")[None])
    added = net.weighting(x)[0]
    stone = divmod(cells[30], shape[2])
    far = [max(abs(cell // shape[2] - stone[0]), abs(cell % shape[2] - stone[1])) for cell in cells]
    near = added[[distance == 1 for distance in far]]
    away = added[[distance > 3 for distance in far]]
    assert near.min() > away.max()
    assert torch.allclose(away, torch.tensor(0.1).log())
    assert added.max() == pytest.approx(np.log(1.1))


@pytest.mark.parametrize("name", ["connect4", "checkers"])
def test_weighting_is_for_games_of_cells(name):
    with pytest.raises(ValueError, match=f"every action is a cell, unlike {name}"):
        cells_of(ludus.game(name), "full")


def test_weighting_blames_the_planes_where_they_are_at_fault():
    with pytest.raises(ValueError, match="planes full or paper, not signed"):
        cells_of(ludus.game("supertictactoe"), "signed")


def test_the_bound_of_the_autoencoder_by_hand():
    logits = torch.tensor([[[[0.0, 2.0]]]])
    x = torch.tensor([[[[1.0, 0.0]]]])
    mean, spread = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 0.5]])
    wrong, divergence = losses(logits, x, mean, spread)
    assert wrong.item() == pytest.approx(np.log(2) + np.log(1 + np.exp(2)))
    by_hand = 0.5 * (1.0 + (np.exp(0.5) - 0.5 - 1))
    assert divergence.item() == pytest.approx(by_hand)
    assert cell_accuracy(torch.tensor([[[[1.0, 2.0]]]]), x, [torch.tensor([0.0, 1.0])]) == 0.5


def test_a_cell_is_read_right_nearest_to_its_content():
    """Two planes: enemy, empty and own as 0, 0.5 and 1; and stones or none as 1 and 0."""
    x = torch.tensor([[[[0.0, 0.5, 1.0, 0.5]], [[0.0, 1.0, 1.0, 0.0]]]])
    contents = [torch.tensor([0.0, 0.5, 1.0]), torch.tensor([0.0, 1.0])]
    for shift in (-1e-4, 1e-4):
        read = (x + shift).clamp(1e-6, 1 - 1e-6)
        assert cell_accuracy(torch.logit(read), x, contents).tolist() == [1, 1]
    blind = torch.where(x == 0, 0.5, x).clamp(1e-6, 1 - 1e-6)
    assert cell_accuracy(torch.logit(blind), x, contents)[0] == 0.75


def test_a_frozen_encoder_stays_as_it_is():
    vae = Vae((2, 4, 4), 3, 4)
    for frozen in (True, False):
        net = on_encoder(vae, 5, frozen=frozen, value=True, separate=False, seed=1)
        agree(net, (2, 4, 4))
        logits, _ = net(torch.from_numpy(positions((2, 4, 4))))
        torch.autograd.backward(logits.sum())
        assert (vae.mean.weight.grad is None) == frozen


@pytest.mark.parametrize("width", [10**6, 10**13])
@pytest.mark.parametrize("name", ["mlp", "zero"])
def test_what_no_memory_holds_is_refused_at_once(name, width):
    with pytest.raises(ValueError, match=r"weights would take .* GB of memory|cannot be \d+ wide"):
        network(name, (2, 6, 7), 7, seed=0, width=width, blocks=2)


def test_nobody_needs_a_million_blocks():
    with pytest.raises(ValueError, match="blocks is a whole number from 0 to 1000, not 1000000"):
        ppo.Config(blocks=1_000_000)
