"""The vocabulary of questions: its nouns, and the forms of tables, curves and claims they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ludus.studies.engine.part import Part
from ludus.studies.engine.study import (
    Along,
    Cell,
    Claim,
    Extent,
    Figure,
    Grid,
    LeftOut,
    Pick,
    Series,
    Study,
    StudyQuestion,
    Through,
)

__all__ = [
    "RANDOM_WINS",
    "SEARCHED",
    "TRAINED",
    "Along",
    "Cell",
    "Claim",
    "Extent",
    "Figure",
    "Grid",
    "LeftOut",
    "Pick",
    "Series",
    "Study",
    "StudyQuestion",
    "Through",
    "asking",
    "beats",
    "column",
    "course",
    "cross",
    "is_more",
    "square",
    "table",
    "wins_over",
]

RANDOM_WINS = "win_rate random"
TRAINED = {"steps": 1, "eval_freq": 1, "n_eval_games": 2}  # in a smoke test, by steps
SEARCHED: dict[str, Any] = {  # AlphaZero in a smoke test
    **TRAINED,
    "width": 4,
    "blocks": 1,
    "simulations": 4,
    "n_envs": 4,
    "window": 500,
    "batch_size": 16,
}
Trainings = TypeVar("Trainings")
Naming = Callable[[str, str], str]  # the paper's number of a row and a column, or ""
Finding = Callable[[str, str], Part | None]  # what is played for a row and a column


def asking(
    trainings: Callable[[Extent], Trainings], *questions: Callable[[Trainings], StudyQuestion]
) -> Callable[[Extent], Sequence[StudyQuestion]]:
    """Questions about the same trainings, in the order of the paper."""

    def ask(extent: Extent) -> Sequence[StudyQuestion]:
        of = trainings(extent)
        return [one(of) for one in questions]

    return ask


def unprinted(row: str, column: str) -> str:
    """Nothing of this stands in the paper."""
    return ""


def table(
    title: str,
    rows: Mapping[str, Part],
    columns: Mapping[str, str],
    printed: Naming = unprinted,
    **form: Any,
) -> Grid:
    """A part a row; columns by the number of it that they show."""
    made = [
        (row, [Cell(Pick(part, number), printed(row, name)) for name, number in columns.items()])
        for row, part in rows.items()
    ]
    return Grid(title, list(columns), made, **form)


def column(
    title: str, rows: Mapping[str, Part], number: str = "points", printed: Naming = unprinted
) -> Grid:
    """A part a row, and one number of each."""
    return table(title, rows, {number: number}, printed)


def cross(
    title: str,
    rows: Iterable[str],
    columns: Iterable[str],
    part: Finding,
    number: str = "points",
    printed: Naming = unprinted,
    **form: Any,
) -> Grid:
    """A part a cell."""
    names = list(columns)

    def cell(row: str, name: str) -> Cell:
        found = part(row, name)
        return Cell(None if found is None else Pick(found, number), printed(row, name))

    return Grid(title, names, [(row, [cell(row, name) for name in names]) for row in rows], **form)


def square(
    title: str,
    names: Sequence[str],
    met: Mapping[tuple[str, str], Part],
    printed: Naming = unprinted,
) -> Grid:
    """Everybody against everybody else: the points of the row, from whichever side was played."""

    def cell(a: str, b: str) -> Cell:
        if a == b:
            return Cell()
        forward = (a, b) in met
        part = met[a, b] if forward else met[b, a]
        return Cell(Pick(part, "points" if forward else "points B"), printed(a, b))

    return Grid(title, names, [(a, [cell(a, b) for b in names]) for a in names])


def course(
    title: str, runs: Mapping[str, Part], metric: str, x: str = "games", y: str = "", **form: Any
) -> Figure:
    """One metric of several trainings."""
    curves = [Along(name, one, metric) for name, one in runs.items()]
    return Figure(title, curves, x, y or title, **form)


def wins_over(
    title: str, runs: Mapping[str, Part], opponent: str = "random", x: str = "games", **form: Any
) -> Figure:
    """Games won against an opponent, measured while several trainings went on."""
    return course(title, runs, f"win_rate {opponent}", x, "games won", share=True, **form)


def beats(says: str, part: Part, quote: str = "") -> Claim:
    """That A takes more than half of the points."""
    return Claim(says, Pick(part, "points"), 0.5, quote)


def is_more(says: str, a: Part, b: Part, number: str = "points", quote: str = "") -> Claim:
    """That a number of one part is above that of another."""
    return Claim(says, Pick(a, number), Pick(b, number), quote)
