"""A head that tells nothing any more is noticed, in every learner that has one."""

import numpy as np
import pytest
import torch

import ludus
from ludus.files import Notice
from ludus.learn import algorithm
from ludus.learn.networks.masked import EVENNESS, SPREAD, head_metrics, log_policy
from ludus.learn.runs.health import FEW, PATIENCE, Collapse
from ludus.learn.runs.run import Run
from tests.learn.small import small

HEADS = {
    "dqn": {SPREAD},
    "ppo": {SPREAD, EVENNESS},
    "reinforce": {SPREAD, EVENNESS},
    "alphazero": {SPREAD, EVENNESS},
    "supervised": {SPREAD, EVENNESS},
    "cem": {EVENNESS},
    "saes": {EVENNESS},
}


def test_the_pulse_by_hand():
    """Two of three actions are legal: (1/4, 3/4) has 0.8113 bits of the 1 that an even choice has.

    A row with one legal action has no choice and is left out.
    """
    mask = torch.tensor([[True, True, False], [False, False, True]])
    logits = torch.tensor([[0.0, float(np.log(3)), 9.0], [1.0, 2.0, 3.0]])
    found = head_metrics(log_policy(logits, mask), torch.tensor([0.5, -0.5]))
    assert found[EVENNESS] == pytest.approx(0.8113, abs=1e-4)
    assert found[SPREAD] == pytest.approx(0.5)


@pytest.mark.parametrize("name", HEADS)
def test_every_learner_tells_its_pulse(name):
    for step in algorithm(name).train(ludus.game("tictactoe"), small(name, steps=3), seed=1):
        last = step.metrics
    assert HEADS[name] <= last.keys()
    assert all(np.isfinite(last[metric]) for metric in HEADS[name])


def test_silence_is_told_once_and_only_after_a_while():
    watch = Collapse()
    told = [watch.notice({SPREAD: 1e-5, EVENNESS: 0.5}) for _ in range(3 * PATIENCE)]
    assert [len(one) for one in told] == [int(step == PATIENCE) for step in range(1, len(told) + 1)]
    assert "its head has collapsed" in told[PATIENCE - 1][0]
    for step in range(3 * PATIENCE):  # now and then it speaks
        assert not watch.notice({SPREAD: 0.1 if step % 20 == 0 else 0.0, EVENNESS: 0.9})


def test_at_the_end_a_few_steps_are_enough():
    watch = Collapse()
    for step in range(1, 3 * PATIENCE):
        assert bool(watch.notice({SPREAD: 0.0, EVENNESS: 0.5})) == (step == PATIENCE)
        ends = watch.at_the_end()
        assert bool(ends) == (FEW <= step < PATIENCE)  # later it has been said
        assert all(f"in all positions for {step} steps" in sentence for sentence in ends)
    watch.notice({SPREAD: 0.1})
    assert not watch.at_the_end()


def dead_run(path, steps):
    config = small("ppo", steps=steps, learning_rate=1e-30, vf_coef=0.0)
    return Run(path, ludus.game("tictactoe"), "ppo", config, seed=1)


@pytest.fixture
def dead(monkeypatch):
    """PPO's value is alike everywhere."""
    monkeypatch.setattr("ludus.learn.ppo.head_metrics", lambda *_: {SPREAD: 0.0})


def test_a_training_whose_value_is_dead_says_so(dead, tmp_path):
    with pytest.warns(Notice, match=rf"step {PATIENCE}: the value has been nearly the same"):
        dead_run(tmp_path / "run", PATIENCE).train()


def test_a_short_training_whose_value_is_dead_says_so_at_its_end(dead, tmp_path):
    dead_run(tmp_path / "shorter", FEW - 1).train()
    with pytest.warns(Notice, match=rf"step {FEW}: .* in all positions for {FEW} steps") as told:
        dead_run(tmp_path / "run", FEW).train()
    assert len(told) == 1


def test_steps_before_a_pause_are_counted(dead, tmp_path):
    dead_run(tmp_path / "run", FEW - 1).train()
    with pytest.warns(Notice, match=rf"step {FEW}: .* in all positions for {FEW} steps"):
        Run(tmp_path / "run").with_config(steps=FEW).train()
    with pytest.warns(Notice, match=rf"step {PATIENCE}: .* for {PATIENCE} steps") as told:
        Run(tmp_path / "run").with_config(steps=PATIENCE + 1).train()
    assert len(told) == 1
