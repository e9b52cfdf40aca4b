"""What AlphaZero is taught: values and policies of the window, and the step along a gradient."""

import dataclasses

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import alphazero, supervised
from ludus.learn.collecting import window as windows
from ludus.learn.collecting.window import Batch, Window
from ludus.learn.networks.network import network
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.training.student import Student
from ludus.truth.oracle import oracle


def taken_in(moves="443", weights=(0.5, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0)):
    """A window of one position of Connect Four, that the search liked and the mover lost."""
    state = ludus.game("connect4").replay(moves)
    window = Window(Symmetries(ludus.game("connect4"), "full"), 7, 4)
    window.add(
        {
            "features": state.features()[None],
            "players": np.array([state.player], np.int8),
            "counts": np.array([7], np.uint32),
            "actions": np.arange(7, dtype=np.uint16),
            "weights": np.array(weights, np.float32),
            "values": np.array([0.8], np.float32),
            "outcomes": np.array([-1.0], np.float32),
            "full": np.ones(1, np.uint8),
        },
        np.random.default_rng(1),
        1.0,
    )
    return state, window


@pytest.mark.parametrize(("mix", "value"), [(0.0, -1.0), (1.0, 0.8), (0.25, -0.55)])
def test_values_are_the_outcome_mixed_with_the_search(mix, value):
    _, window = taken_in()
    lesson = window.draw(8, np.random.default_rng(2), mix)
    np.testing.assert_allclose(lesson.values, value, atol=1e-6)


def test_policies_are_turned_with_what_is_seen():
    state, window = taken_in()
    lesson = window.draw(64, np.random.default_rng(2), 0.0)
    weights = np.array([0.5, 0.2, 0.1, 0.1, 0.1, 0.0, 0.0], np.float32)
    turned = np.array([not np.array_equal(one, state.features()) for one in lesson.features])
    assert 0 < turned.sum() < 64
    for policy, mirrored in zip(lesson.policies, turned, strict=True):
        np.testing.assert_allclose(policy, weights[::-1] if mirrored else weights, atol=1e-6)


def test_a_step_goes_down_the_gradient_of_both_losses():
    """Cross-entropy with the search's policy and squared errors of values, told by hand."""
    made = network("mlp", (2, 3, 3), 9, seed=1, width=8, blocks=1)
    config = dataclasses.replace(alphazero.Config(), vf_coef=0.5, max_grad_norm=1e9)
    rng = np.random.default_rng(3)
    masks = rng.random((6, 9)) < 0.6
    masks[:, 4] = True
    policies = np.where(masks, rng.random((6, 9)), 0).astype(np.float32)
    policies /= policies.sum(1, keepdims=True)
    values = rng.uniform(-1, 1, 6).astype(np.float32)
    features = rng.random((6, 2, 3, 3)).astype(np.float32)
    logits, judged = made(torch.from_numpy(features))
    loss = torch.zeros(())
    for row in range(6):
        legal = np.flatnonzero(masks[row])
        logs = logits[row, legal] - torch.logsumexp(logits[row, legal], 0)
        loss = loss - (torch.from_numpy(policies[row, legal]) * logs).sum() / 6
        loss = loss + 0.5 * (judged[row] - float(values[row])) ** 2 / 6
    expected = torch.autograd.grad(loss, list(made.parameters()))
    student = Student(made, config)
    found = student.update(Batch(features, masks, policies, values))
    for parameter, gradient in zip(made.parameters(), expected, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, atol=1e-6, rtol=1e-4)
    assert found["policy_loss"] + 0.5 * found["value_loss"] == pytest.approx(float(loss.detach()))


def agreement(step):
    """Shares of states of tic-tac-toe whose best move is played, and whose value is told."""
    game = ludus.game("tictactoe")
    truth, rng, states = oracle(game), np.random.default_rng(5), []
    while len(states) < 300:
        state = game.start()
        while state.outcome is None:
            states.append(state)
            state = state.play(int(rng.choice(state.legal())))
    thoughts = step.agent.think_many(states)
    moves = [int(t.policy.argmax()) in truth.best(s) for t, s in zip(thoughts, states, strict=True)]
    values = [abs(t.value - truth.value(s)) < 0.5 for t, s in zip(thoughts, states, strict=True)]
    return np.mean(moves), np.mean(values)


def trained(module, **options):
    config = module.Config(eval_freq=0, width=16, blocks=1, batch_size=64, **options)
    *_, last = module.train(ludus.game("tictactoe"), config, seed=1)
    return agreement(last)


ZERO = {
    "steps": 12,
    "positions_per_step": 512,
    "simulations": 24,
    "n_envs": 32,
    "samples_per_position": 4.0,
}


@pytest.mark.slow
def test_alphazero_learns_what_is_true_and_a_sign_error_is_noticed(monkeypatch):
    moves, values = trained(alphazero, **ZERO)
    assert moves > 0.85
    assert values > 0.6
    draw = windows.Window.draw

    def wrong(self, *args, **kwargs):
        lesson = draw(self, *args, **kwargs)
        return dataclasses.replace(lesson, values=-lesson.values)

    monkeypatch.setattr(windows.Window, "draw", wrong)
    moves, values = trained(alphazero, **ZERO)
    assert moves < 0.85
    assert values < 0.6


@pytest.mark.slow
def test_a_teacher_teaches_what_is_true():
    moves, values = trained(
        supervised, steps=12, positions_per_step=512, n_envs=64, teacher="perfect"
    )
    assert moves > 0.85
    assert values > 0.6
