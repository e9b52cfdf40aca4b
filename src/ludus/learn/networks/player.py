"""Agents whose thinking is a network: alone, or inside a tree search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludus import _core
from ludus.agent import ForgetsOnCopy, Thought, game_key
from ludus.arena.seeds import numbers
from ludus.game import State
from ludus.learn.networks.split import evaluate_rows
from ludus.learn.networks.thoughts import absolute_policy, is_proven, thought_of, visits_of
from ludus.learn.store.record import ACTIONS, POLICY
from ludus.locks import TurnLock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Masks = NDArray[np.bool_]

SHOWN_SECONDS = 0.03  # a slice of a search that is watched
PUCT, GUMBEL, ROOT = SEARCHES = ("puct", "gumbel", "root")
MOST_SIMULATIONS = 10**9
OVER = "the game is over: there is nothing to think about"
SLICE = 1024  # simulations that native code may do before anyone looks at the clock
SIMULATIONS_A_LEAF, MOST_LEAVES = 32, 32
LEAVES_BY_CLOCK = 8  # where only seconds are counted

# Features [rows, planes, ...] in; a number for each action and perhaps a value out, for each row.
Evaluator = Callable[["Floats"], tuple["Floats", "Floats | None"]]


def in_torch(network: Any) -> Evaluator:
    """A network as it is trained."""
    import torch

    network.eval()
    device = next(network.parameters()).device

    def evaluate(features: Floats) -> tuple[Floats, Floats | None]:
        with torch.inference_mode():
            actions, value = network(torch.from_numpy(features).to(device))
        return actions.cpu().numpy(), None if value is None else value.cpu().numpy()

    return evaluate


class Scale(NamedTuple):
    """What makes a network's values lie in [-1, 1] and keep their order."""

    size: float = 1.0  # what a win pays, or a return is large by
    beyond: bool = False  # returns went beyond that: tanh(v / size), else v / size

    def __call__(self, values: Floats) -> Floats:
        divided = values / np.float32(self.size)
        return np.asarray(np.tanh(divided) if self.beyond else np.clip(divided, -1, 1))


AS_IT_IS = Scale()


@dataclass
class KeptTree:
    """The tree of a game that goes on, which one thread at a time may search."""

    forest: Any = field(default=None, init=False)
    game: str = field(default="", init=False)
    alone: TurnLock = field(default_factory=TurnLock, init=False)


