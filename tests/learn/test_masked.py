"""Illegal actions never enter a softmax, a maximum, an entropy or a target."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ludus.learn.networks.masked import (
    best_action,
    entropy,
    highest_value,
    log_policy,
    of_actions,
    sample,
    softmax,
    uniform_actions,
)
from ludus.learn.networks.plan import Diverged
from tests.conftest import examples

NUMBERS = st.floats(-1e4, 1e4, width=32)


@st.composite
def rows(draw):
    """Numbers of actions and masks with a legal action at least, often with only one."""
    count, actions = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    values = draw(st.lists(NUMBERS, min_size=count * actions, max_size=count * actions))
    masks = np.zeros((count, actions), np.bool_)
    for row in masks:
        legal = draw(st.sets(st.integers(0, actions - 1), min_size=1))
        row[list(legal)] = True
    return np.array(values, np.float32).reshape(count, actions), masks


def poisoned(values, masks, poison):
    """The same with something else in the place of illegal actions."""
    return np.where(masks, values, np.float32(poison))


@examples(200)
@given(rows(), st.sampled_from([1e30, -1e30, np.nan, np.inf, -np.inf, 0.0]))
def test_what_illegal_actions_say_changes_nothing(case, poison):
    values, masks = case
    legal = torch.from_numpy(masks)
    clean, dirty = torch.from_numpy(values), torch.from_numpy(poisoned(values, masks, poison))
    assert torch.equal(log_policy(clean, legal), log_policy(dirty, legal))
    assert torch.equal(highest_value(clean, legal), highest_value(dirty, legal))
    assert torch.equal(best_action(clean, legal), best_action(dirty, legal))
    assert np.array_equal(softmax(values, masks), softmax(poisoned(values, masks, poison), masks))


@examples(200)
@given(rows(), st.integers(0, 2**32))
def test_only_legal_actions_are_chosen(case, seed):
    values, masks = case
    every = np.arange(len(masks))
    rng = np.random.default_rng(seed)
    assert masks[
        every, best_action(torch.from_numpy(values), torch.from_numpy(masks)).numpy()
    ].all()
    actions, logs = sample(values, masks, rng)
    assert masks[every, actions].all()
    assert np.exp(logs) == pytest.approx(softmax(values, masks)[every, actions], rel=1e-4)
    assert masks[every, uniform_actions(masks, rng)].all()


@examples(200)
@given(rows())
def test_policies_entropies_and_gradients_are_finite(case):
    values, masks = case
    logits = torch.from_numpy(values).requires_grad_()
    legal = torch.from_numpy(masks)
    policy = log_policy(logits, legal)
    spread = entropy(policy)
    assert policy.exp().sum(1).detach().numpy() == pytest.approx(np.ones(len(masks)), abs=1e-5)
    assert (policy.exp()[~legal] == 0).all()
    assert torch.isfinite(spread).all()
    assert (spread <= np.log(masks.sum(1).max()) + 1e-4).all()
    actions = torch.from_numpy(masks.argmax(1))
    torch.autograd.backward((of_actions(policy, actions) + spread).sum())
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~legal] == 0).all()


def test_one_legal_action_is_certain():
    logits = torch.tensor([[5.0, -3.0, 8.0]], requires_grad=True)
    mask = torch.tensor([[False, True, False]])
    policy = log_policy(logits, mask)
    assert policy.exp().tolist() == [[0, 1, 0]]
    assert entropy(policy).item() == 0
    assert highest_value(logits, mask).item() == -3
    torch.autograd.backward(entropy(policy).sum())
    assert logits.grad.tolist() == [[0, 0, 0]]


def test_a_policy_that_is_none_is_not_drawn_from():
    logits = np.zeros((3, 4), np.float32)
    logits[1, 2] = np.nan
    with pytest.raises(Diverged, match="the policy is not finite"):
        sample(logits, np.ones((3, 4), np.bool_), np.random.default_rng(1))


def test_draws_follow_the_policy():
    logits = np.tile(np.float32([[-200.0, 0.0, np.log(3), 9.0]]), (40_000, 1))
    masks = np.tile([[True, True, True, False]], (40_000, 1))
    actions, logs = sample(logits, masks, np.random.default_rng(1))
    shares = np.bincount(actions, minlength=4) / 40_000
    assert shares == pytest.approx([0, 0.25, 0.75, 0], abs=0.01)
    assert np.exp(logs) == pytest.approx(np.where(actions == 1, 0.25, 0.75))
    shares = np.bincount(uniform_actions(masks, np.random.default_rng(1)), minlength=4) / 40_000
    assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.01)
