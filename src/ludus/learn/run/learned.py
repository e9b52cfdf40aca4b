"""The game that was learned: by its spelling, or, written in Python, by its class and its file.

A stored file describes such a game and never makes it: whoever plays it brings it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.game import Game, State, game_of
from ludus.stored import python_file, stored_game
from ludus.written import Written, digest_of, source_of

KINDS: dict[str, type] = {"class": str, "parameters": dict, "sha256": str}
KINDS |= {"shape": list, "num_actions": int}


def described(on: Game) -> dict[str, Any]:
    """What is stored of a game written in Python, beside its spelling; nothing of others."""
    start = on.start()
    return {"python": nature(start)} if isinstance(start, Written) else {}


def nature(state: Written) -> dict[str, Any]:
    """What tells a game written in Python, wherever its file is kept."""
    cls = type(state.inner)
    return {
        "class": cls.__name__,
        "parameters": {name: str(value) for name, value in state.parameters.items()},
        "shape": list(state.shape()),
        "num_actions": state.num_actions,
        "sha256": digest_of(cls),
    }


@dataclass(frozen=True)
class Learned:
    """A game as a stored file tells it."""

    run: str  # who learned it, for sentences
    spelling: str
    game: Game | None  # None if it is written in Python
    python: Mapping[str, Any]  # its nature, as far as it is stored

    def check(self, state: State) -> None:
        """Refuse a state of another game; say so if the game's file has changed."""
        if self.game is not None:
            spelled = game_of(state).spelling
            if spelled != self.spelling:
                raise ValueError(f"{self.run} has learned {self.spelling}, not {spelled}")
            return
        other = self.difference(state)
        if other:
            raise ValueError(f"{self.run} has learned {self.spelling}, not {other}")
        stored, now = self.python.get("sha256", ""), digest_of(type(inner_of(state)))
        if stored and now and stored != now:
            file = Path(source_of(type(inner_of(state))) or "").name
            warnings.warn(f"{file} has changed since {self.run} learned it", stacklevel=4)

    def difference(self, state: State) -> str:
        """What a state is of, if that is not the game that was learned."""
        spelled = game_of(state).spelling
        if not isinstance(state, Written):
            return spelled
        source, file = source_of(type(state.inner)), python_file(self.spelling)
        if source and file and Path(source).name != Path(file).name:
            return spelled
        here = nature(state)
        for name in KINDS.keys() - {"sha256"}:
            if name in self.python and self.python[name] != here[name]:
                return f"{spelled} ({name} {here[name]}, not {self.python[name]})"
        if not self.python and self.spelling.partition(":")[2] != spelled.partition(":")[2]:
            return spelled  # a run from before the nature of games was stored
        return ""


def inner_of(state: State) -> Any:
    """The state of the person's own class."""
    return getattr(state, "inner", state)


def learned(record: Mapping[str, Any], run: str) -> Learned:
    """The game of a checkpoint or a card; a registered one is made, another only described."""
    spelling, python = record.get("game"), record.get("python", {})
    if not isinstance(spelling, str) or not sound(python):
        raise ValueError(f"{run} is damaged: what it says of its game cannot be")
    if python or python_file(spelling):
        return Learned(run, spelling, None, python)
    known = stored_game(spelling, run)
    return Learned(run, known.spelling, known, {})


def sound(python: Any) -> bool:
    """Whether this describes a game written in Python."""
    return (
        isinstance(python, dict)
        and all(type(python[name]) is KINDS.get(name) for name in python)
        and all(type(value) is str for value in python.get("parameters", {}).values())
    )


def same_game(one: str, other: str) -> bool:
    """Whether two spellings are of one game, wherever its file is kept."""
    files = python_file(one), python_file(other)
    if not all(files):
        return one == other
    left = [spelling.removeprefix(file) for spelling, file in zip((one, other), files, strict=True)]
    return Path(files[0]).name == Path(files[1]).name and left[0] == left[1]
