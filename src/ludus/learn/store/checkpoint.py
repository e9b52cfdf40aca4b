"""Checkpoints: safetensors and JSON in a folder each, written beside and renamed, checksummed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.files import create
from ludus.folders import atomic_folder, drop_folder
from ludus.learn import MISSING
from ludus.learn.settings.renamed import new_settings, new_states
from ludus.learn.store.arrays import Entry, Unreadable, contents, digest_of, header_of, read
from ludus.learn.store.components import Saved
from ludus.learn.store.record import ACTIONS, POLICY, is_return_range
from ludus.resources import check_memory, total_memory

FORMAT = 1
PREFIX = "step-"
ARRAYS, PLAIN = "state.safetensors", "state.json"
GRAPH = "network.onnx"  # which older checkpoints have beside them, and nobody looks at
FILES = (ARRAYS, PLAIN, GRAPH)
MOST_PLAIN = 64 << 20  # bytes of JSON
KINDS = {
    "step": int,
    "algorithm": str,
    "game": str,
    "seed": int,
    "config": dict,
    "values": str,
    "planes": str,
    "files": dict,
    "plain": dict,
}
WHO_PLAYS = ("gate/player", "averaged", "network")  # the first of these that there is


class Damaged(ValueError):  # noqa: N818  (a state of a checkpoint)
    """A checkpoint that is not what was written."""


@dataclass(frozen=True)
class Checkpoint:
    """A folder that holds a training at one step."""

    path: Path

    @property
    def step(self) -> int:
        return int(self.path.name.removeprefix(PREFIX))

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the JSON says, its own checksum checked, and that it says what is asked of it."""
        try:
            record = reading.parse(contents(self.path / PLAIN, MOST_PLAIN), MOST_PLAIN)
            checksum = record.pop("checksum")
            found = digest(canonical(record).encode())
        except Unreadable as wrong:
            raise self.fault(PLAIN, str(wrong)) from None
        except (ValueError, KeyError, AttributeError):
            raise self.fault(PLAIN, "cannot be read") from None
        if found != checksum or record.get("format") != FORMAT:
            raise self.fault(PLAIN, "is not what was written")
        self.check_record(record)
        if "config" in record:
            record["config"] = new_settings(record.get("algorithm"), record["config"])
        record["plain"] = new_states(record["plain"])
        return dict(record)

    def check_record(self, record: dict[str, Any]) -> None:
        """A right checksum says nothing of who wrote it."""
        if record.get("step") != self.step:
            raise self.fault(PLAIN, "is of another step")
        for name, kind in KINDS.items():
            if name in record and type(record[name]) is not kind:
                raise self.fault(PLAIN, f"has no {kind.__name__} for {name}")
        for name in ("files", "plain"):
            if name not in record:
                raise self.fault(PLAIN, f"has no {name}")
        if record.get("values", POLICY) not in (POLICY, ACTIONS):
            raise self.fault(PLAIN, "has values of no known kind")
        if "returns" in record and not is_return_range(record["returns"]):
            raise self.fault(PLAIN, "has returns that cannot be")
        strength = record.get("strength")
        if strength is not None and not (type(strength) in (int, float) and 0 <= strength <= 1):
            raise self.fault(PLAIN, "has a strength that is none")
        if ARRAYS not in record["files"] or not record["files"].keys() <= {ARRAYS, GRAPH}:
            raise self.fault(PLAIN, "names other files than there are")

    @property
    def stamp(self) -> tuple[int, ...]:
        """What changes whenever its files do."""
        seen = [(self.path / name).stat() for name in (ARRAYS, PLAIN)]
        return tuple(n for one in seen for n in (one.st_mtime_ns, one.st_size, one.st_ino))

    def fault(self, name: str, why: str) -> Damaged:
        """The sentence for one of its files."""
        return Damaged(f"{self.path} is damaged: its {name} {why}")

    @property
    def strength(self) -> float | None:
        """Points a game against the ladder, the last time it was measured."""
        measured: float | None = self.record.get("strength")
        return measured

    @property
    def measure(self) -> list[Any]:
        """How that was measured: only strengths of one measure can be compared."""
        config = self.record.get("config", {})
        return [config.get(name) for name in ("eval_opponents", "eval_openings", "n_eval_games")]

    def check(self) -> None:
        """Refuse arrays that are not what was written; a graph beside them is not looked at."""
        try:
            header_of(self.path / ARRAYS, most_bytes())
            same = digest_of(self.path / ARRAYS, most_bytes()) == self.record["files"][ARRAYS]
        except Unreadable as wrong:
            raise self.fault(ARRAYS, str(wrong)) from None
        if not same:
            raise self.fault(ARRAYS, "is not what was written")

    def load(self) -> Saved:
        """The whole state, checked."""
        self.check()
        needed = sum(one.end - one.start for one in self.header.values())
        check_memory(needed, f"what {self.path} holds")
        return Saved(self.step, self.read(None), self.record["plain"], str(self.path))

    @property
    def playing_part(self) -> str:
        """Who plays: what the gate let through, an average, or what learns; "" if none does."""
        for part in WHO_PLAYS:
            if any(name.startswith("actions.") for name in self.shapes(part)):
                return part
        return ""

    def shapes(self, part: str) -> dict[str, Entry]:
        """What the arrays of one part are, by their names in it."""
        head = part + "/"
        return {
            name.removeprefix(head): one
            for name, one in self.header.items()
            if name.startswith(head)
        }

    def arrays(self, part: str) -> dict[str, Any]:
        """The arrays of one part, by their names in it."""
        self.check()
        head = part + "/"
        found = self.read([head + name for name in self.shapes(part)])
        return {name.removeprefix(head): array for name, array in found.items()}

    @cached_property
    def header(self) -> dict[str, Entry]:
        """What arrays there are."""
        try:
            return header_of(self.path / ARRAYS, most_bytes())
        except Unreadable as wrong:
            raise self.fault(ARRAYS, str(wrong)) from None

    def read(self, names: list[str] | None) -> dict[str, Any]:
        """Arrays by their whole names."""
        try:
            return read(self.path / ARRAYS, most_bytes(), names)
        except Unreadable as wrong:
            raise self.fault(ARRAYS, str(wrong)) from None


def most_bytes() -> int:
    """Of a state: a training that was in the memory of a machine fits there again."""
    return total_memory()


def weights_format() -> Any:
    """What writes arrays; it comes with the extra `learn`."""
    try:
        from safetensors import numpy
    except ModuleNotFoundError:
        raise ValueError(MISSING.format(name="safetensors")) from None
    return numpy


def digest(data: bytes) -> str:
    """What tells damage."""
    return hashlib.sha256(data).hexdigest()


def canonical(record: dict[str, Any]) -> str:
    """The one text of a record."""
    return json.dumps(record, sort_keys=True, ensure_ascii=False)


def write(folder: Path, state: Saved, **about: Any) -> Checkpoint:
    """Store a training; the folder appears whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{PREFIX}{state.step:09}"
    with atomic_folder(place, FILES, "checkpoint") as beside:  # over one that is damaged, or older
        files = {ARRAYS: weights_format().save(state.arrays)}
        for name, data in files.items():
            create(beside / name, data)
        record = {
            "format": FORMAT,
            "step": state.step,
            **about,
            "files": {name: digest(data) for name, data in files.items()},
            "plain": state.plain,
        }
        text = json.dumps({**record, "checksum": digest(canonical(record).encode())})
        create(beside / PLAIN, text.encode())
    return Checkpoint(place)


def drop(place: Path) -> None:
    """Delete a checkpoint, or what there is of one."""
    drop_folder(place, FILES)
