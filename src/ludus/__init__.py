"""A laboratory for two-player board-game agents."""

from typing import TYPE_CHECKING, Any

from ludus.agent import Agent, EpsilonGreedy, Tempered, Thought, agent
from ludus.arena.match import match
from ludus.arena.score import Score
from ludus.arena.tournament import tournament
from ludus.game import Game, State, game, game_names
from ludus.play import Playouts, batch, perft, playouts, rng
from ludus.truth.oracle import NoTruth, Oracle, oracle

if TYPE_CHECKING:
    from ludus.learn.runs.run import Run

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


def __getattr__(name: str) -> Any:
    """`Run`, once it is asked for: it imports as much as all the rest."""
    if name != "Run":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ludus.learn.runs.run import Run

    return Run
