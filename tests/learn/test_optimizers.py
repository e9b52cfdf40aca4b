"""Fused optimizers: they step as plain ones do, and what they remember finds its weights again."""

import copy

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import algorithm
from ludus.learn.networks.optimizers import KINDS, OPTIMIZERS, make_optimizer
from ludus.learn.store.components import restore_parts, save_parts
from tests.learn.small import METHODS, everything, same, small


def network():
    """A kernel with its planes last in memory, as AlphaZero's; a matrix; a frozen weight."""
    torch.manual_seed(1)
    made = torch.nn.Sequential(torch.nn.Conv2d(5, 6, 3), torch.nn.Linear(7, 33))
    made[1].bias.requires_grad_(False)
    return made.to(memory_format=torch.channels_last)


def step(network, optimizer, number):
    """Down a gradient that only the number decides."""
    rng = torch.Generator().manual_seed(number)
    for weight in network.parameters():
        if weight.requires_grad:
            drawn = torch.randn(weight.shape, generator=rng)
            weight.grad = torch.empty_like(weight).copy_(drawn)
    optimizer.step()


def weights(network):
    return [weight.detach().contiguous().numpy().tobytes() for weight in network.parameters()]


def made(name, network):
    return make_optimizer(network.parameters(), name, lr=0.01, weight_decay=0.1)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_fused_step_is_a_plain_step(name):
    one, other = network(), network()
    fused = made(name, one)
    (group,) = fused.param_groups
    settings = {k: group[k] for k in ("lr", "weight_decay", "betas", "momentum") if k in group}
    plain = KINDS[name](other.parameters(), **settings)
    for number in range(20):
        step(one, fused, number)
        step(other, plain, number)
    for got, expected in zip(one.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("computed", [{"fused": True}, {"fused": None}])
def test_what_was_stored_goes_on_bit_by_bit_and_fused(name, computed):
    """However it was computed before, and though arrays are stored with their planes first."""
    one, other = network(), network()
    unbroken, resumed = made(name, one), made(name, other)
    for number in range(3):
        step(one, unbroken, number)
    stored = copy.deepcopy(save_parts(3, {"network": one, "optimizer": unbroken}))
    stored.plain["optimizer"]["param_groups"][0].update(computed)
    restore_parts({"network": other, "optimizer": resumed}, stored)
    assert resumed.param_groups[0]["fused"] is True
    for number in range(3, 6):
        step(one, unbroken, number)
        step(other, resumed, number)
        assert weights(one) == weights(other)


@pytest.mark.parametrize("name", ["fused", "foreach"])
@pytest.mark.parametrize("said", ["yes", 1, [True]])
def test_what_is_no_way_of_computing_is_refused(name, said):
    one = network()
    optimizer = made("adam", one)
    stored = save_parts(1, {"optimizer": optimizer})
    stored.plain["optimizer"]["param_groups"][0][name] = said
    with pytest.raises(ValueError, match=f"optimizer/param_groups/0/{name} is .*, neither true"):
        restore_parts({"optimizer": optimizer}, stored)


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_has_a_fused_one(method):
    *_, last = algorithm(method).train(ludus.game("tictactoe"), small(method, steps=1), seed=1)
    for group in getattr(last.parts.get("optimizer"), "param_groups", ()):
        assert group["fused"] is True


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_convolutions_of_alphazero_resume_bit_by_bit(optimizer):
    game = ludus.game("connect4:rows=4,columns=5")
    config = small("alphazero", network="zero", optimizer=optimizer)
    unbroken, half = None, None
    for unbroken in algorithm("alphazero").train(game, config, seed=1):
        if unbroken.number == 2:
            half = copy.deepcopy(unbroken.snapshot())
    assert half is not None
    assert unbroken.number > 2
    moments = [array for key, array in half.arrays.items() if key.startswith("optimizer/")]
    assert any(array.ndim == 4 and np.any(array) for array in moments)
    *_, resumed = algorithm("alphazero").train(game, config, seed=1, saved=half)
    same(everything(unbroken.snapshot()), everything(resumed.snapshot()))
