"""Settings of methods that search among weights, without gradients."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.learn.settings.config import Common, check_agent
from ludus.learn.settings.footprint import Footprint, Sizes
from ludus.learn.settings.playing import RANDOM, SELF
from ludus.options import option


@dataclass(frozen=True)
class PopulationConfig(Common):
    """What a method that searches among weights has to be told."""

    network: str = "mlp"  # small: every weight is a dimension to search in
    width: int = 32
    blocks: int = 1
    fitness_games: int = option(
        16, "games that each network is judged by, the sides exchanged", group="self-play", low=1
    )
    opponent: str = option(
        "self",
        "opponent in those games: self (the network found so far), random or an agent",
        group="self-play",
    )
    sampled: bool = option(
        False,
        "sample moves from the policy instead of playing the likeliest",
        group="self-play",
    )
    random_opening_plies: int = option(
        2, "random plies at the beginning of those games", group="self-play", low=0
    )
    max_plies: int = option(
        200, "plies after which such a game counts as a draw", group="self-play", low=1
    )

    @property
    def networks(self) -> int:
        """How many are judged at a time."""
        return int(getattr(self, "population_size", 2))

    @property
    def judges(self) -> bool:
        return False

    def check_new(self) -> None:
        if self.opponent not in (SELF, RANDOM):
            check_agent(self.opponent)

    def footprint(self, sizes: Sizes) -> Footprint:
        games = self.fitness_games * (sizes.state + 2 * sizes.seen)
        return {**super().footprint(sizes), ("fitness_games",): games}
