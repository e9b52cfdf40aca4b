"""Heads stay alive: on targets that teach nothing, no value falls silent for good."""

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import alphazero
from ludus.learn.collecting.window import Batch
from ludus.learn.networks.network import network
from ludus.learn.training.student import Student

# From 9 to 144 cells.
BOARDS = ["tictactoe", "connect4", "kingcourtesan", "checkers", "cathedral", "supertictactoe"]
UPDATES, BATCH = 40, 64


def silent(spelling, seed, activation, updates=UPDATES):
    """Whether the units of the value's hidden layer answer no position after this much noise."""
    game, rng = ludus.game(spelling), np.random.default_rng(seed)
    start = game.start()
    how = {"width": 16, "blocks": 1, "activation": activation}
    net = network("zero", start.shape(), start.num_actions, seed=seed, **how)
    student = Student(net, alphazero.Config())
    batch = ludus.batch(game, BATCH, seed=seed)
    features = np.zeros((BATCH, *batch.shape), np.float32)
    masks, actions = np.zeros((BATCH, batch.num_actions), np.bool_), np.zeros(BATCH, np.int32)
    lessons = []
    for _ in range(updates):
        batch.sample(actions)
        batch.step(actions, features, masks)
        policies = (masks / masks.sum(1, keepdims=True)).astype(np.float32)
        ends = rng.choice([-1.0, 1.0], BATCH).astype(np.float32)
        lessons.append(Batch(features.copy(), masks.copy(), policies, ends))
    student.fit(lessons)
    with torch.no_grad():
        values = net(torch.from_numpy(features))[1].numpy()
    return bool(values.std() < 1e-5)


@pytest.mark.parametrize("spelling", BOARDS)
def test_no_value_falls_silent(spelling):
    assert not any(silent(spelling, seed, "auto") for seed in range(2))


@pytest.mark.slow
@pytest.mark.parametrize("spelling", BOARDS)
def test_no_value_falls_silent_in_many_trials(spelling):
    assert not any(silent(spelling, seed, "auto") for seed in range(2, 34))


@pytest.mark.slow
def test_plain_relu_falls_silent():
    """Which is why it is leaky: without that this test of silence would prove nothing."""
    assert any(silent("supertictactoe", seed, "relu") for seed in range(16))
