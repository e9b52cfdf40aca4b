"""How strong it is by now: points against a fixed ladder, and moves that keep the truth."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludus.agent import Agent, think_many
from ludus.arena.match import match
from ludus.arena.seeds import generator
from ludus.game import Game, State
from ludus.learn.run.config import Common

PLACE = 0x1E77  # evaluations draw from generators of their own, so that learning never notices


def measured(game: Game, student: Agent, config: Common, seed: int) -> dict[str, float]:
    """Points a game against each agent of the ladder, with intervals, and agreement with truth."""
    found: dict[str, float] = {}
    points = []
    for rung in rungs(config.ladder):
        score = match(
            game,
            student,
            rung,
            games=config.evaluate_games,
            seed=seed + PLACE,
            openings=config.openings,
        )
        low, high = score.interval
        found |= {
            f"points {rung}": score.points,
            f"points {rung} low": low,
            f"points {rung} high": high,
            f"wins {rung}": score.wins / score.games,
        }
        points.append(score.points)
    if points:
        found["strength"] = sum(points) / len(points)
    kept = truth_kept(game, student, config.truth_states, seed)
    return found if kept is None else {**found, "truth kept": kept}


def rungs(ladder: str) -> list[str]:
    """The agents of a ladder."""
    return [rung.strip() for rung in ladder.split(";") if rung.strip()]


def truth_kept(game: Game, student: Agent, states: int, seed: int) -> float | None:
    """The share of moves that keep the value, in states of random games; None if unknown."""
    oracle = oracle_of(game) if states else None
    if oracle is None:
        return None
    asked = [state for state in met(game, states, seed) if decisive(oracle, state)]
    if not asked:
        return None
    thoughts = think_many(student, asked)
    good = [
        int(thought.policy.argmax()) in oracle.best(state)
        for state, thought in zip(asked, thoughts, strict=True)
    ]
    return sum(good) / len(good)


def oracle_of(game: Game) -> Any:
    """What knows the truth of this game, if anything here does."""
    if find_spec("ludus.truth") is None:
        return None
    truth = import_module("ludus.truth")
    try:
        return truth.oracle(game)
    except truth.NoTruth:
        return None


def decisive(oracle: Any, state: State) -> bool:
    """Whether some move is better than another here."""
    return len(oracle.best(state)) < len(state.legal())


def met(game: Game, count: int, seed: int) -> list[State]:
    """One state of each of so many random games."""
    rng = generator(seed, PLACE)
    found = []
    for _ in range(count):
        line = [game.start(rng)]
        while line[-1].outcome is None:
            legal = line[-1].legal()
            line.append(line[-1].play(legal[rng.integers(len(legal))], rng))
        found.append(line[rng.integers(len(line) - 1)])
    return found
