"""Answers in a file as they are found, so that a killed evaluation goes on after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus import files, lines


@dataclass
class Ledger:
    """The first line tells what is asked, each other line is an answer; without a path, no file."""

    path: Path | None
    head: dict[str, Any]
    answers: list[dict[str, Any]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        if self.path is None:
            return
        known = read_whole(self.path) if self.path.exists() else []
        if not known:
            files.append(self.path, lines.data(lines.dump(self.head)))
        elif known[0] != self.head:
            raise ValueError(
                f"{self.path} is of another evaluation: give the same agents and options, or "
                "another file"
            )
        self.answers = known[1:]

    def append(self, answer: Mapping[str, Any]) -> None:
        """Write an answer down, to the disk."""
        if self.path is not None:
            files.append(self.path, lines.data(lines.dump(answer)))


def read_whole(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file; what a kill cut off in the last one is dropped."""
    whole, half = files.read_lines(path)
    found = []
    for number, line in enumerate(whole, 1):
        try:
            fields, seal = lines.load(line)
            lines.check(fields, seal)
        except ValueError as wrong:
            raise ValueError(f"{path}, line {number}: {wrong}") from None
        found.append(fields)
    if half and not found and not half.startswith(b'{"suite"'[: len(half)]):
        raise ValueError(f"{path} holds something else: give another file")
    if half:
        files.truncate(path, sum(len(line) + 1 for line in whole))
    return found
