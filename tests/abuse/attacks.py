"""What attacks there are: a module each in this folder, with `attack(rng, folder)`.

An attack is one random round against a border: it returns a few words about what happened, and
raises AssertionError if something was lost, hung or crashed. `folder` is empty and its own.
"""

from __future__ import annotations

import random
import tempfile
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

OWN = ("attacks", "test_attacks")


def names() -> list[str]:
    """The attacks, found by their modules."""
    found = (module.name for module in iter_modules([str(Path(__file__).parent)]))
    return sorted(name for name in found if name not in OWN and not name.startswith("_"))


def played(name: str, seed: int) -> str:
    """One round of an attack; the same seed is the same round."""
    with tempfile.TemporaryDirectory(prefix="ludus-abuse-") as folder:
        attack = import_module(f"tests.abuse.{name}").attack
        return str(attack(random.Random(f"{name} {seed}"), Path(folder)))
