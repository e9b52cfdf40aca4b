"""What was learned sits opposite, in every adapter that has an opponent."""

import warnings

import numpy as np
import pytest

pytest.importorskip("torch", reason="learning needs torch")
pytest.importorskip("gymnasium", reason="the Gymnasium adapter needs Gymnasium")

import gymnasium

import ludus.envs.gymnasium
from ludus.learn.runs.run import Run
from tests.learn.small import small


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The spelling of a run so small that it has learned next to nothing."""
    folder = tmp_path_factory.mktemp("runs") / "ppo"
    Run(folder, "tictactoe", "ppo", small("ppo", steps=2), seed=1).train()
    return str(folder)


@pytest.mark.parametrize("which", ["", "@last", ":simulations=4"])
def test_a_run_answers_a_learner(run, which):
    env = gymnasium.make("ludus/TicTacToe-v0", opponent=run + which, side="second")
    env.reset(seed=1)
    assert env.unwrapped.state.plies == 1
    over = False
    while not over:
        _, _, over, _, info = env.step(int(env.unwrapped.action_masks().argmax()))
        assert "illegal" not in info
    assert env.unwrapped.state.outcome is not None


def test_a_run_answers_in_every_row(run):
    envs = gymnasium.make_vec("ludus/TicTacToe-v0", num_envs=4, opponent=run, side="second")
    envs.reset(seed=1)
    assert [envs.state(row).plies for row in range(4)] == [1] * 4
    ended = np.zeros(4, bool)
    while not ended.any():
        _, rewards, ended, _, _ = envs.step(envs.sample())
    assert all(envs.state(row).outcome is not None for row in np.flatnonzero(ended))
    assert set(rewards[ended].tolist()) <= {-1.0, 0.0, 1.0}


def test_a_run_answers_in_torchrl(run):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL warns of its own past when it is imported
        pytest.importorskip("torchrl", reason="the TorchRL adapter needs TorchRL")
    from ludus.envs.torchrl import LudusEnv

    env = LudusEnv("tictactoe", batch_size=3, opponent=run, opponent_first=1.0, seed=1)
    assert [env.state(row).plies for row in range(3)] == [0] * 3
    env.reset()
    assert [env.state(row).plies for row in range(3)] == [1] * 3


def test_a_run_of_another_game_is_refused(run):
    env = ludus.envs.gymnasium.LudusEnv("connect4", opponent=run, side="second")
    with pytest.raises(ValueError, match="has learned tictactoe, not connect4"):
        env.reset(seed=1)
