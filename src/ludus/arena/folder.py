"""The run folder of a tournament: what was asked, and every game as soon as it is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import files, lines, reading
from ludus.arena.record import Record, parse
from ludus.arena.timing import BATCHED
from ludus.folders import lock_folder
from ludus.game import Game

SAME = ("game", "rules", "agents", "seed", "openings")  # what a resumed tournament must share
SIGN = "tournament.json"


@dataclass
class TournamentFolder:
    """A folder that this process alone writes."""

    path: Path
    asked: bytes  # for tournament.json
    records: list[Record]  # of games played before
    notice: str | None = None  # what was wrong with the file, and put right
    signed: bool = False  # tournament.json says what is asked

    @property
    def games(self) -> Path:
        return self.path / "games.jsonl"

    def append(self, record: Record) -> None:
        """Write a game, whole or not at all; the first one makes the folder a tournament's."""
        try:
            self.sign()
            files.append(self.games, lines.data(record.line()))
        except OSError as error:
            raise ValueError(
                f"{error.filename}: {error.strerror}; the games before this one are kept"
            ) from None

    def sign(self) -> None:
        """Write tournament.json, once."""
        if not self.signed:
            files.write(self.path / SIGN, self.asked)
            self.signed = True


@contextmanager
def open_folder(
    path: Path, asked: dict[str, Any], game: Game, resume: bool
) -> Iterator[TournamentFolder]:
    """Make the folder or take it up again; nobody else may use it meanwhile."""
    if resume and not path.is_dir():
        raise ValueError(f"there is no tournament to resume in {path}")
    text = lines.data(json.dumps(asked, indent=2, ensure_ascii=False) + "\n")
    check(path, asked, resume)  # before a lock is made there
    with lock_folder(path, SIGN, f"another process plays the tournament in {path}"):
        check(path, asked, resume)
        folder = TournamentFolder(path, text, [])
        if resume:
            if folder.games.exists():
                folder.records, folder.notice = read_games(folder.games, game)
            folder.sign()
        yield folder


def check(path: Path, asked: dict[str, Any], resume: bool) -> None:
    """Refuse to mix two tournaments."""
    file = path / SIGN
    if not file.exists():
        if resume:
            raise ValueError(f"there is no tournament to resume in {path}")
        return
    if not resume:
        raise ValueError(f"{path} holds a tournament; --resume goes on with it")
    try:
        before = reading.parse(lines.text(reading.data(file)))
        earlier = {name: before[name] for name in (*SAME, "games")}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{file} is damaged") from None
    earlier["spellings"] = before.get("spellings", asked["spellings"])  # the first had none
    earlier["timing"] = before.get("timing", BATCHED)
    for name in (*SAME, "spellings", "timing"):
        if earlier[name] != asked[name]:
            raise ValueError(
                f"the tournament in {path} has {name} {list_text(earlier[name])}, "
                f"not {list_text(asked[name])}"
            )
    if type(earlier["games"]) is not int or asked["games"] < earlier["games"]:
        raise ValueError(
            f"the tournament in {path} has {earlier['games']} games a pair; "
            f"it can have more, not {asked['games']}"
        )


def list_text(value: Any) -> str:
    """A list of agents as people write it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def read_games(file: Path, game: Game) -> tuple[list[Record], str | None]:
    """The games so far, each one checked; a last line that was cut off is dropped."""
    written, torn = files.read_lines(file)
    records = []
    for number, line in enumerate(written, 1):
        try:
            records.append(read_record(line, game))
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}") from None
    if not torn:
        return records, None
    files.truncate(file, sum(len(line) + 1 for line in written))
    number = len(written) + 1
    return records, f"{file}, line {number} was cut off, and is dropped: that game is played again"


def read_record(line: bytes, game: Game) -> Record:
    """A game as it was written: by its checksum, or without one by the rules."""
    record = parse(line, game)
    if record.game.spelling != game.spelling:
        raise ValueError(f"a game of {record.game.spelling}, not {game.spelling}")
    if not record.sealed:
        record.states  # noqa: B018  (asking is checking)
    return record
