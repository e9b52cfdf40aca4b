"""Super tic-tac-toe: there is no truth of it."""

from __future__ import annotations

from ludus.game import Game
from ludus.truth.oracle import NoTruth, Oracle
from ludus.truth.solving import Job

OPTIONS = ()


def oracle(game: Game) -> Oracle:
    """Say why there is none."""
    raise NoTruth(
        "nobody has solved super tic-tac-toe: 80 cells are too many; `alphabeta` looks a few plies "
        "ahead exactly, and `tictactoe:success=0.5` is the same rule on a board that is solved"
    )


def job(game: Game, *, threads: int = 1) -> Job | None:
    """Nothing can be made."""
    oracle(game)
    return None
