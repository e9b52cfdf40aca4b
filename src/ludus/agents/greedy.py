"""`greedy`: whatever looks best one action ahead."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ludus import _core
from ludus.agent import Thought, uniform
from ludus.agents.alphabeta import read_weights
from ludus.game import State
from ludus.options import check, option


@dataclass
class Greedy:
    """Plays what leads to the positions that the game's judge likes best, a win above all."""

    weights: str = option("", "of the evaluation's terms: material:2+mobility:0")
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    native = True  # thinking leaves the interpreter free

    def __post_init__(self) -> None:
        """Check what a person may have spelled."""
        check(self)
        read_weights(self.weights)

    def think(self, state: State) -> Thought:
        started = time.perf_counter()
        weights = read_weights(self.weights)
        policy = uniform(state)
        if _core.judge(state, weights) is None:
            raise ValueError("greedy needs a judge of positions, and this game has none")
        values = {action: self._value(state, action, weights) for action in state.legal()}
        top = max(values.values())
        best = [action for action, value in values.items() if value == top]
        policy[:] = 0
        policy[best] = 1 / len(best)
        seconds = time.perf_counter() - started
        return Thought(policy, top, (best[0],), len(values), seconds)

    def _value(self, state: State, action: int, weights: dict[str, float]) -> float:
        """What the action is worth to the player who takes it, on average."""
        if not state.chancy:
            return value_for(state.play(action), state.player, weights)
        return sum(
            probability * value_for(state.play(action, chance=result), state.player, weights)
            for result, probability in state.chances(action)
        )


def value_for(state: Any, player: int, weights: dict[str, float]) -> float:
    """The outcome for a player, or else the judge's view of it."""
    value = _core.judge(state, weights) if state.outcome is None else state.outcome
    return float(value if state.player == player else -value)


AGENT = Greedy
