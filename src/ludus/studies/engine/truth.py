"""What is true: boards that are solved once and kept, and how far an agent agrees with that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludus.agent import think_many
from ludus.arena.interval import wilson
from ludus.game import game as make_game
from ludus.learn.runs.evaluate import outcome_of_value, truths
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.players import PlayerGiven, title_of

LONG = 600.0  # seconds, for asking the oracle


@dataclass(frozen=True)
class Solved:
    """A board that is solved, or was before; its table is kept for everybody."""

    game: str

    @property
    def title(self) -> str:
        return f"solve {self.game}"

    def guess(self) -> float:
        large = "size=5" in self.game or "size=6" in self.game
        return 800.0 if large else 1.0

    def work(self, bench: Bench) -> dict[str, Any]:
        from ludus.truth.oracle import oracle
        from ludus.truth.sampling import numbering

        on = make_game(self.game)
        value = max(oracle(on).values(on.start()).values())
        numbers: dict[str, dict[str, float]] = {"value of the start": {"value": value}}
        if known := numbering(on):
            numbers["positions"] = {"value": known.size}
        return {
            "numbers": numbers,
            "command": f"ludus solve {self.game}",
        }


@dataclass(frozen=True)
class Agreement:
    """How an agent's moves and values compare with the truth, in states of random games."""

    game: str
    agent: PlayerGiven
    states: int
    seed: int = 1

    @property
    def title(self) -> str:
        return f"{title_of(self.agent)} beside the truth in {self.states:,} states of {self.game}"

    def guess(self) -> float:
        return 0.02 * self.states

    def work(self, bench: Bench) -> dict[str, Any]:
        agent = bench.agent(self.agent)
        known = truths(make_game(self.game).spelling, self.states, self.seed, LONG)
        thoughts = think_many(agent, [one.state for one in known])
        both = list(zip(thoughts, known, strict=True))
        moves = [int(t.policy.argmax()) in one.best for t, one in both if one.matters]
        values = [
            outcome_of_value(t.value or 0.0) == outcome_of_value(one.value) for t, one in both
        ]
        return {"numbers": {"moves": share_of(moves), "values": share_of(values)}}


def share_of(good: list[bool]) -> dict[str, float]:
    """The share of states, each from a game of its own."""
    low, high = wilson(sum(good), len(good))
    return {"value": sum(good) / max(1, len(good)), "low": low, "high": high, "of": len(good)}
