"""Tasks: work that is handed out as text, numbers, bytes and arrays, and comes back as such.

Who hands out work names a function of ludus and gives it a message; it does not know whether a
thread, a process or another machine runs it. The function depends on its message alone, so that a
task which was lost is done again, and a task which was done twice has one result.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from importlib import import_module
from typing import Any, Protocol, TypeGuard

Message = Mapping[str, Any]  # text, numbers, bytes, arrays, and lists and dicts of them
Result = dict[str, Any]

AHEAD = 2  # tasks for each worker that are handed out at a time
PLAIN = (type(None), bool, int, float, str, bytes)


class Workers(Protocol):
    """Who does tasks. One thread at a time hands out and takes."""

    @property
    def count(self) -> int:
        """How many work at the same time, when all are there."""
        ...

    @property
    def under_way(self) -> int:
        """How many tasks have not been taken back."""
        ...

    def share(self, data: bytes) -> Any:
        """What many tasks have in common, sent to each machine once; stands for the bytes."""
        ...

    def submit(self, work: str, task: Message) -> int:
        """Hand out a task for the function `work`; a number for it.

        A task that tells its `home` is best done where the one before with that home was.
        """
        ...

    def take(self, seconds: float | None = None) -> tuple[int, Result] | None:
        """A result with the number of its task; None if there is none, or none in this time."""
        ...

    def forget(self) -> None:
        """Give up every task that was not taken back."""
        ...

    def stop(self) -> None:
        """Interrupt whoever waits for a result, in whichever thread, until all is forgotten."""
        ...

    def summary(self) -> str:
        """Who works and how fast, for a progress line; nothing where there is nothing to tell."""
        ...


def results(
    workers: Workers, work: str, tasks: Iterable[Message]
) -> Generator[tuple[int, Result], None, None]:
    """Do all tasks: each result with the place of its task, as it comes.

    On Ctrl-C what is done is yielded before it is passed on; the rest is given up.
    """
    places: dict[int, int] = {}
    coming = enumerate(tasks)
    try:
        try:
            while True:
                while len(places) < AHEAD * workers.count:
                    place, task = next(coming, (-1, None))
                    if task is None:
                        break
                    places[workers.submit(work, task)] = place
                found = workers.take()
                if found is None:
                    return
                yield places.pop(found[0]), found[1]
        except KeyboardInterrupt:
            while (found := workers.take(0)) is not None:
                yield places.pop(found[0]), found[1]
            raise
    finally:
        workers.forget()


def in_order(
    workers: Workers, work: str, tasks: Iterable[Message]
) -> Generator[Result, None, None]:
    """The same in the order of the tasks."""
    early: dict[int, Result] = {}
    following = 0
    with closing(results(workers, work, tasks)) as coming:
        for place, result in coming:
            early[place] = result
            while following in early:
                yield early.pop(following)
                following += 1


def are_elsewhere(workers: int | Workers) -> TypeGuard[Workers]:
    """Whether workers were given, not a number of them."""
    return hasattr(workers, "submit")


def said(so_far: str, workers: int | Workers) -> str:
    """What there is so far, and who works at it."""
    told = workers.summary() if are_elsewhere(workers) else ""
    return f"{so_far}, {told}" if told else so_far


def perform(work: str, task: Message) -> Result:
    """Do a task, where it was sent."""
    module, _, name = work.partition(":")
    if not module.startswith("ludus.") or not name:
        raise ValueError(f"no work {work!r:.60}: it is a function of ludus")
    check_message(task, "task")
    found: Result = getattr(import_module(module), name)(task)
    check_message(found, "result")
    return found


def is_plain_array(value: Any) -> bool:
    """Whether numbers or truths are in it, and no objects."""
    return hasattr(value, "dtype") and value.dtype.kind in "biuf"


def check_message(value: Any, name: str) -> None:
    """Refuse what is no text, number, bytes or array."""
    if isinstance(value, PLAIN):
        return
    if isinstance(value, list | tuple):
        for one in value:
            check_message(one, name)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{name} has a key {key!r:.60}, which is no text")
            check_message(one, f"{name}/{key}")
    elif type(value).__module__ != "numpy" or not is_plain_array(value):
        raise TypeError(f"{name} is a {type(value).__name__}: only plain data is sent")
