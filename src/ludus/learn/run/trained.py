"""Agents in run folders and of the zoo: `runs/x@best`, `zoo/connect4:simulations=200`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ludus.agent import Thought
from ludus.files import Notice
from ludus.game import Game, State, game_of
from ludus.learn.net.player import NetworkAgent, in_onnx
from ludus.learn.run import zoo
from ludus.learn.run.checkpoint import GRAPH, Checkpoint, best_of, checkpoints, newest
from ludus.learn.run.learned import learned
from ludus.learn.zero.symmetries import Symmetries, over_images
from ludus.play import whole


@dataclass
class Trained:
    """What a run has learned: its strongest checkpoint, or the one that is named."""

    run: str  # a path, and perhaps @best, @last or @step=N
    simulations: int = 0  # of a tree search that it guides; 0 for one look
    c: float = 1.25  # how curious that search is
    symmetric: bool = False  # asks about every symmetric position too, and averages
    seed: int = 0
    named_by = "run"  # its name in spellings
    _thinker: Any = field(default=None, init=False, repr=False, compare=False)
    _learned: Any = field(default=None, init=False, repr=False, compare=False)
    _averaged: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole("simulations", self.simulations, 0, 10**9)
        if not isinstance(self.c, int | float) or not 0 <= self.c <= 1000:
            raise ValueError(f"c is a number from 0 to 1000, not {self.c!r}")
        if not isinstance(self.symmetric, bool):
            raise ValueError(f"symmetric is true or false, not {self.symmetric!r}")
        record, graph = found(self.run)
        self._learned = learned(record, self.run)
        self._thinker = NetworkAgent(
            graph, record["values"], record["planes"], self.simulations, self.c, self.seed
        )
        if self.symmetric and self._learned.game is not None:
            self._average(self._learned.game)

    def _average(self, on: Game) -> None:
        """Ask about symmetric positions too; a game written in Python is met with its states."""
        one = self._thinker
        evaluator = over_images(one.evaluator, Symmetries(on, one.planes))
        self._thinker, self._averaged = replace(one, evaluator=evaluator), True

    def think(self, state: State) -> Thought:
        return self.think_many([state])[0]

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        self._learned.check(states[0])
        if self.symmetric and not self._averaged:
            self._average(game_of(states[0]))
        thoughts: list[Thought] = self._thinker.think_many(states)
        return thoughts


def in_zoo(run: str) -> bool:
    """Whether one of the zoo is meant, whatever is in this folder; a folder is `./zoo/NAME`."""
    return run.startswith(zoo.HEAD)


def weights_of(run: str) -> dict[str, Any]:
    """The weights that a run, or one of the zoo, plays with."""
    if in_zoo(run):
        return zoo.weights(run.removeprefix(zoo.HEAD))
    return zoo.played_with(checkpoint_of(run))


def network_of(run: str) -> dict[str, Any]:
    """The settings that the network of a run, or of one of the zoo, was built by."""
    if in_zoo(run):
        known = zoo.card(run.removeprefix(zoo.HEAD))
    else:
        known = checkpoint_of(run).record["config"]
    return {name: known[name] for name in zoo.BUILT_BY}


def found(run: str) -> tuple[dict[str, Any], Any]:
    """What is said of an agent of a run or of the zoo, and its network."""
    if in_zoo(run):
        return zoo.loaded(run.removeprefix(zoo.HEAD))
    at = player_of(run)
    return loaded(at.path, (at.path / GRAPH).stat().st_mtime_ns)


@cache
def loaded(path: Path, written: int) -> tuple[dict[str, Any], Any]:
    """What a checkpoint says of itself, and its network; read once while it stays the same."""
    one = Checkpoint(path)
    return one.record, in_onnx(one.file(GRAPH))


def player_of(name: str) -> Checkpoint:
    """The checkpoint that is meant, of a run that makes agents."""
    path, _, _ = name.partition("@")
    if not (Path(path) / "config.json").exists():
        raise ValueError(f"no agent {name!r}: there is no run in {path}")
    one = checkpoint_of(name)
    if not (one.path / GRAPH).exists():
        raise ValueError(f"{name} makes no agent")
    return one


def checkpoint_of(name: str) -> Checkpoint:
    """The checkpoint that is meant: `runs/x@best`, `runs/x@last`, `runs/x@step=120`."""
    path, at, which = name.partition("@")
    folder = Path(path)
    if not (folder / "config.json").exists():
        raise ValueError(f"there is no run in {path}")
    which = which if at else "best"
    one, damages = wanted(folder / "checkpoints", which)
    if one is None:
        raise ValueError(f"the run in {path} has no whole checkpoint yet")
    for damage in damages:
        warnings.warn(f"{damage}; {path}@{which} is step {one.step}", Notice, stacklevel=2)
    return one


def wanted(folder: Path, which: str) -> tuple[Checkpoint | None, list[str]]:
    """By name, and a sentence for each damaged one that might have been meant."""
    if which == "best":
        return best_of(folder)
    if which == "last":
        return newest(folder)
    key, equals, number = which.partition("=")
    if key != "step" or not equals or not number.isdecimal():
        raise ValueError(f"a checkpoint is best, last or step=N, not {which!r}")
    there = {one.step: one for one in checkpoints(folder)}
    if int(number) not in there:
        kept = ", ".join(map(str, there)) or "none"
        raise ValueError(f"no checkpoint of step {number} is kept; there are {kept}")
    return there[int(number)], []
