"""The run folder: what was asked, who may write, and the course of the training so far."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.arena.record import Record, release
from ludus.arena.running import Played
from ludus.arena.score import Score
from ludus.game import Game, game
from ludus.learn import algorithm
from ludus.learn.run import checkpoint
from ludus.learn.run.arrays import Unreadable, contents
from ludus.learn.run.config import FREE, Common, stored
from ludus.learn.run.forms import shown
from ludus.play import whole

FORMAT = 1
MOST_SETTINGS, MOST_METRICS = 1 << 20, 1 << 30  # bytes


@dataclass(frozen=True)
class Asked:
    """What a run is a run of."""

    algorithm: str
    game: Game
    config: Common
    seed: int

    def about(self) -> dict[str, Any]:
        """What a checkpoint is of, beside its settings."""
        return {"algorithm": self.algorithm, "game": self.game.spelling, "seed": self.seed}

    def record(self, command: str) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "ludus": release(),
            "rules": self.game.kind.rules,
            **self.about(),
            "config": dataclasses.asdict(self.config),
            "command": command,
        }


@dataclass(frozen=True)
class Folder:
    """Where a run keeps its things."""

    path: Path

    @property
    def settings(self) -> Path:
        return self.path / "config.json"

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.jsonl"

    @property
    def checkpoints(self) -> Path:
        return self.path / "checkpoints"

    @property
    def games(self) -> Path:
        return self.path / "games"

    @property
    def exists(self) -> bool:
        return self.settings.exists()

    def record(self) -> dict[str, Any]:
        """What config.json says."""
        kinds = {"algorithm": str, "game": str, "seed": int, "config": dict, "command": str}
        if not self.exists:
            raise ValueError(f"there is no run in {self.path}")
        try:
            record = json.loads(contents(self.settings, MOST_SETTINGS).decode("utf-8"))
            known = {name: record[name] for name in ("format", "rules", *kinds)}
        except Unreadable as wrong:
            raise ValueError(f"{self.settings} {wrong}") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError(f"{self.settings} is damaged") from None
        for name, kind in kinds.items():
            if type(known[name]) is not kind:
                raise ValueError(f"{self.settings} is damaged: its {name} is {shown(known[name])}")
        return known

    def asked(self) -> Asked:
        """What was asked, read back and checked."""
        record = self.record()
        if record["format"] != FORMAT:
            raise ValueError(f"{self.settings} has format {record['format']}, not {FORMAT}")
        self.check_origin(record)
        chosen = game(record["game"])
        if chosen.kind.rules != record["rules"]:
            raise ValueError(
                f"{self.path} learned {chosen.name} by rules {record['rules']}; "
                f"these are {chosen.kind.rules}"
            )
        kind = algorithm(record["algorithm"]).Config
        seed = whole("seed", record["seed"], 0, 2**63 - 1)
        return Asked(record["algorithm"], chosen, stored(kind, record["config"]), seed)

    def check_origin(self, record: Mapping[str, Any]) -> None:
        """Refuse a record of another training than the one that is stored."""
        stored = checkpoint.told(self.checkpoints)
        now = {name: record[name] for name in ("algorithm", "game", "seed")}
        check_same({name: stored.get(name, own) for name, own in now.items()}, now, self.path)

    def write(self, asked: Asked, command: str) -> None:
        """Write config.json beside, and rename it."""
        self.path.mkdir(parents=True, exist_ok=True)
        beside = self.settings.with_suffix(".new")
        text = json.dumps(asked.record(command), indent=2, ensure_ascii=False) + "\n"
        checkpoint.put(beside, text.encode())
        beside.replace(self.settings)
        checkpoint.sync(self.path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else trains here meanwhile; a new run that came to no step leaves nothing."""
        fresh = not self.exists
        made = [place for place in (self.path, *self.path.parents) if not place.exists()]
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(f"another process trains in {self.path}") from None
            try:
                yield
            finally:
                if fresh and not self.course():
                    self.clear(made)

    def clear(self, made: list[Path]) -> None:
        """Take back the files of a run, and the folders that were made for it."""
        for name in ("config.json", "config.new", "metrics.jsonl", "metrics.new", "lock"):
            (self.path / name).unlink(missing_ok=True)
        for name in ("checkpoints", "games", "tensorboard"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for place in made:
            with suppress(OSError):  # somebody put something else there
                place.rmdir()

    def append(self, line: Mapping[str, Any]) -> None:
        """Write the metrics of a step in one piece."""
        with self.metrics.open("ab", buffering=0) as file:
            file.write((json.dumps(line) + "\n").encode())

    def course(self) -> list[dict[str, Any]]:
        """The metrics so far; a last line that was cut off is passed over."""
        if not self.metrics.exists():
            return []
        lines = []
        try:
            data = contents(self.metrics, MOST_METRICS)
        except Unreadable as wrong:
            raise ValueError(f"{self.metrics} {wrong}") from None
        for line in data.splitlines():
            try:
                lines.append(json.loads(line))
            except (ValueError, RecursionError):
                continue
        return [line for line in lines if isinstance(line, dict) and "step" in line]

    def keep_games(self, on: Game, step: int, scores: Sequence[Score], student: str) -> None:
        """The games in which a step's strength was measured, for `ludus replay`."""
        if not scores:
            return
        lines = [
            Record(on, score.seed, named(played, score.a, student)).line()
            for score in scores
            for played in score.played
        ]
        self.games.mkdir(exist_ok=True)
        file = self.games / f"step-{step}.jsonl"
        beside = file.with_suffix(".new")
        checkpoint.put(beside, "".join(lines).encode())
        beside.replace(file)

    def cut(self, step: int) -> None:
        """Forget what was measured after a step that is gone back to."""
        for file in self.games.glob("step-*"):
            number = file.stem.removeprefix("step-")
            if number.isdecimal() and int(number) > step:
                file.unlink()
        kept = [json.dumps(line) + "\n" for line in self.course() if line["step"] <= step]
        beside = self.metrics.with_suffix(".new")
        checkpoint.put(beside, "".join(kept).encode())
        beside.replace(self.metrics)


def named(played: Played, one: str, name: str) -> Played:
    """The same game, with one of its agents under another name."""
    first, second = (name if agent == one else agent for agent in played.agents)
    return dataclasses.replace(played, agents=(first, second))


def check_same(then: Mapping[str, Any], now: Mapping[str, Any], path: Path) -> None:
    """Refuse to go on with settings that would have learned something else."""
    for name in sorted(then.keys() | now.keys()):
        if name not in FREE and then.get(name) != now.get(name):
            raise ValueError(
                f"{name} of the run in {path} was {then.get(name)!r} and is now "
                f"{now.get(name)!r}: put it back, or train in another folder"
            )
