"""Studies: what a paper asks, asked again here; one file a study, found by its name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludus.studies.engine.study import Study


def studies() -> list[str]:
    """The names of the studies."""
    return sorted(one.name.replace("_", "-") for one in iter_modules(__path__) if not one.ispkg)


def study(name: str) -> Study:
    """A study by its name."""
    if name not in studies():
        near = get_close_matches(name, studies(), 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no study {name!r:.60}; {hint}there are {', '.join(studies())}")
    found: Study = import_module(f"ludus.studies.{name.replace('-', '_')}").STUDY
    return found
