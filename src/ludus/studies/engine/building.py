"""What agents build in Cathedral: the size of buildings and the territory, by turn."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import A, B, Games

OWN_GROUND = 3  # the plane of the paper that holds a player's territory
EARLY = 3  # buildings of a player that come first


@dataclass(frozen=True)
class Building:
    """The turns of some games of Cathedral that were played."""

    of: Games

    @property
    def title(self) -> str:
        return f"what is built in {self.of.title}"

    def guess(self) -> float:
        return 0.02 * self.of.games

    def work(self, bench: Bench) -> dict[str, Any]:
        sizes: dict[str, dict[int, list[float]]] = {A: defaultdict(list), B: defaultdict(list)}
        ground: dict[str, dict[int, list[float]]] = {A: defaultdict(list), B: defaultdict(list)}
        for record in self.of.records(bench):
            game, turns = record.game, [0, 0]
            for (state, after), move in zip(
                pairwise(record.states), record.played.moves, strict=True
            ):
                if move.startswith("Cathedral"):
                    continue
                player = state.player
                turns[player] += 1
                name = A if player == record.played.a else B
                sizes[name][turns[player]].append(
                    len(state.footprint(game.action(state, move)))  # type: ignore[attr-defined]
                )
                seen = after.features("paper", player)
                ground[name][turns[player]].append(float(seen[OWN_GROUND].sum()))
        told = {"size": sizes, "territory": ground}
        return {
            "numbers": {
                f"{what} {when} {name}": mean(found[name], chosen)
                for what, found in told.items()
                for name in (A, B)
                for when, chosen in (("early", range(1, EARLY + 1)), ("later", range(4, 99)))
            },
            "series": {
                f"{what} {name}": [[turn, sum(x) / len(x)] for turn, x in sorted(of.items())]
                for what, found in told.items()
                for name, of in found.items()
            },
        }


def mean(by_turn: dict[int, list[float]], turns: range) -> dict[str, float]:
    """The mean over some turns, each game counted with what it has of them."""
    games: dict[int, list[float]] = defaultdict(list)
    for turn in turns:
        for number, value in enumerate(by_turn.get(turn, ())):
            games[number].append(value)
    totals, counts = [sum(one) for one in games.values()], [len(one) for one in games.values()]
    found = {"value": sum(totals) / max(1, sum(counts)), "of": len(games)}
    ends = ratio_over_pairs(totals, counts)
    return {**found, **(dict(zip(("low", "high"), ends, strict=True)) if ends else {})}
