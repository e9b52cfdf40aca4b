"""The examples run, each through its library, with a small budget here."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name, *arguments):
    command = [sys.executable, "-W", "ignore", str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_duel_runs():
    pytest.importorskip("pettingzoo", reason="the example needs PettingZoo")
    said = run("pettingzoo_duel.py", "--game", "tictactoe", "--games", "4")
    assert "uct:simulations=200: " in said
    assert "of 4 points" in said


@pytest.mark.slow
def test_maskable_ppo_runs():
    pytest.importorskip("sb3_contrib", reason="the example needs sb3-contrib")
    said = run("gymnasium_maskable_ppo.py", "--steps", "512", "--games", "4")
    assert said.count("ludus/TicTacToe-v0 against random: ") == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "supertictactoe"])
def test_torchrl_ppo_runs(name):
    pytest.importorskip("torchrl", reason="the example needs TorchRL")
    reward = "designed" if name == "supertictactoe" else "outcome"
    said = run("torchrl_ppo.py", "--frames", "2048", "--game", name, "--reward", reward)
    assert said.count(f"{name} against random: ") == 2
