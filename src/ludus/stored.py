"""Spellings out of stored files: no Python file runs that the person has not named.

`game` and `agent` run the Python file they are given, because a person gives it. What a run, a
checkpoint or a card of the zoo says passes through here first. A stored spelling says which file
is meant by its name; the file that runs is the one at the path that the person gave.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.game import Game, game

Files = Sequence[str | Path]  # Python files that the person named in this call


def python_file(spelling: str) -> str:
    """The Python file that a game or an agent of this spelling is made from; "" for others."""
    name, _, _ = spelling.partition(":")
    return name if name.endswith(".py") else ""


def stored_game(spelling: Any, where: str, files: Files | None = None) -> Game:
    """The game that a stored file names; one written in Python only from the person's file.

    `files` is None where there is no way to name any.
    """
    if not isinstance(spelling, str):
        raise ValueError(f"{where} is damaged: its game is {spelling!r:.60}")
    file = python_file(spelling)
    if not file:
        return game(spelling)
    if files is None:
        raise ValueError(f"{where} needs the Python file {file!r}, which nothing here runs")
    own = {str(path) for path in files if Path(path).name == Path(file).name}
    if not own:
        raise ValueError(refused(where, file))
    if len(own) > 1:
        raise ValueError(f"which is the game of {where}: {' or '.join(sorted(own))}?")
    return game(own.pop() + spelling.removeprefix(file))


def check_settings(settings: Mapping[str, Any], where: str, files: Files) -> None:
    """Refuse settings that name a Python file, as agents do, which the person has not named.

    Lists of agents are written `a;b` and `200*a;b`, so every piece of every text is looked at.
    """
    named = {Path(path).resolve() for path in files}
    for value in settings.values():
        for piece in re.split(r"[;*]", value) if isinstance(value, str) else ():
            file = python_file(piece.strip())
            if file and Path(file).resolve() not in named:
                raise ValueError(refused(where, file))


def refused(where: str, file: str) -> str:
    """What to say, and how to go on."""
    return (
        f"{where} needs the Python file {file!r}, which runs only if you name it yourself: "
        f"`ludus resume {where} --with {file}`, or Run({where!r}, files=[{file!r}])"
    )
