"""When memory fails in the middle of native work, the object that was at work stays whole."""

import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import random
from tests.abuse import _work, memory

_work.SECONDS = None

def round_of(kind, spelling, seed):
    rng = random.Random(seed)
    work = _work.KINDS[kind](spelling, rng)
    memory.limit(more)
    failed = sum(not memory.works(work, rng) for _ in range(asks))
    memory.limit(None)
    for _ in range(10):
        work.ask(rng)
    return failed

more, asks, seeds = {more}, {asks}, {seeds}
print(sum(round_of({kind!r}, {spelling!r}, seed) for seed in range(seeds)))
"""


def failures(kind, spelling, more=1 << 20, asks=40, seeds=2):
    """How often memory failed in a process that survived it; tests/native/starve.cpp goes on."""
    code = CHILD.format(kind=kind, spelling=spelling, more=more, asks=asks, seeds=seeds)
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return int(ended.stdout)


@pytest.mark.parametrize("spelling", ["connect4", "kingcourtesan:size=8", "supertictactoe"])
def test_a_tree_goes_on_after_memory_failed(spelling):
    assert failures("mcts", spelling) > 0


@pytest.mark.parametrize("kind", ["forest", "selfplay", "alphabeta", "batch"])
def test_it_survives_without_memory(kind):
    failures(kind, "kingcourtesan:size=8", more=0, asks=100)
    failures(kind, "checkers", more=0, asks=100, seeds=1)


FILLING = """
import ludus
from ludus import _core
from tests import natives
from tests.abuse import memory

state = ludus.game({spelling!r}).start()
batch = _core.batch(state, 1, 0, "full", True)
versus = _core.versus(state, 1, 0, "full", (False, True, 0.0))
pool = _core.selfplay(state, 1)
text, data, given = str(state), bytes(state), state.parameters
endgames, table = natives.endgames()
small, rows = natives.start(natives.PLACES[0]), natives.start(natives.PLACES[2])
calls = {{
    "transformed": lambda: state.transformed(0),
    "start": lambda: type(state).start(None, **given),
    "parse": lambda: type(state).parse(text, **given),
    "restore": lambda: type(state).restore(data, **given),
    "features": lambda: state.features(),
    "mask": lambda: state.mask(),
    "parameters": lambda: state.parameters,
    "batch": lambda: _core.batch(state, 1, 0, "full", True),
    "batch state": lambda: batch.state(0),
    "versus": lambda: _core.versus(state, 1, 0, "full", (False, True, 0.0)),
    "versus state": lambda: versus.state(0),
    "mcts": lambda: _core.mcts(state),
    "forest": lambda: _core.forest(state, 1),
    "selfplay": lambda: _core.selfplay(state, 1, cache_size=0),
    "selfplay row": lambda: pool.row(0),
    "alphabeta": lambda: _core.alphabeta(state, table_bytes=0),
    "reachable": lambda: _core.reachable(state, 10),
    "endgames": lambda: _core.endgames(small),
    "solver": lambda: endgames.solver(table),
    "oracle": lambda: endgames.oracle(table),
    "rows": lambda: _core.row_solver(rows),
}}
for name, call in calls.items():
    print(name, flush=True)
    for more in {limits}:
        kept = [call()]
        memory.limit(more)
        try:
            while True:
                kept.append(call())
        except MemoryError:
            kept.clear()
        memory.limit(None)
        call()
"""


@pytest.mark.parametrize("spelling", ["connect4", "cathedral", "kingcourtesan"])
def test_what_is_handed_over_without_memory_is_a_memory_error(spelling):
    code = FILLING.format(spelling=spelling, limits=[0, 1 << 20])
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-40:] + ended.stderr[-2000:]


STARTING = """
import os
import resource

import ludus
from tests.abuse.memory import limit

state = ludus.game("supertictactoe").start()
ludus.agent("uct:simulations=10").think(state)
stack = resource.getrlimit(resource.RLIMIT_STACK)[0]
stack = 2 << 20 if stack == resource.RLIM_INFINITY else stack
ends = []
for more in range(stack, stack + {width}, {step}):
    child = os.fork()
    if not child:
        agent = ludus.agent("uct:simulations=30000,threads=8")
        limit(more)
        try:
            agent.think(state)
        except MemoryError:
            pass
        os._exit(0)
    ends.append(os.waitpid(child, 0)[1])
print(sum(end != 0 for end in ends), len(ends))
"""


@pytest.mark.parametrize(
    ("width", "step"),
    [(300 << 10, 20 << 10), pytest.param(64 << 20, 100_000, marks=pytest.mark.slow)],
)
def test_threads_that_have_little_more_than_their_stacks_end_no_process(width, step):
    ended = subprocess.run(
        [sys.executable, "-c", STARTING.format(width=width, step=step)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    failed, all_of_them = map(int, ended.stdout.split())
    assert failed == 0, f"{failed} of {all_of_them}"
