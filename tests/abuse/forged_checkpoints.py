"""Checkpoints with right checksums and wrong content, one or two lies in each."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.learn import forger
from tests.learn.borders import attacked

TWICE = ("array ", "value ", "both ", "settings ")  # after which another lie may follow


@cache
def home() -> tempfile.TemporaryDirectory[str]:
    """Where honest runs lie as long as this process lives."""
    return tempfile.TemporaryDirectory(prefix="ludus-honest-")


@cache
def honest(kind: str) -> tuple[Path, list[str]]:
    """A run, and all that can be forged of it."""
    run = forger.honest(Path(home().name), kind)
    return run, forger.kinds(run)


def attack(rng: random.Random, folder: Path) -> str:
    """Forge a run, and meet it everywhere."""
    kind = rng.choice(list(forger.KINDS))
    run, names = honest(kind)
    lies = [rng.choice(names)]
    forged = forger.forge(lies[0], run, folder / f"{kind}-forged")
    if rng.random() < 0.3 and lies[0].startswith(TWICE):
        more = rng.choice(names)
        with suppress(LookupError, TypeError, AttributeError):  # the first has left no place for it
            forged = forger.forge(more, forged, folder / f"{kind}-forged-twice")
            lies.append(more)
    said = attacked(forged, f"{kind}, {' and '.join(lies)}")
    return json.dumps({"lies": lies, "refused": [border for border in said if said[border]]})
