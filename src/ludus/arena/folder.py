"""The run folder of a tournament: what was asked, and every game as soon as it is over."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.arena.record import Record, parse
from ludus.game import Game

SAME = ("game", "rules", "agents", "seed", "openings")  # what a resumed tournament must share


@dataclass
class Folder:
    """A folder that this process alone writes."""

    path: Path
    records: list[Record]  # of games played before
    notice: str | None = None  # what was wrong with the file, and put right

    @property
    def games(self) -> Path:
        return self.path / "games.jsonl"

    def append(self, record: Record) -> None:
        """Write a game in one piece, so that a reader never sees half of it."""
        with self.games.open("ab", buffering=0) as file:
            file.write(record.line().encode())


@contextmanager
def opened(path: Path, asked: dict[str, Any], game: Game, resume: bool) -> Iterator[Folder]:
    """Make the folder or take it up again; nobody else may use it meanwhile."""
    if resume and not path.is_dir():
        raise ValueError(f"there is no tournament to resume in {path}")
    path.mkdir(parents=True, exist_ok=True)
    with (path / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"another process plays the tournament in {path}") from None
        check(path, asked, resume)
        replace(path / "tournament.json", json.dumps(asked, indent=2, ensure_ascii=False) + "\n")
        folder = Folder(path, [])
        if folder.games.exists():
            folder.records, folder.notice = read(folder.games, game)
        yield folder


def check(path: Path, asked: dict[str, Any], resume: bool) -> None:
    """Refuse to mix two tournaments."""
    file = path / "tournament.json"
    if not file.exists():
        if resume:
            raise ValueError(f"there is no tournament to resume in {path}")
        return
    if not resume:
        raise ValueError(f"{path} holds a tournament; --resume goes on with it")
    try:
        before = reading.load(file)
        earlier = {name: before[name] for name in (*SAME, "games")}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{file} is damaged") from None
    for name in SAME:
        if earlier[name] != asked[name]:
            raise ValueError(
                f"the tournament in {path} has {name} {shown(earlier[name])}, "
                f"not {shown(asked[name])}"
            )
    if not isinstance(earlier["games"], int) or asked["games"] < earlier["games"]:
        raise ValueError(
            f"the tournament in {path} has {earlier['games']} games a pair; "
            f"it can have more, not {asked['games']}"
        )


def shown(value: Any) -> str:
    """A list of agents as people write it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def read(file: Path, game: Game) -> tuple[list[Record], str | None]:
    """The games so far; a last line that was cut off is dropped from the file."""
    lines, notice = list(reading.lines(file)), None
    if lines and not lines[-1].endswith(b"\n"):
        notice = f"{file}, line {len(lines)} was cut off, and is dropped: that game is played again"
        lines.pop()
        with file.open("r+b") as damaged:
            damaged.truncate(sum(map(len, lines)))
    records = []
    for number, line in enumerate(lines, 1):
        try:
            record = parse(line.decode(errors="surrogateescape"), game)
            if record.game.spelling != game.spelling:
                raise ValueError(f"a game of {record.game.spelling}, not {game.spelling}")
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}") from None
        records.append(record)
    return records, notice


def replace(file: Path, text: str) -> None:
    """Write beside and rename: the old or the new, never half."""
    beside = file.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)
