"""JSON lines that tell damage: each carries the checksum of what it says."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from ludus import reading

SEAL = "crc32"  # lines of the first releases have none


def dump(fields: Mapping[str, Any], indent: int | None = None) -> str:
    """The fields as a line, with their checksum and an end of line; several lines if indented."""
    line = json.dumps({**fields, SEAL: checksum(fields)}, ensure_ascii=False, indent=indent)
    return line + "\n"


def checksum(fields: Mapping[str, Any]) -> int:
    """Of what the fields say, however they are written."""
    return zlib.crc32(json.dumps(fields, sort_keys=True).encode())


def load(line: str | bytes, *, finite: bool = True) -> tuple[dict[str, Any], int | None]:
    """The fields of a line and the checksum it carries, if any; `check` compares them."""
    try:
        fields = reading.parse(text(line), reading.MOST_LINE, finite=finite)
    except ValueError as error:
        raise ValueError(f"this is not a whole line of JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError("a record is a JSON object")
    return fields, fields.pop(SEAL, None)


def check(fields: Mapping[str, Any], seal: int | None) -> None:
    """Refuse fields that are not those the checksum was made of."""
    if seal is not None and seal != checksum(fields):
        raise ValueError("the line is damaged: its checksum is wrong")


def is_misnamed(fields: Mapping[str, Any]) -> bool:
    """Whether the checksum stands under another name, which it had not when it was written."""
    *others, last = fields or [SEAL]
    return fields.get(last) == checksum({name: fields[name] for name in others})


def text(line: str | bytes) -> str:
    """As text; what is no UTF-8 is kept as it is, since file names need not be."""
    return line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")


def data(line: str) -> bytes:
    """The bytes of a line: `text` the other way round."""
    return line.encode("utf-8", "surrogateescape")
