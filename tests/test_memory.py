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
