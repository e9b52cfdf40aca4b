"""What is true: boards that are solved once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.game import game as make_game
from ludus.studies.engine.bench import Bench
from ludus.truth.oracle import module_of, oracle
from ludus.truth.sampling import numbering

MANY, LARGE = 10**8, 800.0  # positions, and seconds that so many take or more


@dataclass(frozen=True)
class Solved:
    """A board that is solved, or was before; its table is kept for everybody."""

    game: str

    @property
    def title(self) -> str:
        return f"solve {self.game}"

    def guess(self) -> float:
        known = numbering(make_game(self.game))
        return LARGE if known and known.size >= MANY and not is_solved(self.game) else 1.0

    def work(self, bench: Bench) -> dict[str, Any]:
        on = make_game(self.game)
        value = max(oracle(on).values(on.start()).values())
        numbers: dict[str, dict[str, float]] = {"value of the start": {"value": value}}
        if known := numbering(on):
            numbers["positions"] = {"value": known.size}
        return {"numbers": numbers, "command": f"ludus solve {self.game}"}


def is_solved(spelling: str) -> bool:
    """Whether its table is there, whoever made it."""
    on = make_game(spelling)
    return bool(module_of(on).job(on).file.exists())
