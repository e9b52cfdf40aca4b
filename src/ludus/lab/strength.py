"""The suite `strength`: games of each agent against others, by side, as in tables 4.1 to 4.8."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludus.agent import agent
from ludus.arena.match import match
from ludus.arena.opening import read_openings
from ludus.arena.tasks import Workers
from ludus.game import game
from ludus.lab.ledger import Ledger


@dataclass(frozen=True)
class StrengthPlan:
    """All that decides the games, beside who plays them."""

    game: str
    opponents: tuple[str, ...]
    games: int = 100
    openings: str = "random:2"
    seed: int = 0


@dataclass
class StrengthSuite:
    """Lets agents meet the opponents; what was played before is known."""

    plan: StrengthPlan
    agents: Sequence[str]
    workers: int | Workers = 1
    record: Path | None = None

    def __post_init__(self) -> None:
        read_openings(self.plan.openings, game(self.plan.game))
        for one in (*self.agents, *self.plan.opponents):
            agent(one)  # before anything is played
        plan = {**asdict(self.plan), "opponents": list(self.plan.opponents)}
        self.ledger = Ledger(
            self.record, {"suite": "strength", **plan, "agents": list(self.agents)}
        )
        self.pairs = [(one, other) for one in self.agents for other in self.plan.opponents]
        self.answers: dict[tuple[str, str], dict[str, Any]] = {}
        for answer in self.ledger.answers:
            pair = (str(answer.get("a")), str(answer.get("b")))
            if pair not in self.pairs:
                raise ValueError(f"{self.record} has a match that nobody asked for")
            self.answers[pair] = answer

    def run(self, progress: Callable[[float, str], None] = lambda share, what: None) -> None:
        """Play what was not played yet."""
        left = [pair for pair in self.pairs if pair not in self.answers]
        for done, (one, other) in enumerate(left):
            progress(done / len(left), f"{one} against {other}")
            score = match(
                self.plan.game,
                one,
                other,
                games=self.plan.games,
                seed=self.plan.seed,
                openings=self.plan.openings,
                workers=self.workers,
            )
            if score.stopped:
                raise KeyboardInterrupt
            answer = {
                "a": one,
                "b": other,
                "games": score.games,
                "points": score.points,
                "interval": list(score.interval),
                "distinct": score.distinct,
                "as_first": score.as_first.as_dict(),
                "as_second": score.as_second.as_dict(),
            }
            self.ledger.append(answer)
            self.answers[one, other] = answer

    def result(self) -> dict[str, Any]:
        """All matches so far, agent by agent."""
        return {
            "suite": "strength",
            **asdict(self.plan),
            "opponents": list(self.plan.opponents),
            "agents": [
                {
                    "agent": one,
                    "matches": [answer for pair, answer in self.answers.items() if pair[0] == one],
                }
                for one in self.agents
            ],
        }
