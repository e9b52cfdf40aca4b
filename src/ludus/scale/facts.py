"""What a worker has to share with who hands out the work: versions, sources, native build."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path

from ludus.extras import version

# Libraries whose versions decide what is computed, or how it is sent.
LIBRARIES = ("numpy", "torch", "onnxruntime", "onnx", "ray")
MISSING = "none"


@cache
def facts() -> dict[str, str]:
    """By name, in the order in which a difference is told."""
    from ludus import _core

    root = Path(__file__).parents[1]
    return {
        "ludus": version(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        **{name: library(name) for name in LIBRARIES},
        "build": _core.build,
        "sources": digest(sorted(root.rglob("*.py"))),
        "native module": digest([Path(str(_core.__file__))]),
    }


def library(name: str) -> str:
    """Its version."""
    try:
        return version_of(name)
    except PackageNotFoundError:
        return MISSING


def digest(paths: list[Path]) -> str:
    """The beginning of a hash of these files, in this order."""
    found = hashlib.sha256()
    for path in paths:
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What a worker has otherwise, as the end of a sentence; nothing if it is the same."""
    for name, own in here.items():
        theirs = there.get(name, MISSING)
        if theirs != own:
            return f"has {name} {theirs}, and who hands out the work has {own}"
    return ""
