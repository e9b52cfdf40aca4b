"""The rules of each game: short pages of our own, illustrated by `ludus.draw`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from ludus.reading import data
from ludus.serve.rules.render import html

FOLDER = Path(__file__).parent


def pages() -> list[str]:
    """The games that have a page of rules."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


@cache
def rules(name: str) -> dict[str, Any]:
    """{title, html} of a registered game; ValueError where there is none. Only our own files."""
    if name not in pages():
        raise ValueError(f"there are no rules of {name!r:.60}; there are of {', '.join(pages())}")
    first, _, body = data(FOLDER / f"{name}.md").decode().partition("\n")
    return {"title": first.removeprefix("# "), "html": html(name, body)}
