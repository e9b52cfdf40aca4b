"""Super tic-tac-toe: the tiles and marks of tic-tac-toe, on a cross."""

from ludus.draw.tictactoe import STONES, board, text

__all__ = ["STONES", "board", "text"]
