"""Work over threads: all of it is done, however many threads there are to be had."""

import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus import _core
from tests.starved import starved

PLAYOUTS = """
import ludus
from ludus import _core
start = ludus.game("checkers").start()
starve(12 << 20)
print([_core.playouts(start, 3, 0, 500, threads) for threads in (64, 1024)])
"""


def test_playouts_are_all_played_where_threads_cannot_start():
    alone = _core.playouts(ludus.game("checkers").start(), 3, 0, 500, 1)
    assert starved(PLAYOUTS) == [str([alone, alone])]


SEARCHES = """
import ludus
from ludus import _core
start = ludus.game("connect4").start()
search = _core.mcts(start, seed=1, threads=16)
starve(12 << 20)
search.run(1600)
print(search.result())
"""


def test_trees_are_all_searched_where_threads_cannot_start():
    search = _core.mcts(ludus.game("connect4").start(), seed=1, threads=16)
    search.run(1600)
    assert starved(SEARCHES) == [str(search.result())]


def test_playouts_are_numbered_round_the_last_number():
    start = ludus.game("connect4").start()
    whole = _core.playouts(start, 3, 2**64 - 5, 10, 1)
    assert _core.playouts(start, 3, 2**64 - 5, 10, 3) == whole
    assert sum(whole[:3]) == 10


def say(script):
    """What a script prints in a process of its own, which must end by itself."""
    code = "import os, ludus\nfrom ludus import _core\n" + script
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split("\n")[:-1]


COUNT = """
def threads():
    return len(os.listdir("/proc/self/task"))

start = ludus.game("connect4").start()
before = threads()
for _ in range(50):
    _core.playouts(start, 1, 0, 100, 3)
"""
has_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")


@has_proc
def test_threads_wait_for_the_next_call_and_do_not_grow_in_number():
    lines = say(
        COUNT
        + """
print(threads() - before)
_core.playouts(start, 1, 0, 1000, 300)
print(threads() - before <= 64)
"""
    )
    assert lines == ["2", "True"]


@has_proc
def test_no_thread_waits_while_the_process_forks():
    lines = say(
        COUNT
        + """
child = os.fork()
if child == 0:
    print(threads(), *_core.playouts(start, 1, 0, 100, 3), flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1], threads() <= before, flush=True)
print(threads(), *_core.playouts(start, 1, 0, 100, 3))
"""
    )
    alone = _core.playouts(ludus.game("connect4").start(), 1, 0, 100, 1)
    assert lines[0] == " ".join(map(str, (1, *alone)))
    assert lines[1] == "0 True"
    assert lines[2].split()[1:] == lines[0].split()[1:]


def test_the_interpreter_ends_while_threads_wait_and_work():
    script = """
import threading
search = _core.mcts(ludus.game("checkers").start(), seed=1, threads=3)
threading.Thread(target=lambda: search.run(10**9), daemon=True).start()
_core.playouts(ludus.game("connect4").start(), 1, 0, 100, 3)
print("ends")
"""
    assert say(script) == ["ends"]
