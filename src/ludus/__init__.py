"""A laboratory for two-player board-game agents."""

from ludus.game import Game, State, game, game_names
from ludus.play import Playouts, batch, perft, playouts, rng

__all__ = [
    "Game",
    "Playouts",
    "State",
    "batch",
    "game",
    "game_names",
    "perft",
    "playouts",
    "rng",
]
