"""What a report is made of, whether it becomes HTML or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.arena.record import Record
from ludus.report.chart import Curve


@dataclass(frozen=True)
class Heading:
    """Of the report, of a question, or of something in it."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A sentence or two; `dim` for a remark."""

    text: str
    dim: bool = False


@dataclass(frozen=True)
class Listing:
    """Sentences one below the other."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Sheet:
    """A table of text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Drawing:
    """A picture, whose file has a name of its own."""

    name: str
    title: str
    curves: Sequence[Curve]
    x: str
    y: str
    share: bool = False


@dataclass(frozen=True)
class Commands:
    """What was run."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Boards:
    """Games to step through."""

    name: str
    records: Sequence[Record]


Block = Heading | Paragraph | Listing | Sheet | Drawing | Commands | Boards
