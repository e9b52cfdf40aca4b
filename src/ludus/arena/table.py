"""The table of a tournament: who scored what against whom, ratings, and cycles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations
from typing import Any

from ludus.arena.optimal_moves import OptimalMoves, optimal_moves
from ludus.arena.ratings import Meeting, Ratings, fit_ratings, make_meeting
from ludus.arena.reward import AgentReward, Average, average
from ludus.arena.running import PlayedGame
from ludus.arena.score import Score, Tally
from ludus.arena.standings import rating_lines, score_cell, score_lines
from ludus.markup import html_table
from ludus.truth.oracle import Oracle

NAMED = 10  # cycles that are named at most


@dataclass(frozen=True)
class Cycle:
    """Each beats the next, and the last the first."""

    agents: tuple[int, ...]
    certain: bool  # each score is above one half beyond its interval


@dataclass(frozen=True, repr=False)
class TournamentTable:
    """All pairs of agents, and what their games say."""

    game: str
    agents: Sequence[str]
    seed: int
    openings: str
    played: Mapping[tuple[int, int], Sequence[PlayedGame]]  # by agents i < j; i is A
    asked: int = 0  # games a pair of agents was to play
    stopped: bool = False
    # By agent, where an oracle was asked.
    optimal_moves: Mapping[str, OptimalMoves] = field(default_factory=dict)
    reward: str | None = None  # what plies paid, if that was asked for
    timing: Sequence[str] = field(default=(), compare=False)  # how each was timed, in words

    def __repr__(self) -> str:
        return f"<TournamentTable of {self.game}: {len(self.agents)} agents, {self.games} games>"

    def __str__(self) -> str:
        return "\n".join([*rating_lines(self), "", *score_lines(self)])

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{place}. {self.agents[i]}",
                f"{self.ratings.ratings[i].value:.0f}",
                f"{self.ratings.ratings[i].low:.0f} to {self.ratings.ratings[i].high:.0f}",
                *(score_cell(self.points(i, j)) for j in self.order),
            )
            for place, i in enumerate(self.order, 1)
        ]
        head = ("", "Elo", "95 % interval", *range(1, len(self.agents) + 1))
        return html_table(head, rows, f"{self.game}: {self.games} games, points in %")

    @cached_property
    def scores(self) -> dict[tuple[int, int], Score]:
        """The match of each two, for the first of them."""
        return {
            (i, j): Score(
                self.game,
                self.agents[i],
                self.agents[j],
                self.seed,
                self.openings,
                games,
                reward=self.reward,
                timing=(self.timing[i], self.timing[j]) if self.timing else None,
            )
            for (i, j), games in self.played.items()
            if games
        }

    @property
    def games(self) -> int:
        return sum(len(games) for games in self.played.values())

    @cached_property
    def ratings(self) -> Ratings:
        met: list[Meeting] = []
        for (i, j), games in self.played.items():
            points: dict[int, dict[bool, float]] = {}
            for game in games:
                points.setdefault(game.pair, {})[game.a == game.first] = game.points
            met.append(make_meeting(i, j, points))
        return fit_ratings(len(self.agents), met, seed=self.seed)

    @property
    def all_games(self) -> list[PlayedGame]:
        return [played for games in self.played.values() for played in games]

    @cached_property
    def first_mover(self) -> Tally:
        """Of whoever moved first, over all games."""
        return Tally.of(game.points_of(game.first) for game in self.all_games)

    @cached_property
    def player_0(self) -> Tally:
        """Of player 0; where a coin decides who begins, that is not who moved first."""
        return Tally.of(game.points_of(0) for game in self.all_games)

    @property
    def coin(self) -> bool:
        """Whether a coin decided who began."""
        return any(game.first != 0 for game in self.all_games)

    def average(self, agent: int) -> Average | None:
        """The average reward of an agent over all its games, if one was asked for."""
        found: list[AgentReward] = []
        for (i, j), games in self.played.items():
            if agent in (i, j):
                got = (game.reward_of(agent == i, self.reward) for game in games)
                found += [replace(one, pair=(i, j, one.pair)) for one in got if one]
        return average(found)

    def seconds(self, agent: int) -> list[float]:
        """How long an agent thought about each of its moves."""
        return [
            spent
            for pair, games in self.played.items()
            if agent in pair
            for game in games
            for ply, spent in enumerate(game.seconds, game.opening)
            if (game.players[ply] == game.a) == (agent == pair[0])
        ]

    def points(self, one: int, two: int) -> tuple[float, float, float] | None:
        """What one got per game against the other, and its interval; None if they never met."""
        if (one, two) in self.scores:
            score = self.scores[one, two]
            return score.points, *score.interval
        if (two, one) in self.scores:
            score = self.scores[two, one]
            low, high = score.interval
            return 1 - score.points, 1 - high, 1 - low
        return None

    @cached_property
    def cycles(self) -> list[Cycle]:
        """The shortest ways in which strength runs in a circle, certain ones first."""
        everyone = range(len(self.agents))
        wins: dict[int, set[int]] = {i: set() for i in everyone}
        sure = set()
        for i, j in permutations(everyone, 2):
            got = self.points(i, j)
            if got and got[0] > 0.5:
                wins[i].add(j)
                if got[1] > 0.5:
                    sure.add((i, j))
        found = circles(wins)
        cycles = [
            Cycle(ring, all(step in sure for step in zip(ring, (*ring[1:], ring[0]), strict=True)))
            for ring in found
        ]
        return sorted(cycles, key=lambda cycle: not cycle.certain)

    @property
    def order(self) -> list[int]:
        """The agents, strongest first."""
        return sorted(range(len(self.agents)), key=lambda i: (-self.ratings.ratings[i].value, i))

    def with_optimal_moves(
        self, oracle: Oracle, progress: Callable[[float], None] | None = None
    ) -> TournamentTable:
        """The same table, with the share of each agent's moves that keep the exact value."""
        return replace(self, optimal_moves=optimal_moves(oracle, self.all_games, progress=progress))

    def _optimal_moves(self, agent: str) -> dict[str, Any]:
        if agent not in self.optimal_moves:
            return {}
        low, high = self.optimal_moves[agent].interval
        found = self.optimal_moves[agent]
        return {
            "optimal_moves": {"moves": found.moves, "share": found.share, "low": low, "high": high}
        }

    def _reward(self, agent: int) -> dict[str, Any]:
        got = self.average(agent)
        return {} if got is None else {"reward": {"name": self.reward, **got.as_dict()}}

    def as_dict(self) -> dict[str, Any]:
        """All of it, for a program."""
        rated = self.ratings
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "ratings": [
                {
                    "agent": self.agents[i],
                    **rated.ratings[i].as_dict(),
                    "unbounded": i in rated.unbounded,
                    **self._optimal_moves(self.agents[i]),
                    **self._reward(i),
                }
                for i in self.order
            ],
            "first": rated.first.as_dict(),
            "first_mover": self.first_mover.as_dict(),
            "player_0": self.player_0.as_dict(),
            "draws": rated.draws,
            "apart": [[self.agents[i] for i in group] for group in rated.apart],
            "cycles": [
                {"agents": [self.agents[i] for i in cycle.agents], "certain": cycle.certain}
                for cycle in self.cycles
            ],
            "matches": [score.as_dict() for score in self.scores.values()],
            "seed": self.seed,
            "openings": self.openings,
            "asked": self.asked,
            "stopped": self.stopped,
        }


def circles(wins: Mapping[int, set[int]]) -> list[tuple[int, ...]]:
    """For each agent the shortest circles through it: all of three, else one longer."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for start in wins:
        for ring in shortest_circles(wins, start):
            turn = ring.index(min(ring))
            found.setdefault(frozenset(ring), ring[turn:] + ring[:turn])
    return sorted(found.values(), key=lambda ring: (len(ring), ring))


def shortest_circles(wins: Mapping[int, set[int]], start: int) -> list[tuple[int, ...]]:
    """The shortest circles from an agent back to itself."""
    paths: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    while paths:
        rings = [path for path in paths if start in wins[path[-1]]]
        if rings:
            return rings if len(rings[0]) == 3 else rings[:1]
        paths = [(*path, after) for path in paths for after in sorted(wins[path[-1]] - seen)]
        seen |= {path[-1] for path in paths}
    return []
