"""The folder of a study: one folder a part, and a file in it that says the part is finished."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import files, lines, reading
from ludus.extras import version
from ludus.files import Notice
from ludus.folders import check_free, lock_folder
from ludus.studies.engine.part import Part, address

FORMAT = 1
SIGN = "study.json"  # that a folder is a study's
FINISHED = "part.json"  # that a part is finished
MOST_RESULT = 1 << 24  # bytes
SPELLS = {*"@:;,"}  # that the spelling of an agent gives a meaning


@dataclass(frozen=True)
class Store:
    """Where a study keeps its parts; what is not whole there is done again."""

    path: Path
    study: str

    def check(self) -> None:
        """Refuse a folder of something else, before anything is done."""
        if wrong := sorted(SPELLS & {*str(self.path)}):
            raise ValueError(f"{self.path} has {wrong[0]!r} in it, and agents are spelled with it")
        check_free(self.path, SIGN)
        if not (self.path / SIGN).exists():
            return
        try:
            fields, seal = lines.load(reading.data(self.path / SIGN))
            lines.check(fields, seal)
            known = fields["format"], fields["study"]
        except (ValueError, KeyError):
            raise ValueError(f"{self.path / SIGN} is damaged") from None
        if known != (FORMAT, self.study):
            raise ValueError(
                f"{self.path} holds the study {known[1]!r:.60} in format {known[0]!r:.20}, not "
                f"{self.study} in format {FORMAT}"
            )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Nobody else works here meanwhile."""
        self.check()
        with lock_folder(self.path, SIGN, f"another process works at the study in {self.path}"):
            about = {"format": FORMAT, "study": self.study, "ludus": version()}
            files.write(self.path / SIGN, lines.data(lines.dump(about, indent=2)))
            files.refuse_link(self.path / "parts")
            yield

    def place(self, part: Part) -> Path:
        """The folder of a part."""
        return self.path / "parts" / address(part)

    def read(self, part: Part) -> dict[str, Any] | None:
        """What is kept of a finished part; None while it is not finished."""
        file = self.place(part) / FINISHED
        if not file.exists():
            return None
        try:
            fields, seal = lines.load(reading.data(file, MOST_RESULT))
            lines.check(fields, seal)
            if fields["address"] != address(part) or not isinstance(fields["result"], dict):
                raise ValueError
        except (ValueError, KeyError):
            warnings.warn(f"{file} is damaged, and the part is done again", Notice, stacklevel=2)
            return None
        return fields

    def result(self, part: Part) -> dict[str, Any]:
        """The result of a finished part; nothing of others."""
        kept = self.read(part)
        return kept["result"] if kept else {}

    def write(self, part: Part, result: Mapping[str, Any], seconds: float) -> None:
        """Keep a result: from now on the part is finished."""
        kept = {
            "address": address(part),
            "title": part.title,
            "ludus": version(),
            "seconds": round(seconds, 2),
            "result": dict(result),
        }
        files.write(self.place(part) / FINISHED, lines.data(lines.dump(kept)))
