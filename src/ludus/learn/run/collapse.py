"""Heads that tell nothing any more: every value alike, or every prior even, for many steps."""

from __future__ import annotations

from collections.abc import Mapping

SPREAD = "value spread"  # the standard deviation of values over the positions of a batch
EVENNESS = "prior entropy"  # of the policy, as a share of that of an even one
LEAST_SPREAD, MOST_EVEN = 0.001, 0.998
PATIENCE = 30  # steps in a row, before it is said


class Collapse:
    """Counts for how many steps a head has told nothing."""

    def __init__(self) -> None:
        self.steps = {SPREAD: 0, EVENNESS: 0}

    def noticed(self, metrics: Mapping[str, float]) -> list[str]:
        """A sentence for each head that has just been silent for too long."""
        told = []
        for name in self.steps:
            found = metrics.get(name)
            if found is None:
                continue
            silent = found < LEAST_SPREAD if name == SPREAD else found > MOST_EVEN
            self.steps[name] = self.steps[name] + 1 if silent else 0
            if self.steps[name] == PATIENCE:
                told.append(SENTENCES[name].format(steps=PATIENCE, found=found))
        return told


SENTENCES = {
    SPREAD: "the value has been nearly the same in all positions for {steps} steps (standard "
    "deviation {found:.2g}): its head has collapsed",
    EVENNESS: "the policy has been nearly even in all positions for {steps} steps ({found:.1%} of "
    "the greatest entropy): it has learned nothing, or collapsed",
}
