"""Native work with too little memory: a MemoryError or a right result, and then it goes on."""

from __future__ import annotations

import random
import resource
from pathlib import Path

from tests.abuse._child import survived
from tests.abuse._work import Work, anything

CALLS = 30
LIMITS = (0, 1 << 16, 1 << 20, 4 << 20, 16 << 20)  # bytes on top of what the process has
# Without memory for their stacks the system gives no threads.
NO_THREADS = "Resource temporarily unavailable"


def attack(rng: random.Random, folder: Path) -> str:
    """One limit in a child process."""
    return survived("memory", rng.randrange(10**9))


def taken() -> int:
    """Bytes of address space that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def limit(more: int | None) -> None:
    """Allow so many bytes more, or as many as before."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    allowed = hard if more is None else taken() + more
    resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))


def hammer(seed: int) -> str:
    """Work within a limit, then the same objects without it."""
    rng = random.Random(seed)
    objects: list[tuple[str, Work]] = [anything(rng) for _ in range(2)]
    failures = 0
    for _ in range(3):
        limit(rng.choice(LIMITS))
        try:
            failures += sum(not works(work, rng) for _ in range(CALLS) for _, work in objects)
        finally:
            limit(None)
        for _, work in objects:
            for _ in range(5):
                assert works(work, rng), "it fails with memory, too"
    return f"{', '.join(name for name, _ in objects)}: {failures} failures survived"


def works(work: Work, rng: random.Random) -> bool:
    """Whether there was memory enough."""
    try:
        work.ask(rng)
    except MemoryError:
        return False
    except RuntimeError as error:
        if NO_THREADS not in str(error):
            raise
        return False
    return True
