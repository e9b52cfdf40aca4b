"""How strong it is by now: points against a fixed ladder, and moves that keep the truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ludus.agent import Agent, think_many
from ludus.arena.match import match
from ludus.arena.opening import read_openings
from ludus.arena.reward import Mean
from ludus.arena.score import Score
from ludus.arena.seeds import generator
from ludus.arena.table import TournamentTable
from ludus.game import Game, State, game
from ludus.learn.settings.config import Common, check_agent
from ludus.learn.settings.playing import PlayingConfig

TENTHS = 10  # of a run, after each of which it is measured unless eval_freq says otherwise
FEW_GAMES, FEW_SECONDS = 20, 4.0  # of such a measurement, where minutes end the run
TRUTH_SECONDS = 20.0  # for asking the oracle, once a process
QUICK_NODES = 200_000  # of an oracle that searches; beyond these it is not asked
THIRD = 1 / 3  # beyond which a value says won, or lost
PLACE = 0x1E77  # evaluations draw from generators of their own, so that learning never notices


def check_opponents(on: Game, config: Common) -> None:
    """Refuse who cannot be met, before anything is learned."""
    for rung in eval_opponents(config.eval_opponents):
        check_agent(rung)
    read_openings(config.eval_openings, on)


def with_few_games(config: Common) -> Common:
    """The same with few games, for a measurement that shows the course and decides nothing."""
    return replace(config, n_eval_games=min(FEW_GAMES, config.n_eval_games))


def play_opponents(on: Game, student: Agent, config: Common, seed: int) -> list[Score]:
    """The games against each agent of the ladder."""
    return [
        play_against(on, student, rung, config, seed)
        for rung in eval_opponents(config.eval_opponents)
    ]


def measure_strength(
    on: Game, student: Agent, scores: Sequence[Score], config: Common, seed: int
) -> dict[str, float]:
    """Points against each agent of the ladder, by side, rewards, and agreement with truth."""
    found: dict[str, float] = {}
    for rung, score in zip(eval_opponents(config.eval_opponents), scores, strict=True):
        low, high = score.interval
        found |= {
            f"score {rung}": score.points,
            f"score {rung} low": low,
            f"score {rung} high": high,
            f"win_rate {rung}": score.wins / score.games,
            **win_rates_by_side(rung, score),
            **reward_metrics(rung, score),
        }
    if scores:
        found["strength"] = sum(score.points for score in scores) / len(scores)
        found["n_eval_games"] = scores[0].games
    if len(scores) > 1:
        found |= rating(scores, seed)
    seconds = FEW_SECONDS if config.eval_freq is None else TRUTH_SECONDS
    return {**found, **compare_with_truth(on, student, config.eval_truth_states, seed, seconds)}


def win_rates_by_side(rung: str, score: Score) -> dict[str, float]:
    """The share of games won as the first to move and as second, whoever was player 0."""
    sides = {"first": score.as_first, "second": score.as_second}
    return {
        f"win_rate_{side} {rung}": tally.wins / tally.games
        for side, tally in sides.items()
        if tally.games
    }


def reward_metrics(rung: str, score: Score) -> dict[str, float]:
    """The student's average reward per game and per move, where a signal of the game pays."""
    got = score.average(of_a=True)
    if got is None:
        return {}
    means: dict[str, Mean] = {"game": got.per_game, "move": got.per_move}
    found: dict[str, float] = {}
    for unit, mean in means.items():
        name = f"{unit}_reward {rung}"
        found[name] = mean.value
        if mean.interval is not None:
            found[f"{name} low"], found[f"{name} high"] = mean.interval
    return found


def play_against(on: Game, student: Agent, rung: str, config: Common, seed: int) -> Score:
    """The games against one agent of the ladder."""
    games, openings = config.n_eval_games, config.eval_openings
    shaping = (
        config.shaping if isinstance(config, PlayingConfig) else ""
    ) or None  # what it learns from is what is measured
    return match(
        on, student, rung, games=games, seed=seed + PLACE, openings=openings, reward=shaping
    )


def eval_opponents(ladder: str) -> list[str]:
    """The agents of a ladder."""
    return [rung.strip() for rung in ladder.split(";") if rung.strip()]


def rating(scores: Sequence[Score], seed: int) -> dict[str, float]:
    """Elo above the mean of the ladder, with its interval."""
    agents = [scores[0].a, *(score.b for score in scores)]
    played = {(0, rung): score.played for rung, score in enumerate(scores, 1)}
    own = TournamentTable(scores[0].game, agents, seed, scores[0].openings, played).ratings.ratings[
        0
    ]
    # All ratings have mean 0, so the mean of the others is own / len(scores) below it.
    above = 1 + 1 / len(scores)
    return {"elo": above * own.value, "elo_low": above * own.low, "elo_high": above * own.high}


def compare_with_truth(
    on: Game, student: Agent, states: int, seed: int, seconds: float = TRUTH_SECONDS
) -> dict[str, float]:
    """How its moves and values compare with the truth, in states of random games, where known."""
    known = truths(on.spelling, states, seed, seconds) if states else ()
    if not known:
        return {}
    thoughts = think_many(student, [truth.state for truth in known])
    both = list(zip(thoughts, known, strict=True))
    found = {}
    if good := [int(t.policy.argmax()) in truth.best for t, truth in both if truth.matters]:
        found["optimal_move_rate"] = sum(good) / len(good)
    if any(thought.value for thought in thoughts):  # a policy alone says 0 of everything
        right = [
            outcome_of_value(t.value or 0.0) == outcome_of_value(truth.value) for t, truth in both
        ]
        found["value_accuracy"] = sum(right) / len(right)
    return found


def outcome_of_value(value: float) -> int:
    """What a value says: 1 for won, -1 for lost, 0 for between."""
    return int(value > THIRD) - int(value < -THIRD)


@dataclass(frozen=True)
class Truth:
    """What an oracle says of a state."""

    state: State
    best: frozenset[int]
    value: float  # for the player to move

    @property
    def matters(self) -> bool:
        """Some moves are better than others."""
        return len(self.best) < len(self.state.legal())


@cache
def truths(
    spelling: str, states: int, seed: int, seconds: float = TRUTH_SECONDS
) -> tuple[Truth, ...]:
    """States of random games and what is true of them; as many as time allows."""
    chosen = game(spelling)
    oracle = oracle_of(chosen)
    if oracle is None:
        return ()
    started, found = time.monotonic(), []
    # The later a position, the sooner an oracle that searches has its answer.
    for state in sorted(sample_states(chosen, states, seed), key=lambda one: -one.plies):
        if time.monotonic() - started > seconds:
            break
        if truth := truth_of(oracle, state):
            found.append(truth)
    return tuple(found)


def truth_of(oracle: Any, state: State) -> Truth | None:
    """What the oracle says; nothing where it would have to think for long."""
    known = import_module("ludus.truth.oracle")
    try:
        worth = oracle.values(state)
    except known.NoTruth:
        return None
    most = max(worth.values())
    best = frozenset(action for action, value in worth.items() if value >= most - known.SAME)
    return Truth(state, best, most)


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


def sample_states(on: Game, count: int, seed: int) -> list[State]:
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
