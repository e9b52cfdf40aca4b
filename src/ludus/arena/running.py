"""One game of a match while it is played, and what is kept of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ludus.agent import (
    Agent,
    Resigned,
    Thought,
    check_thought,
    choose,
    fresh,
    is_batched,
    is_foreign,
    spelling_of,
)
from ludus.arena.opening import Openings, play_with_chance
from ludus.arena.reward import AgentReward, GameReward, RewardSum
from ludus.arena.seeds import generator, numbers
from ludus.game import Game, State

PLAYED_OUT, LIMIT, RESIGNED = "rules", "limit", "resigned"
REASONS = (PLAYED_OUT, LIMIT, RESIGNED)


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over."""

    index: int  # in its match: games 2i and 2i + 1 share an opening, A is first in the even one
    agents: tuple[str, str]  # as spelled: player 0, player 1
    first: int  # the player who moved first
    position: str | None  # where the moves begin, unless at the game's one start
    opening: int  # how many moves, at the beginning, nobody thought about
    moves: tuple[str, ...]
    players: tuple[int, ...]  # who made each move
    chances: tuple[int, ...]  # what the board did after each, in a game of chance
    winner: int | None  # a player
    reason: str  # rules; limit (repetition, no progress, too many plies); resigned
    seconds: tuple[float, ...]  # of thinking, for each move after the opening
    reward: GameReward | None = None  # if it was asked for; a game that was resigned has none

    @property
    def pair(self) -> int:
        return self.index // 2

    @property
    def a(self) -> int:
        """The player that A was."""
        return self.first if self.index % 2 == 0 else 1 - self.first

    @property
    def points(self) -> float:
        """What A got: 1, 0.5 or 0."""
        return self.points_of(self.a)

    def points_of(self, player: int) -> float:
        """What a player got: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == player)

    def moves_of(self, player: int) -> int:
        """How many moves a player thought about."""
        return self.players[self.opening :].count(player)

    def reward_of(self, of_a: bool, reward: str | None) -> AgentReward | None:
        """What A or B got by this reward, if the game was paid by it."""
        if self.reward is None or self.reward.name != reward:
            return None
        player = self.a if of_a else 1 - self.a
        return AgentReward(self.pair, self.reward.paid[player], self.moves_of(player))

    @property
    def line(self) -> tuple[Any, ...]:
        """What makes two games the same."""
        return self.position, self.moves, self.chances


@dataclass(frozen=True)
class MatchPlan:
    """Two agents and all that decides their games, whoever plays them and when."""

    game: Game
    agents: tuple[Agent, Agent]  # A, B
    seed: int
    openings: Openings
    key: tuple[int, ...] = ()  # the place of this match in a tournament
    names: tuple[str, str] = ("", "")  # for the record, where they are not the spellings
    reward: str | None = None  # what plies pay, if that is to be known

    @property
    def spellings(self) -> tuple[str, str]:
        named = zip(self.names, self.agents, strict=True)
        a, b = (name or spelling_of(agent) for name, agent in named)
        return a, b


def why_over(game: Game, state: State) -> str:
    """Whether the position ends the game, or what went before."""
    return PLAYED_OUT if game.state(str(state)).outcome is not None else LIMIT


class RunningGame:
    """A game that goes on: who is to think about what, and where it has come to."""

    def __init__(self, plan: MatchPlan, index: int) -> None:
        pair, exchanged = divmod(index, 2)
        opening = plan.openings.opening(plan.game, pair, plan.seed, plan.key)
        place = (*plan.key, pair, 1 + exchanged)
        seeds = numbers(2, plan.seed, *place, 1)
        self.plan, self.index, self.opening = plan, index, opening
        self.rng = generator(plan.seed, *place, 0)
        # An agent that thinks of many games at once stays one; of the others each game has its own.
        self.agents = tuple(
            one if is_batched(one) else fresh(one, seed)
            for one, seed in zip(plan.agents, seeds, strict=True)
        )
        self.a = opening.first if not exchanged else 1 - opening.first
        self.state = opening.state
        self.moves, self.players = list(opening.moves), list(opening.players)
        self.chances = list(opening.chances)
        self.seconds: list[float] = []
        self.resigned: int | None = None
        self.purse = RewardSum(plan.reward) if plan.reward else None

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.state.outcome is not None

    @property
    def thinker(self) -> Agent:
        """The agent to move."""
        return self.agents[0 if self.state.player == self.a else 1]

    @property
    def thinker_name(self) -> str:
        return self.plan.spellings[0 if self.state.player == self.a else 1]

    def think(self) -> None:
        """Let the agent to move think, and play."""
        started = time.perf_counter()
        try:
            thought = self.thinker.think(self.state)
        except Resigned:
            self.resigned = self.state.player
            return
        except Exception as error:
            if not is_foreign(self.thinker):
                raise
            told = f"{type(error).__name__}: {error}"
            raise ValueError(
                f"{self.thinker_name} raised {told} at ply {len(self.moves)}"
            ) from error
        self.play(thought, time.perf_counter() - started)

    def play(self, thought: Thought, seconds: float) -> None:
        """Play what the agent to move has thought."""
        if is_foreign(self.thinker):
            check_thought(thought, self.state.num_actions, self.thinker_name)
        action = choose(self.thinker, thought, self.rng)
        if action not in self.state.legal():
            raise ValueError(
                f"{self.thinker_name} chose action {action}, which is not legal in {self.state}"
            )
        self.moves.append(self.plan.game.move(self.state, action))
        self.players.append(self.state.player)
        self.seconds.append(seconds)
        before = self.state
        self.state, result = play_with_chance(before, action, self.rng)
        if result is not None:
            self.chances.append(result)
        if self.purse:
            self.purse.add(before, action, self.state)

    def result(self) -> PlayedGame:
        a, b = self.plan.spellings
        winner = self.state.winner if self.resigned is None else 1 - self.resigned
        return PlayedGame(
            index=self.index,
            agents=(a, b) if self.a == 0 else (b, a),
            first=self.opening.first,
            position=self.opening.position,
            opening=len(self.opening.moves),
            moves=tuple(self.moves),
            players=tuple(self.players),
            chances=tuple(self.chances),
            winner=winner,
            reason=RESIGNED if self.resigned is not None else why_over(self.plan.game, self.state),
            seconds=tuple(self.seconds),
            reward=self.purse.total() if self.purse and self.resigned is None else None,
        )
