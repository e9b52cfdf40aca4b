"""Agents whose thinking is a network: alone, or inside a tree search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludus import _core
from ludus.agent import Thought
from ludus.arena.seeds import numbers
from ludus.game import State
from ludus.learn.networks.split import evaluate_rows
from ludus.learn.store.record import ACTIONS, POLICY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Masks = NDArray[np.bool_]

SHOWN_SECONDS = 0.03  # a slice of a search that is watched
SIMULATIONS_A_LEAF, MOST_LEAVES = 32, 32

# Features [rows, planes, ...] in; a number for each action and perhaps a value out, for each row.
Evaluator = Callable[["Floats"], tuple["Floats", "Floats | None"]]


def in_torch(network: Any) -> Evaluator:
    """A network as it is trained."""
    import torch

    network.eval()

    def evaluate(features: Floats) -> tuple[Floats, Floats | None]:
        with torch.inference_mode():
            actions, value = network(torch.from_numpy(features))
        return actions.numpy(), None if value is None else value.numpy()

    return evaluate


class Scale(NamedTuple):
    """What makes a network's values lie in [-1, 1] and keep their order."""

    size: float = 1.0  # what a win pays, or a return is large by
    beyond: bool = False  # returns went beyond that: tanh(v / size), else v / size

    def __call__(self, values: Floats) -> Floats:
        divided = values / np.float32(self.size)
        return np.asarray(np.tanh(divided) if self.beyond else np.clip(divided, -1, 1))


AS_IT_IS = Scale()


@dataclass(frozen=True)
class NetworkAgent:
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

    def think(self, state: State) -> Thought:
        return self.think_many([state])[0]

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        started = time.perf_counter()
        many = self._search(states) if self.simulations else self._think_raw(states)
        seconds = (time.perf_counter() - started) / len(states)
        return [replace(thought, seconds=seconds) for thought in many]

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same search in slices; thoughts have the network's own policy as prior."""
        started = shown = time.perf_counter()
        (raw,) = self._think_raw([state])
        found = raw
        if self.simulations:
            forest = self._start_forest([state])
            evaluated = -1  # the first leaf is the root
            for rows in self._simulate(forest):
                evaluated += rows
                now = time.perf_counter()
                if evaluated and now - shown >= SHOWN_SECONDS:
                    shown = now
                    found = self._result(forest, 0, evaluated)
                    yield replace(found, seconds=now - started, prior=raw.policy)
            found = self._result(forest, 0, self.simulations)
        yield replace(found, seconds=time.perf_counter() - started, prior=raw.policy)

    def _think_raw(self, states: Sequence[State]) -> list[Thought]:
        features = np.stack([state.features(self.planes) for state in states])
        masks = np.stack([state.mask() for state in states])
        policies, values = self.evaluate(features, masks)
        return [
            Thought(absolute(state, policy), float(value), nodes=1)
            for state, policy, value in zip(states, policies, values, strict=True)
        ]

    def evaluate(
        self, features: Floats, masks: Masks, threads: int = 1
    ) -> tuple[NDArray[np.float64], Floats]:
        """Policies and values of rows, in the frame of the mover."""
        if not masks.any(1).all():
            raise ValueError("the game is over: there is nothing to think about")
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
        for _ in self._simulate(forest):
            pass
        return [self._result(forest, row, self.simulations) for row in range(len(states))]

    def _start_forest(self, states: Sequence[State]) -> Any:
        """A tree for each state."""
        forest: Any = _core.forest(
            states[0],
            len(states),
            seed=self.seed,
            planes=self.planes,
            simulations=self.simulations,
            c_puct=self.c_puct,
            plain=self.plain,
            unvisited_zero=self.fpu_strategy == "zero",
            fpu_reduction=self.fpu_reduction,
            chance=self.chance,
            leaves=self.leaves or default_leaves(self.simulations),
        )
        for row, state in enumerate(states):
            forest.seek(row, state)
            if state.chancy:  # what is thought of a state depends on no other, nor on its row
                forest.reseed(row, numbers(1, self.seed, state.key, state.plies)[0])
        return forest

    def _simulate(self, forest: Any) -> Iterator[int]:
        """Evaluate leaves until there are none, those of all trees at once; says how many."""
        features = np.zeros((forest.max_rows, *forest.shape), np.float32)
        masks = np.zeros((forest.max_rows, forest.num_actions), np.bool_)
        threads = self.threads if len(forest) == 1 else 1
        while rows := forest.gather(features, masks):
            policies, values = self.evaluate(features[:rows], masks[:rows], threads)
            forest.scatter(policies.astype(np.float32), values.astype(np.float32))
            yield rows

    def _result(self, forest: Any, row: int, nodes: int) -> Thought:
        policy, counts = np.zeros(forest.num_actions), np.zeros(forest.num_actions, np.int64)
        for action, share in forest.policy(row):
            policy[action] = share
        looks = forest.result(row)
        visits = sum(look[1] for look in looks)
        value = sum(look[1] * look[2] for look in looks) / max(1, visits)
        values: dict[int, float] = {}
        for action, count, worth, proof in looks:
            counts[action] = count
            if count or proof is not None:
                values[action] = float(np.clip(worth if proof is None else proof, -1, 1))
        mean = float(np.clip(value, -1, 1))
        return Thought(policy / policy.sum(), mean, nodes=nodes, visits=counts, values=values)


def default_leaves(simulations: int) -> int:
    """So few that a search is no weaker, so many that a network is not asked one by one."""
    return max(1, min(MOST_LEAVES, simulations // SIMULATIONS_A_LEAF))


def absolute(state: State, policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """A policy in the mover's frame, numbered as `legal()` numbers actions."""
    turned = np.zeros_like(policy)
    legal = state.legal()
    turned[legal] = policy[[state.seen(action) for action in legal]]
    return np.asarray(turned / turned.sum())
