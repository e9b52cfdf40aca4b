r"""Tables on disk: a header that says whose they are, then arrays; refused unless whole.

    ludus-table-1\n | length of the header, its checksum | header (JSON) | arrays, each on a page

Nothing in a table can run: the header is JSON, the arrays are bytes.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ludus import reading
from ludus.files import atomic_writer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

MAGIC = b"ludus-table-1\n"
FRONT = struct.Struct("<II")  # length of the header, its checksum
MOST_HEADER = 1 << 20
PIECE = 1 << 24  # bytes checksummed and written at a time


@dataclass(frozen=True)
class SolvedTable:
    """A whole table, its arrays mapped from the file."""

    path: Path
    header: dict[str, Any]
    arrays: dict[str, NDArray[np.uint8]]

    def array(self, name: str, kind: str = "u1") -> NDArray[Any]:
        """An array that must be there, as numbers of this kind."""
        import numpy as np

        found, kind_of = self.arrays.get(name), np.dtype(kind)
        if found is None or len(found) % kind_of.itemsize:
            raise ValueError(f"{self.path} is damaged: it has no {name}, or not all of them")
        return found.view(kind_of)


def write(path: Path, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write beside and rename: the old or the new, never half; nothing new if the disk fills."""
    pieces = {name: array.reshape(-1).view("u1").data for name, array in arrays.items()}
    told = [
        {"name": name, "bytes": len(piece), "crc32": checksum(piece)}
        for name, piece in pieces.items()
    ]
    text = json.dumps({**header, "arrays": told}).encode()
    if len(text) > MOST_HEADER:
        raise ValueError(f"the header of {path.name} would be {len(text)} bytes")
    front = MAGIC + FRONT.pack(len(text), zlib.crc32(text)) + text
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as file:
        file.write(front)
        for piece in pieces.values():
            file.write(bytes(-file.tell() % mmap.PAGESIZE))
            for at in range(0, len(piece), PIECE):
                file.write(piece[at : at + PIECE])


def pour(path: Path, expected: Mapping[str, Any], into: Arrays) -> dict[str, Any]:
    """Read a table's arrays into these, piece by piece, and give its header.

    Nothing is mapped, so this takes no memory; after a flaw, found only at the end, the arrays are
    worth nothing.
    """
    with reading.open_file(path) as file:
        header, at = header_of(path, file, expected)
        if [told["name"] for told in header["arrays"]] != list(into):
            raise ValueError(f"{path} has other arrays than these")
        for told, array in zip(header["arrays"], into.values(), strict=True):
            piece = array.reshape(-1).view("u1").data
            at += -at % mmap.PAGESIZE
            file.seek(at)
            if len(piece) != told["bytes"] or not fill(file, piece):
                raise ValueError(f"{path} is truncated, or of another size")
            if checksum(piece) != told["crc32"]:
                raise ValueError(f"{path} is damaged: the checksum of its {told['name']} is wrong")
            at += told["bytes"]
    return header


def fill(file: BinaryIO, piece: memoryview) -> bool:
    """Read into all of it, if the file has as much."""
    return all(
        file.readinto(part) == len(part)  # type: ignore[attr-defined]
        for start in range(0, len(piece), PIECE)
        if (part := piece[start : start + PIECE])
    )


def read(path: Path, expected: Mapping[str, Any]) -> SolvedTable:
    """Map a table whose header says what is expected; a flaw is a ValueError naming the file."""
    import numpy as np

    with reading.open_file(path) as file:
        header, start = header_of(path, file, expected)
        size = os.fstat(file.fileno()).st_size
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays, at = {}, start
    for told in header["arrays"]:
        at += -at % mmap.PAGESIZE
        if at + told["bytes"] > size:
            raise ValueError(f"{path} is truncated")
        arrays[told["name"]] = np.frombuffer(whole, np.uint8, told["bytes"], at)
        if checksum(arrays[told["name"]].data) != told["crc32"]:
            raise ValueError(f"{path} is damaged: the checksum of its {told['name']} is wrong")
        at += told["bytes"]
    if at != size:
        raise ValueError(f"{path} is damaged: {size - at} bytes too many")
    return SolvedTable(path, header, arrays)


def header_of(
    path: Path, file: BinaryIO, expected: Mapping[str, Any]
) -> tuple[dict[str, Any], int]:
    """The header, which says what is expected, and where it ends."""
    header, end = read_header(path, file.read(len(MAGIC) + FRONT.size + MOST_HEADER))
    for name, value in expected.items():
        if header.get(name) != value:
            raise ValueError(f"{path} is a table with {name} {header.get(name)!r}, not {value!r}")
    return header, end


def read_header(path: Path, front: bytes) -> tuple[dict[str, Any], int]:
    """The header, and where it ends."""
    at = len(MAGIC) + FRONT.size
    if not front.startswith(MAGIC) or len(front) < at:
        raise ValueError(f"{path} is not a table of ludus, or of another version")
    length, crc = FRONT.unpack_from(front, len(MAGIC))
    text = front[at : at + length]
    if len(text) != length or zlib.crc32(text) != crc:
        raise ValueError(f"{path} is damaged: the checksum of its header is wrong")
    try:
        header = reading.parse(text, MOST_HEADER)
    except ValueError as error:
        raise ValueError(f"{path} is damaged: its header is {error}") from None
    if not isinstance(header, dict) or not is_sound(header.get("arrays")):
        raise ValueError(f"{path} is damaged: its header does not say what it holds")
    return header, at + length


def is_sound(arrays: Any) -> bool:
    """Whether a header lists arrays: their names, sizes and checksums."""
    return isinstance(arrays, list) and all(
        isinstance(told, dict)
        and told.keys() == {"name", "bytes", "crc32"}
        and type(told["name"]) is str
        and all(type(told[name]) is int and told[name] >= 0 for name in ("bytes", "crc32"))
        for told in arrays
    )


def checksum(piece: memoryview) -> int:
    """Of any number of bytes, in pieces that leave room for Ctrl-C."""
    crc = 0
    for at in range(0, len(piece), PIECE):
        crc = zlib.crc32(piece[at : at + PIECE], crc)
    return crc
