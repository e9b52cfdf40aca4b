"""A laboratory for two-player board-game agents."""

from ludus.game import Game, State, game, game_names

__all__ = ["Game", "State", "game", "game_names"]
