"""`perfect`: never gives away what is true; wins as fast as it can."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ludus.agent import ForgetsOnCopy, Thought
from ludus.game import Game, State
from ludus.options import check, option
from ludus.truth.oracle import SAME, Oracle, check_start
from ludus.truth.oracles import oracle_of

OWN = "own"
TRUTHS = (OWN, "full")


@dataclass
class Perfect(ForgetsOnCopy):
    """The best moves by the oracle of the game, among them the fastest win.

    A lost position is played at random, as the papers' perfect player does it, unless it resists:
    then for as long as possible. With `fastest=false` any winning move will do. `truth=full` judges
    forward-only Chinese Checkers by the table of the full game, as the thesis does.
    """

    resist: bool = option(False, "lose as late as possible")
    fastest: bool = option(True, "win as fast as possible; otherwise by any winning move")
    truth: str = option(OWN, "table that judges; full: the full game's", choices=TRUTHS)
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    native = True  # most of the thinking leaves the interpreter free
    _oracle: Oracle | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check(self)

    def check_game(self, game: Game) -> None:
        """Refuse a game whose start nobody can judge, before anything is played."""
        check_start(game)
        if hasattr(game.start(), "spelling"):
            self._oracle = oracle_of(game.start(), self._oracle, self.truth)

    def with_oracle(self, oracle: Oracle) -> Perfect:
        """The same agent with an oracle at hand."""
        other = replace(self)
        other._oracle = oracle
        return other

    def thinking(self, state: State) -> Iterator[Thought | None]:
        """The same where answers take time: moves that keep the value, and at last the fastest."""
        started = time.perf_counter()
        oracle = self._oracle = oracle_of(state, self._oracle, self.truth)
        for _ in oracle.solving(state):
            worth = oracle.values_so_far(state)
            yield (
                None if worth is None else thought_of(state, worth, optimal_actions(worth), started)
            )
        yield self.think(state)

    def think(self, state: State) -> Thought:
        started = time.perf_counter()
        # Another thread may change its own.
        oracle = self._oracle = oracle_of(state, self._oracle, self.truth)
        worth = oracle.values(state)
        best = best_actions(oracle, state, worth, self.resist, self.fastest)
        return thought_of(state, worth, best, started)


def thought_of(state: State, worth: dict[int, float], best: list[int], started: float) -> Thought:
    """What is thought where the truth is known."""
    policy = np.zeros(state.num_actions)
    policy[best] = 1 / len(best)
    seconds = time.perf_counter() - started
    value = max(worth.values())
    return Thought(policy, value, (best[0],), len(worth), seconds, True, values=worth)


def optimal_actions(worth: dict[int, float]) -> list[int]:
    """The actions that keep the value."""
    most = max(worth.values())
    return [action for action, value in worth.items() if value >= most - SAME]


def best_actions(
    oracle: Oracle,
    state: State,
    worth: dict[int, float],
    resist: bool = False,
    fastest: bool = True,
) -> list[int]:
    """The actions that are as good as can be, and as fast or slow as they should be."""
    most, best = max(worth.values()), optimal_actions(worth)
    won, lost = most > 1 - SAME, most < SAME - 1
    if not ((won and fastest) or (lost and resist)):
        return best
    plies = oracle.distances(state)
    known = {action: left for action in best if (left := plies[action]) is not None}
    if not known:
        return best
    wanted = (min if won else max)(known.values())
    return [action for action, distance in known.items() if distance == wanted]


AGENT = Perfect
