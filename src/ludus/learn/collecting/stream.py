"""Games that are only looked at: random players', and an agent's in some of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, agent
from ludus.game import Game
from ludus.learn.collecting.batched_opponents import choose_actions
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.masked import uniform_actions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Positions = NDArray[np.float32]  # [positions, planes, rows, columns]


@dataclass(frozen=True)
class Players:
    """Who plays: at random everywhere, or in a share of the games as an agent does."""

    spelling: str  # of the agent; "" for none
    agent_share: float
    epsilon: float  # of the agent's moves that are random, so that its games differ
    seed: int

    @property
    def share(self) -> float:
        return self.agent_share if self.spelling else 0.0

    @cached_property
    def agent(self) -> Agent:
        """Made when it is first asked: games that are stored need it no more."""
        return agent(self.spelling, seed=self.seed)

    def actions(
        self, table: VectorGames, by_agent: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int32]:
        """What everybody plays, in rows that are the agent's and in the others."""
        actions = uniform_actions(table.masks, rng)
        rows = np.flatnonzero(by_agent & (rng.random(len(table)) >= self.epsilon))
        if len(rows):
            seeds, draws = rng.integers(2**31, size=len(rows)), rng.random(len(rows))
            actions[rows] = choose_actions(self.agent, table, rows, seeds, draws)
        return actions


class Stream:
    """Positions of games that go on and on: none is seen in two steps."""

    def __init__(
        self, game: Game, players: Players, *, rows: int, positions: int, planes: str, seed: int
    ) -> None:
        self.table = VectorGames(game, rows, seed, planes=planes)
        self.players = players
        self.plies = -(-positions // rows)
        self.by_agent = np.arange(rows) < round(players.share * rows)

    @property
    def parts(self) -> dict[str, Any]:
        return {"table": self.table}

    @property
    def games(self) -> int:
        """How many are over."""
        return self.table.games

    def take(self, rng: np.random.Generator) -> Positions:
        """Positions that were not seen before."""
        found = np.zeros((self.plies, *self.table.features.shape), np.float32)
        for ply in range(self.plies):
            found[ply] = self.table.features
            self.table.step(self.players.actions(self.table, self.by_agent, rng))
        return found.reshape(-1, *self.table.shape)
