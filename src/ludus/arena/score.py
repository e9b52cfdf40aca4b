"""What a match came to: for A in total and by side, with intervals, lengths and times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludus.arena.elo import elo_difference, elo_text
from ludus.arena.interval import over_pairs, wilson
from ludus.arena.ratings import Estimate
from ludus.arena.reward import Average, average
from ludus.arena.running import PlayedGame
from ludus.arena.sprt import Standing
from ludus.markup import html_table

BINS = 8  # of plies, at most, for the times by ply


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses."""

    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, points: Iterable[float]) -> Tally:
        got = list(points)
        return cls(got.count(1.0), got.count(0.5), got.count(0.0))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Per game; a draw counts half."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    def as_dict(self) -> dict[str, Any]:
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        shares = {
            f"{name}_interval": list(wilson(count, self.games)) for name, count in counts.items()
        }
        return {"games": self.games, **counts, "points": self.points, **shares}


@dataclass(frozen=True, repr=False)
class Score:
    """A match from A's side."""

    game: str
    a: str
    b: str
    seed: int
    openings: str
    played: Sequence[PlayedGame]  # by index
    standing: Standing | None = None
    asked: int = 0  # games that were to be played
    stopped: bool = False  # by Ctrl-C
    reward: str | None = None  # what plies paid, if that was asked for
    timing: tuple[str, str] | None = field(default=None, compare=False)  # of A and B, in words

    @cached_property
    def total(self) -> Tally:
        return Tally.of(game.points for game in self.played)

    @cached_property
    def as_first(self) -> Tally:
        return Tally.of(game.points for game in self.played if game.a == game.first)

    @cached_property
    def as_second(self) -> Tally:
        return Tally.of(game.points for game in self.played if game.a != game.first)

    @cached_property
    def first_mover(self) -> Tally:
        """Of whoever moved first, A or B."""
        return Tally.of(game.points_of(game.first) for game in self.played)

    @cached_property
    def player_0(self) -> Tally:
        """Of player 0, A or B; where a coin decides who begins, that is not who moved first."""
        return Tally.of(game.points_of(0) for game in self.played)

    @property
    def coin(self) -> bool:
        """Whether a coin decided who began."""
        return any(game.first != 0 for game in self.played)

    def average(self, of_a: bool) -> Average | None:
        """The average reward of A or B, if one was asked for and games were paid."""
        games = (game.reward_of(of_a, self.reward) for game in self.played)
        return average(game for game in games if game is not None)

    @property
    def games(self) -> int:
        return self.total.games

    @property
    def wins(self) -> int:
        return self.total.wins

    @property
    def draws(self) -> int:
        return self.total.draws

    @property
    def losses(self) -> int:
        return self.total.losses

    @property
    def points(self) -> float:
        """Per game; a draw counts half."""
        return self.total.points

    @cached_property
    def pairs(self) -> list[list[float]]:
        """A's points in the games of each pair."""
        pairs: dict[int, list[float]] = {}
        for game in self.played:
            pairs.setdefault(game.pair, []).append(game.points)
        return list(pairs.values())

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, for the points; pairs of games are the unit."""
        return over_pairs(
            [sum(pair) / len(pair) for pair in self.pairs], [len(pair) / 2 for pair in self.pairs]
        )

    @property
    def elo(self) -> Estimate:
        """How much stronger A is, by the points and their interval."""
        return elo_difference(self.points, self.interval)

    @cached_property
    def distinct(self) -> int:
        """How many of the games differ in their moves."""
        return len({game.line for game in self.played})

    @property
    def few_differ(self) -> bool:
        return self.distinct < self.games / 2

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.wins} wins, {self.draws} draws, {self.losses} losses; "
            f"{self.points:.1%} ({100 * low:.0f}-{100 * high:.0f})".replace("%", " %")
            + f"; Elo {elo_text(self.elo)}"
        )

    def __repr__(self) -> str:
        return f"<Score of {self.a} against {self.b} in {self.game}: {self}>"

    def _repr_html_(self) -> str:
        sides = (
            ("in total", self.total),
            ("as first", self.as_first),
            ("as second", self.as_second),
        )
        rows = [
            (name, got.games, f"{100 * got.points:.1f} %", got.wins, got.draws, got.losses)
            for name, got in sides
        ]
        head = (self.a, "games", "points", "wins", "draws", "losses")
        return html_table(head, rows, f"{self.game}: {self.a} against {self.b}: {self}")

    def as_dict(self) -> dict[str, Any]:
        """All of it, for a program."""
        lengths = [len(game.moves) for game in self.played]
        return {
            "game": self.game,
            "a": self.a,
            "b": self.b,
            **self.total.as_dict(),
            "interval": list(self.interval),
            "elo": {
                name: value if math.isfinite(value) else None  # all was won, or lost
                for name, value in self.elo.as_dict().items()
            },
            "as_first": self.as_first.as_dict(),
            "as_second": self.as_second.as_dict(),
            "first_mover": self.first_mover.as_dict(),
            "player_0": self.player_0.as_dict(),
            **self._rewards(),
            "distinct": self.distinct,
            "plies": {
                "mean": sum(lengths) / max(1, len(lengths)),
                "least": min(lengths, default=0),
                "most": max(lengths, default=0),
            },
            "limit": sum(game.reason == "limit" for game in self.played),
            "seconds": {"a": self.times(True), "b": self.times(False)},
            "seed": self.seed,
            "openings": self.openings,
            "asked": self.asked,
            "stopped": self.stopped,
            **({"sprt": self.standing.as_dict()} if self.standing else {}),
        }

    def _rewards(self) -> dict[str, Any]:
        if self.reward is None:
            return {}
        averages = {"a": self.average(True), "b": self.average(False)}
        found = {key: None if one is None else one.as_dict() for key, one in averages.items()}
        return {"reward": {"name": self.reward, **found}}

    def times(self, of_a: bool) -> dict[str, Any]:
        """Seconds a move of one agent: mean, median, 95th percentile, and by ply."""
        import numpy as np

        timing = self.timing[0 if of_a else 1] if self.timing else None
        spent = [
            (ply, seconds)
            for game in self.played
            for ply, seconds in enumerate(game.seconds, game.opening)
            if (game.players[ply] == game.a) == of_a
        ]
        if not spent:
            return {
                "moves": 0,
                "timing": timing,
                "mean": None,
                "p50": None,
                "p95": None,
                "by_ply": [],
            }
        plies, seconds = np.array(spent).T
        width = max(1, -(-int(plies.max() + 1) // BINS))
        bins = (plies // width).astype(int)
        return {
            "moves": len(spent),
            "timing": timing,
            "mean": float(seconds.mean()),
            "p50": float(np.quantile(seconds, 0.5)),
            "p95": float(np.quantile(seconds, 0.95)),
            "by_ply": [
                {
                    "from": int(number * width),
                    "to": int((number + 1) * width - 1),
                    "moves": int((bins == number).sum()),
                    "mean": float(seconds[bins == number].mean()),
                }
                for number in np.unique(bins)
            ],
        }
