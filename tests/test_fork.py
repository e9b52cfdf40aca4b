"""A forked child waits for no thread of its parent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the core needs numpy")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")

# What each begins with; `fork(work)` tells what a child says, or that it hangs.
SCRIPT = """
import os, signal, sys, threading, time
import ludus
from ludus.locks import TurnLock
from tests.test_written import Nim

def fork(work):
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends it if it hangs
        try:
            print(work(), flush=True)
        except ValueError as error:
            print(error, flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("the child hangs", flush=True)

def thread(work):
    threading.Thread(target=work, daemon=True).start()
"""


def told(script):
    """What a script says, run in a process of its own that has few threads."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT + script + "\nos._exit(0)"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[1],
    )
    assert ran.stderr == ""
    return ran.stdout.split("\n")[:-1]


def test_a_child_thinks_with_an_agent_that_was_thinking():
    lines = told(
        """
state, agent = ludus.game("connect4").start(), ludus.agent("uct:seconds=1000")
thread(lambda: agent.think(state))
while agent._search is None:
    time.sleep(0.01)
time.sleep(0.1)
agent.seconds = 0.05
fork(lambda: round(agent.think(state).policy.sum(), 6))
fork(lambda: round(agent.think(ludus.game("tictactoe").start()).policy.sum(), 6))
"""
    )
    assert lines == ["1.0", "1.0"]


def test_a_child_is_told_that_an_oracle_was_at_work():
    lines = told(
        """
class Slow(Nim):
    asleep = threading.Event()

    def legal(self):
        if self.stones == 7 and threading.current_thread() is not threading.main_thread():
            self.asleep.set()
            time.sleep(1000)
        return super().legal()

game = ludus.game(Slow)
oracle = ludus.oracle(game)
print(oracle.value(game.state("3 0")) is not None)
thread(lambda: oracle.values(game.state("7 0")))
Slow.asleep.wait()
fork(lambda: oracle.value(game.state("3 0")) is not None)
"""
    )
    assert lines[0] == "True"
    assert lines[1] == "True" or "at work in another thread or call" in lines[1]


def test_a_child_asks_a_solver_that_was_solving():
    lines = told(
        """
game = ludus.game("connect4")
oracle = ludus.oracle(game)
late = game.replay("475774457522754657214321516462")
thread(lambda: oracle.value(game.replay("12")))
time.sleep(0.3)
fork(lambda: oracle.value(late) in (-1, 0, 1))
"""
    )
    assert lines == ["True"] or "at work in another thread or call" in lines[0]


def test_who_forks_in_the_middle_of_its_turn_still_has_it():
    lines = told(
        """
lock = TurnLock()
with lock:
    fork(lambda: (lock.__enter__(), lock.__exit__(), lock.__exit__(), lock.abandoned)[-1])
print(lock.abandoned)
"""
    )
    assert lines == ["False", "False"]
