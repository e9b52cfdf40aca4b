"""How strong it is by now: points against a fixed ladder, and moves that keep the truth."""

from __future__ import annotations

import time
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludus.agent import Agent, think_many
from ludus.arena.match import match
from ludus.arena.seeds import generator
from ludus.game import Game, State, game
from ludus.learn.run.config import Common

TRUTH_SECONDS = 20.0  # for asking the oracle, once a process
QUICK_NODES = 200_000  # of an oracle that searches; beyond these it is not asked
PLACE = 0x1E77  # evaluations draw from generators of their own, so that learning never notices


def measured(on: Game, student: Agent, config: Common, seed: int) -> dict[str, float]:
    """Points a game against each agent of the ladder, with intervals, and agreement with truth."""
    found: dict[str, float] = {}
    points = []
    for rung in rungs(config.ladder):
        score = match(
            on,
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
    kept = truth_kept(on, student, config.truth_states, seed)
    return found if kept is None else {**found, "truth kept": kept}


def rungs(ladder: str) -> list[str]:
    """The agents of a ladder."""
    return [rung.strip() for rung in ladder.split(";") if rung.strip()]


def truth_kept(on: Game, student: Agent, states: int, seed: int) -> float | None:
    """The share of moves that keep the value, in states of random games; None if unknown."""
    known = truths(on.spelling, states, seed) if states else ()
    if not known:
        return None
    thoughts = think_many(student, [state for state, _ in known])
    good = [
        int(thought.policy.argmax()) in best
        for thought, (_, best) in zip(thoughts, known, strict=True)
    ]
    return sum(good) / len(good)


@cache
def truths(spelling: str, states: int, seed: int) -> tuple[tuple[State, frozenset[int]], ...]:
    """States where some moves are better than others, with the best; as many as time allows."""
    chosen = game(spelling)
    oracle = oracle_of(chosen)
    if oracle is None:
        return ()
    started, found = time.monotonic(), []
    # The later a position, the sooner an oracle that searches has its answer.
    for state in sorted(met(chosen, states, seed), key=lambda one: -one.plies):
        if time.monotonic() - started > TRUTH_SECONDS:
            break
        best = best_of(oracle, state)
        if 0 < len(best) < len(state.legal()):
            found.append((state, best))
    return tuple(found)


def best_of(oracle: Any, state: State) -> frozenset[int]:
    """The best moves; none where the oracle would have to think for long."""
    try:
        return frozenset(oracle.best(state))
    except import_module("ludus.truth.oracle").NoTruth:
        return frozenset()


def oracle_of(on: Game) -> Any:
    """What knows the truth of this game, if anything here does."""
    if find_spec("ludus.truth") is None:
        return None
    truth = import_module("ludus.truth.oracle")
    soon = {"nodes": QUICK_NODES} if "nodes" in truth.module_of(on).OPTIONS else {}
    try:
        return truth.oracle(on, **soon)
    except truth.NoTruth:
        return None


def met(on: Game, count: int, seed: int) -> list[State]:
    """One state of each of so many random games."""
    rng = generator(seed, PLACE)
    found = []
    for _ in range(count):
        line = [on.start(rng)]
        while line[-1].outcome is None:
            legal = line[-1].legal()
            line.append(line[-1].play(legal[rng.integers(len(legal))], rng))
        found.append(line[rng.integers(len(line) - 1)])
    return found
