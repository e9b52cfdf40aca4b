"""The game that was learned: by its spelling, or, written in Python, by its class and its file.

What a network can play is decided by board, planes and actions. Of a registered game it plays all
variants that have the same; clocks do not matter to it, and other rules than it learned are told.
What the parameters of a game written in Python mean is not known, so that all of them count. A
stored file describes such a game and never makes it: whoever plays it brings it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.files import Notice
from ludus.game import Game, State, game_of
from ludus.stored import python_file, stored_game
from ludus.written import Written, digest_of, source_of

KINDS: dict[str, type] = {"class": str, "parameters": dict, "sha256": str}
KINDS |= {"shape": list, "num_actions": int}


def describe(on: Game) -> dict[str, Any]:
    """What is stored of a game written in Python, beside its spelling; nothing of others."""
    start = on.start()
    return {"python": python_record(start)} if isinstance(start, Written) else {}


def python_record(state: Written) -> dict[str, Any]:
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
class LearnedGame:
    """A game as a stored file tells it."""

    run: str  # who learned it, for sentences
    spelling: str
    game: Game | None  # None if it is written in Python
    python: Mapping[str, Any]  # its nature, as far as it is stored
    planes: str = "full"

    def check(self, state: State) -> None:
        """Refuse a state that the network cannot play; say so if it learned other rules."""
        if self.game is None:
            self.check_nature(state)
            return
        other = game_of(state)
        if not same_board(self.game, other, self.planes):
            raise ValueError(f"{self.run} has learned {self.spelling}, not {other.spelling}")
        if rules_of(other) != rules_of(self.game):
            warnings.warn(
                f"{self.run} has learned {self.spelling}, not the rules of {other.spelling}: it "
                "plays there, but was not trained for them",
                Notice,
                stacklevel=4,
            )

    def check_same(self, on: Game) -> None:
        """Refuse to go on with any other game: those that were begun are of this one."""
        if self.game is None:
            self.check_nature(on.start())
        elif on.spelling != self.spelling:
            raise ValueError(f"{self.run} has learned {self.spelling}, not {on.spelling}")

    def check_nature(self, state: State) -> None:
        """Refuse a state that is not of this Python game; say so if its file has changed."""
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
        here = python_record(state)
        for name in KINDS.keys() - {"sha256"}:
            if name in self.python and self.python[name] != here[name]:
                return f"{spelled} ({name} {here[name]}, not {self.python[name]})"
        if not self.python and self.spelling.partition(":")[2] != spelled.partition(":")[2]:
            return spelled  # a run from before the nature of games was stored
        return ""


def inner_of(state: State) -> Any:
    """The state of the person's own class."""
    return getattr(state, "inner", state)


def learned_game(record: Mapping[str, Any], run: str) -> LearnedGame:
    """The game of a checkpoint or a card; a registered one is made, another only described."""
    spelling, python = record.get("game"), record.get("python", {})
    if not isinstance(spelling, str) or not is_sound(python):
        raise ValueError(f"{run} is damaged: what it says of its game cannot be")
    if python or python_file(spelling):
        return LearnedGame(run, spelling, None, python)
    known = stored_game(spelling, run)
    return LearnedGame(run, known.spelling, known, {}, planes_in(record))


def planes_in(record: Mapping[str, Any]) -> str:
    """The planes that a record tells of: a checkpoint or a card itself, a run in its settings."""
    settings = record.get("config")
    inner = settings.get("planes") if isinstance(settings, dict) else None
    planes = record.get("planes", inner)
    return planes if isinstance(planes, str) else "full"


def same_board(one: Game, other: Game, planes: str) -> bool:
    """Whether a network for one of these games fits the other: its name, planes and actions."""
    ours, theirs = one.start(), other.start()
    return one.kind is other.kind and (ours.shape(planes), ours.num_actions) == (
        theirs.shape(planes),
        theirs.num_actions,
    )


def fits(spelling: str, on: Game) -> bool:
    """Whether what has seen the game of a stored spelling sees the boards of this one."""
    if python_file(spelling) or isinstance(on.start(), Written):
        return same_game(spelling, on.spelling)
    return same_board(stored_game(spelling, "this"), on, "full")


def rules_of(on: Game) -> dict[str, Any]:
    """The parameters of a game that change what moves there are and who wins."""
    return {name: one for name, one in on.parameters.items() if name not in on.kind.clocks}


def is_sound(python: Any) -> bool:
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
