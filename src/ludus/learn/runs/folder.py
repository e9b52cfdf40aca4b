"""The run folder: what was asked, who may write, and the course of the training so far."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import files, lines, reading
from ludus.arena.record import Record
from ludus.arena.running import PlayedGame
from ludus.arena.score import Score
from ludus.checks import check_whole
from ludus.extras import version
from ludus.folders import check_free, lock_folder
from ludus.game import Game
from ludus.learn import algorithm
from ludus.learn.runs.metrics import Metrics
from ludus.learn.settings.config import FREE, Common, restore_config
from ludus.learn.settings.renamed import new_settings
from ludus.learn.store import seen, selection
from ludus.learn.store.arrays import Unreadable, contents
from ludus.learn.store.forms import describe_value
from ludus.learn.store.learned import describe, learned_game, same_game
from ludus.stored import Files, check_settings, game_to_resume

FORMAT = 1
SIGN = "config.json"  # that a folder is a run
MOST_SETTINGS = 1 << 20  # bytes


@dataclass(frozen=True)
class RunSpec:
    """What a run is a run of."""

    algorithm: str
    game: Game
    config: Common
    seed: int

    def about(self) -> dict[str, Any]:
        """What a checkpoint is of, beside its settings."""
        of = {"algorithm": self.algorithm, "game": self.game.spelling, "seed": self.seed}
        return {**of, **describe(self.game)}

    def record(self, command: str) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "ludus": version(),
            "rules": self.game.kind.rules,
            **self.about(),
            "config": dataclasses.asdict(self.config),
            "command": command,
        }


@dataclass(frozen=True)
class RunFolder:
    """Where a run keeps its things."""

    path: Path

    @property
    def settings(self) -> Path:
        return self.path / SIGN

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
            record = reading.parse(contents(self.settings, MOST_SETTINGS), MOST_SETTINGS)
            known = {name: record[name] for name in ("format", "rules", *kinds)}
        except Unreadable as wrong:
            raise ValueError(f"{self.settings} {wrong}") from None
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{self.settings} is damaged") from None
        for name, kind in kinds.items():
            if type(known[name]) is not kind:
                raise ValueError(
                    f"{self.settings} is damaged: its {name} is {describe_value(known[name])}"
                )
        known["config"] = new_settings(known["algorithm"], known["config"])
        return {**known, "python": record.get("python", {})}

    def read_spec(self, on: Game | str | None = None, files: Files = ()) -> RunSpec:
        """What was asked, read back and checked; Python files run only if they are named here."""
        record = self.record()
        if record["format"] != FORMAT:
            raise ValueError(f"{self.settings} has format {record['format']}, not {FORMAT}")
        self.check_origin(record)
        check_settings(record["config"], str(self.path), files)
        known = learned_game(record, str(self.path))
        chosen = game_to_resume(
            record["game"],
            str(self.path),
            on,
            written=known.game is None,
            sha256=str(known.python.get("sha256", "")),
        )
        known.check_same(chosen)
        if chosen.kind.rules != record["rules"]:
            raise ValueError(
                f"{self.path} learned {chosen.name} by rules {record['rules']}; "
                f"these are {chosen.kind.rules}"
            )
        kind = algorithm(record["algorithm"]).Config
        seed = check_whole("seed", record["seed"], 0, 2**63 - 1)
        return RunSpec(record["algorithm"], chosen, restore_config(kind, record["config"]), seed)

    def check_whole(self) -> None:
        """Refuse settings that are not what was written; the first releases had no checksum."""
        if not self.exists:
            return
        try:
            lines.check(*lines.load(reading.data(self.settings)))
        except ValueError:
            raise ValueError(f"{self.settings} is damaged: its checksum is wrong") from None

    def check_origin(self, record: Mapping[str, Any]) -> None:
        """Refuse a record of another training than the one that is stored."""
        stored = selection.newest_record(self.checkpoints)
        now = {name: record[name] for name in ("algorithm", "game", "seed")}
        if isinstance(then := stored.get("game"), str) and same_game(then, now["game"]):
            now["game"] = then
        check_same({name: stored.get(name, own) for name, own in now.items()}, now, self.path)

    def write(self, asked: RunSpec, command: str) -> None:
        """Write config.json: from now on the folder is a run."""
        files.refuse_link(self.checkpoints)
        self.checkpoints.mkdir(parents=True, exist_ok=True)  # that it is missing tells something
        files.write(self.settings, lines.data(lines.dump(asked.record(command), indent=2)))

    def check_free(self) -> None:
        """Refuse a folder with things that are not a run's."""
        check_free(self.path, SIGN)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Nobody else trains here meanwhile; a new run that came to no step leaves nothing."""
        with lock_folder(self.path, SIGN, f"another process trains in {self.path}"):
            places = (self.metrics, self.checkpoints, self.games, self.path / seen.FOLDER)
            for place in (*places, self.path / "tensorboard"):
                files.refuse_link(place)
            files.sweep(self.path, self.metrics.name)
            yield

    def course(self) -> list[dict[str, Any]]:
        """The metrics so far, as far as they are whole; `flaws` tells what is not."""
        return Metrics(self.metrics).course()

    def flaws(self) -> list[str]:
        """A sentence for each damage of the metrics."""
        return Metrics(self.metrics).flaws()

    def keep_games(self, on: Game, step: int, scores: Sequence[Score], student: str) -> None:
        """The games in which a step's strength was measured, for `ludus replay`."""
        if not scores:
            return
        records = [
            Record(on, score.seed, rename_agent(played, score.a, student)).line()
            for score in scores
            for played in score.played
        ]
        self.games.mkdir(exist_ok=True)
        files.write(self.games / f"step-{step}.jsonl", lines.data("".join(records)))

    def keep_seen(self, asked: RunSpec, step: int, recorded: Any) -> None:
        """The rows of the record of seen states that came since the last checkpoint."""
        about, rows = recorded.waiting(step)
        of = {"game": asked.game.spelling, "rules": asked.game.kind.rules, "seed": asked.seed}
        seen.write(self.path, {**of, **about}, rows)
        recorded.was_written(step)

    def cut(self, step: int) -> list[str]:
        """Forget what was measured after a step that is gone back to; damages are told."""
        seen.cut(self.path, step)
        for later in (one["step"] for one in self.course() if one["step"] > step):
            file = self.games / f"step-{later}.jsonl"
            if file.is_file() and not file.is_symlink():
                files.sweep(self.games, file.name)
                file.unlink()
        return Metrics(self.metrics).cut(step)


def rename_agent(played: PlayedGame, one: str, name: str) -> PlayedGame:
    """The same game, with one of its agents under another name."""
    first, second = (name if agent == one else agent for agent in played.agents)
    return dataclasses.replace(played, agents=(first, second))


def check_same(then: Mapping[str, Any], now: Mapping[str, Any], path: Path) -> None:
    """Refuse to go on with settings that would have learned something else."""
    for name in sorted(then.keys() | now.keys()):
        if name not in FREE and then.get(name) != now.get(name):
            raise ValueError(
                f"{name} of the run in {path} was {then.get(name)!r:.60} and is now "
                f"{now.get(name)!r:.60}: put it back, or train in another folder"
            )
