"""Runs, tournaments and reports of one folder: listed here, and asked for by what is listed."""

from __future__ import annotations

import hashlib
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ludus import lines, reading
from ludus.arena import record as records
from ludus.arena.folder import SIGN as TOURNAMENT
from ludus.arena.table import TournamentTable
from ludus.game import game_names
from ludus.serve.protocol import Refused

Content = TypeVar("Content")
RUN = "config.json"
DEEPEST, MOST_FOLDERS, MOST_LISTED = 4, 5_000, 500
MOST_BYTES = 64 << 20  # of a file of metrics or games that is read
MOST_ROWS, MOST_GAMES = 5_000, 200  # in one answer
LIVE_SECONDS = 120  # since the last step
LOOK_SECONDS = 2  # between two looks at the folder because of an address nobody knows
STEP = re.compile(r"step-(\d{1,18})\.jsonl")


@dataclass(frozen=True)
class Item:
    """Something in the folder that may be asked for."""

    kind: str  # run, tournament or report
    path: Path
    name: str


def mark_of(path: Path) -> tuple[int, int]:
    """What changes when a file does."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


class Runs:
    """What a folder holds, by ids that are made here."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._known: dict[str, Item] = {}
        self._read: dict[Any, tuple[Any, Any]] = {}  # what files said, while they stay the same
        self._looked = 0.0
        self._alone = threading.Lock()

    def all(self) -> dict[str, Any]:
        """Everything that there is."""
        self._look()
        found: dict[str, list[Any]] = {"run": [], "tournament": [], "report": []}
        for name, one in self._known.items():
            found[one.kind].append({"id": name, "name": one.name, **self._describe(one)})
        return {
            "runs": found["run"],
            "tournaments": found["tournament"],
            "reports": found["report"],
        }

    def metrics(self, name: str, after: int) -> dict[str, Any]:
        """The steps after this one; what is no number is null."""
        rows = [row for row in self._course(self._find(name, "run")) if row["step"] > after]
        sent = [{key: json_number(value) for key, value in row.items()} for row in rows[:MOST_ROWS]]
        return {"rows": sent, "more": len(rows) > MOST_ROWS}

    def games(self, name: str) -> dict[str, Any]:
        """The last games that measured a run, or those of a tournament, as records."""
        one = self._find(name, "run", "tournament")
        if one.kind == "tournament":
            files: list[tuple[int | None, Path]] = [(None, one.path / "games.jsonl")]
        else:
            files = steps_of(one.path / "games")[::-1]
        games: list[dict[str, Any]] = []
        for step, file in files:
            if len(games) < MOST_GAMES:
                games += [{"step": step, **game} for game in self._records(file)]
        return {"games": games[:MOST_GAMES]}

    def tournament(self, name: str) -> dict[str, Any]:
        """The table of a tournament."""
        path = self._find(name, "tournament").path
        marks = mark_of(path / TOURNAMENT), mark_of(path / "games.jsonl")
        return self._read_once(("table", path), marks, lambda: table_of(path))

    def report(self, name: str) -> bytes:
        """The bytes of a report."""
        return reading.data(self._find(name, "report").path)

    def _find(self, name: str, *kinds: str) -> Item:
        if name not in self._known and time.monotonic() - self._looked > LOOK_SECONDS:
            self._look()
        found = self._known.get(name)
        if found is None or found.kind not in kinds:
            raise Refused(f"there is no {' or '.join(kinds)} of this id", 404)
        return found

    def _look(self) -> None:
        """List the folder; links lead nowhere."""
        self._looked = time.monotonic()
        found = {}
        for kind, path in items_in(self.folder) if self.folder else ():
            name = path.relative_to(self.folder).as_posix()  # type: ignore[arg-type]
            mark = hashlib.sha256(f"{kind} {name}".encode(errors="surrogateescape")).hexdigest()
            shown = name.encode(errors="replace").decode()
            found[mark[:16]] = Item(kind, path, shown)
            if len(found) >= MOST_LISTED:
                break
        with self._alone:
            self._known = found

    def _describe(self, one: Item) -> dict[str, Any]:
        """What is said of it in the list; of something damaged, what is wrong."""
        try:
            if one.kind == "run":
                return self._describe_run(one.path)
            return tournament_of(one.path) if one.kind == "tournament" else {}
        except (ValueError, OSError, KeyError, TypeError) as error:
            return {"damage": str(Refused(error))}

    def _describe_run(self, path: Path) -> dict[str, Any]:
        def read() -> dict[str, Any]:
            from ludus.learn.runs.folder import RunFolder

            known = RunFolder(path).record()
            return {"game": known["game"], "algorithm": known["algorithm"]}

        about = self._read_once(("run", path), mark_of(path / RUN), read)
        course = self._course(Item("run", path, ""))
        changed, _ = mark_of(path / "metrics.jsonl")
        return {
            **about,
            "steps": course[-1]["step"] if course else 0,
            "live": time.time() - changed / 1e9 < LIVE_SECONDS,
            "metrics": sorted({name for row in course[-100:] for name in row}),
        }

    def _course(self, one: Item) -> list[dict[str, Any]]:
        file = one.path / "metrics.jsonl"

        def read() -> list[dict[str, Any]]:
            from ludus.learn.runs.metrics import Metrics

            check_size(file)
            return Metrics(file).course()

        return self._read_once(("course", file), mark_of(file), read)

    def _records(self, file: Path) -> list[dict[str, Any]]:
        return self._read_once(("games", file), mark_of(file), lambda: games_in(file))

    def _read_once(self, key: Any, mark: Any, read: Callable[[], Content]) -> Content:
        """What was read of a file before, if it has not changed."""
        known = self._read.get(key)
        if known is None or known[0] != mark:
            known = mark, read()
            with self._alone:
                if len(self._read) >= MOST_LISTED:
                    self._read.clear()
                self._read[key] = known
        content: Content = known[1]
        return content


