"""Which checkpoint is meant: the newest, the best, the one of a step; and which are kept."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.files import Notice
from ludus.folders import drop_half_written
from ludus.learn.store.checkpoint import FILES, PREFIX, Checkpoint, Damaged, drop

LAST = 2  # newest ones that are kept, so that one may be damaged


def player_of(name: str) -> Checkpoint:
    """The checkpoint that is meant, of a run that makes agents."""
    path, _, _ = name.partition("@")
    if not (Path(path) / "config.json").exists():
        raise ValueError(f"no agent {name!r}: there is no run in {path}")
    one = checkpoint_of(name)
    if not one.playing_part:
        raise ValueError(f"{name} makes no agent")
    return one


def checkpoint_of(name: str) -> Checkpoint:
    """The checkpoint that is meant: `runs/x@best`, `runs/x@last`, `runs/x@step=120`."""
    path, at, which = name.partition("@")
    folder = Path(path)
    if not (folder / "config.json").exists():
        raise ValueError(f"there is no run in {path}")
    which = which if at else "best"
    one, damages = find_checkpoint(folder / "checkpoints", which)
    if one is None:
        raise ValueError(damages[0] if damages else f"the run in {path} has no checkpoint yet")
    if at and which == "best" and one.strength is None and not damages:
        told = f"the run in {path} was never measured; @best is its newest checkpoint"
        warnings.warn(f"{told}, step {one.step}", Notice, stacklevel=2)
    for damage in damages:
        warnings.warn(f"{damage}; {path}@{which} is step {one.step}", Notice, stacklevel=2)
    return one


def find_checkpoint(folder: Path, which: str) -> tuple[Checkpoint | None, list[str]]:
    """By name, and a sentence for each damaged one that might have been meant."""
    if which == "best":
        return best_of(folder)
    if which == "last":
        return newest(folder)
    key, equals, number = which.partition("=")
    if key != "step" or not equals or not number.isdecimal():
        raise ValueError(f"a checkpoint is best, last or step=N, not {which!r}")
    there = {one.step: one for one in checkpoints(folder)}
    if int(number) not in there:
        kept = ", ".join(map(str, there)) or "none"
        raise ValueError(f"no checkpoint of step {number} is kept; there are {kept}")
    return there[int(number)], []


def checkpoints(folder: Path) -> list[Checkpoint]:
    """Those there are, by step."""
    named = (path for path in folder.glob(f"{PREFIX}*") if re.fullmatch(r"step-\d{9,}", path.name))
    return sorted((Checkpoint(path) for path in named), key=lambda one: one.step)


def examine(folder: Path) -> Iterator[tuple[Checkpoint, Damaged | None]]:
    """From the newest on, each with what is wrong with it, if anything."""
    for one in reversed(checkpoints(folder)):
        yield one, damage_of(one)


def damage_of(one: Checkpoint) -> Damaged | None:
    """What is wrong with a checkpoint, if anything."""
    try:
        _ = one.record
        one.check()
    except Damaged as damage:
        return damage
    return None


def newest(folder: Path) -> tuple[Checkpoint | None, list[str]]:
    """The newest whole one, and a sentence for each damaged one that was passed over."""
    notices: list[str] = []
    for one, damage in examine(folder):
        if damage is None:
            return one, notices
        notices.append(str(damage))
    return None, notices


def best(folder: Path) -> Checkpoint | None:
    """The whole one that was strongest, the newer of equals; the newest if none was measured."""
    return best_of(folder)[0]


def best_of(folder: Path) -> tuple[Checkpoint | None, list[str]]:
    """The same, and a sentence for each damaged one that might have been in its place."""
    found = list(examine(folder))
    chosen = strongest_of([one for one, damage in found if damage is None])

    def weaker(one: Checkpoint) -> bool:
        both = sorted((one, chosen), key=lambda it: -it.step) if chosen else [one]
        return is_legible(one) and strongest_of(both) == chosen

    return chosen, [str(damage) for one, damage in found if damage and not weaker(one)]


def strongest_of(newest_first: list[Checkpoint]) -> Checkpoint | None:
    """By what was measured of them in the same way as last."""
    measured = [one for one in newest_first if one.strength is not None]
    if measured:
        alike = [one for one in measured if one.measure == measured[0].measure]
        return max(alike, key=lambda one: (one.strength or 0.0, one.step))
    return newest_first[0] if newest_first else None


def newest_record(folder: Path) -> dict[str, Any]:
    """What the newest says of itself, without a look at its weights; nothing if there is none."""
    return next((one.record for one in reversed(checkpoints(folder)) if is_legible(one)), {})


def strength(folder: Path) -> float | None:
    """Of the strongest, without a look at its weights."""
    top = strongest_of([one for one in reversed(checkpoints(folder)) if is_legible(one)])
    return top.strength if top else None


def check_legible(folder: Path) -> None:
    """Refuse checkpoints of which none can be read; the newest tells why."""
    there = checkpoints(folder)
    if there and not any(map(is_legible, there)):
        _ = there[-1].record


def prune(folder: Path, keep_every: int) -> None:
    """Drop what is neither new nor best nor kept for good, and what a crash left half written.

    Damaged ones count for nothing: they go when newer whole ones have come.
    """
    drop_half_written(folder, FILES)
    there = checkpoints(folder)
    new = list(islice(filter(is_intact, reversed(there)), LAST))
    if len(new) < LAST:
        return
    candidates = [one for one in reversed(there) if is_legible(one)]
    while (top := strongest_of(candidates)) and not is_intact(top):
        candidates.remove(top)
    for one in there:
        kept = keep_every and one.step % keep_every == 0
        if one.step < new[-1].step and not kept and one != top:
            drop(one.path)


def is_intact(one: Checkpoint) -> bool:
    """Whether all of it is whole; looked at once while its files stay the same."""
    if not is_legible(one):
        return False
    try:
        return is_whole(one.path, one.stamp)
    except OSError:
        return False


@lru_cache(maxsize=256)
def is_whole(path: Path, stamp: tuple[int, ...]) -> bool:
    """What `examine` finds of one."""
    return damage_of(Checkpoint(path)) is None


def is_legible(one: Checkpoint) -> bool:
    """Whether its JSON is whole; the arrays are not looked at."""
    try:
        return bool(one.record)
    except Damaged:
        return False
