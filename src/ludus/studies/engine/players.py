"""Who plays in a study: agents by their spelling, what a part has trained, and forms of that."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ludus.agent import Resigned, Thought
from ludus.game import State, game_of

if TYPE_CHECKING:
    from ludus.studies.engine.bench import Bench
    from ludus.studies.engine.training import Training

HERE = "{}"  # where the network stands in a spelling


@dataclass(frozen=True)
class Learned:
    """An agent that a part of the study trains."""

    training: Training
    options: str = ""  # of the agent, such as simulations=50
    which: str = "last"  # checkpoint

    @property
    def title(self) -> str:
        name = f"{self.training.method} (seed {self.training.seed})"
        return f"{name} with {self.options}" if self.options else name

    def but(self, options: str) -> Learned:
        """The same with more options."""
        return replace(self, options=",".join(filter(None, (self.options, options))))

    def spelled(self, bench: Bench) -> str:
        place = f"{bench.run_of(self.training)}@{self.which}"
        return f"{place}:{self.options}" if self.options else place


@dataclass(frozen=True)
class Woven:
    """An agent that uses what was trained: `alphabeta:depth=2,judge={}`."""

    spelling: str
    learned: Learned

    @property
    def title(self) -> str:
        return self.spelling.replace(HERE, self.learned.title)

    def spelled(self, bench: Bench) -> str:
        return self.spelling.replace(HERE, self.learned.spelled(bench))


@dataclass(frozen=True)
class Unmasked:
    """What was trained, with nothing that keeps it from illegal moves; one loses the game."""

    learned: Learned

    @property
    def title(self) -> str:
        return f"{self.learned.title} without a mask"

    def spelled(self, bench: Bench) -> str:
        return self.learned.spelled(bench)

    def made(self, bench: Bench) -> WithoutMask:
        return WithoutMask(self.spelled(bench))


class Player(Protocol):
    """An agent that is known once the parts that it needs are done."""

    @property
    def title(self) -> str: ...

    def spelled(self, bench: Bench) -> str: ...


PlayerGiven = str | Player


def title_of(one: PlayerGiven) -> str:
    """An agent in a few words."""
    return one if isinstance(one, str) else one.title


@dataclass
class WithoutMask:
    """Takes the highest of all the network's numbers; an illegal choice gives up the game."""

    run: str
    _looks: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def think(self, state: State) -> Thought:
        record, evaluator = self._network(state)
        numbers, _ = evaluator(state.features(record["planes"])[None].astype(np.float32))
        action = state.seen(int(numbers[0].argmax()))
        if action not in state.legal():
            raise Resigned
        policy = np.zeros(state.num_actions)
        policy[action] = 1.0
        return Thought(policy, nodes=1)

    def _network(self, state: State) -> Any:
        """What is said of the network, and the network for this game."""
        from ludus.learn.agents._trained import find_network
        from ludus.learn.networks.stored import GameKey

        on = game_of(state)
        if on.spelling not in self._looks:
            record, load = find_network(self.run)
            self._looks[on.spelling] = record, load(GameKey(on.spelling, on))
        return self._looks[on.spelling]
