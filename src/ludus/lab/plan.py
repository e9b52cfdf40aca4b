"""What is asked in the suite `truth`: of whom, about which states, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludus.lab.datasets import (
    NAMES,
    Progress,
    StateSet,
    neighbouring_states,
    quiet,
    random_states,
    seen_states,
)
from ludus.lab.seen import SeenStates
from ludus.truth.oracle import Oracle


@dataclass(frozen=True)
class SuitePlan:
    """All that decides the numbers of a suite, beside the agents and the states."""

    game: str
    judge: str  # whose values are taken for true
    exact: bool  # whether they are
    simulations: tuple[int, ...] = ()
    seen: int = 0  # states of each class; 0 for all
    neighbouring: int = 10_000
    random: int = 10_000
    searched: int = 1_000  # of each class, with a search
    draw_band: float = 0.0
    mirrored: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Unit:
    """One agent is asked about one class, with so many simulations."""

    agent: str
    dataset: str
    simulations: int


def build_datasets(
    plan: SuitePlan, oracle: Oracle, seen: SeenStates | None, progress: Progress = quiet
) -> dict[str, StateSet]:
    """The classes, of which without a record of a training there is only one."""
    found = [random_states(oracle, seen, plan.random, plan.seed, progress)]
    if seen is not None:
        near = neighbouring_states(oracle, seen, plan.neighbouring, plan.seed, progress)
        found = [seen_states(oracle, seen, plan.seen, plan.seed, progress), near, *found]
    return {one.name: one for one in found}


def units_of(
    plan: SuitePlan, agents: Sequence[str], datasets: Mapping[str, StateSet]
) -> list[Unit]:
    """All there is to ask, agent by agent: the raw policy first, then with more and more search."""
    return [
        Unit(one, name, simulations)
        for one in agents
        for simulations in (0, *plan.simulations)
        for name in NAMES
        if name in datasets and (datasets[name].counts.any() or not simulations)
    ]


def searching(spelling: str, simulations: int) -> str:
    """The same agent with so many simulations; 0 is the agent as it is spelled."""
    if not simulations:
        return spelling
    return f"{spelling}{',' if ':' in spelling else ':'}simulations={simulations}"


def label(unit: Unit) -> str:
    """What is done now."""
    how = f"{unit.simulations} simulations" if unit.simulations else "no search"
    return f"{unit.agent}, {unit.dataset}, {how}"
