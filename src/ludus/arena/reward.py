"""Rewards: what the plies of a game pay each player, and what an agent gets on average.

A reward is the outcome (1, 0 or -1, when the game ends) or one of the game's shaping signals by
name, which tell the end too. With r_t what ply t pays an agent, be it its own or its opponent's,

    reward of a game = sum of r_t over the plies after the opening, the last one included
    average per game = sum of the rewards of all games / games
    average per move = sum of the rewards of all games / moves that the agent thought about

Nothing is discounted or scaled. Moves of an opening are nobody's doing, and pay nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.game import Game, State

OUTCOME = "outcome"


def rewards_of(game: Game) -> list[str]:
    """The names of the rewards that a game has."""
    return [OUTCOME, *getattr(game.start(), "shapings", list)()]


def check_reward(game: Game, reward: str) -> str:
    """The name of a reward, among those the game has."""
    there = rewards_of(game)
    if reward in there:
        return reward
    if len(there) == 1:
        raise ValueError(
            f"no reward {reward!r:.60} here; there is only {OUTCOME}, as {game.name} has no shaping"
        )
    raise ValueError(f"no reward {reward!r:.60} here; there are {', '.join(there)}")


def ply_rewards(state: Any, action: int, after: State, reward: str) -> tuple[float, float]:
    """What a ply pays player 0 and player 1."""
    if reward == OUTCOME:
        return after.returns or (0.0, 0.0)
    paid: tuple[float, float] = state.shaping(action, after, reward)
    return paid


@dataclass(frozen=True)
class GameReward:
    """The reward of a game."""

    name: str
    paid: tuple[float, float]  # player 0, player 1


class RewardSum:
    """What both players of a game are paid, ply by ply."""

    def __init__(self, reward: str) -> None:
        self.reward = reward
        self.paid = [0.0, 0.0]

    def add(self, state: State, action: int, after: State) -> None:
        for player, got in enumerate(ply_rewards(state, action, after, self.reward)):
            self.paid[player] += got

    def total(self) -> GameReward:
        return GameReward(self.reward, (self.paid[0], self.paid[1]))


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval; None if there are no two pairs of games that differ."""

    value: float
    interval: tuple[float, float] | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
        }


@dataclass(frozen=True)
class AgentReward:
    """What an agent got in one game."""

    pair: Hashable  # games of a pair share an opening, and are not independent
    reward: float
    moves: int  # that it thought about


@dataclass(frozen=True)
class Average:
    """What an agent gets on average."""

    games: int
    moves: int
    per_game: Mean
    per_move: Mean

    def as_dict(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "moves": self.moves,
            "per_game": self.per_game.as_dict(),
            "per_move": self.per_move.as_dict(),
        }


def average(games: Iterable[AgentReward]) -> Average | None:
    """Over these games, with intervals whose unit is the pair; None if there are no games."""
    pairs: dict[Hashable, list[AgentReward]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game)
    if not pairs:
        return None
    rewards = [sum(game.reward for game in pair) for pair in pairs.values()]
    counts = [len(pair) for pair in pairs.values()]
    moves = [sum(game.moves for game in pair) for pair in pairs.values()]
    return Average(sum(counts), sum(moves), mean(rewards, counts), mean(rewards, moves))


def mean(rewards: list[float], counts: list[int]) -> Mean:
    """The sum of rewards, a number a pair, over the sum of counts."""
    return Mean(sum(rewards) / max(1, sum(counts)), ratio_over_pairs(rewards, counts))
