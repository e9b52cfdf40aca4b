"""What the lab measures, as parts: accuracy where a training has been, and games that exploit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.game import game as make_game
from ludus.lab.exploit import Encounter, Visit, by_class, judge_visits, play_games
from ludus.lab.exploit_opponents import opponent_of
from ludus.lab.frozen import freeze
from ludus.lab.plan import SuitePlan, build_datasets
from ludus.lab.seen import SEEN, SeenStates
from ludus.lab.suite import Suite
from ludus.lab.targets import target_accuracy
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import PlayerGiven, title_of
from ludus.studies.engine.training import Training
from ludus.truth.oracle import Oracle, oracle

TRUTH = "full"  # the table of the whole game judges forward-only games too
SIDES = ("both", "first", "second")
LOOK, GAME, ASKS = 1e-4, 0.3, 0.4  # seconds, and the share of simulations that ask the network
ASKED = ("value", "value_unfiltered", "policy")


def oracle_of(spelling: str) -> Oracle:
    """Who knows the truth of a game."""
    return oracle(make_game(spelling), truth=TRUTH)


@dataclass(frozen=True)
class SeenAccuracy:
    """How right some agents are in states that a training saw, their neighbours, and others."""

    after: tuple[Part, ...]  # what has to be there first, such as a solved board
    training: Training  # whose states count as seen
    agents: tuple[tuple[str, PlayerGiven], ...]  # by the names that numbers have
    simulations: tuple[int, ...]
    seen: int  # states; 0 for all
    others: int  # of both other classes
    searched: int  # of each, with a search
    seed: int = 1

    @property
    def title(self) -> str:
        return f"accuracy where training has been: {self.training.title}"

    @property
    def looks(self) -> float:
        """About how many positions each agent's network sees."""
        searched = 3 * self.searched * sum(self.simulations)
        return 2 * (2 * self.others + (self.seen or self.others)) + ASKS * searched

    def guess(self) -> float:
        return LOOK * len(self.agents) * self.looks

    def work(self, bench: Bench) -> dict[str, Any]:
        on, judge = make_game(self.training.game), oracle_of(self.training.game)
        plan = SuitePlan(
            on.spelling,
            "the truth of the full game",
            True,
            self.simulations,
            self.seen,
            self.others,
            self.others,
            self.searched,
            seed=self.seed,
        )
        seen = SeenStates.load(bench.run_of(self.training))
        datasets = build_datasets(plan, judge, seen)
        spelled = [bench.spelled(one) for _, one in self.agents]
        suite = Suite(plan, datasets, spelled, bench.workers)
        suite.run(lambda share, what: bench.tell(share, what))
        told = target_accuracy(judge, seen, 0.0)
        so_far = [
            [one["step"], one["right_outcome"] / max(1, one["states"])] for one in told["so_far"]
        ]
        return {
            "numbers": self.numbers(suite.result(), told),
            "series": {"training data": so_far},
        }

    def numbers(self, result: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
        """Shares by what is asked, class, side, simulations and agent."""
        right = told["right_first_outcome"] / max(1, told["states"])
        found: dict[str, Any] = {"outcomes in training": {"value": right, "of": told["states"]}}
        for name, about in result["classes"].items():
            if about["all"] is not None:
                found[f"all {name}"] = {"value": about["all"]}
        for name, mean in result["classes"][SEEN]["moves"]["looked_at"].items():
            found[f"moves {name}"] = {"value": mean}
        for (agent, _), one in zip(self.agents, result["agents"], strict=True):
            for answer in one["results"]:
                for what in ASKED:
                    for side in SIDES:
                        share = (answer.get(what) or {}).get(side) or {}
                        if share.get("share") is None:
                            continue
                        name = f"{what} {answer['class']} {side} {answer['simulations']} at {agent}"
                        ends = {end: share[end] for end in ("low", "high", "of")}
                        found[name] = {"value": share["share"], **ends}
        return found


@dataclass(frozen=True)
class Exploited:
    """Games of a frozen agent on one side, the positions it met, and its mistakes there."""

    after: tuple[Part, ...]  # what has to be there first, such as a solved board
    game: str
    agent: PlayerGiven
    opponent: str
    games: int
    training: Training | None = None  # whose states count as seen
    side: int = 0
    seed: int = 1

    @property
    def title(self) -> str:
        return f"{self.games:,} games of {title_of(self.agent)} exploited by {self.opponent}"

    def guess(self) -> float:
        return GAME * self.games

    def work(self, bench: Bench) -> dict[str, Any]:
        on, judge = make_game(self.game), oracle_of(self.game)
        seen = SeenStates.load(bench.run_of(self.training)) if self.training else None
        frozen = freeze(bench.spelled(self.agent), on, seed=self.seed, threads=bench.threads)
        opponent = opponent_of(self.opponent, judge, TRUTH)
        results, moved = play_games(
            frozen, self.side, opponent, self.games, self.seed, lambda share, _: bench.tell(share)
        )
        visits = judge_visits(moved, judge, seen)
        told = Encounter(frozen.spelling, self.opponent, tuple(results), tuple(visits)).record()
        return {"numbers": numbers_of_encounter(told, visits), "command": self.command(bench)}

    def command(self, bench: Bench) -> str:
        """The command that plays such games."""
        words = ["ludus", "exploit", bench.spelled(self.agent), "--game", self.game]
        words += ["--side", SIDES[1 + self.side], "--opponents", self.opponent]
        words += ["--games", str(self.games), "--seed", str(self.seed), "--truth", TRUTH]
        words += ["--seen-by", str(bench.run_of(self.training))] if self.training else []
        return " ".join(words)


def numbers_of_encounter(
    told: dict[str, Any], visits: Sequence[Visit]
) -> dict[str, dict[str, float]]:
    """Results with Wilson's intervals, positions a game by class, and mistakes in all games."""
    games: int = told["games"]
    found = {
        name: {"value": told[name]["share"], "of": games}
        | {end: told[name][end] for end in ("low", "high")}
        for name in ("wins", "draws", "losses")
    }
    for name, mistakes in told["mistakes"].items():
        found[f"mistakes {name}"] = {"value": mistakes["all"], "of": games}
        found[f"different mistakes {name}"] = {"value": mistakes["unique"], "of": games}
        where = [by_class(game)[name] for game in split_games(visits)]
        tempting = [sum(one.losing for one in game) for game in where]
        sure = [len(game) - count for game, count in zip(where, tempting, strict=True)]
        counted = {"": [len(game) for game in where], " can lose": tempting, " cannot lose": sure}
        for what, each in counted.items():
            found[f"visited {name}{what}"] = mean_of_games([float(one) for one in each], games)
    return found


def split_games(visits: Sequence[Visit]) -> list[list[Visit]]:
    """The positions of each game; lines grow within one."""
    games: list[list[Visit]] = []
    for one in visits:
        if not games or len(one.line) <= len(games[-1][-1].line):
            games.append([])
        games[-1].append(one)
    return games


def mean_of_games(each: list[float], games: int) -> dict[str, float]:
    """A mean with its interval over games."""
    found: dict[str, float] = {"value": sum(each) / max(1, len(each)), "of": games}
    ends = ratio_over_pairs(each, [1.0] * len(each))
    return {**found, **(dict(zip(("low", "high"), ends, strict=True)) if ends else {})}
