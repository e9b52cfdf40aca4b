"""The suite `truth`: what is asked of which agents, the answers, and going on where it was killed.

Each unit of work is one agent, one class of states and one number of simulations. Its answer is a
line in the record, so that a killed suite loses one unit at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, agent
from ludus.arena.seeds import generator, numbers
from ludus.arena.tasks import Workers
from ludus.lab.accuracy import calibration, policy_accuracy, value_accuracy
from ludus.lab.datasets import SEEDS, StateSet
from ludus.lab.ledger import Ledger
from ludus.lab.opinions import ask
from ludus.lab.plan import SuitePlan, Unit, label, searching, units_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEARCHED = 101  # places of the suite's generators
ASKED = 102


@dataclass
class Suite:
    """Asks agents about the datasets; what was asked before is known."""

    plan: SuitePlan
    datasets: Mapping[str, StateSet]
    agents: Sequence[str]
    workers: int | Workers = 1
    record: Path | None = None

    def __post_init__(self) -> None:
        self.units = units_of(self.plan, self.agents, self.datasets)
        self.answers: dict[Unit, dict[str, Any]] = {}
        self.ledger = Ledger(self.record, self.head)
        there = set(self.units)
        for fields in self.ledger.answers:
            unit = Unit(*(fields.pop(name, "") for name in ("agent", "dataset", "simulations")))
            if unit not in there:
                raise ValueError(f"{self.record} has an answer that nobody asked for")
            self.answers[unit] = fields

    @property
    def head(self) -> dict[str, Any]:
        """What the record is of: another one is not gone on with."""
        sizes = {name: len(one.judged) for name, one in self.datasets.items()}
        plan = {**asdict(self.plan), "simulations": list(self.plan.simulations)}
        return {"suite": "truth", **plan, "agents": list(self.agents), "sizes": sizes}

    def run(self, progress: Callable[[float, str], None] = lambda share, what: None) -> None:
        """Ask what was not asked yet."""
        left = [unit for unit in self.units if unit not in self.answers]
        total, done = sum(map(self.cost, left)), 0.0
        for unit, one in self._agents(left):
            cost, count = self.cost(unit), self.count(unit)
            share, part, what = done / total, cost / total / count, label(unit)

            def tell(
                asked: int, share: float = share, part: float = part, what: str = what
            ) -> None:
                progress(share + part * asked, what)

            answer = self.ask(unit, one, tell)
            self.ledger.append({**asdict(unit), **answer})
            self.answers[unit] = answer
            done += cost

    def _agents(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, Agent]]:
        """Each unit with its agent, which is made once for those that follow each other."""
        spelled, made = "", None
        for unit in units:
            if (now := searching(unit.agent, unit.simulations)) != spelled or made is None:
                seed = numbers(1, self.plan.seed, ASKED)[0]
                spelled, made = now, agent(now, seed=seed)
            yield unit, made

    def count(self, unit: Unit) -> int:
        """Of how many states it is asked."""
        dataset = self.datasets[unit.dataset]
        counted = int(dataset.counts.sum())
        return min(counted, self.plan.searched) if unit.simulations else len(dataset.judged)

    def cost(self, unit: Unit) -> float:
        """About how much work it is, in evaluations."""
        return self.count(unit) * (1.0 + unit.simulations)

    def sample(self, dataset: StateSet) -> NDArray[np.int64]:
        """Which of its states are searched from: the same for all agents."""
        counted = np.flatnonzero(dataset.counts)
        rng = generator(self.plan.seed, SEARCHED, SEEDS[dataset.name])
        return np.sort(rng.permutation(counted)[: self.plan.searched])

    def ask(self, unit: Unit, one: Agent, tell: Callable[[int], None]) -> dict[str, Any]:
        """How right it is there."""
        dataset, band = self.datasets[unit.dataset], self.plan.draw_band
        rows = self.sample(dataset)
        judged = dataset.judged.take(rows) if unit.simulations else dataset.judged
        seed = numbers(1, self.plan.seed, ASKED, SEEDS[unit.dataset], unit.simulations)[0]
        said = ask(one, judged.states, seed=seed, workers=self.workers, progress=tell)
        if unit.simulations:
            return {
                "states": len(judged),
                "value": value_accuracy(judged, said, band),
                "policy": policy_accuracy(judged, said),
            }
        counted, heard = dataset.counted, said.take(dataset.counts)
        plain, heard_plain = judged.take(dataset.plain), said.take(dataset.plain)
        return {
            "states": len(counted),
            "value": value_accuracy(counted, heard, band),
            "policy": policy_accuracy(counted, heard),
            # The same states that are searched from, for a fair comparison.
            "policy_searched": policy_accuracy(judged.take(rows), said.take(rows)),
            "value_unfiltered": value_accuracy(plain, heard_plain, band),
            "calibration": calibration(plain, heard_plain),
        }

    def result(self) -> dict[str, Any]:
        """All answers so far, agent by agent."""
        return {
            "suite": "truth",
            **asdict(self.plan),
            "simulations": list(self.plan.simulations),
            "classes": {name: one.about() for name, one in self.datasets.items()},
            "agents": [
                {
                    "agent": one,
                    "results": [
                        {"class": unit.dataset, "simulations": unit.simulations, **answer}
                        for unit, answer in self.answers.items()
                        if unit.agent == one
                    ],
                }
                for one in self.agents
            ],
        }
