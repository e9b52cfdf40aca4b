"""As the super tic-tac-toe paper has it: the learner's marks stray, its opponent's never do."""

import warnings

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="the vector adapter needs Gymnasium")

from ludus.envs.gymnasium import LudusVectorEnv

RULE = {"success": 0.2, "strays": "first"}


def marks(text):
    """Marks of x and of o; the last letter of a text says who moves."""
    return text.count("x") - text.endswith("x"), text.count("o") - text.endswith("o")


@pytest.mark.parametrize("opponent", ["random", "uct:simulations=4"])
def test_an_opponent_that_never_strays_misses_no_turn(opponent):
    envs = LudusVectorEnv("supertictactoe", 6, opponent=opponent, side="first", **RULE)
    envs.reset(seed=1)
    missed = 0
    for step in range(1, 9):
        _, _, ended, _, _ = envs.step(envs.sample())
        for row in np.flatnonzero(~ended):
            mine, theirs = marks(str(envs.state(row)))
            assert theirs == step
            missed += step - mine
        assert not ended.any()
    assert missed > 10


@pytest.mark.parametrize("stray_to", ["around", "open"])
def test_in_torchrl_too(stray_to):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL warns of its own past when it is imported
        pytest.importorskip("torchrl", reason="the TorchRL adapter needs TorchRL")
        from torchrl.envs.utils import check_env_specs

        from ludus.envs.torchrl import LudusEnv

    rule = {**RULE, "stray_to": stray_to}
    env = LudusEnv("supertictactoe", batch_size=4, planes="signed", opponent_first=0.0, **rule)
    check_env_specs(env, seed=1)
    played = env.rollout(8, break_when_any_done=False)["next", "observation"]
    assert ((played == -1).sum((2, 3, 4)) == np.arange(1, 9)).all()
    strays = (played == 1).sum((2, 3, 4))[:, -1]
    assert (strays < 8).any() if stray_to == "around" else (strays == 8).all()
