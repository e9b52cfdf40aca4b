"""The replies that were asked for so far, kept on disk: what a proof resumes from.

Parts follow each other in the file, each with its length and checksum; a part that a killed
process left half written is dropped.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.files import append, create, truncate
from ludus.lab.positions import NAME_BYTES, NAMES, places_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.lab.positions import Names

HEAD = struct.Struct("<II")  # entries, CRC-32 of what follows
ENTRY_BYTES = NAME_BYTES + 3
UNJUDGED = 2  # nobody asked what the reply is worth


@dataclass
class ReplyStore:
    """Replies by position, with what they are worth to who replied where an oracle judged them."""

    file: Path | None = None
    names: Names = field(default_factory=lambda: np.empty(0, NAMES))
    actions: NDArray[np.uint16] = field(default_factory=lambda: np.empty(0, np.uint16))
    worths: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    _new: list[Any] = field(default_factory=list)

    @classmethod
    def open(cls, file: Path) -> ReplyStore:
        """Those of a file; what is torn at its end is dropped."""
        if not file.exists():
            create(file, b"")
            return cls(file)
        written = file.read_bytes()
        parts, at = [], 0
        while (part := read_part(written, at)) is not None:
            parts.append(part)
            at += HEAD.size + ENTRY_BYTES * len(part[0])
        if at < len(written):
            truncate(file, at)
        made = cls(file)
        made._new = parts
        made.merge()
        return made

    def __len__(self) -> int:
        return len(self.names)

    def add(self, names: Names, actions: NDArray[np.uint16], worths: NDArray[np.int8]) -> None:
        """Keep these, down to the disk; `merge` makes them found."""
        if self.file is not None:
            data = names.tobytes() + actions.astype("<u2").tobytes() + worths.tobytes()
            append(self.file, HEAD.pack(len(names), zlib.crc32(data)) + data)
        self._new.append((names, actions, worths))

    def merge(self) -> None:
        """Sort in what was added."""
        if not self._new:
            return
        parts = [(self.names, self.actions, self.worths), *self._new]
        names, actions, worths = (np.concatenate(column) for column in zip(*parts, strict=True))
        _, last = np.unique(names[::-1], return_index=True)  # a later answer says more
        order = len(names) - 1 - last
        self.names, self.actions, self.worths = names[order], actions[order], worths[order]
        self._new = []

    def look_up(
        self, names: Names
    ) -> tuple[NDArray[np.bool_], NDArray[np.uint16], NDArray[np.int8]]:
        """Whether there is an answer to each, which, and its worth."""
        at, known = places_among(names, self.names)
        if not len(self.names):
            return known, np.zeros(len(names), np.uint16), np.zeros(len(names), np.int8)
        return known, self.actions[at], self.worths[at]


def read_part(written: bytes, at: int) -> tuple[Any, Any, Any] | None:
    """The part that begins here; None where there is no whole one."""
    if len(written) < at + HEAD.size:
        return None
    count, crc = HEAD.unpack_from(written, at)
    start = at + HEAD.size
    end = start + ENTRY_BYTES * count
    if not count or end > len(written) or zlib.crc32(memoryview(written)[start:end]) != crc:
        return None
    names = np.frombuffer(written, NAMES, count, start)
    actions = np.frombuffer(written, "<u2", count, start + NAME_BYTES * count)
    return names, actions, np.frombuffer(written, np.int8, count, end - count)
