"""Checkers: all endgames with few pieces, with the number of turns to the end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game
from ludus.truth.native import EndgameSolver, NativeOracle
from ludus.truth.oracle import Oracle
from ludus.truth.placements import NumberedBoards, Placements
from ludus.truth.solving import Job, Solver, find_or_solve

FAR = (
    "nobody here can play draughts perfectly from the start: there are tables of endgames; let "
    "`alphabeta` play, or begin a match with few pieces, with --openings FILE"
)
OPTIONS = ("pieces",)
PIECES, MOST_PIECES = 4, 5
KINDS, SQUARES = "wWbB", 32


def native_space(game: Game, pieces: int) -> Any:
    """The native space of the endgames."""
    start: Any = game.start()
    return _core.endgames(start, pieces)


def job(game: Game, *, threads: int = 1, pieces: int = PIECES) -> Job:
    """What a table of all endgames with up to so many pieces takes."""
    check_whole("pieces", pieces, 2, MOST_PIECES)
    endgames = native_space(game, pieces)

    def solver() -> Solver:
        return EndgameSolver(endgames, game.start(), threads)

    return Job(
        spelling=f"checkers:pieces={pieces}",
        rules=game.kind.rules,
        states=endgames.size,
        memory=endgames.size,
        disk=3 * endgames.size,
        solver=solver,
    )


def oracle(game: Game, *, pieces: int = PIECES) -> Oracle:
    """Answers where at most so many pieces are left; a turn of several jumps counts as one ply."""
    table = find_or_solve(job(game, pieces=pieces))
    truth = native_space(game, pieces).oracle(table.array("verdicts"))
    unknown = (
        f"checkers is known where at most {pieces} pieces are left; the start is a draw "
        "(Schaeffer, 2007)"
    )
    return NativeOracle(game, truth, unknown)


def numbering(game: Game) -> NumberedBoards:
    """The endgames of the usual table by their numbers, each at the start of a turn."""
    layouts = tuple(
        tuple(zip(KINDS, counts, strict=True))
        for counts in product(range(PIECES), repeat=len(KINDS))
        if sum(counts) <= PIECES and any(counts[:2]) and any(counts[2:])
    )
    return NumberedBoards(game, Placements(SQUARES, layouts), write_squares)


def write_squares(board: Sequence[str], mover: int) -> str:
    """The text of a board of squares, whose kings are capitals."""

    def squares(man: str, king: str) -> str:
        named = ((mark, number) for number, mark in enumerate(board, 1) if mark in (man, king))
        return ",".join(f"{'K' if mark == king else ''}{number}" for mark, number in named)

    return f"{'BW'[mover]}:W{squares('w', 'W')}:B{squares('b', 'B')}"
