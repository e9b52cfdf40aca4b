"""The course of a training as a study keeps it: few lines, and the numbers of the last ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.learn.runs.metrics import bounds
from ludus.report.quantities import ENDS

MOST_LINES = 150  # between which lines are averaged
PLACES = ("step", "games", "positions", "time_elapsed", "epochs")  # of a line; they only grow
Line = Mapping[str, Any]


def last_numbers(course: Sequence[Line]) -> dict[str, dict[str, float]]:
    """The last value of every metric, with its interval where it has one."""
    last: dict[str, Line] = {name: line for line in course for name in line}
    found = {}
    for name, line in last.items():
        if name.endswith(ENDS):
            continue
        found[name] = {"value": line[name]}
        low, high = bounds(name)
        if line.keys() >= {low, high}:
            found[name] |= {"low": line[low], "high": line[high]}
    return found


def thinned_course(course: Sequence[Line]) -> list[dict[str, float]]:
    """Lines with a measurement as they are, the others between them averaged to fewer."""
    each = max(1, -(-len(course) // MOST_LINES))
    found: list[dict[str, float]] = []
    group: list[Line] = []
    for line in course:
        if is_measured(line):
            found += [mean_line(group)] if group else []
            found, group = [*found, dict(line)], []
            continue
        group.append(line)
        if len(group) == each:
            found.append(mean_line(group))
            group = []
    return [*found, mean_line(group)] if group else found


def with_counts(course: Sequence[Line]) -> list[dict[str, Any]]:
    """Beside every step the games that ended in it."""
    found, before = [], 0.0
    for line in course:
        games = line.get("games", before) - before
        before += games
        found.append({**line, "games_per_step": games})
    return found


def is_measured(line: Line) -> bool:
    """Whether strength was measured at this step."""
    return any(name.startswith("score ") for name in line)


def mean_line(group: Sequence[Line]) -> dict[str, float]:
    """The mean of some lines, at the place of the last."""
    names = dict.fromkeys(name for line in group for name in line)
    means = {}
    for name in names:
        values = [float(line[name]) for line in group if name in line]
        means[name] = values[-1] if name in PLACES else sum(values) / len(values)
    return means
