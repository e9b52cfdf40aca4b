"""How long the parts of a study will take: a few steps of each training are tried."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ludus.game import game
from ludus.learn import algorithm
from ludus.studies.engine.bench import Bench, Tell, nobody
from ludus.studies.engine.part import Part
from ludus.studies.engine.store import Store
from ludus.studies.engine.training import Training


def guesses(
    store: Store,
    parts: Mapping[str, Part],
    *,
    trying: bool,
    tell: Tell = nobody,
) -> dict[str, float]:
    """Seconds by address; without `trying` all count alike."""
    found = {}
    for number, (at, part) in enumerate(parts.items()):
        tell(number / len(parts), part.title)
        if not trying:
            found[at] = 1.0
            continue
        found[at] = tried(store, part) if isinstance(part, Training) else part.guess()
    return found


def tried(store: Store, training: Training) -> float:
    """The seconds of a training, by its first steps; settings that wait for others are left out."""
    from ludus.learn.runs.cost import cost

    known = {name: value for name, value in training.settings if not is_of_study(value)}
    alone = dataclasses.replace(training, settings=tuple(known.items()))
    config = alone.config(Bench(store, training))
    module = algorithm(training.method)
    told = cost(game(training.game), module, config, training.seed)
    return float(told["seconds"])


def is_of_study(value: object) -> bool:
    """Whether a setting names what the study makes."""
    return not isinstance(value, str | int | float | bool | type(None))
