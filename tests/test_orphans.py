"""Processes that play games end with the one that started them, however it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.abuse._processes import alive, children, wait_until

SLOW = """
import time, numpy as np, ludus
from dataclasses import dataclass
@dataclass
class Slow:
    seed: int = 0
    def think(self, state):
        time.sleep(0.2)
        return ludus.Thought(np.eye(state.num_actions)[state.legal()[0]])
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is alive")
@pytest.mark.parametrize("moment", [0.0, 1.0])
def test_processes_end_when_their_parent_is_killed(tmp_path, moment):
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["match", "connect4", str(tmp_path / "slow.py"), "random", "--games", "40"]
    parent = subprocess.Popen(
        [sys.executable, "-m", "ludus", *words, "--workers", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert wait_until(lambda: len(children(parent.pid)) == 2)
        time.sleep(moment)
        playing = children(parent.pid)
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    try:
        assert wait_until(lambda: not any(map(alive, playing)))
    finally:
        for process in filter(alive, playing):
            os.kill(process, signal.SIGKILL)
