"""Arrays in a safetensors file, read by name, each looked at before it is read.

A stranger may have written the file: it is opened once, as a regular file of bounded size, and its
header has to describe every byte of it.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ludus import reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

DTYPES = {
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "U16": "uint16",
    "I16": "int16",
    "U32": "uint32",
    "I32": "int32",
    "U64": "uint64",
    "I64": "int64",
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
}
BYTES = {name: int(name[1:]) // 8 if name != "BOOL" else 1 for name in DTYPES}
LENGTH = 8  # bytes of the number that a file begins with: the length of its header
MOST_HEADER = 16 << 20
CHUNK = 1 << 20
MOST_AXES = 32
ABOUT = "__metadata__"


class Unreadable(ValueError):  # noqa: N818  (a state of a file)
    """A file that is not what it should be; the sentence goes on from its name."""


@dataclass(frozen=True)
class Entry:
    """What the header says of an array."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


@contextmanager
def open_file(path: Path, most: int) -> Iterator[tuple[BinaryIO, int]]:
    """A regular file, no link and no pipe, of at most so many bytes; and its size."""
    try:
        source = reading.open_file(path, follow=False)
    except OSError:
        raise Unreadable("cannot be read") from None
    except ValueError:
        raise Unreadable("is no file") from None
    with source as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise Unreadable(f"has {size:,} bytes, more than the {most:,} that it may have")
        try:
            yield file, size
        except OSError:
            raise Unreadable("cannot be read") from None


def contents(path: Path, most: int) -> bytes:
    """All of a small file."""
    with open_file(path, most) as (file, size):
        return read_exactly(file, size)


def chunks(file: BinaryIO, count: int) -> Iterator[bytes]:
    """So many bytes from here on, piece by piece."""
    while count:
        part = file.read(min(count, CHUNK))
        if not part:
            raise Unreadable("ends too early")
        yield part
        count -= len(part)


def read_exactly(file: BinaryIO, count: int) -> bytes:
    """So many bytes from here on."""
    return b"".join(chunks(file, count))


def digest_of(path: Path, most: int) -> str:
    """The checksum of a file, whatever its size in little memory."""
    found = hashlib.sha256()
    with open_file(path, most) as (file, size):
        for part in chunks(file, size):
            found.update(part)
    return found.hexdigest()


def header_of(path: Path, most: int) -> dict[str, Entry]:
    """What arrays a file holds."""
    with open_file(path, most) as (file, size):
        return header(file, size)


def header(file: BinaryIO, size: int) -> dict[str, Entry]:
    """The arrays that a file says it holds; together they are all of it."""
    length = int.from_bytes(read_exactly(file, LENGTH), "little") if size >= LENGTH else size
    if length > min(MOST_HEADER, size - LENGTH):
        raise Unreadable("has no header")
    try:
        told = reading.parse(read_exactly(file, length), MOST_HEADER)
    except Unreadable:
        raise
    except ValueError:
        raise Unreadable("has a header that cannot be read") from None
    if not isinstance(told, dict):
        raise Unreadable("has a header that cannot be read")
    found = {name: entry(name, one) for name, one in told.items() if name != ABOUT}
    at = 0
    for name, one in sorted(found.items(), key=lambda item: (item[1].start, item[1].end)):
        if one.start != at:
            raise Unreadable(f"has {name} at the wrong place")
        at = one.end
    if at != size - LENGTH - length:
        raise Unreadable("has another length than its header says")
    begin = LENGTH + length
    return {
        name: Entry(one.dtype, one.shape, begin + one.start, begin + one.end)
        for name, one in found.items()
    }


def entry(name: str, told: Any) -> Entry:
    """One array of a header, checked."""
    refusal = Unreadable(f"has a header that says nonsense of {name}")
    if not isinstance(told, dict) or told.keys() != {"dtype", "shape", "data_offsets"}:
        raise refusal
    kind, shape, places = told["dtype"], told["shape"], told["data_offsets"]
    if not isinstance(kind, str) or kind not in DTYPES:
        raise refusal
    if not all(isinstance(one, list) and all(map(is_natural, one)) for one in (shape, places)):
        raise refusal
    if len(shape) > MOST_AXES or len(places) != 2 or math.prod(max(1, n) for n in shape) >= 2**62:
        raise refusal
    if places[1] - places[0] != math.prod(shape) * BYTES[kind]:
        raise refusal
    return Entry(DTYPES[kind], tuple(shape), *places)


def is_natural(number: Any) -> bool:
    """A whole number that a file can have a place for."""
    return type(number) is int and 0 <= number < 2**62


def read(path: Path, most: int, names: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """The arrays of these names, or all; each has memory of its own."""
    import numpy as np  # late: the command line has to answer quickly

    with open_file(path, most) as (file, size):
        known = header(file, size)
        found = {}
        for name in known if names is None else names:
            one = known[name]
            file.seek(one.start)
            data = bytearray(read_exactly(file, one.end - one.start))
            found[name] = np.frombuffer(data, one.dtype).reshape(one.shape)
        return found
