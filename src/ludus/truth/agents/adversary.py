"""`adversary`: wins what is won, and sets the most traps where it is lost."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from ludus.agent import CopiedAfresh, Thought
from ludus.game import State
from ludus.truth.agents.perfect import chosen
from ludus.truth.oracle import SAME, Oracle, results
from ludus.truth.oracles import oracle_of


@dataclass
class Adversary(CopiedAfresh):
    """The thesis' adversary, for any game that has an oracle.

    Where it is not lost it plays as `perfect` does. Where it is, it looks two plies ahead: it
    avoids what loses at once and takes the move after which most of the opponent's answers would
    be mistakes.
    `epsilon`, as for every agent, makes it less predictable.
    """

    seed: int = 0
    native = True
    _oracle: Oracle | None = field(default=None, init=False, repr=False, compare=False)

    def think(self, state: State) -> Thought:
        started = time.perf_counter()
        oracle = self._oracle = oracle_of(state, self._oracle)  # another thread may change its own
        worth = oracle.values(state)
        value = max(worth.values())
        if value > SAME - 1:
            best = chosen(oracle, state, worth, resist=False)
        else:
            best = trapping(oracle, state)
        policy = np.zeros(state.num_actions)
        policy[best] = 1 / len(best)
        return Thought(policy, value, (best[0],), len(worth), time.perf_counter() - started, True)


def trapping(oracle: Oracle, state: State) -> list[int]:
    """The moves that leave the opponent the most answers which give the win away."""
    traps: dict[int, tuple[bool, float]] = {}
    for action in state.legal():
        safe, mistakes = True, 0.0
        for child, share in results(state, action):
            if child.outcome is not None:
                safe = False
                continue
            if child.player == state.player:
                continue  # the move is not over; nobody can err yet
            answers = oracle.values(child)
            mistakes += share * sum(value < 1 - SAME for value in answers.values())
            safe &= not any(ends(child, answer) for answer in answers)
        traps[action] = (safe, mistakes)
    most = max(traps.values())
    return [action for action, trap in traps.items() if trap == most]


def ends(state: State, action: int) -> bool:
    """Whether the player to move can win with this at once."""
    return any(
        child.outcome is not None and child.winner == state.player
        for child, _ in results(state, action)
    )


AGENT = Adversary
