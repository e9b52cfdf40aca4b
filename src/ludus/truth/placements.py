"""The numbers of all positions of two equal armies of like pieces: Chinese Checkers' space.

number = (mover * sets + own set) * sets + other's set, on the cells that the first leaves free
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb


@dataclass(frozen=True)
class Placements:
    """A board of so many cells with so many pieces of each player."""

    cells: int
    pieces: int

    @property
    def first(self) -> int:
        """How many sets of cells the first player's pieces can stand on."""
        return comb(self.cells, self.pieces)

    @property
    def second(self) -> int:
        """How many the second's, once the first's are there."""
        return comb(self.cells - self.pieces, self.pieces)

    @property
    def size(self) -> int:
        return 2 * self.first * self.second

    def text(self, number: int) -> str:
        """The text form of a number's position, which the rules may refuse."""
        rest, second = divmod(number, self.second)
        mover, first = divmod(rest, self.first)
        board = ["."] * self.cells
        for cell in subset(first, self.pieces):
            board[cell] = "1"
        free = [cell for cell, mark in enumerate(board) if mark == "."]
        for place in subset(second, self.pieces):
            board[free[place]] = "2"
        return "".join(board) + f" {mover + 1}"


def subset(rank: int, count: int) -> list[int]:
    """The subset of this size with this number, in the order of their greatest members."""
    found = []
    for size in range(count, 0, -1):
        top = size - 1
        while comb(top + 1, size) <= rank:
            top += 1
        rank -= comb(top, size)
        found.append(top)
    return found
