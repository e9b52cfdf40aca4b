"""Spellings out of stored files: no Python file runs that the person has not named.

`game` and `agent` run the Python file they are given, because a person gives it. What a run, a
checkpoint or a card of the zoo says passes through here first. A stored spelling says which game
is meant by the name of its file; the file that runs is the one at the path that the person gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.game import Game, game

HASH = 16  # digits of a file's SHA-256 in a sentence
Files = Sequence[str | Path]  # Python files of agents that the person named in this call


def python_file(spelling: str) -> str:
    """The Python file that a game or an agent of this spelling is made from; "" for others."""
    name, _, _ = spelling.partition(":")
    return name if name.endswith(".py") else ""


def stored_game(spelling: Any, where: str) -> Game:
    """The game that a stored file names; one written in Python is not made."""
    if not isinstance(spelling, str):
        raise ValueError(f"{where} is damaged: its game is {spelling!r:.60}")
    if file := python_file(spelling):
        raise ValueError(f"{where} needs the Python file {file!r}, which nothing here runs")
    return game(spelling)


def game_to_resume(
    spelling: str,
    where: str,
    brought: Game | str | None,
    *,
    written: bool = False,
    sha256: str = "",
) -> Game:
    """The game of a run that goes on: as its file says, or as the person brings it.

    A Python file that is brought without parameters gets those that are stored.
    """
    if isinstance(brought, Game):
        return brought
    file = python_file(spelling)
    if brought is None:
        if written and not file:
            raise ValueError(f"{where} has learned a class of yours: Run({where!r}, game) goes on")
        if not file:
            return stored_game(spelling, where)
        how = f"`ludus resume {where} --game {file}`, or Run({where!r}, {file!r})"
        raise ValueError(needs_file_sentence(where, file, how, sha256))
    if not isinstance(brought, str):
        raise ValueError(f"a game is given by its spelling, not {brought!r:.60}")
    own = python_file(brought)
    if Path(own).name != Path(file).name:  # nothing needs to run to know this
        raise ValueError(f"{where} has learned {spelling}, not {brought}")
    return game(own + spelling.removeprefix(file) if own and own == brought else brought)


def check_settings(settings: Mapping[str, Any], where: str, files: Files) -> None:
    """Refuse settings that name a Python file, as agents do, which the person has not named."""
    named = {Path(path).resolve() for path in files}
    for value in settings.values():
        for file in filter(None, map(python_file, agents_in(value))):
            if Path(file).resolve() not in named:
                how = f"`ludus resume {where} --with {file}`, or Run({where!r}, files=[{file!r}])"
                raise ValueError(needs_file_sentence(where, file, how))


def agents_in(value: Any) -> Iterator[str]:
    """Everything in a setting that may be read as an agent: `a`, `a;b`, `200*a;b`.

    A text with a star or a semicolon is also the name of a file if there is such a file.
    """
    if not isinstance(value, str):
        return
    for piece in value.split(";"):
        last = re.sub(r"^\d+\*", "", piece.strip())
        yield last
        yield from (whole for whole in {value, piece, piece.strip()} - {last} if is_file(whole))


def is_file(spelling: str) -> bool:
    """Whether the Python file of a spelling is there."""
    file = python_file(spelling)
    return bool(file) and Path(file).exists()


def needs_file_sentence(where: str, file: str, how: str, sha256: str = "") -> str:
    """What to say, and how to go on."""
    which = f"{file!r} (SHA-256 {sha256[:HASH]}...)" if sha256 else repr(file)
    return f"{where} needs the Python file {which}, which runs only if you name it yourself: {how}"