def items_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Runs, tournaments and reports, in the order of their names."""
    top = len(folder.parts)
    for count, (place, folders, files) in enumerate(os.walk(folder, followlinks=False)):
        path = Path(place)
        folders.sort()
        if len(path.parts) - top >= DEEPEST or count >= MOST_FOLDERS:
            folders.clear()
        plain = {name for name in files if not (path / name).is_symlink()}
        if RUN in plain:
            yield "run", path
        if TOURNAMENT in plain:
            yield "tournament", path
        if RUN in plain or TOURNAMENT in plain:
            folders.clear()  # what lies in there is its own
        yield from (("report", path / name) for name in sorted(plain) if name.endswith(".html"))


def check_size(file: Path) -> None:
    """Refuse to read what would keep others waiting."""
    if mark_of(file)[1] > MOST_BYTES:
        raise Refused(f"{file.name} is larger than {MOST_BYTES:,} bytes")


def json_number(value: Any) -> Any:
    """A number as JSON has it."""
    return value if isinstance(value, int) or math.isfinite(value) else None


def steps_of(folder: Path) -> list[tuple[int | None, Path]]:
    """The files of games, by step."""
    if not folder.is_dir() or folder.is_symlink():
        return []
    found = [(STEP.fullmatch(path.name), path) for path in folder.iterdir()]
    return sorted((int(step[1]), path) for step, path in found if step and not path.is_symlink())


def games_in(file: Path) -> list[dict[str, Any]]:
    """What is told of the games of a file; what is damaged or cut off is passed over."""
    check_size(file)
    games: list[dict[str, Any]] = []
    for line in reading.lines(file) if file.exists() else ():
        try:
            record = records.parse(line)
        except ValueError:
            continue
        played = record.played
        games.append(
            {
                "game": record.game.spelling,
                "agents": list(played.agents),
                "winner": played.winner,
                "reason": played.reason,
                "plies": len(played.moves),
                "record": line.decode().strip(),
            }
        )
        if len(games) >= MOST_GAMES:
            break
    return games


def tournament_of(path: Path) -> dict[str, Any]:
    """What a tournament is of."""
    known = reading.parse(lines.text(reading.data(path / TOURNAMENT)))
    names = known["agents"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{path.name} is damaged")
    name, _, _ = str(known["game"]).partition(":")
    if name not in game_names():
        raise ValueError(f"{name!r:.60} is no game of ludus, and its file is not run")
    return {"game": str(known["game"]), "agents": names}


def table_of(path: Path) -> dict[str, Any]:
    """The table as far as it was played."""
    known = reading.parse(lines.text(reading.data(path / TOURNAMENT)))
    names = tournament_of(path)["agents"]
    found: dict[tuple[int, int], dict[int, Any]] = {
        (i, j): {} for i in range(len(names)) for j in range(i + 1, len(names))
    }
    file = path / "games.jsonl"
    check_size(file)
    for line in reading.lines(file) if file.exists() else ():
        try:
            played = records.parse(line).played
            i, j = sorted(names.index(agent) for agent in played.agents)
            found[i, j][played.index] = played
        except (ValueError, KeyError):
            continue
    table = TournamentTable(
        game=str(known["game"]),
        agents=names,
        seed=int(known["seed"]),
        openings=str(known["openings"]),
        played={key: [games[at] for at in sorted(games)] for key, games in found.items()},
        asked=int(known["games"]),
    )
    if not table.games:
        raise Refused("no game of this tournament is over yet", 404)
    return table.as_dict()
