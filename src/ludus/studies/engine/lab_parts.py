"""What the lab measures, as parts: accuracy where a training has been, and where mistakes are made.

The lab is looked for when a study is asked; without it the questions that need it are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludus.arena.interval import ratio_over_pairs
from ludus.game import game as make_game
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import Games
from ludus.studies.engine.training import Training
from ludus.truth.oracle import SAME

LAB = "ludus.lab"
RECORD = "record_states"  # the setting of AlphaZero by which a training's states are known later
TRUTH = "full"  # the table of the whole game judges forward-only games too
SIDES = ("both", "first", "second")


def lab_is_there() -> bool:
    """Whether it can be asked."""
    return find_spec(LAB) is not None and find_spec(f"{LAB}.suite") is not None


def lab(name: str) -> Any:
    """A module of the lab."""
    return import_module(f"{LAB}.{name}")


def oracle_of(spelling: str) -> Any:
    """Who knows the truth of a game."""
    return import_module("ludus.truth.oracle").oracle(make_game(spelling), truth=TRUTH)


@dataclass(frozen=True)
class SeenAccuracy:
    """How right values and moves of some checkpoints are in seen, neighbouring, random states."""

    training: Training
    steps: tuple[int, ...]
    simulations: tuple[int, ...]
    states: int  # of each class
    searched: int  # of these, with a search
    seed: int = 1

    @property
    def title(self) -> str:
        return f"accuracy in seen, neighbouring and random states, {self.training.title}"

    def guess(self) -> float:
        return 1e-4 * len(self.steps) * 3 * (self.states + self.searched * sum(self.simulations))

    def work(self, bench: Bench) -> dict[str, Any]:
        run, on = bench.run_of(self.training), make_game(self.training.game)
        oracle = oracle_of(self.training.game)
        plan = lab("plan").SuitePlan(
            on.spelling,
            "the truth of the full game",
            True,
            self.simulations,
            self.states,
            self.states,
            self.states,
            self.searched,
            seed=self.seed,
        )
        seen = lab("seen").SeenStates.load(run)
        datasets = lab("plan").build_datasets(plan, oracle, seen)
        agents = [self.training.agent(which=f"step={step}").spelled(bench) for step in self.steps]
        suite = lab("suite").Suite(plan, datasets, agents, bench.workers)
        suite.run(lambda share, what: bench.tell(share, what))
        told = lab("targets").target_accuracy(oracle, seen, 0.0)
        so_far = [
            [one["step"], one["right_outcome"] / max(1, one["states"])] for one in told["so_far"]
        ]
        return {
            "numbers": self.numbers(suite.result(), told),
            "series": {"training data": so_far},
        }

    def numbers(self, result: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
        """Shares by what is asked, class, side, simulations and step."""
        right = told["right_first_outcome"] / max(1, told["states"])
        found: dict[str, Any] = {"outcomes in training": {"value": right, "of": told["states"]}}
        for step, one in zip(self.steps, result["agents"], strict=True):
            for answer in one["results"]:
                for what in ("value", "policy"):
                    for side in SIDES:
                        share = (answer.get(what) or {}).get(side) or {}
                        if share.get("share") is None:
                            continue
                        name = f"{what} {answer['class']} {side} {answer['simulations']} at {step}"
                        ends = {end: share[end] for end in ("low", "high", "of")}
                        found[name] = {"value": share["share"], **ends}
        return found


@dataclass(frozen=True)
class Visited:
    """The positions that A met in some games, and its mistakes there, by what training has seen."""

    of: Games
    training: Training  # whose states count as seen

    @property
    def title(self) -> str:
        return f"positions and mistakes in {self.of.title}"

    def guess(self) -> float:
        return 0.2 * self.of.games

    def work(self, bench: Bench) -> dict[str, Any]:
        oracle = oracle_of(self.of.game)
        seen = lab("seen").SeenStates.load(bench.run_of(self.training))
        counts: list[dict[str, int]] = []
        wrong: dict[str, set[str]] = {}
        records = [one for one in self.of.records(bench) if one.played.a == one.played.first]
        for number, record in enumerate(records):
            played = record.played
            met = [
                (state, record.game.action(state, move))
                for state, move, player in zip(
                    record.states[:-1], played.moves, played.players, strict=True
                )
                if player == played.a
            ]
            kinds = seen.classify_all([state for state, _ in met])
            told = {"total": len(met)}
            for (state, action), kind in zip(met, kinds, strict=True):
                told[kind] = told.get(kind, 0) + 1
                worth = oracle.values(state)
                if worth[action] < max(worth.values()) - SAME:
                    for name in (kind, "total"):
                        told[f"mistakes {name}"] = told.get(f"mistakes {name}", 0) + 1
                        wrong.setdefault(name, set()).add(str(state))
            counts.append(told)
            bench.tell((number + 1) / len(records), "")
        return {"numbers": numbers_of_visits(counts, wrong)}


def numbers_of_visits(
    counts: list[dict[str, int]], wrong: dict[str, set[str]]
) -> dict[str, dict[str, float]]:
    """Positions a game with intervals over games; mistakes in all games, and different ones."""
    found = {}
    for name in ("total", *lab("seen").CLASSES):
        each = [float(one.get(name, 0)) for one in counts]
        mean: dict[str, float] = {"value": sum(each) / max(1, len(each)), "of": len(each)}
        ends = ratio_over_pairs(each, [1.0] * len(each))
        found[f"visited {name}"] = {
            **mean,
            **(dict(zip(("low", "high"), ends, strict=True)) if ends else {}),
        }
        mistakes = sum(one.get(f"mistakes {name}", 0) for one in counts)
        found[f"mistakes {name}"] = {"value": mistakes, "of": len(each)}
        found[f"different mistakes {name}"] = {"value": len(wrong.get(name, ())), "of": len(each)}
    return found
