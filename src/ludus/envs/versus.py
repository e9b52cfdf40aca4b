"""Many games in step against an opponent: inside native code where it can be, else asked here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus import _core
from ludus.agent import Agent, choose, fresh, is_batched, move, think_many
from ludus.checks import check_whole
from ludus.envs.arguments import check_actions
from ludus.envs.sides import as_opponent, native_opponent
from ludus.game import Game
from ludus.play import is_native

REST = -1  # the action of a row that is left as it is


@dataclass(frozen=True)
class StepArrays:
    """What a step writes, a row a game; the caller's own memory, never copied."""

    features: NDArray[np.float32]  # [games, planes, rows, columns], as who is asked sees it
    masks: NDArray[np.bool_]  # [games, num_actions], in that frame; all of them once it is over
    players: NDArray[np.int8]  # who moves
    sides: NDArray[np.int8]  # which player the learner is, -1 for both
    rewards: NDArray[np.float32]  # the learner's outcome, if it came just now, else 0
    shaping: NDArray[np.float32]  # the learner's share of the extra signal
    dones: NDArray[np.bool_]
    opponent_shaping: NDArray[np.float32]  # of the extra signal, what the other player gets

    def all(self) -> list[NDArray[Any]]:
        return [getattr(self, field.name) for field in fields(self)]


# Given the rows whose opponent is to move, and what is seen there, an action for each.
Policy = Callable[[NDArray[np.int64], NDArray[np.float32], NDArray[np.bool_]], NDArray[Any]]


class VersusGames:
    """Games between a learner, who is asked, and an opponent.

    The opponent is an agent (or its spelling), a Policy, or None: then every ply is asked for.
    `random` and `uct` with counted simulations play inside native code.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        *,
        seed: int,
        learner_side: tuple[bool, bool, float],
        opponent: str | Agent | Policy | None = None,
        planes: str = "full",
        shaping: str | None = None,
        threads: int = 1,
    ) -> None:
        first: Any = game.start()
        if not is_native(game):
            raise ValueError("many games in step need a native game; this one is written in Python")
        agent = as_opponent(opponent) if isinstance(opponent, str) else opponent
        thinks = hasattr(agent, "think")
        if not (agent is None or thinks or callable(agent)):
            raise ValueError(f"an opponent is an agent, its spelling or a policy, not {agent!r}")
        native = native_opponent(agent, game.spelling) if thinks else None  # type: ignore[arg-type]
        self._native: Any = _core.versus(
            first,
            check_whole("games", games, 1, 10**8),
            check_whole("seed", seed, 0, 2**64 - 1),
            planes,
            learner_side,
            shaping or "",
            check_whole("threads", threads, 1, 1024),
            **(native or {}),
        )
        self.games, self.num_actions, self.shape = games, game.num_actions, self._native.shape
        self._policy: Policy | None = None
        if native is None and agent is not None:
            self._policy = AgentPolicy(agent, self._native, seed) if thinks else agent  # type: ignore
        self._over = np.zeros(games, np.bool_)

    def arrays(self) -> StepArrays:
        """Room for what a step writes."""
        games = self.games
        return StepArrays(
            np.empty((games, *self.shape), np.float32),
            np.empty((games, self.num_actions), np.bool_),
            np.empty(games, np.int8),
            np.empty(games, np.int8),
            np.empty(games, np.float32),
            np.empty(games, np.float32),
            np.empty(games, np.bool_),
            np.empty(games, np.float32),
        )

    def step(self, actions: Any, out: StepArrays) -> None:
        """Play an action a row; where the game is over a new one starts, whatever the action."""
        self._native.step(check_actions(actions, self.games, self.num_actions), *out.all())
        self._over[:] = out.dones
        if self._policy:
            self._answer(out)

    def restart(self, chosen: NDArray[np.bool_] | None, out: StepArrays) -> None:
        """Begin new games in the chosen rows, or in all; every row is written."""
        self._native.restart(chosen)
        self._over &= False if chosen is None else ~chosen
        self.look(out)

    def look(self, out: StepArrays) -> None:
        """Write what is to be seen, once the opponent has moved where it is to."""
        self._native.look(out.features, out.masks, out.players, out.sides)
        for array in (out.rewards, out.shaping, out.dones, out.opponent_shaping):
            array.fill(0)
        if self._policy:
            self._answer(out)

    def sample(self, actions: NDArray[np.int32]) -> None:
        """Draw a random legal action for each row."""
        self._native.sample(actions)

    def state(self, row: int) -> Any:
        """The state of one game."""
        return self._native.state(row)

    def _answer(self, out: StepArrays) -> None:
        """Ask the opponent wherever it is to move, until it is nowhere."""
        assert self._policy is not None
        while (rows := np.flatnonzero((out.players != out.sides) & ~self._over)).size:
            actions = np.full(self.games, REST, np.int32)
            answers = self._policy(rows, out.features[rows], out.masks[rows])
            actions[rows] = check_actions(
                answers, rows.size, self.num_actions, "an opponent's action"
            )
            told: list[NDArray[Any]] = [out.rewards, out.shaping, out.dones, out.opponent_shaping]
            before = [array.copy() for array in told]
            self._native.step(actions, *out.all())
            self._over |= out.dones
            for now, earlier in zip(told, before, strict=True):
                now += earlier


class AgentPolicy:
    """An agent as a policy: in each row a fresh one, unless it thinks of many games at once."""

    def __init__(self, agent: Agent, native: Any, seed: int) -> None:
        self._native, self._agent, self._seed = native, agent, seed
        self._rng = np.random.default_rng(seed)
        self._agents: dict[int, Agent] = {}

    def __call__(
        self, rows: NDArray[np.int64], features: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        states = [self._native.state(row) for row in rows.tolist()]
        if is_batched(self._agent):
            thoughts = think_many(self._agent, states)
            actions = [choose(self._agent, thought, self._rng) for thought in thoughts]
        else:
            agents = [self._of(row) for row in rows.tolist()]
            pairs = zip(agents, states, strict=True)
            actions = [move(agent, state, self._rng)[0] for agent, state in pairs]
        seen = [state.seen(action) for state, action in zip(states, actions, strict=True)]
        return np.array(seen, np.int32)

    def _of(self, row: int) -> Agent:
        if row not in self._agents:
            self._agents[row] = fresh(self._agent, (self._seed + row) % 2**63)
        return self._agents[row]
