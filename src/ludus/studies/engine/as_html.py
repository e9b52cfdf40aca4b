"""A report as one page that fetches nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ludus.report.chart import legend
from ludus.report.page import document, escape, paragraph, remark
from ludus.report.stepper import steppers
from ludus.studies.engine.blocks import (
    Block,
    Boards,
    Commands,
    Drawing,
    Heading,
    Listing,
    Paragraph,
    Sheet,
)
from ludus.studies.engine.picture import chart_of


def as_html(title: str, blocks: Iterable[Block]) -> str:
    """The whole page."""
    parts = []
    for drawn, group in groupby(blocks, lambda block: isinstance(block, Drawing)):
        inside = "".join(map(html_of, group))
        parts.append(f"<div class=grid>{inside}</div>" if drawn else inside)
    return document(title, *parts)


def html_of(block: Block) -> str:
    """One block."""
    match block:
        case Heading(level, text):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text, dim=faint):
            return remark(text) if faint else paragraph(text)
        case Listing(lines):
            return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        case Sheet(head, rows):
            return sheet(head, rows)
        case Drawing():
            return (
                f"<figure><h3>{escape(block.title)}</h3>{chart_of(block)}"
                f"<figcaption>{legend(block.curves)}</figcaption></figure>"
            )
        case Commands(lines):
            inside = "<br>".join(f"<code>{escape(line)}</code>" for line in lines)
            return f"<details><summary>Commands</summary>{inside}</details>"
        case Boards(_, records):
            return steppers(records)


def sheet(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table, its first column as heads."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        lines.append(f"<tr><th>{escape(first)}</th>{cells}</tr>")
    return f"<div class=wide><table><thead><tr>{top}</tr></thead>{''.join(lines)}</table></div>"
