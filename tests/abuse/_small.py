"""A training and a tournament in their smallest size, and what they come to undisturbed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import ludus
from ludus.learn.runs.run import Run
from ludus.learn.store import selection
from tests.learn.small import small

GAME = "connect4:rows=4,columns=4"
AGENTS = ["random", "greedy", "random:epsilon=0.5"]
GAMES = 12


def training(path: Path, steps: int, **changes: Any) -> Run:
    """A run that is begun, or gone on with."""
    if (path / "config.json").exists():
        return Run(path).with_config(steps=steps)
    config = small("dqn", steps=steps, **{"checkpoint_seconds": 0.0, **changes})
    return Run(path, GAME, "dqn", config, seed=5)


def learned(run: Run) -> dict[str, bytes]:
    """The weights of the newest checkpoint, which must be that of the last step."""
    one, _ = selection.newest(run.folder.checkpoints)
    assert one is not None
    assert one.step == run.asked.config.steps
    return {name: array.tobytes() for name, array in one.arrays("network").items()}


def tournament(path: Path, resume: bool, workers: int = 1) -> Any:
    """Every game of it, as it was played."""
    table = ludus.tournament(
        "tictactoe", AGENTS, games=GAMES, seed=3, run=path, resume=resume, workers=workers
    )
    return course(table)


def course(table: Any) -> Any:
    """What was played, without the time it took."""
    return {
        key: [(one.index, one.agents, one.moves, one.winner) for one in games]
        for key, games in table.played.items()
    }


@cache
def kept(what: str) -> dict[Path, bytes]:
    """The files of a folder in which one of these was done, made once."""
    done: dict[str, Callable[[Path], object]] = {
        "training": lambda path: training(path, 4, keep_every=1, eval_freq=2).train(),
        "tournament": lambda path: tournament(path, resume=False),
    }
    folder = Path(tempfile.mkdtemp(prefix="ludus-abuse-"))
    try:
        done[what](folder / "made")
        return {
            path.relative_to(folder / "made"): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    finally:
        shutil.rmtree(folder)


def copy(what: str, to: Path) -> Path:
    """Such a folder, to be attacked."""
    for name, data in kept(what).items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(data)
    return to


@cache
def unbroken_training(steps: int) -> dict[str, bytes]:
    """What a training comes to that nobody disturbs."""
    with tempfile.TemporaryDirectory(prefix="ludus-abuse-") as folder:
        return learned(training(Path(folder) / "run", steps).train())


@cache
def unbroken_tournament() -> Any:
    """The same of a tournament."""
    with tempfile.TemporaryDirectory(prefix="ludus-abuse-") as folder:
        return tournament(Path(folder) / "run", resume=False)
