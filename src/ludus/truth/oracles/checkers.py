"""Checkers: all endgames with few pieces, with the number of turns to the end."""

from __future__ import annotations

from typing import Any

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game
from ludus.truth.native import EndgameSolver, NativeOracle
from ludus.truth.oracle import Oracle
from ludus.truth.solving import Job, Solver, find_or_solve

FAR = (
    "nobody here can play draughts perfectly from the start: there are tables of endgames; give "
    "--openings FILE with positions of few pieces, or let `alphabeta` play"
)
OPTIONS = ("pieces",)
PIECES, MOST_PIECES = 4, 5


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
