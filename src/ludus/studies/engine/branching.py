"""How many legal moves there are in the positions of some games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import Games


@dataclass(frozen=True)
class Branching:
    """Legal moves of the positions of games that were played."""

    of: Games

    @property
    def title(self) -> str:
        return f"legal moves in {self.of.title}"

    def guess(self) -> float:
        return 0.01 * self.of.games

    def work(self, bench: Bench) -> dict[str, Any]:
        import numpy as np

        games = [
            [len(state.legal()) for state in record.states[:-1]]
            for record in self.of.records(bench)
        ]
        counts = np.concatenate(games)
        low, high = np.quantile(counts, (0.25, 0.75))
        mean: dict[str, float] = {"value": float(counts.mean()), "of": len(games)}
        ends = ratio_over_pairs([float(sum(one)) for one in games], [float(len(g)) for g in games])
        if ends:
            mean |= dict(zip(("low", "high"), ends, strict=True))
        longest = max(map(len, games))
        by_ply = [
            [ply, float(np.mean([one[ply] for one in games if len(one) > ply]))]
            for ply in range(longest)
        ]
        return {
            "numbers": {
                "mean": mean,
                "lower quarter": {"value": float(low)},
                "upper quarter": {"value": float(high)},
                "most": {"value": float(counts.max())},
            },
            "series": {"by ply": by_ply},
        }
