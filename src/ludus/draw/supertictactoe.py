"""Super tic-tac-toe: the tiles and marks of tic-tac-toe, on a cross."""

from ludus.draw.tictactoe import board, text

__all__ = ["board", "text"]
