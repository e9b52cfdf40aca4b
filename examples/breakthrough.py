"""Breakthrough, a game in one Python file; `ludus check-game` tells if it keeps the laws."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

STEPS = (-1, 0, 1)  # how an action changes the column while it goes one row forward


@dataclass(frozen=True)
class Breakthrough:
    """Each side has two rows of pieces.

    A piece steps one row forward, straight or diagonally; it captures only diagonally, by taking
    the square of an enemy. Whoever first reaches the far row, or takes every enemy piece, wins.
    """

    cells: tuple[str, ...]  # rows from the second player's home (top) down; "x", "o" or "."
    size: int
    player: int = 0  # x, who moves up

    title = "Breakthrough"
    num_symmetries = 2  # as it is, and left to right

    @classmethod
    def start(cls, size: int = 6) -> Breakthrough:
        if not isinstance(size, int) or not 4 <= size <= 10:
            raise ValueError(f"size is 4 to 10, not {size!r}")
        empty = "." * size * (size - 4)
        return cls(tuple("o" * 2 * size + empty + "x" * 2 * size), size)

    @property
    def num_actions(self) -> int:
        return self.size * self.size * 3  # from a cell, with one of three steps

    def target(self, action: int) -> int | None:
        """The cell an action leads to, or None if that is off the board."""
        cell, step = divmod(action, 3)
        row, column = divmod(cell, self.size)
        row, column = row + (-1, 1)[self.player], column + STEPS[step]
        inside = 0 <= row < self.size and 0 <= column < self.size
        return row * self.size + column if inside else None

    def legal(self) -> list[int]:
        if self.outcome is not None:
            return []
        mine, theirs = "xo"[self.player], "ox"[self.player]
        actions = []
        for action in range(self.num_actions):
            target = self.target(action)
            if self.cells[action // 3] == mine and target is not None:
                straight = STEPS[action % 3] == 0
                free = "." if straight else "." + theirs
                if self.cells[target] in free:
                    actions.append(action)
        return actions

    def play(self, action: int) -> Breakthrough:
        cells = list(self.cells)
        target = self.target(action)
        assert target is not None
        cells[target], cells[action // 3] = cells[action // 3], "."
        return replace(self, cells=tuple(cells), player=1 - self.player)

    @property
    def outcome(self) -> int | None:
        """A move always exists: the foremost piece of a side can always step diagonally or on."""
        last_row = self.cells[: self.size] if self.player == 1 else self.cells[-self.size :]
        lost = "ox"[self.player] in last_row or "xo"[self.player] not in self.cells
        return -1 if lost else None

    # How people see it.

    def __str__(self) -> str:
        rows = (
            "".join(self.cells[i : i + self.size]) for i in range(0, len(self.cells), self.size)
        )
        return "/".join(rows) + " " + "xo"[self.player]

    @classmethod
    def parse(cls, text: str, size: int = 6) -> Breakthrough:
        board, _, mover = text.partition(" ")
        rows = board.split("/")
        right_size = len(rows) == size and all(len(row) == size for row in rows)
        if not right_size or mover not in ("x", "o") or set(board) - set("xo./"):
            raise ValueError(f"a position is {size} rows of x, o and '.', then who moves")
        state = cls(tuple("".join(rows)), size, "xo".index(mover))
        if max(board.count("x"), board.count("o")) > 2 * size:
            raise ValueError(f"each side has at most {2 * size} pieces")
        if "xo"[state.player] in (rows[0] if state.player == 0 else rows[-1]):
            raise ValueError("the player to move has already reached the far row")
        return state

    def square(self, cell: int) -> str:
        row, column = divmod(cell, self.size)
        return "abcdefghij"[column] + str(self.size - row)

    def move(self, action: int) -> str:
        target = self.target(action)
        assert target is not None
        taken = self.cells[target] != "."
        return self.square(action // 3) + ("x" if taken else "-") + self.square(target)

    # How learners see it: own and enemy pieces, always moving up.

    @property
    def shape(self) -> tuple[int, int, int]:
        return 2, self.size, self.size

    def features(self) -> np.ndarray:
        board = np.array(self.cells).reshape(self.size, self.size)
        board = board[::-1, ::-1] if self.player else board
        return np.stack([board == "xo"[self.player], board == "ox"[self.player]]).astype(np.float32)

    def seen(self, action: int) -> int:
        return self.num_actions - 1 - action if self.player else action

    def transformed(self, symmetry: int) -> Breakthrough:
        cells = tuple(
            self.cells[self.transformed_cell(symmetry, i)] for i in range(len(self.cells))
        )
        return replace(self, cells=cells)

    def transformed_action(self, symmetry: int, action: int) -> int:
        cell, step = divmod(action, 3)
        return self.transformed_cell(symmetry, cell) * 3 + (2 - step if symmetry else step)

    def transformed_cell(self, symmetry: int, cell: int) -> int:
        row, column = divmod(cell, self.size)
        return row * self.size + (self.size - 1 - column if symmetry else column)
