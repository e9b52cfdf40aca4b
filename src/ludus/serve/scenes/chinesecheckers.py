"""Chinese Checkers: the way of a chain of hops."""

from __future__ import annotations

from collections import deque
from functools import cache
from math import isqrt
from typing import Any

from ludus.game import Game, State

Cell = tuple[int, int]
WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))


@cache
def coordinates(size: int) -> list[Cell]:
    """Of each id: rows of the diamond from the first tip, each from left to right."""
    cells = ((i, j) for i in range(size) for j in range(size))
    return sorted(cells, key=lambda cell: (sum(cell), -cell[0]))


def hops(cells: str, start: int, end: int) -> list[int]:
    """The ids that a shortest chain of hops stops at, both ends among them; none for a step."""
    at = coordinates(isqrt(len(cells)))
    number = {cell: i for i, cell in enumerate(at)}
    came_from: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting and end not in came_from:
        i, j = at[here := waiting.popleft()]
        for di, dj in WAYS:
            over, beyond = number.get((i + di, j + dj)), number.get((i + 2 * di, j + 2 * dj))
            if over is None or beyond is None or beyond in came_from:
                continue
            if cells[over] != "." and over != start and cells[beyond] == ".":
                came_from[beyond] = here
                waiting.append(beyond)
    if end not in came_from:
        return []
    chain = [end]
    while chain[-1] != start:
        chain.append(came_from[chain[-1]])
    return chain[::-1]


def action_facts(game: Game, state: State, board: Any, action: int, move: str) -> dict[str, Any]:
    """Whether it is a step or hops, and where a chain of hops touches the board."""
    cells = str(state).split(" ")[0]
    chain = hops(cells, *divmod(action, len(cells)))
    found: dict[str, Any] = {"how": "hop" if chain else "step"}
    if len(chain) > 2:
        found["via"] = [board.cells[cell] for cell in chain[1:-1]]
    return found
