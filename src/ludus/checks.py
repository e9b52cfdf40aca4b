"""Checks of what a person gives: one sentence says what was meant."""

from __future__ import annotations

from typing import Any


def check_whole(name: str, value: Any, least: int, most: int) -> int:
    """Check a count that a person gave."""
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {value!r}")
    return value
