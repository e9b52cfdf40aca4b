"""`random`: every legal action alike."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.agent import Thought, uniform
from ludus.game import State


@dataclass
class RandomAgent:
    """Plays any legal action."""

    seed: int = 0
    native = True

    def think(self, state: State) -> Thought:
        return Thought(uniform(state))


AGENT = RandomAgent
