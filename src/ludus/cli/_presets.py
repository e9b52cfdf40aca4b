"""What presets there are: of which paper, on which game, what each sets and what was filled in."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ludus.cli._common import answer, say
from ludus.learn.settings.preset import Preset, Presets

WIDE = 80


def list_presets(tables: Mapping[str, Presets], json: bool) -> int:
    """All presets of these methods, for a person or a program."""
    if json:
        records = [
            record(method, one) for method, table in tables.items() for one in table.values()
        ]
        answer({"presets": records})
        return 0
    for method, table in tables.items():
        for one in table.values():
            for line in describe_preset(method, one):
                say(line)
            say()
    say("All else has ludus' defaults, which `ludus train METHOD --help` lists.")
    return 0


def record(method: str, preset: Preset) -> dict[str, Any]:
    """A preset as JSON has it."""
    return {
        "method": method,
        "name": preset.name,
        "game": preset.game,
        "paper": preset.paper,
        "settings": dict(preset.settings),
        "filled": dict(preset.filled),
    }


def describe_preset(method: str, preset: Preset) -> Iterator[str]:
    """A preset in lines that fit a terminal."""
    yield f"ludus train {method} --preset {preset.name}"
    yield from wrap_under("game", preset.game)
    yield from wrap_under("paper", preset.paper)
    printed = [
        f"{name}={setting_text(value)}"
        for name, value in preset.settings.items()
        if name not in preset.filled
    ]
    yield from wrap_under("sets", ", ".join(printed))
    for name, why in preset.filled.items():
        value = f"={setting_text(preset.settings[name])}" if name in preset.settings else ""
        yield from wrap_under("filled in", f"{name}{value}: {why}")


def setting_text(value: object) -> str:
    """A setting as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def wrap_under(head: str, text: str) -> list[str]:
    """A line under its heading, as many as it takes."""
    start = f"  {head:10} "
    return textwrap.wrap(
        text,
        WIDE,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )
