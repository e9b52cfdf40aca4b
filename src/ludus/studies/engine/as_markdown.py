"""A report as Markdown, with its pictures as files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ludus.plain import plain
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
from ludus.studies.engine.picture import standalone

FENCE = "```"
SPECIAL = re.compile(r"([\\`*_<>|\[\]#])")


def as_markdown(blocks: Iterable[Block]) -> str:
    """The whole text."""
    return "\n\n".join(filter(None, map(markdown_of, blocks))) + "\n"


def pictures(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """The files that it shows, by name."""
    for block in blocks:
        if isinstance(block, Drawing):
            yield f"{block.name}.svg", standalone(block)
        elif isinstance(block, Boards) and block.records:
            yield f"{block.name}.svg", last_board(block)


def last_board(block: Boards) -> str:
    """How the first of some games ended."""
    record = block.records[0]
    return str(record.game.draw(record.states[-1]).svg)


def markdown_of(block: Block) -> str:
    """One block."""
    match block:
        case Heading(level, text):
            return f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(text):
            return escape_markdown(text)
        case Listing(lines):
            return "\n".join(f"- {escape_markdown(line)}" for line in lines)
        case Sheet(head, rows):
            table = [head, ["---"] * len(head), *rows]
            return "\n".join(f"| {' | '.join(map(cell, row))} |" for row in table)
        case Drawing():
            title = escape_markdown(block.title)
            return f"**{title}**\n\n![{title}](plots/{block.name}.svg)"
        case Commands(lines):
            inside = "\n".join(plain(line).replace(FENCE, "") for line in lines)
            return f"{FENCE}sh\n{inside}\n{FENCE}"
        case Boards(name, records):
            return f"![The end of a game](plots/{name}.svg)" if records else ""


def cell(text: str) -> str:
    """What stands in a table."""
    return text if text == "---" else escape_markdown(text)


def escape_markdown(text: str) -> str:
    """Text as text."""
    return SPECIAL.sub(r"\\\1", plain(text))
