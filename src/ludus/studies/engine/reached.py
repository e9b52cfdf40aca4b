"""How far a training had come at a point of its course."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import wilson
from ludus.learn.runs.metrics import bounds
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.part import Part

WON = "win_rate"  # against an opponent, or as one side: `win_rate random`, `win_rate_first random`


@dataclass(frozen=True)
class Reached:
    """A metric as it was first measured after so much of a training, or at its end."""

    training: Part  # whose result has a course
    metric: str
    at: float
    by: str = "games"

    @property
    def title(self) -> str:
        return f"{self.metric} after {self.at:,.0f} {self.by} of: {self.training.title}"

    def guess(self) -> float:
        return 0.0

    def work(self, bench: Bench) -> dict[str, Any]:
        course = bench.store.result(self.training)["course"]
        measured = [one for one in course if self.metric in one]
        after = [one for one in measured if one.get(self.by, 0) >= self.at]
        if not measured:
            return {"numbers": {}}
        line = after[0] if after else measured[-1]
        return {"numbers": {"value": with_interval(line, self.metric)}}


def with_interval(line: Mapping[str, Any], metric: str) -> dict[str, float]:
    """A metric of a line with its interval; of games won Wilson's, as the line has none."""
    found: dict[str, float] = {"value": line[metric]}
    if line.keys() >= {*bounds(metric)}:
        return found | dict(
            zip(("low", "high"), (line[name] for name in bounds(metric)), strict=True)
        )
    if metric.startswith(WON) and (games := int(line.get("n_eval_games", 0))):
        games = games if metric.startswith(f"{WON} ") else games // 2  # of one side
        low, high = wilson(round(line[metric] * games), games)
        return found | {"low": low, "high": high, "of": games}
    return found
