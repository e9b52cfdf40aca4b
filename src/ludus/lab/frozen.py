"""A frozen agent: its reply depends on the position alone, so all that it does is one table.

Nothing is kept between replies. Seeds are derived from the position, and so is the choice between
moves that the agent likes alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ludus import _core
from ludus.agent import (
    Agent,
    EpsilonGreedy,
    Tempered,
    Thought,
    agent,
    fresh,
    is_batched,
    name_of,
    spelling_of,
)
from ludus.arena.seeds import generator
from ludus.game import Game, State, canonical_image, game
from ludus.lab.positions import action_in
from ludus.learn.collecting.batched_opponents import search, thinks_natively

PROBED = 32  # positions by whose policies agents are told apart
BATCH = 1024  # positions that an agent is asked about at once


@dataclass(frozen=True)
class Frozen:
    """An agent without a memory."""

    agent: Agent
    game: Game
    seed: int = 0
    threads: int = 1

    @property
    def spelling(self) -> str:
        return spelling_of(self.agent)

    @property
    def canonical(self) -> bool:
        """Whether images of a position get one reply, so that they may be merged."""
        return bool(getattr(self.agent, "canonical", False))

    def replies(self, states: Sequence[State]) -> list[int]:
        """The action in each position, whatever others are asked about with it."""
        if not states:
            return []
        images = [canonical_image(one) if self.canonical else (0, one) for one in states]
        bare = [image.transformed(0) for _, image in images]
        found = [
            self._choose(policy, state)
            for policy, state in zip(self.policies(bare), bare, strict=True)
        ]
        return [
            action_in(state, symmetry, action) if symmetry else action
            for state, (symmetry, _), action in zip(states, images, found, strict=True)
        ]

    def _choose(self, policy: Any, state: State) -> int:
        best = np.flatnonzero(policy == policy.max())
        return int(best[self.number(state) % len(best)])

    def number(self, state: State) -> int:
        """What is random in a position: the same each time."""
        said = f"{self.seed} {state}".encode()
        return int.from_bytes(blake2b(said, digest_size=7).digest(), "little")

    def policies(self, states: list[State]) -> Sequence[Any]:
        """What the agent thinks of positions, each with a seed of its own."""
        if is_batched(self.agent):
            return [thought.policy for thought in self._think_many(states)]
        if thinks_natively(self.agent) and hasattr(states[0], "spelling"):
            return self._search(states)
        return [fresh(self.agent, self.number(one)).think(one).policy for one in states]

    def fingerprint(self) -> str:
        """What tells this agent from others: a digest of its policies in some positions."""
        rng = generator(0)
        states: list[State] = []
        while len(states) < PROBED:
            state = self.game.start()
            while state.outcome is None and len(states) < PROBED:
                states.append(state.transformed(0))
                legal = state.legal()
                state = state.play(legal[rng.integers(len(legal))])
        policies = np.stack([np.asarray(policy) for policy in self.policies(states)])
        return blake2b(policies.astype("<f8").tobytes(), digest_size=16).hexdigest()

    def _think_many(self, states: list[State]) -> list[Thought]:
        thinker: Any = self.agent
        parts = max(1, min(self.threads, len(states) // 16))
        if parts == 1:
            many: list[Thought] = thinker.think_many(states)
            return many
        cuts = [len(states) * part // parts for part in range(parts + 1)]
        thinker.think_many(states[:1])  # the network is read by one of them
        with ThreadPoolExecutor(parts) as pool:
            shares = pool.map(thinker.think_many, (states[a:b] for a, b in pairwise(cuts)))
            return [thought for share in shares for thought in share]

    def _search(self, states: list[State]) -> list[Any]:
        """Searches with counted budgets think of all positions in one native call."""
        rows = Rows(self.game, states)
        places = np.arange(len(states))
        seeds = np.array([self.number(one) for one in states], np.int64)
        policies = search(self.agent, rows, places, seeds, self.threads)  # type: ignore[arg-type]
        return [
            policy[[state.seen(action) for action in range(state.num_actions)]]
            for policy, state in zip(policies, states, strict=True)
        ]


class Rows:
    """Positions as rows of a native batch."""

    def __init__(self, game: Game, states: Sequence[State]) -> None:
        self.game, self.num_actions = game, game.num_actions
        first: Any = states[0]
        self.batch = cast(Any, _core.batch(first, len(states), 0, "full", True))
        for row, state in enumerate(states):
            self.batch.put(row, state)


def freeze(one: str | Agent, on: Game, *, seed: int = 0, threads: int = 1) -> Frozen:
    """An agent as a table of replies; `ValueError` says why there is none."""
    made = agent(one, seed=seed) if isinstance(one, str) else one
    if on.start().chancy:
        raise ValueError(
            f"{on.spelling} is a game of chance: a reply does not decide what happens, so no "
            "line of play can be proven there"
        )
    if why := memory_of(made):
        raise ValueError(f"{spelling_of(made)} cannot be frozen: {why}")
    return Frozen(made, on, seed, threads)


def game_for(made: Agent, given: str | None) -> Game:
    """The game that is asked for, or the one that the agent learned."""
    if given is not None:
        return game(given)
    learned = getattr(made, "game", None)
    if not isinstance(learned, Game):
        raise ValueError(f"{spelling_of(made)} plays more than one game: name one with --game")
    return learned


def memory_of(one: Any) -> str:
    """Why an agent's reply does not depend on the position alone; empty if it does."""
    if isinstance(one, EpsilonGreedy | Tempered) or getattr(one, "samples", False):
        return "it draws its moves; leave out epsilon and temperature"
    if name_of(one) in (None, "human"):
        return "it is no agent that can be made again from its spelling"
    name = name_of(one)
    no_budget = name == "alphabeta" and one.depth is None and one.nodes is None
    if getattr(one, "seconds", None) is not None or (no_budget and one.lines is None):
        return "its budget is a clock; give it simulations, nodes or a depth"
    if name != "alphabeta" and getattr(one, "reuse", False):
        return "it keeps its tree between moves; leave reuse out"
    return ""
