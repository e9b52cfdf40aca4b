"""The course of a training: a JSON line a step, which tells damage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import files, lines, reading
from ludus.learn.settings.renamed import new_metric

TOLD = 3  # damaged lines that are named; of more only the count is


@dataclass(frozen=True)
class Metrics:
    """A file of metrics."""

    file: Path

    def append(self, metrics: Mapping[str, Any]) -> None:
        """Write down a step, whole or not at all."""
        files.append(self.file, lines.data(lines.dump(metrics)))

    def course(self) -> list[dict[str, Any]]:
        """Every step that is whole."""
        return [fields for _, fields in self.read_whole()[0] if fields is not None]

    def flaws(self) -> list[str]:
        """A sentence for each damage."""
        return self.read_whole()[1]

    def read_whole(self) -> tuple[list[tuple[bytes, dict[str, Any] | None]], list[str]]:
        """The lines with what they say, None where they are damaged; and the damages in words."""
        if not self.file.exists():
            return [], []
        whole, torn = files.read_lines(self.file)
        found = contents(whole)
        damaged = [number for number, (_, fields) in enumerate(found, 1) if fields is None]
        flaws = [
            f"{self.file}, line {number} is damaged, and is passed over"
            for number in damaged[:TOLD]
        ]
        if len(damaged) > TOLD:
            flaws.append(f"{self.file} has {len(damaged) - TOLD} damaged lines more")
        steps = [fields["step"] for _, fields in found if fields is not None]
        lost = max(steps, default=0) - len({*steps} - {0}) - len(damaged)
        if lost > 0:
            flaws.append(f"{self.file} lacks {lost} of {max(steps)} steps")
        if len({*steps}) < len(steps):
            flaws.append(f"{self.file} has step {reading.first_duplicate(steps)} twice")
        if torn:
            flaws.append(f"{self.file}, line {len(whole) + 1} was cut off, and is dropped")
        return found, flaws

    def cut(self, step: int) -> list[str]:
        """Forget what came after a step that is gone back to; damages are told, and stay."""
        found, flaws = self.read_whole()
        last = max(
            (at for at, (_, one) in enumerate(found, 1) if one and one["step"] <= step), default=0
        )
        kept = [line for line, one in found[:last] if one is None or one["step"] <= step]
        trained = sum(1 for _, one in found[:last] if one is None or 0 < one["step"] <= step)
        if trained < step and not any("damaged" in flaw or "lacks" in flaw for flaw in flaws):
            flaws.append(f"{self.file} lacks {step - trained} of {step} steps")
        data = b"".join(line + b"\n" for line in kept)
        if self.file.exists() and (flaws or len(kept) < len(found)):
            files.write(self.file, data)
        return flaws


def games_of(fields: Mapping[str, Any]) -> int:
    """The games that were over after a step; a stranger may have written anything."""
    games = fields.get("games", 0)
    return int(games) if math.isfinite(games) and games > 0 else 0


def contents(written: Iterable[bytes]) -> list[tuple[bytes, dict[str, Any] | None]]:
    """The lines with what they say; once one has a checksum, all that follow have one."""
    found, sealed = [], False
    for line in written:
        fields, seal = content(line)
        found.append((line, None if sealed and seal is None else fields))
        sealed |= fields is not None and seal is not None
    return found


def content(line: bytes) -> tuple[dict[str, Any] | None, int | None]:
    """What a line says, if it is whole, and its checksum, if it has one."""
    try:
        fields, seal = lines.load(line, finite=False)
        lines.check(fields, seal)
    except ValueError:
        return None, None
    if not measures(fields) or (seal is None and lines.is_misnamed(fields)):
        return None, seal
    return {new_metric(name): value for name, value in fields.items()}, seal


def bounds(name: str) -> tuple[str, str]:
    """The names of a metric's interval: `elo_low`, but `score AGENT low`."""
    gap = " " if " " in name else "_"
    return f"{name}{gap}low", f"{name}{gap}high"


def measures(fields: Mapping[str, Any]) -> bool:
    """Whether this is what a step came to: a number for each name."""
    step = fields.get("step")
    numbers = all(type(value) in (int, float) for value in fields.values())
    return numbers and type(step) is int and 0 <= step < 2**63
