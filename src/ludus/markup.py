"""Small tables of HTML, as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(head: Sequence[object], rows: Iterable[Sequence[object]], title: str = "") -> str:
    """Rows under a head; whatever is in them is only text."""
    top = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