@dataclass(frozen=True)
class NetworkAgent(ForgetsOnCopy):
    """Thinks by the raw policy of a network, or by a tree search that the network guides."""

    evaluator: Evaluator
    values: str = POLICY  # what the numbers of actions are: logits of a policy, or their values
    planes: str = "full"
    simulations: int = 0  # of a tree search; 0 for the raw policy
    c_puct: float = 1.25
    seed: int = 0
    scale: Scale = AS_IT_IS
    plain: bool = False  # no proofs in the search
    fpu_strategy: str = "reduction"  # an unvisited action: its parent's value less this, or zero
    fpu_reduction: float = 0.25
    chance: str = "expectation"  # or sample, as in the papers
    leaves: int | None = None  # of one tree that the network is asked about at once
    threads: int = 1  # that share the rows of one tree, if the evaluator lets others run
    search: str = PUCT
    seconds: float | None = None  # a move; with simulations the first to be reached
    reuse: bool = False  # keep the tree between the moves of a game
    max_num_considered_actions: int = 16  # of Gumbel's root
    _kept: KeptTree = field(default_factory=KeptTree, init=False, repr=False, compare=False)

    @property
    def searches(self) -> bool:
        """Whether it searches at all."""
        return self.simulations > 0 or self.seconds is not None

    def think(self, state: State) -> Thought:
        return self.think_many([state])[0]

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        if self.searches and (self.seconds is not None or self.reuse):
            return [self._think_alone(state) for state in states]
        started = time.perf_counter()
        many = self._search(states) if self.searches else self._think_raw(states)
        seconds = (time.perf_counter() - started) / len(states)
        return [replace(thought, seconds=seconds) for thought in many]

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same search in slices; its tree is its own, and not kept between moves."""
        if self.searches:
            yield from self._search_in_slices(self._start_forest([state]), state, SHOWN_SECONDS)
        else:
            yield self.think(state)

    def _think_alone(self, state: State) -> Thought:
        """A thought with a clock or a memory, which is of one game at a time."""
        if not self.reuse:
            *_, thought = self._search_in_slices(self._start_forest([state]), state, np.inf)
            return thought
        with self._kept.alone:
            forest = self._kept_forest(state)
            *_, thought = self._search_in_slices(forest, state, np.inf)
            self._kept.forest = forest
        return thought

    def _kept_forest(self, state: State) -> Any:
        """The tree of this game, gone on to this state; it is kept again when nothing failed."""
        kept, game = self._kept, game_key(state)
        forest = kept.forest if kept.game == game else None
        kept.forest, kept.game = None, game
        if forest is None:
            return self._start_forest([state])
        self._seek(forest, 0, state)
        return forest

    def _think_raw(self, states: Sequence[State]) -> list[Thought]:
        policies, values = self._look(states)
        found = [absolute_policy(state, row) for state, row in zip(states, policies, strict=True)]
        return [
            Thought(policy, float(value), nodes=1, prior=policy)
            for policy, value in zip(found, values, strict=True)
        ]

    def _look(self, states: Sequence[State]) -> tuple[NDArray[np.float64], Floats]:
        features = np.stack([state.features(self.planes) for state in states])
        masks = np.stack([state.mask() for state in states])
        return self.evaluate(features, masks)

    def evaluate_states(self, states: Sequence[State]) -> list[float]:
        """What the network says that states are worth to the player to move."""
        _, values = self._look(states)
        return [float(value) for value in values]

    def evaluate(
        self, features: Floats, masks: Masks, threads: int = 1
    ) -> tuple[NDArray[np.float64], Floats]:
        """Policies and values of rows, in the frame of the mover."""
        if not masks.any(1).all():
            raise ValueError(OVER)
        rows = np.ascontiguousarray(features, np.float32)
        numbers, values = evaluate_rows(self.evaluator, rows, threads)
        if not (np.isfinite(numbers).all() and (values is None or np.isfinite(values).all())):
            raise ValueError("what the network says is not finite: its weights are of no use")
        legal = np.where(masks, numbers.astype(np.float64), -np.inf)
        highest = legal.max(1, keepdims=True)
        policies = np.exp(legal - highest)
        if values is None:
            values = highest[:, 0].astype(np.float32) if self.values == ACTIONS else None
        if values is None:
            values = np.zeros(len(masks), np.float32)
        return policies / policies.sum(1, keepdims=True), self.scale(values)

    def _search(self, states: Sequence[State]) -> list[Thought]:
        forest = self._start_forest(states)
        for row in range(len(states)):
            forest.allow(row, self.simulations)
        for _ in self._simulate(forest):
            pass
        return [self._result(forest, row, state) for row, state in enumerate(states)]

    def _search_in_slices(self, forest: Any, state: State, shown: float) -> Iterator[Thought]:
        """Search one tree until the budget is spent; a thought every so many seconds, and one."""
        started = last = time.perf_counter()
        before = visits_of(forest)
        for _ in self._simulate_while_time(forest, started):
            now = time.perf_counter()
            if now - last >= shown and visits_of(forest) > before:
                last = now
                thought = self._result(forest, 0, state, before)
                yield replace(thought, seconds=now - started)
        found = self._result(forest, 0, state, before)
        yield replace(found, seconds=time.perf_counter() - started)

    def _simulate_while_time(self, forest: Any, started: float) -> Iterator[None]:
        """Simulate, in parts after which there is a look at the clock; Gumbel plans the whole."""
        end = np.inf if self.seconds is None else started + self.seconds
        most = self.simulations or MOST_SIMULATIONS
        allowed = 0
        while allowed < most and (not allowed or (time.perf_counter() < end)):
            allowed = most if self.search == GUMBEL else min(most, allowed + SLICE)
            forest.allow(0, allowed)
            for _ in self._simulate(forest):
                yield
                if time.perf_counter() >= end:
                    return
            if is_proven(forest.result(0)):
                return

    def _start_forest(self, states: Sequence[State]) -> Any:
        """A tree for each state."""
        forest: Any = _core.forest(
            states[0],
            len(states),
            seed=self.seed,
            planes=self.planes,
            simulations=0,
            c_puct=self.c_puct,
            gumbel=self.search == GUMBEL,
            gumbel_noise=False,
            max_num_considered_actions=self.max_num_considered_actions,
            root_only=self.search == ROOT,
            plain=self.plain,
            unvisited_zero=self.fpu_strategy == "zero",
            fpu_reduction=self.fpu_reduction,
            chance=self.chance,
            leaves=self.leaves or default_leaves(self.simulations),
        )
        for row, state in enumerate(states):
            self._seek(forest, row, state)
        return forest

    def _seek(self, forest: Any, row: int, state: State) -> None:
        if state.outcome is not None:
            raise ValueError(OVER)
        forest.seek(row, state)
        if state.chancy:  # what is thought of a state depends on no other, nor on its row
            forest.reseed(row, numbers(1, self.seed, state.key, state.plies)[0])

    def _simulate(self, forest: Any) -> Iterator[int]:
        """Evaluate leaves until there are none, those of all trees at once; says how many."""
        features = np.zeros((forest.max_rows, *forest.shape), np.float32)
        masks = np.zeros((forest.max_rows, forest.num_actions), np.bool_)
        threads = self.threads if len(forest) == 1 else 1
        while rows := forest.gather(features, masks):
            policies, values = self.evaluate(features[:rows], masks[:rows], threads)
            forest.scatter(policies.astype(np.float32), values.astype(np.float32))
            yield rows

    def _result(self, forest: Any, row: int, state: State, before: int = 0) -> Thought:
        """What a tree has come to; the raw policy if there was no time to search."""
        found = thought_of(forest, row, planned=self.search == GUMBEL, before=before)
        return found or self._think_raw([state])[0]


def default_leaves(simulations: int) -> int:
    """So few that a search is no weaker, so many that a network is not asked one by one."""
    if not simulations:
        return LEAVES_BY_CLOCK
    return max(1, min(MOST_LEAVES, simulations // SIMULATIONS_A_LEAF))
