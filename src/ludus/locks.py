"""Locks that know of forks: a child of this process waits for no thread that it does not have."""

from __future__ import annotations

import os
from threading import RLock
from weakref import WeakSet


class TurnLock:
    """What an object that remembers holds while it works: threads that share it take turns.

    A copy of the object has a lock of its own. The thread at work may come again (a game written in
    Python can ask the agent in the middle of its search); what it then finds at work says so.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self.abandoned = False  # by a thread that another process has: its work is half done
        LOCKS.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[TurnLock], tuple[()]]:
        return TurnLock, ()

    def after_fork(self) -> None:
        """Begin anew in a child of the process, unless the thread that lives on there holds it."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._lock = RLock()
            self.abandoned = True


LOCKS: WeakSet[TurnLock] = WeakSet()


def after_fork() -> None:
    """Free what only threads of the parent held."""
    for lock in list(LOCKS):
        lock.after_fork()


if hasattr(os, "register_at_fork"):  # where there are forks
    os.register_at_fork(after_in_child=after_fork)
