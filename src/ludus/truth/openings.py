"""Opening tables of Connect Four: the scores of all positions of one ply, made by our own solver.

Positions are not stored: the solver lists those of a ply in the order of their keys, a position and
its mirror image once, and the table holds a byte each. Earlier plies follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import _core
from ludus.game import Game
from ludus.truth import table
from ludus.truth.solving import Job
from ludus.truth.table_cache import table_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_PLY = 8
UNKNOWN = -128
SHIPPED = Path(__file__).parent / "data"


def table_bits(megabytes: int) -> int:
    """The largest table, a power of two of bytes, that fits."""
    return (megabytes << 20).bit_length() - 1


class OpeningSolver:
    """Solves the positions of a ply one by one; what one learns helps the others."""

    def __init__(self, game: Game, ply: int, threads: int, megabytes: int) -> None:
        self.game, self.ply = game, ply
        bits = table_bits(megabytes // threads)
        self.native = _core.connect4_solver(game.start(), threads=threads, table_bits=bits)
        self.keys = self.native.opening_keys(ply)
        self.scores = np.full(len(self.keys), UNKNOWN, np.int8)
        self.open = np.arange(0)
        self._begin()

    def _begin(self) -> None:
        self.open = np.flatnonzero(self.scores == UNKNOWN)
        self.native.ask_keys(self.keys[self.open])

    @property
    def done(self) -> bool:
        return not bool((self.scores == UNKNOWN).any())

    @property
    def progress(self) -> float:
        return float(np.mean(self.scores != UNKNOWN)) if len(self.scores) else 1.0

    def work(self, seconds: float) -> None:
        self.native.work(seconds)
        self.scores[self.open] = self.native.answers()

    def checkpoint(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        return {}, {"scores": self.scores}

    def resume(self, facts: dict[str, Any]) -> None:
        self._begin()

    def table(self) -> Mapping[str, NDArray[Any]]:
        return {"scores": self.scores}

    def result(self) -> dict[str, Any]:
        known = self.native.use_openings(self.ply, self.scores)
        self.native.ask([self.game.start()])
        self.native.work(0)
        start = int(self.native.answers()[0])
        return {
            "states": len(self.scores),
            "wins": int((self.scores > 0).sum()),
            "losses": int((self.scores < 0).sum()),
            "draws": int((self.scores == 0).sum()),
            "illegal": 0,
            "known": known,  # with those of the plies before
            "start": {"value": float(np.sign(start)), "score": start},
        }


def opening_name(game: Game, ply: int) -> str:
    """The spelling of a table: the game's, with the ply among its parameters."""
    return game.spelling + (",ply=" if ":" in game.spelling else ":ply=") + str(ply)


def opening_job(game: Game, ply: int, threads: int, megabytes: int) -> Job:
    """What the table of a ply takes: memory for the solver, hardly any disk."""
    states = len(_core.connect4_solver(game.start(), table_bits=10).opening_keys(ply))
    return Job(
        spelling=opening_name(game, ply),
        rules=game.kind.rules,
        states=states,
        memory=megabytes << 20,
        disk=3 * states + (1 << 16),
        solver=lambda: OpeningSolver(game, ply, threads, megabytes),
    )


def deepest_table(game: Game) -> tuple[int, NDArray[np.int8]] | None:
    """The table of the latest ply there is, made here or shipped; a damaged one is refused."""
    for ply in range(MOST_PLY, -1, -1):
        name = opening_name(game, ply)
        for path in (table_file(name), SHIPPED / table_file(name).name):
            if path.exists():
                expected = {"what": "table", "game": name, "rules": game.kind.rules}
                return ply, table.read(path, expected).array("scores", "i1")
    return None
