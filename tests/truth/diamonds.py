"""Small boards of Chinese Checkers, solved, and all their positions."""

from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np

import ludus
from ludus import _core


def solver_of(game):
    distances = np.zeros(_core.row_sizes(game.start())["distances"], np.uint8)
    return _core.row_solver(game.start(), distances), distances


@cache
def solved(size, pieces, forward_only=False, threads=2):
    game = ludus.game("chinesecheckers", size=size, pieces=pieces, forward_only=forward_only)
    solver, distances = solver_of(game)
    while not solver.done:
        solver.work(1, threads)
    words = {name: words.copy() for name, words in solver.buffers().items()}
    table = _core.row_table(game.start(), words["values"], distances)
    return SimpleNamespace(
        game=game, counts=solver.counts(), table=table, words=words, distances=distances
    )


def texts(size, pieces):
    """Every arrangement of the pieces with either player to move, legal or not."""
    cells = range(size * size)
    for first in combinations(cells, pieces):
        for second in combinations([cell for cell in cells if cell not in first], pieces):
            yield from written(size, first, second)


def written(size, first, second):
    marks = ["."] * (size * size)
    for mark, stones in (("1", first), ("2", second)):
        for cell in stones:
            marks[cell] = mark
    board = "".join(marks)
    return board + " 1", board + " 2"


def legal_state(game, text):
    try:
        return game.state(text)
    except ValueError:
        return None
