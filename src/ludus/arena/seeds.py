"""All randomness of the arena is counted: a seed and a place in the plan give a generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def sequence(seed: int, *place: int) -> np.random.SeedSequence:
    """What all the seeds of a place come from."""
    import numpy as np

    return np.random.SeedSequence(seed, spawn_key=place)


def generator(seed: int, *place: int) -> np.random.Generator:
    """A generator of its own for each place."""
    import numpy as np

    return np.random.default_rng(sequence(seed, *place))


def numbers(count: int, seed: int, *place: int) -> list[int]:
    """Seeds for others, such as agents."""
    return [int(number) for number in sequence(seed, *place).generate_state(count)]
