"""Settings of methods that search among weights, without gradients."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.learn.settings.config import Common, natural, positive
from ludus.learn.settings.footprint import Footprint, Sizes


@dataclass(frozen=True)
class Judged(Common):
    """What a method that searches among weights has to be told."""

    network: str = "mlp"  # small: every weight is a dimension to search in
    width: int = 32
    blocks: int = 1
    fitness_games: int = 16  # games that each network is judged by, the sides exchanged
    opponent: str = "self"  # the network found so far, or random, or an agent
    sampled: bool = False  # moves are drawn from the policy; else the likeliest is played
    random_opening_plies: int = 2  # random plies that games begin with
    max_plies: int = 200  # plies, after which a game counts as a draw

    @property
    def judges(self) -> bool:
        return False

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "fitness_games", "max_plies")
        natural(self, "random_opening_plies")

    def footprint(self, sizes: Sizes) -> Footprint:
        games = self.fitness_games * (sizes.state + 2 * sizes.seen)
        return {**super().footprint(sizes), ("fitness_games",): games}
