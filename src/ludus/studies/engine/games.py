"""Games between two agents as a part: a small tournament in its folder, resumed game by game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.arena.folder import read_games
from ludus.arena.interval import over_pairs, wilson
from ludus.arena.record import Record
from ludus.arena.running import RESIGNED, PlayedGame
from ludus.arena.score import Score, Tally
from ludus.arena.timing import BATCHED
from ludus.arena.tournament import Tournament, in_folder
from ludus.game import game as make_game
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import PlayerGiven, title_of

FOLDER = "games"
A, B = "A", "B"  # their names in records; which agents they are, the part tells
GAME = 0.1  # seconds of a game, before anybody has looked


@dataclass(frozen=True)
class Games:
    """So many games of A against B; `numbers` are from A's side, with 95 % intervals."""

    game: str
    a: PlayerGiven
    b: PlayerGiven
    games: int
    seed: int = 1
    openings: str = "none"
    reward: str = ""
    timing: str = BATCHED
    after: tuple[Part, ...] = ()  # what has to be there, such as a solved board

    @property
    def title(self) -> str:
        return (
            f"{self.games:,} games of {title_of(self.a)} against {title_of(self.b)} on {self.game}"
        )

    def guess(self) -> float:
        return GAME * self.games

    def work(self, bench: Bench) -> dict[str, Any]:
        agents = {A: bench.agent(self.a), B: bench.agent(self.b)}
        prepared = Tournament(
            self.game,
            agents,
            games=self.games,
            seed=self.seed,
            openings=self.openings,
            reward=self.reward or None,
            timing=self.timing,
        )
        bench.folder.mkdir(parents=True, exist_ok=True)
        place = bench.folder / FOLDER
        workers = bench.workers_for(*agents.values()) if self.timing == BATCHED else 1
        with in_folder(prepared, place, (place / "tournament.json").exists()) as folder:
            table = prepared.play(workers, folder=folder, progress=bench.tell)
        score = table.scores[0, 1]
        return {
            "numbers": numbers_of(score),
            "series": {f"milliseconds {name}": by_ply(score, name == A) for name in (A, B)},
            "command": self.command(bench),
        }

    def command(self, bench: Bench) -> str:
        """The command that plays such games."""
        words = ["ludus", "match", self.game, bench.spelled(self.a), bench.spelled(self.b)]
        words += ["--games", str(self.games), "--seed", str(self.seed), "--openings", self.openings]
        words += ["--reward", self.reward] if self.reward else []
        return " ".join([*words, *(["--timing", self.timing] if self.timing != BATCHED else [])])

    def records(self, bench: Bench, most: int | None = None) -> list[Record]:
        """The games that were played, in the order of the match: they are written as they end."""
        file = bench.store.place(self) / FOLDER / "games.jsonl"
        if not file.exists():
            return []
        found = read_games(file, make_game(self.game))[0]
        return sorted(found, key=lambda one: one.played.index)[:most]


def numbers_of(score: Score) -> dict[str, dict[str, float]]:
    """What a study may ask of the games."""
    low, high = score.interval
    found: dict[str, dict[str, float]] = {
        "points": {"value": score.points, "low": low, "high": high},
        "points B": {"value": 1 - score.points, "low": 1 - high, "high": 1 - low},
        "wins": share(score.played, lambda one: one.points == 1),
        "draws": share(score.played, lambda one: one.points == 0.5),
        "losses": share(score.played, lambda one: one.points == 0),
        "wins as first": side_wins(score.as_first),
        "wins as second": side_wins(score.as_second),
        "points as first": side_points(score.as_first),
        "points as second": side_points(score.as_second),
        "who began won": share(score.played, lambda one: one.winner == one.first),
        "points of who began": share(score.played, lambda one: one.points_of(one.first)),
        "player 0 won": share(score.played, lambda one: one.winner == 0),
        "resigned": share(score.played, lambda one: one.reason == RESIGNED),
        "different games": {"value": score.distinct},
        "plies": {"value": sum(len(one.moves) for one in score.played) / score.games},
    }
    for name, of_a in ((A, True), (B, False)):
        if got := score.average(of_a):
            for unit, mean in (("game", got.per_game), ("move", got.per_move)):
                found[f"reward a {unit} {name}"] = {"value": mean.value}
                if mean.interval:
                    ends = dict(zip(("low", "high"), mean.interval, strict=True))
                    found[f"reward a {unit} {name}"] |= ends
        if (times := score.times(of_a))["moves"]:
            found[f"milliseconds {name}"] = {"value": 1000 * times["mean"]}
    return {name: {"of": score.games, **one} for name, one in found.items()}


def share(played: Sequence[PlayedGame], ended: Callable[[PlayedGame], float]) -> dict[str, float]:
    """The share of games that ended so, or of points; its interval over pairs."""
    pairs: dict[int, list[float]] = {}
    for one in played:
        pairs.setdefault(one.pair, []).append(ended(one))
    shares = [sum(pair) / len(pair) for pair in pairs.values()]
    low, high = over_pairs(shares, [len(pair) / 2 for pair in pairs.values()])
    value = sum(map(sum, pairs.values())) / max(1, len(played))
    return {"value": value, "low": low, "high": high}


def side_wins(tally: Tally) -> dict[str, float]:
    """The share of games won; each is of a pair of its own."""
    low, high = wilson(tally.wins, tally.games)
    value = tally.wins / max(1, tally.games)
    return {"value": value, "low": low, "high": high, "of": tally.games}


def side_points(tally: Tally) -> dict[str, float]:
    """The share of points."""
    whole = [1.0] * tally.wins + [0.5] * tally.draws + [0.0] * tally.losses
    low, high = over_pairs(whole, [1.0] * len(whole))
    return {"value": tally.points, "low": low, "high": high, "of": tally.games}


def by_ply(score: Score, of_a: bool) -> list[list[float]]:
    """How long a decision takes, by ply."""
    parts = score.times(of_a).get("by_ply", ())
    return [[(part["from"] + part["to"]) / 2, 1000 * part["mean"]] for part in parts]
