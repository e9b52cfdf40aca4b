"""A laboratory for two-player board-game agents."""

from ludus.agent import Agent, EpsilonGreedy, Tempered, Thought, agent
from ludus.arena.match import match
from ludus.arena.score import Score
from ludus.arena.tournament import tournament
from ludus.game import Game, State, game, game_names
from ludus.learn.runs.run import Run
from ludus.play import Playouts, batch, perft, playouts, rng
from ludus.truth.oracle import NoTruth, Oracle, oracle

__all__ = [
    "Agent",
    "EpsilonGreedy",
    "Game",
    "NoTruth",
    "Oracle",
    "Playouts",
    "Run",
    "Score",
    "State",
    "Tempered",
    "Thought",
    "agent",
    "batch",
    "game",
    "game_names",
    "match",
    "oracle",
    "perft",
    "playouts",
    "rng",
    "tournament",
]
