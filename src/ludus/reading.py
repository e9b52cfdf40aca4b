"""Reading what anybody may have written: regular files only, so large and no larger, plain JSON.

Whatever is wrong is a ValueError that says so in a sentence. Nothing here waits for a pipe, reads a
device to its end, or fills the memory: sizes are checked before anything is read.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

Item = TypeVar("Item", bound=Hashable)

MOST_BYTES = 1 << 24  # of a JSON text
MOST_LINE = 1 << 25  # of a line of records: games of a million plies
MOST_LINES = 1 << 22  # that are kept at once: more steps or games than a run has
MOST_KEPT = 1 << 30  # bytes of a file of such lines
LOOKED_FOR = 256  # megabytes, in which the end of a line that is too long may be
MOST_DEPTH = 32  # objects and lists inside each other
MOST_PARTS = 200_000  # objects and lists in all
MOST_DIGITS = 300  # of a number: a float holds it


def open_file(path: str | Path, *, follow: bool = True) -> BinaryIO:
    """A regular file, open for reading; a pipe, a device or a folder is refused, not waited for."""
    how = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    handle = os.open(path, how if follow else how | os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError(f"{path} is not a file")
    return os.fdopen(handle, "rb")


def data(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file that is not larger than this."""
    with open_file(path) as file:
        large = os.fstat(file.fileno()).st_size > most
        found = b"" if large else file.read(most + 1)  # it may grow meanwhile
    if large or len(found) > most:
        raise ValueError(f"{path} is too large: more than {most:,} bytes")
    return found


def text(path: str | Path, most: int = MOST_BYTES) -> str:
    """The text of such a file."""
    return decode(data(path, most), f"{path} is not text in UTF-8")


def lines(path: str | Path, most: int = MOST_LINE) -> Iterator[bytes]:
    """The lines of a file of any size, with their ends, one at a time; a last one may lack it."""
    with open_file(path) as file:
        number = 0
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most and ends_later(file):
                raise ValueError(f"{path}, line {number} is too long: more than {most:,} bytes")
            yield line


def bounded_lines(path: str | Path) -> Iterator[bytes]:
    """The lines of a file that are to be kept in memory, all of them: so many and no more."""
    if Path(path).stat().st_size > MOST_KEPT:
        raise ValueError(f"{path} is too large: more than {MOST_KEPT:,} bytes")
    for number, line in enumerate(lines(path), 1):
        if number > MOST_LINES:
            raise ValueError(f"{path} is too large: more than {MOST_LINES:,} lines")
        yield line


def ends_later(file: BinaryIO) -> bool:
    """Whether the line's end comes, or is too far to be looked for; else it was cut off."""
    for _ in range(LOOKED_FOR):
        part = file.read(1 << 20)
        if not part:
            return False
        if b"\n" in part:
            break
    return True


def decode(written: bytes, otherwise: str) -> str:
    """Text in UTF-8; `otherwise` is what to say of anything else."""
    try:
        return written.decode()
    except UnicodeDecodeError:
        raise ValueError(otherwise) from None


def load(path: str | Path, most: int = MOST_BYTES) -> Any:
    """The JSON in a file."""
    return parse(data(path, most), most)


def parse(written: str | bytes, most: int = MOST_BYTES, *, finite: bool = True) -> Any:
    """JSON as its standard has it: no NaN, no field twice; bounded in size, depth and digits.

    With `finite=False` NaN and infinities are read as Python writes them.
    """
    if len(written) > most:
        raise ValueError(f"more than {most:,} bytes of JSON")
    if isinstance(written, bytes):
        written = decode(written, "not text in UTF-8")
    parts = written.count("[") + written.count("{")
    if parts > MOST_PARTS:
        raise ValueError(f"more than {MOST_PARTS:,} lists and objects")
    try:
        found = json.loads(
            written,
            object_pairs_hook=fields,
            parse_int=parse_whole,
            parse_float=number if finite else None,
            parse_constant=constant if finite else None,
        )
    except json.JSONDecodeError:
        raise ValueError("not JSON") from None
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    if parts > MOST_DEPTH:
        check_depth(found)
    return found


TOO_DEEP = f"more than {MOST_DEPTH} lists and objects inside each other"


def check_depth(value: Any) -> None:
    """Refuse what a recursive reader could fall over, level by level."""
    level = [value]
    for _ in range(MOST_DEPTH + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise ValueError(TOO_DEEP)


def fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, each field once."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = first_duplicate(name for name, _ in pairs)
        raise ValueError(f"the field {twice[:60]!r} is there twice")
    return found


def first_duplicate(items: Iterable[Item]) -> Item:
    """The first that is there twice, in one pass: a stranger chose how many there are."""
    seen: set[Item] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    raise AssertionError("none of them is there twice")


def parse_whole(digits: str) -> int:
    """A whole number of a sane length."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def number(digits: str) -> float:
    """A number that a float can hold."""
    found = float(digits) if len(digits) <= MOST_DIGITS else math.inf
    if not math.isfinite(found):
        raise ValueError(f"the number {digits[:60]} is too large")
    return found


def constant(name: str) -> NoReturn:
    """Python would read these, and no standard has them."""
    raise ValueError(f"{name} is no number")
