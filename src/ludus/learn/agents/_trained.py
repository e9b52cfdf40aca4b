"""Agents in run folders and of the zoo: `runs/x@best`, `zoo/connect4:simulations=200`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ludus.agent import Thought
from ludus.files import Notice
from ludus.game import Game, State, game_of
from ludus.learn.networks.player import Evaluator, NetworkAgent, Scale
from ludus.learn.networks.stored import Played, evaluator_of, playing_part
from ludus.learn.networks.symmetries import Symmetries, over_images
from ludus.learn.networks.values import stored_scale
from ludus.learn.store import zoo
from ludus.learn.store.checkpoint import PLAIN, Checkpoint, best_of, checkpoints, newest
from ludus.learn.store.learned import learned
from ludus.options import check, option


@dataclass
class Trained:
    """What a run has learned: its strongest checkpoint, or the one that is named."""

    run: str  # a path, and perhaps @best, @last or @step=N
    simulations: int = option(
        0, "simulations of a search guided by it; 0 plays the raw policy", low=0, high=10**9
    )
    c: float = option(1.25, "exploration constant of PUCT", low=0, high=1000, symbol="c_puct")
    symmetric: bool = option(False, "average over all symmetric positions")
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    named_by = "run"  # its name in spellings
    _thinker: Any = field(default=None, init=False, repr=False, compare=False)
    _found: Any = field(default=None, init=False, repr=False, compare=False)
    _learned: Any = field(default=None, init=False, repr=False, compare=False)
    _met: str = field(default="", init=False, repr=False, compare=False)  # a game that it can play

    def __post_init__(self) -> None:
        check(self)
        if self.c != Trained.c and not self.simulations:
            raise ValueError("c has no effect without simulations: give it some, or leave c out")
        self._found = found(self.run)
        self._learned = learned(self._found[0], self.run)
        if self.simulations and stored_scale(self._found[0]) is None:
            raise ValueError(
                f"{self.run} learned from other rewards than outcomes, and was stored before their "
                "size was: no search can go by its values; it plays without simulations"
            )
        if self._learned.game is not None:
            self._prepare(self._learned.game)
            self._met = self._learned.spelling

    def _prepare(self, on: Game) -> None:
        """Make the network for its game; one written in Python is met with its states."""
        record, load = self._found
        graph = load(Played(on.spelling, on))
        if self.symmetric:
            graph = over_images(graph, Symmetries(on, record["planes"]))
        self._thinker = NetworkAgent(
            graph,
            record["values"],
            record["planes"],
            self.simulations,
            self.c,
            self.seed,
            stored_scale(record) or Scale(),
        )

    def think(self, state: State) -> Thought:
        return self.think_many([state])[0]

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        self._meet(states[0])
        thoughts: list[Thought] = self._thinker.think_many(states)
        return thoughts

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same in slices."""
        self._meet(state)
        yield from self._thinker.thinking(state)

    def _meet(self, state: State) -> None:
        """Be ready for states of this game."""
        spelled = getattr(state, "spelling", "")
        if not spelled or spelled != self._met:
            self._learned.check(state)
            if self._thinker is None or spelled != self._met:
                self._prepare(game_of(state))  # a variant may have other symmetries
            self._met = spelled


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
        one = checkpoint_of(run)
        known = {**zoo.BEFORE, **one.record.get("config", {})}
        for name, kind in zoo.BUILT_BY.items():
            if type(known.get(name)) is not type(kind):
                raise one.damaged(PLAIN, f"has no {name}")
    return {name: known[name] for name in zoo.BUILT_BY}


def found(run: str) -> tuple[dict[str, Any], Callable[[Played], Evaluator]]:
    """What is said of an agent of a run or of the zoo, and its network for the game it learned."""
    if in_zoo(run):
        name = run.removeprefix(zoo.HEAD)
        return zoo.card(name), partial(zoo.loaded, name)
    at = player_of(run)
    missing = [name for name in ("game", "config", "planes", "values") if name not in at.record]
    if missing:
        raise at.damaged(PLAIN, f"has no {missing[0]}")
    return at.record, partial(loaded, at.path, at.stamp)


@lru_cache(maxsize=64)
def loaded(path: Path, stamp: tuple[int, ...], played: Played) -> Evaluator:
    """The network of a checkpoint; read once while its files stay the same."""
    return evaluator_of(Checkpoint(path), played.game)


def player_of(name: str) -> Checkpoint:
    """The checkpoint that is meant, of a run that makes agents."""
    path, _, _ = name.partition("@")
    if not (Path(path) / "config.json").exists():
        raise ValueError(f"no agent {name!r}: there is no run in {path}")
    one = checkpoint_of(name)
    if not playing_part(one):
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
        raise ValueError(damages[0] if damages else f"the run in {path} has no checkpoint yet")
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
