"""`uct`: Monte-Carlo tree search with random rollouts, or with a judge in their place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from ludus import _core
from ludus.agent import ForgetsOnCopy, Thought, game_key
from ludus.game import State, game_names, kind
from ludus.locks import TurnLock
from ludus.options import check, option
from ludus.play import SLICE_SECONDS

# A search that is limited by time alone still counts.
ENDLESS = 2**62
SHOWN_SECONDS = 0.03  # a slice of a search that is watched


@dataclass
class UctAgent(ForgetsOnCopy):
    """Monte-Carlo tree search with UCB1: argmax of q(a) + c * sqrt(ln n / n(a)).

    It backs up proven values, plays no move that is proven lost and keeps its tree between moves,
    unless it is `plain`. In Connect Four at 1000 simulations c=1.0 and 1.2 scored 53 % against 1.4
    (1600 games each), and 1.0 scored 56 % against 0.7 (400 games).
    """

    simulations: int = option(1000, "simulations a move", low=0, high=10**15)
    seconds: float | None = option(
        None, "seconds a move, in place of simulations", low=0, high=10**9
    )
    c: float = option(
        1.0, "exploration constant of UCB1", low=0, high=1000, symbol="c", paper="Kocsis 2006"
    )
    judge: str = option("", "evaluation at a leaf: default or its name; none for rollouts")
    chance: str = option(
        "expectation",
        "values of chance nodes: expectations, or means over sampled results as in the papers",
        choices=("expectation", "sample"),
    )
    plain: bool = option(
        False, "as in the papers: no proofs, no tree kept between moves, chance sampled"
    )
    rave: float = option(
        0.0,
        "visits at which RAVE counts as much as the mean; 0 for no RAVE",
        low=0,
        high=10**9,
        symbol="k",
        paper="Gelly 2007",
    )
    fpu: float | None = option(
        None,
        "first-play urgency: what an action not tried scores above its parent's value; none for "
        "the game's own: 1 in Cathedral, elsewhere each action is tried first",
        low=-10,
        high=10,
        paper="Gelly 2006",
    )
    rollouts: int = option(1, "rollouts a leaf", low=1, high=10**6)
    max_nodes: int = option(4_000_000, "nodes at which the tree stops growing", low=1, high=10**9)
    threads: int = option(1, "trees on as many threads, visits added up", low=1, high=1024)
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    native = True  # thinking leaves the interpreter free
    _search: Any = field(default=None, init=False, repr=False, compare=False)
    _game: str = field(default="", init=False, repr=False, compare=False)
    _alone: TurnLock = field(default_factory=TurnLock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check(self)
        if self.fpu is not None and (self.plain or self.rave):
            other = "plain=true, which tries each action first" if self.plain else "rave"
            raise ValueError(f"fpu has no effect with {other}; leave one of them out")

    def native_options(self, game: str) -> dict[str, Any]:
        """The options of a native search in a game of this spelling, its budget and seed apart."""
        names = ("judge", "c", "rave", "rollouts", "chance", "plain", "max_nodes")
        given = {name: getattr(self, name) for name in names}
        fpu = self.fpu
        if fpu is None and not (self.plain or self.rave):
            fpu = urgency(game.partition(":")[0])
        return given if fpu is None else {**given, "fpu": fpu}

    def think(self, state: State) -> Thought:
        with self._alone:  # the tree that it keeps is of one state at a time
            if self._alone.abandoned:  # the tree was left half done where the process forked
                self._search, self._alone.abandoned = None, False
            return self._think(state)

    def _think(self, state: State) -> Thought:
        started = time.perf_counter()
        search = self._search_from(state)
        for _ in self._slices(search, started, SLICE_SECONDS):
            pass
        return thought_of(search, state, started)

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same search in slices; its tree is its own, and not kept between moves."""
        started = time.perf_counter()
        search = self._make_search(state)
        thought = None
        for _ in self._slices(search, started, SHOWN_SECONDS):
            thought = thought_of(search, state, started)
            yield thought
        if thought is None:  # nothing to count: no simulation, or no time
            yield thought_of(search, state, started)

    def _search_from(self, state: State) -> Any:
        """The search with this state as its root, what is known of it kept."""
        game = game_key(state)
        if self._search is not None and self._game == game:
            self._search.seek(state)
            return self._search
        self._search = None  # if making the next one fails, there is none
        self._game = game
        self._search = self._make_search(state)
        return self._search

    def _make_search(self, state: State) -> Any:
        return _core.mcts(
            state,
            seed=self.seed,
            threads=self.threads,
            **self.native_options(getattr(state, "spelling", "")),
        )

    def _slices(self, search: Any, started: float, seconds: float) -> Iterator[None]:
        """Search in slices of some seconds; how they are cut changes nothing."""
        if self.seconds is None:
            return self._count(search, seconds)
        return self._until(search, started + self.seconds, seconds)

    def _count(self, search: Any, seconds: float) -> Iterator[None]:
        left, size = self.simulations, 16 * self.threads
        while left > 0:
            size = min(size, left)
            before = time.perf_counter()
            if not search.run(size):
                return
            left -= size
            spent = time.perf_counter() - before
            if spent < seconds / 2:
                size *= 4 if spent < seconds / 8 else 2
            elif spent > 2 * seconds:
                size = max(self.threads, size // 2)
            yield

    def _until(self, search: Any, end: float, seconds: float) -> Iterator[None]:
        while (left := end - time.perf_counter()) > 0:
            if not search.run(ENDLESS, min(left, seconds)):
                return
            yield


@cache
def urgency(name: str) -> float | None:
    """The first-play urgency of a registered game, if it has one."""
    return kind(name).fpu if name in game_names() else None


def thought_of(search: Any, state: State, started: float) -> Thought:
    """What a search has come to."""
    policy, visits = np.zeros(state.num_actions), np.zeros(state.num_actions, np.int64)
    for action, share in search.policy():
        policy[action] = share
    values: dict[int, float] = {}
    for action, count, value, proof in search.result():
        visits[action] = count
        if proof is not None or count:
            values[action] = float(value if proof is None else proof)
    return Thought(
        policy=policy / policy.sum(),
        value=search.value,
        line=tuple(search.line),
        nodes=search.nodes,
        seconds=time.perf_counter() - started,
        proven=search.proof is not None,
        visits=visits,
        values=values,
    )


AGENT = UctAgent
