"""A laboratory for two-player board-game agents."""

from ludus.agent import Agent, EpsilonGreedy, Tempered, Thought, agent
from ludus.game import Game, State, game, game_names
from ludus.play import Playouts, batch, perft, playouts, rng

__all__ = [
    "Agent",
    "EpsilonGreedy",
    "Game",
    "Playouts",
    "State",
    "Tempered",
    "Thought",
    "agent",
    "batch",
    "game",
    "game_names",
    "perft",
    "playouts",
    "rng",
]
