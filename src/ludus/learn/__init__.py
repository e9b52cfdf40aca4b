"""Learning: one file an algorithm, each with a `Config` and a `train`; what they share in rooms.

settings < store < networks < collecting < training < selfplay < the algorithms < runs < agents:
each room imports only what stands before it.
"""

from __future__ import annotations

import ast
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from ludus.extras import install

MISSING = "learning needs {name}, which is not installed: " + install("learn")
NO_PLAYING = "networks that play need {name}, which is not installed: " + install("play")


def __getattr__(name: str) -> Any:
    """A method by `from ludus.learn import ppo`; without torch a sentence says what to install."""
    if name.startswith("_") or name not in algorithms():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return algorithm(name)
    except ValueError as error:
        raise ModuleNotFoundError(str(error), name="torch") from None


def algorithms() -> list[str]:
    """The names of the learning methods."""
    return sorted(found.name for found in iter_modules(__path__) if not found.ispkg)


def about(name: str) -> str:
    """What a method does, in a sentence: the first line of its file, which needs no torch."""
    text = (Path(__path__[0]) / f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def algorithm(name: str) -> Any:
    """The module of a learning method, with its `Config`, `PRESETS` and `train`."""
    if name not in algorithms():
        near = get_close_matches(name, algorithms(), 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no algorithm {name!r}; {hint}there are {', '.join(algorithms())}")
    try:
        return import_module(f"ludus.learn.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ludus"):
            raise
        raise ValueError(MISSING.format(name=error.name)) from None
