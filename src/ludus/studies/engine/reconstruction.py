"""How well an autoencoder rebuilds positions, beside one that says that every cell is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.game import game as make_game
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import Games
from ludus.studies.engine.training import Training


@dataclass(frozen=True)
class Reconstruction:
    """The cells of the positions of some games, read through the latent code."""

    vae: Training
    of: Games

    @property
    def title(self) -> str:
        return f"positions rebuilt by {self.vae.title}, of {self.of.title}"

    def guess(self) -> float:
        return 0.05 * self.of.games

    def work(self, bench: Bench) -> dict[str, Any]:
        import numpy as np
        import torch

        from ludus.learn.networks.build import encoder_of

        game = make_game(self.vae.game)
        planes = str(self.vae.asked.get("planes", "full"))
        shape = game.start().shape(planes)
        network = encoder_of(str(bench.run_of(self.vae)), game, shape).eval()
        counts: dict[str, list[tuple[float, float]]] = {"cells": [], "occupied": [], "empty": []}
        for record in self.of.records(bench):
            seen = np.stack([one.features(planes) for one in record.states]).astype(np.float32)
            with torch.inference_mode():
                logits, _, _ = network(torch.from_numpy(seen), torch.zeros(len(seen), 1))
            right = (logits.numpy() > 0) == (seen > 0.5)
            occupied = seen > 0.5
            counts["cells"].append((right.sum(), right.size))
            counts["occupied"].append((right[occupied].sum(), occupied.sum()))
            counts["empty"].append(((~occupied).sum(), occupied.size))
        return {"numbers": {name: rate(found) for name, found in counts.items()}}


def rate(games: list[tuple[float, float]]) -> dict[str, float]:
    """A share of cells; games are the unit of its interval."""
    right, of = ([float(one[at]) for one in games] for at in (0, 1))
    found: dict[str, float] = {"value": sum(right) / max(1.0, sum(of)), "of": len(games)}
    ends = ratio_over_pairs(right, of)
    return {**found, **(dict(zip(("low", "high"), ends, strict=True)) if ends else {})}
