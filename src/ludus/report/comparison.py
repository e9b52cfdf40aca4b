"""Several runs in one picture: each metric over games, positions or minutes, a curve a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ludus.learn.runs.folder import RunFolder
from ludus.plain import plain
from ludus.report.chart import Curve, legend
from ludus.report.page import AXES, document, escape, remark, table
from ludus.report.quantities import (
    LABELS,
    LONGEST,
    PROGRESS,
    STRENGTH,
    Quantity,
    chosen_axis,
    curves_of,
    meaning,
    no_axis,
    quantity_chart,
)

MOST_RUNS = 24


@dataclass(frozen=True)
class Compared:
    """A run beside others."""

    name: str
    record: dict[str, Any]
    course: Sequence[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """What a folder says, without any of its weights."""
        folder = RunFolder(path)
        return cls(plain(str(path))[:LONGEST], folder.record(), folder.course())

    @property
    def row(self) -> tuple[str, ...]:
        """Its line in the table."""
        last = self.course[-1] if self.course else {}
        measured = [line["strength"] for line in self.course if "strength" in line]
        minutes = last.get("time_elapsed", 0.0) / 60
        return (
            self.name,
            plain(self.record["algorithm"]),
            plain(self.record["game"]),
            f"{last.get('step', 0):,}",
            f"{last.get('games', 0):,.0f}",
            f"{minutes:.1f}",
            f"{100 * measured[-1]:.1f} %" if measured else "not measured",
        )


HEAD = ("run", "method", "game", "steps", "games", "minutes", "points, last")


def read_runs(paths: Sequence[str]) -> list[Compared]:
    """Runs by their folders, each once."""
    if len({*paths}) < len(paths):
        raise ValueError("a run is there twice; runs that are compared differ")
    if len(paths) > MOST_RUNS:
        raise ValueError(f"at most {MOST_RUNS} runs fit into one picture, not {len(paths)}")
    return [Compared.read(Path(path)) for path in paths]


def comparison_page(runs: Sequence[Compared]) -> str:
    """The whole page."""
    games = {run.record["game"] for run in runs}
    mixed = "These runs learn different games: their strengths do not compare."
    return document(
        f"{len(runs)} runs",
        f"<h1>{len(runs)} runs beside each other</h1>",
        remark(mixed) if len(games) > 1 else "",
        table((run.row for run in runs), HEAD),
        chosen_axis(
            ("Strength", comparison_figures(STRENGTH, runs)),
            ("Learning", comparison_figures(PROGRESS, runs)),
        ),
    )


def comparison_figures(quantities: Sequence[Quantity], runs: Sequence[Compared]) -> str:
    """A picture for each metric that some run has."""
    return "".join(
        comparison_figure(quantity, name, runs)
        for quantity in quantities
        for name in names_of(quantity, runs)
    )


def names_of(quantity: Quantity, runs: Sequence[Compared]) -> list[str]:
    """The metrics of a quantity, in the order in which runs have them."""
    named = (name for run in runs for line in run.course for name in line)
    return [name for name in dict.fromkeys(named) if meaning(quantity, name)]


def comparison_figure(quantity: Quantity, name: str, runs: Sequence[Compared]) -> str:
    """One metric of all runs, over each of the axes."""
    only = Quantity(
        quantity.title,
        quantity.label,
        {name: meaning(quantity, name)},
        quantity.bounds,
        quantity.percent,
    )
    found = {axis: [curve_of(only, run, axis) for run in runs] for axis in AXES}
    drawn = "".join(
        f'<div class="along {axis}">'
        f"{quantity_chart(only, curves, LABELS[axis]) or no_axis(LABELS[axis])}</div>"
        for axis, curves in found.items()
    )
    title = f"{quantity.title}: {plain(name)[:LONGEST]}"
    return (
        f"<figure><h3>{escape(title)}</h3>{drawn}<figcaption>{legend(found['step'])}"
        "</figcaption></figure>"
    )


def curve_of(quantity: Quantity, run: Compared, axis: str) -> Curve:
    """The curve of one run, under its name; an empty one too keeps the colours of the others."""
    for one in curves_of(quantity, run.course, axis):
        return Curve(run.name, one.points, one.band)
    return Curve(run.name, [])
