"""Heads that tell nothing any more: every value alike, or every prior even, for many steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ludus.learn.networks.masked import EVENNESS, SPREAD
from ludus.learn.networks.values import is_bounded
from ludus.learn.training.loop import Step

LEAST_SPREAD, MOST_EVEN = 0.001, 0.998
PATIENCE = 30  # steps in a row, before it is said
FAR_BEYOND = 2.0  # times what a bounded value can tell, from which it is said
FEW = 5  # steps in a row that are enough to say it at the end of a run


class Collapse:
    """Counts for how many steps a head has told nothing, those before a pause included."""

    def __init__(self, course: Iterable[Mapping[str, float]] = ()) -> None:
        self.steps = {SPREAD: 0, EVENNESS: 0}
        self.last: dict[str, float] = {}
        for metrics in course:
            self.notice(metrics)

    def notice(self, metrics: Mapping[str, float]) -> list[str]:
        """A sentence for each head that has just been silent for too long."""
        told = []
        for name in self.steps:
            found = metrics.get(name)
            if found is None:
                continue
            silent = found < LEAST_SPREAD if name == SPREAD else found > MOST_EVEN
            self.steps[name] = self.steps[name] + 1 if silent else 0
            self.last[name] = found
            if self.steps[name] == PATIENCE:
                told.append(self.sentence(name))
        return told

    def at_the_end(self) -> list[str]:
        """A sentence for each head that was silent to the end, and that has not been named yet."""
        return [self.sentence(name) for name, many in self.steps.items() if FEW <= many < PATIENCE]

    def sentence(self, name: str) -> str:
        return SENTENCES[name].format(steps=self.steps[name], found=self.last[name])


SENTENCES = {
    SPREAD: "the value has been nearly the same in all positions for {steps} steps (standard "
    "deviation {found:.2g}): its head has collapsed",
    EVENNESS: "the policy has been nearly even in all positions for {steps} steps ({found:.1%} of "
    "the greatest entropy): it has learned nothing, or collapsed",
}


def bounded_value_warning(step: Step) -> str:
    """A sentence if a value's bounds keep it from following the returns of its training."""
    network = step.network
    judges = network is not None and network.value is not None
    if not (judges and step.returns and is_bounded(step.settings, step.values)):
        return ""
    if step.returns.reach <= FAR_BEYOND:
        return ""
    low, high, _ = step.returns
    return (
        f"returns went from {low:.3g} to {high:.3g}, and a bounded value cannot follow them beyond "
        "-1 and 1: searches see little by it; --bounded-value false lets it follow"
    )
