"""All that reads runs, met with one that may be forged: a sentence or an intact result, in time."""

import json
import os
import resource
import shutil
import signal
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import ludus
from ludus.cli.runs import describe_run
from ludus.files import Notice
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.learn.store.zoo import network_of
from tests.learn.forger import GAME
from tests.learn.small import small

SECONDS = 20  # in which every border has to answer
MEMORY = 4 << 30  # bytes that it may take for that


def attacked(forged: Path, name: str) -> dict[str, str]:
    """What each border says to a forged run: a sentence, or nothing if it is used after all."""
    said = {}
    for border, meet in BORDERS.items():
        where = f"{name} at {border}"
        with bounded(where):
            try:
                meet(forged, border)
                said[border] = ""
            except ValueError as refusal:
                said[border] = sentence(str(refusal), where)
            except Exception as defect:
                raise AssertionError(f"{where}: {type(defect).__name__}: {defect}") from defect
    return said


def sentence(told: str, where: str) -> str:
    assert told, f"{where}: says nothing"
    assert "\n" not in told, f"{where}: {told}"
    assert len(told) < 600, f"{where}: {told[:600]}"
    return told


def plays(run: Path, which: str) -> None:
    agent = ludus.agent(f"{run}@{which}")
    state = ludus.game(GAME).replay("12")
    policy = agent.think(state).policy
    assert np.isfinite(policy).all()
    assert set(np.flatnonzero(policy)) <= set(state.legal())


def goes_on(run: Path, border: str) -> None:
    again = run.with_name(run.name + "-again")
    shutil.copytree(run, again, symlinks=True, copy_function=copied)
    before, refusal = content(again), None
    try:
        training = Run(again).steps()
        next(training, None)
        training.close()
    except ValueError as told:
        refusal = told
    same = content(again) == before
    shutil.rmtree(again)
    if refusal is not None:
        assert same, f"{refusal}: and the run is another"
        raise refusal


def copied(source: str, to: str) -> None:
    """As it is, pipes too; what is huge is not copied."""
    file = Path(source)
    if file.is_fifo():
        os.mkfifo(to)
    elif file.stat().st_size > 1 << 30:
        os.link(source, to)
    else:
        shutil.copy2(source, to)


def content(run: Path) -> dict[str, bytes]:
    """All that a run holds, but for its lock and what is no file or huge."""
    files = [file for file in run.rglob("*") if file.is_file() and not file.is_symlink()]
    return {
        str(file.relative_to(run)): file.read_bytes()
        for file in files
        if file.name != "lock" and file.stat().st_size < 1 << 30
    }


def listed(run: Path, border: str) -> None:
    record = describe_run(run)
    json.dumps(record)
    if "damage" in record:
        raise ValueError(record["damage"])


def warms(run: Path, border: str) -> None:
    learn(small("reinforce", init=str(run), **network_of(str(run))))


def sees(run: Path, border: str) -> None:
    learn(small("reinforce", encoder=str(run)))


def learn(config: Any) -> None:
    next(algorithm("reinforce").train(ludus.game(GAME), config))


@contextmanager
def bounded(where: str):
    """A border that does not answer, or takes all memory, is broken."""

    def late(number, frame):
        raise AssertionError(f"{where}: no answer in {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, late)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = psutil.Process().memory_info().vms + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Notice)  # passing damage over is told, and allowed
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


BORDERS = {
    "best": plays,
    "last": plays,
    "resume": goes_on,
    "runs": listed,
    "init": warms,
    "encoder": sees,
}
