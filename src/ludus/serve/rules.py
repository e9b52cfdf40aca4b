"""The rules of each game, short and illustrated."""

from __future__ import annotations

from typing import Any


def rules(name: str) -> dict[str, Any]:
    """{title, html} of a registered game; ValueError where there is none. Only our own files."""
    raise ValueError(f"there are no rules of {name} yet")
