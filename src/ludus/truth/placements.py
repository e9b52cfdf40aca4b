"""The numbers of all ways to put pieces on a board, from which positions are drawn.

number = mover, then which layout, then the sets of cells of its kinds of pieces, one by one, each
among the cells that those before it leave free
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod

from ludus.game import Game, State

Layout = tuple[tuple[str, int], ...]  # how many pieces there are of each kind


@dataclass(frozen=True)
class Placements:
    """A board of so many cells, and the layouts that there may be."""

    cells: int
    layouts: tuple[Layout, ...]

    def ways(self, layout: Layout) -> list[int]:
        """In how many ways each kind can be put, after those before it."""
        free, found = self.cells, []
        for _, count in layout:
            found.append(comb(free, count))
            free -= count
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """How many positions there are of each layout, with one of the players to move."""
        return [prod(self.ways(layout)) for layout in self.layouts]

    @property
    def size(self) -> int:
        return 2 * sum(self.sizes)

    def marks(self, number: int) -> tuple[list[str], int]:
        """The kind of piece on each cell, a dot where there is none; and who moves."""
        mover, rest = divmod(number, sum(self.sizes))
        which = 0
        while rest >= self.sizes[which]:
            rest -= self.sizes[which]
            which += 1
        layout = self.layouts[which]
        board, free = ["."] * self.cells, list(range(self.cells))
        for (mark, count), ways in zip(layout, self.ways(layout), strict=True):
            rest, rank = divmod(rest, ways)
            taken = [free[place] for place in subset(rank, count)]
            for cell in taken:
                board[cell] = mark
            free = [cell for cell in free if board[cell] == "."]
        return board, mover


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


@dataclass(frozen=True)
class NumberedBoards:
    """The positions of a game by numbers; the rules allow some of them only."""

    game: Game
    placements: Placements
    write: Callable[[Sequence[str], int], str]  # the text of a board and its mover

    @property
    def size(self) -> int:
        return self.placements.size

    def numbered(self, number: int) -> State | None:
        """The state with this number; None if the rules allow none."""
        try:
            return self.game.state(self.write(*self.placements.marks(number)))
        except ValueError:
            return None
