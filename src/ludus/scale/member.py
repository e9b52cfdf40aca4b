"""What a worker on another machine does: it tells what it is made of, then does tasks.

It lives in a process that Ray starts. Everything that crosses is plain data: an error comes back
as its sentence.
"""

from __future__ import annotations

import os
import time
import traceback
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

# Errors that a person can cause, which are told as they are; others are a defect.
SENTENCES = (ValueError, TypeError, OSError, MemoryError)


def echo(task: Mapping[str, Any]) -> dict[str, Any]:
    """A task that does nothing: what handing it out costs is all that it costs."""
    return {"bytes": len(task.get("data", b""))}


class Member:
    """One worker."""

    def __init__(self) -> None:
        self.resolve: Any = None  # shared data by its reference

    def join(self, folder: str, device: str) -> dict[str, Any]:
        """Say what it is made of; files are found where they are for who hands out the work."""
        import ray

        from ludus.device import choose
        from ludus.files import Notice
        from ludus.scale.facts import facts

        warnings.simplefilter("ignore", Notice)  # who hands out the work has told it
        with suppress(OSError):
            os.chdir(folder)
        choose(device)
        self.resolve = ray.get
        where = ray.get_runtime_context().get_node_id()[:6]
        return {"facts": dict(facts()), "node": where, "pid": os.getpid()}

    def run(
        self, work: str, task: Mapping[str, Any], shared: Mapping[str, list[Any]]
    ) -> dict[str, Any]:
        """Do a task; of what is shared come references, each in a list so that nothing waits."""
        from ludus.arena.tasks import perform

        started = time.perf_counter()
        try:
            known = {name: self.resolve(reference) for name, [reference] in shared.items()}
            found = perform(work, {**task, **known})
        except SENTENCES as error:
            return {"error": str(error)}
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {error}"
            return {"error": f"{said} ({Path(where.filename).name}:{where.lineno})"}
        return {"found": found, "seconds": time.perf_counter() - started}
