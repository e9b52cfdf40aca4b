"""Doing the parts of a study: what is finished is left, the rest is done one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludus.arena.tasks import Workers
from ludus.studies.engine.bench import Bench, Tell, nobody
from ludus.studies.engine.part import Part, in_order
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import StudyQuestion


@dataclass
class Outlook:
    """How much of the work is done, by what each part is guessed to take."""

    guesses: Mapping[str, float]
    tell: Tell
    done: float = 0.0
    said: str = field(default="", init=False)

    def part(self, address: str, title: str, number: int) -> Tell:
        """Who is told of one part."""
        whole = sum(self.guesses.values()) or 1.0

        def told(share: float, found: str = "", /) -> None:
            self.said = f"part {number} of {len(self.guesses)}: {title}"
            if found:
                self.said += f" ({found})"
            self.tell((self.done + share * self.guesses[address]) / whole, self.said)

        return told


def parts_of(questions: Iterable[StudyQuestion]) -> dict[str, Part]:
    """All parts of some questions, by address, each after what it needs."""
    return in_order(part for one in questions if not one.missing for part in one.parts())


def unfinished(store: Store, parts: Mapping[str, Part]) -> dict[str, Part]:
    """Those that are still to be done."""
    return {at: part for at, part in parts.items() if store.read(part) is None}


def do(
    store: Store,
    parts: Mapping[str, Part],
    *,
    guesses: Mapping[str, float],
    workers: int | Workers = 1,
    tell: Tell = nobody,
) -> None:
    """Do what is not done; whenever this is killed, it goes on there the next time."""
    left = unfinished(store, parts)
    outlook = Outlook({at: max(0.01, guesses.get(at, 1.0)) for at in left}, tell)
    for number, (at, part) in enumerate(left.items(), 1):
        told = outlook.part(at, part.title, number)
        told(0.0)
        started = time.monotonic()
        result = part.work(Bench(store, part, workers, told))
        store.place(part).mkdir(parents=True, exist_ok=True)
        store.write(part, result, time.monotonic() - started)
        outlook.done += outlook.guesses[at]
