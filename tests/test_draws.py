"""Actions drawn from policies in native code: only legal ones, as often as the softmax says."""

import numpy as np
import pytest

from ludus import _core

ROWS, WIDTH = 400, 9


def drawn(logits, masks, chances):
    """Actions and the logs of their probabilities."""
    actions, logs = np.empty(len(masks), np.int32), np.empty(len(masks), np.float32)
    assert _core.draw(logits, masks, chances, actions, logs) == len(masks)
    return actions, logs


def urns(seed):
    rng = np.random.default_rng(seed)
    masks = rng.random((ROWS, WIDTH)) < 0.5
    masks[np.arange(ROWS), rng.integers(WIDTH, size=ROWS)] = True
    logits = rng.normal(0, 3, (ROWS, WIDTH)).astype(np.float32)
    return logits, masks, rng


def softmax(logits, masks):
    weights = np.where(masks, np.exp(logits.astype(np.float64)), 0)
    return weights / weights.sum(1, keepdims=True)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_drawn_is_where_the_number_falls(seed):
    """Held against cumulated probabilities; numbers at an edge may fall on either side of it."""
    logits, masks, rng = urns(seed)
    chances, wanted = rng.random(ROWS), softmax(logits, masks)
    actions, logs = drawn(logits, masks, chances)
    taken = np.arange(ROWS), actions
    assert masks[taken].all()
    upto = wanted.cumsum(1)[taken]
    assert (chances < upto + 1e-6).all()
    assert (chances >= upto - wanted[taken] - 1e-6).all()
    np.testing.assert_allclose(logs, np.log(wanted[taken]), atol=1e-5)


@pytest.mark.parametrize("chance", [0.0, 0.5, 1 - 2**-53])
def test_one_legal_action_is_certain_whatever_its_logit(chance):
    masks = np.eye(WIDTH, dtype=np.bool_)
    logits = np.full((WIDTH, WIDTH), np.nan, np.float32)  # illegal entries are not looked at
    logits[np.arange(WIDTH), np.arange(WIDTH)] = np.linspace(-1e30, 1e30, WIDTH)
    actions, logs = drawn(logits, masks, np.full(WIDTH, chance))
    np.testing.assert_array_equal(actions, np.arange(WIDTH))
    np.testing.assert_array_equal(logs, 0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_policy_that_is_none_is_told_by_its_row(bad):
    logits, masks, rng = urns(5)
    logits[7, masks[7]] = bad
    actions, logs = np.empty(ROWS, np.int32), np.empty(ROWS, np.float32)
    assert _core.draw(logits, masks, rng.random(ROWS), actions, logs) == 7
    masks[3] = False
    assert _core.draw(logits, masks, rng.random(ROWS), actions, logs) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"logits": np.zeros((2, 4), np.float32)}, "logits and masks have the same shape"),
        ({"chances": np.zeros(3)}, "chances has 2 items, not 3"),
        ({"chances": np.array([0.5, 1.0])}, r"chances are in \[0, 1\)"),
        ({"chances": np.array([0.5, np.nan])}, r"chances are in \[0, 1\)"),
        ({"actions": np.zeros(2, np.int64)}, "actions is a C-contiguous, writable array of int32"),
        ({"logs": np.zeros(1, np.float32)}, "logs has 2 items, not 1"),
    ],
)
def test_wrong_arrays_are_told(change, sentence):
    given = {
        "logits": np.zeros((2, 3), np.float32),
        "masks": np.ones((2, 3), np.bool_),
        "chances": np.zeros(2),
        "actions": np.zeros(2, np.int32),
        "logs": np.zeros(2, np.float32),
        **change,
    }
    with pytest.raises((ValueError, TypeError), match=sentence):
        _core.draw(**given)
