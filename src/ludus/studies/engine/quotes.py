"""What the papers print: one file of quotes, each with its place and the numbers in it.

A number is named `quote.number`, such as `table-1/random boltzmann.wins`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.studies.engine.measured import Measured, printed_share

FILE = Path(__file__).parents[1] / "papers.json"
COUNTED = (
    "reward",
    "total",
    "seen",
    "neighbouring",
    "other",
    "nw",
    "safe",
    "unique",
    "seconds",
)  # are no shares


@dataclass(frozen=True)
class Quote:
    """Words of a paper, and the numbers that they hold."""

    where: str  # table, figure or page
    quote: str
    values: Mapping[str, float]  # as printed
    percent: bool = False  # they are shares, printed in percent
    games: int | None = None  # that they are of, where the paper says so

    def number(self, name: str) -> Measured:
        """As a share, unless it is a reward or a count."""
        value = self.values[name] / (100 if self.percent else 1)
        counted = name.startswith(COUNTED) or not 0 <= value <= 1
        return Measured(value) if counted else printed_share(value, self.games)


@dataclass(frozen=True)
class Paper:
    """A paper that a study asks again."""

    file: str  # of its text
    title: str
    quotes: Mapping[str, Quote]
    misprints: tuple[Mapping[str, str], ...] = ()  # where, quote, and what is wrong

    def quote(self, name: str) -> Quote:
        """A quote by its name."""
        if name not in self.quotes:
            near = get_close_matches(name, self.quotes, 1, 0)
            raise ValueError(f"the paper has no quote {name!r:.80}; did you mean {near[0]!r}?")
        return self.quotes[name]

    def number(self, name: str) -> Measured:
        """A number by the names of its quote and of itself."""
        quote, _, own = name.rpartition(".")
        found = self.quote(quote)
        if own not in found.values:
            raise ValueError(f"{quote!r} has no number {own!r}; it has {', '.join(found.values)}")
        return found.number(own)


@cache
def papers() -> dict[str, Paper]:
    """All papers by the name of their study."""
    return {name: read_paper(said) for name, said in reading.load(FILE).items()}


def read_paper(said: Mapping[str, Any]) -> Paper:
    """A paper as it stands in the file."""
    quotes = {name: Quote(**quote) for name, quote in said["quotes"].items()}
    return Paper(said["file"], said["title"], quotes, tuple(said.get("misprints", ())))
