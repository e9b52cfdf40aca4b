"""King and Courtesan on boards of size 3 and 4: every position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus import _core
from ludus.game import Game
from ludus.truth.native import EndgameSolver, NativeOracle
from ludus.truth.oracle import NoTruth, Oracle
from ludus.truth.placements import NumberedBoards, Placements
from ludus.truth.solving import Job, Solver, find_or_solve

OPTIONS = ()


def native_space(game: Game) -> Any:
    """The native space of this board's positions."""
    start: Any = game.start()
    return _core.endgames(start)


def job(game: Game, *, threads: int = 1) -> Job:
    """What a table of all positions of this board takes."""
    endgames = native_space(game)

    def solver() -> Solver:
        return EndgameSolver(endgames, game.start(), threads)

    return Job(
        spelling=f"kingcourtesan:size={game.parameters['size']}",
        rules=game.kind.rules,
        states=endgames.size,
        memory=endgames.size,
        disk=3 * endgames.size,
        solver=solver,
    )


def oracle(game: Game) -> Oracle:
    """The oracle of a small board."""
    if game.parameters["size"] > 4:
        raise NoTruth(
            "King and Courtesan is solved on boards of size 3 and 4, not "
            f"{game.parameters['size']}; `alphabeta` is the strongest player there is"
        )
    table = find_or_solve(job(game))
    truth = native_space(game).oracle(table.array("verdicts"))
    return NativeOracle(game, truth, "this position is not one that play can reach")


def numbering(game: Game) -> NumberedBoards:
    """All positions by their numbers: each side has its king and some of its other pieces left."""
    size = int(game.parameters["size"])
    others = range(size * (size - 1) // 2)
    layouts = tuple(
        (("R", 1), ("r", red), ("B", 1), ("b", blue)) for red in others for blue in others
    )

    def write(board: Sequence[str], mover: int) -> str:
        rows = ("".join(board[at : at + size]) for at in range(0, size * size, size))
        return f"{'/'.join(rows)} {'rb'[mover]}"

    return NumberedBoards(game, Placements(size * size, layouts), write)
