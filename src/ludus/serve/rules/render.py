"""Text into HTML: paragraphs, headings, lists and diagrams, and nothing else; all is escaped.

## Heading
- an item of a list
Words with **weight** and `code`.
{board: POSITION or start | game: SPELLING | after: MOVES | show: MOVES | caption: WORDS}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from ludus.serve.rules.diagram import diagram


def html(name: str, text: str) -> str:
    """A page of rules of this game; blank lines part its blocks."""
    blocks = (block.strip() for block in re.split(r"\n\s*\n", text))
    return "\n".join(part for block in blocks if block for part in render(name, block))


def render(name: str, block: str) -> Iterator[str]:
    """The elements of a block; a list may follow its sentence without a blank line."""
    if block.startswith("{"):
        yield figure(name, fields(block))
        return
    for listed, lines in groupby(block.split("\n"), lambda line: line.startswith("- ")):
        if listed:
            items = "".join(f"<li>{inline(line[2:])}</li>" for line in lines)
            yield f"<ul>{items}</ul>"
        else:
            paragraph = " ".join(lines)
            heading = paragraph.startswith("## ")
            tag, words = ("h3", paragraph[3:]) if heading else ("p", paragraph)
            yield f"<{tag}>{inline(words)}</{tag}>"


def inline(words: str) -> str:
    """Escaped, then with weight and code."""
    safe = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escape(words))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)


def fields(block: str) -> dict[str, str]:
    """What a diagram is made of."""
    parts = (part.partition(":") for part in block.removeprefix("{").removesuffix("}").split(" | "))
    return {name.strip(): value.strip() for name, _, value in parts}


def figure(name: str, wanted: dict[str, str]) -> str:
    """A diagram with its caption, which a screen reader reads as its name."""
    caption = wanted.pop("caption")
    picture = diagram(name, wanted).svg
    return (
        f'<figure class="diagram"><div role="img" aria-label="{escape(caption)}">{picture}</div>'
        f"<figcaption>{inline(caption)}</figcaption></figure>"
    )
