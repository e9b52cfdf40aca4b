"""Solve a game once and keep the table: with progress, checkpoints, and a lock."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ludus.resources import amount
from ludus.truth import table
from ludus.truth.oracle import NoTruth
from ludus.truth.table_cache import check_space, lock_table, table_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLICE_SECONDS = 0.2  # how long native work may keep Ctrl-C waiting
CHECKPOINT_SECONDS = 120.0  # work that a kill may cost
AT_ONCE = 20_000_000  # states that are solved without asking: seconds
COUNTS = ("states", "wins", "losses", "draws", "illegal")  # in the result of a solve
CHECKPOINT_SHARE = 0.1  # of the time, spent on writing them, at most


class Solver(Protocol):
    """Native work that ends in a table."""

    @property
    def done(self) -> bool: ...
    @property
    def progress(self) -> float: ...
    def work(self, seconds: float) -> None: ...
    def checkpoint(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        """All that is needed to go on from here: a few facts, and the arrays it works on."""

    def resume(self, facts: dict[str, Any]) -> None:
        """Go on: the arrays of `checkpoint` have been filled with what they held then."""

    def table(self) -> Mapping[str, NDArray[Any]]:
        """What is kept."""

    def result(self) -> dict[str, Any]:
        """Counts: states, wins, losses, draws, illegal, start, longest_win."""


@dataclass(frozen=True)
class Job:
    """What is to be solved, and what that takes."""

    spelling: str  # of the table: the game, and what else makes it differ
    rules: int
    states: int
    memory: int  # bytes
    disk: int  # bytes, checkpoints included
    solver: Callable[[], Solver]

    @property
    def file(self) -> Path:
        return table_file(self.spelling)

    def header(self, what: str) -> dict[str, Any]:
        return {"what": what, "game": self.spelling, "rules": self.rules}


def outcome_text(value: float, distance: int | None) -> dict[str, Any]:
    """What is said of the start in a summary."""
    return {"value": value, "distance": distance}


def find_or_solve(job: Job) -> table.SolvedTable:
    """The table for an oracle: a small one is made on the spot, a large one only when asked."""
    found = find_table(job)
    if found is not None:
        return found
    if job.states > AT_ONCE:
        raise NoTruth(
            f"there is no table of {job.spelling} yet; `ludus solve {job.spelling}` makes it, "
            f"with {amount(job.memory)} of memory and {amount(job.disk)} of disk"
        )
    return solve(job, wait=True)


def find_table(job: Job) -> table.SolvedTable | None:
    """The table, if it was solved before; a damaged one is refused by name."""
    return table.read(job.file, job.header("table")) if job.file.exists() else None


def result_of(found: table.SolvedTable) -> dict[str, Any]:
    """What the solve of a table came to, as its header tells it."""
    told = found.header.get("result")
    start = told.get("start") if isinstance(told, dict) else None
    if (
        not isinstance(told, dict)
        or not isinstance(start, dict)
        or not all(type(told.get(name, 0)) is int for name in COUNTS)
        or type(told.get("peak_bytes")) is not int
        or type(told.get("seconds")) not in (int, float)
        or not {type(told.get("longest_win")), type(start.get("distance"))} <= {int, type(None)}
        or type(start.get("value")) not in (int, float, type(None))
    ):
        raise ValueError(f"{found.path} is damaged: what it says of its result cannot be")
    return told


def solve(
    job: Job,
    *,
    progress: Callable[[float], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    wait: bool = False,
) -> table.SolvedTable:
    """Solve, or go on where a killed process was; a table that is there is used as it is.

    Where another process is at it, this is refused, or waits for its table.
    """
    with lock_table(job.file, wait):
        found = find_table(job)
        if found:
            return found
        check_space(job.memory, job.disk)
        make(job, progress, checkpoint_seconds)
    return table.read(job.file, job.header("table"))


def make(job: Job, progress: Callable[[float], None] | None, checkpoint_seconds: float) -> None:
    """Work until the table is written; the solver's memory is free again before it is read."""
    part = job.file.with_suffix(".part")
    solver, before = job.solver(), 0.0
    if part.exists():
        before = resume(job, solver, part)
    started = saved_at = time.monotonic()
    pause = checkpoint_seconds
    try:
        while not solver.done:
            solver.work(SLICE_SECONDS)
            now = time.monotonic()
            if progress:
                progress(solver.progress)
            if now - saved_at >= pause and not solver.done:
                save(job, solver, part, before + now - started)
                saved_at = time.monotonic()
                pause = max(checkpoint_seconds, (saved_at - now) / CHECKPOINT_SHARE)
    except KeyboardInterrupt:
        save(job, solver, part, before + time.monotonic() - started)
        raise
    seconds = before + time.monotonic() - started
    result = {**solver.result(), "seconds": seconds, "peak_bytes": peak_bytes()}
    table.write(job.file, {**job.header("table"), "result": result}, solver.table())
    part.unlink(missing_ok=True)


def resume(job: Job, solver: Solver, part: Path) -> float:
    """Go on from a checkpoint; the seconds that were spent until then."""
    saved = table.pour(part, job.header("checkpoint"), solver.checkpoint()[1])
    facts, seconds = saved.get("facts"), saved.get("seconds")
    if not isinstance(facts, dict) or not isinstance(seconds, int | float):
        raise ValueError(f"{part} is damaged: it does not say how far it came")
    try:
        solver.resume(facts)
    except (ValueError, KeyError, TypeError, RuntimeError, OverflowError):
        raise ValueError(f"{part} is damaged: what it says of its progress cannot be") from None
    return float(seconds)


def save(job: Job, solver: Solver, part: Path, seconds: float) -> None:
    """A checkpoint that a resumed solve goes on from."""
    facts, arrays = solver.checkpoint()
    header = {**job.header("checkpoint"), "seconds": seconds, "facts": facts}
    table.write(part, header, arrays)


def peak_bytes() -> int:
    """The most memory this process has had, which psutil does not tell here."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
