"""Heads that tell nothing any more: every value alike, or every prior even, for many steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SPREAD = "value spread"  # the standard deviation of values over the positions of a batch
EVENNESS = "prior entropy"  # of the policy, as a share of that of an even one
LEAST_SPREAD, MOST_EVEN = 0.001, 0.998
PATIENCE = 30  # steps in a row, before it is said
FEW = 5  # steps in a row that are enough to say it at the end of a run


class Collapse:
    """Counts for how many steps a head has told nothing, those before a pause included."""

    def __init__(self, course: Iterable[Mapping[str, float]] = ()) -> None:
        self.steps = {SPREAD: 0, EVENNESS: 0}
        self.last: dict[str, float] = {}
        for metrics in course:
            self.noticed(metrics)

    def noticed(self, metrics: Mapping[str, float]) -> list[str]:
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
