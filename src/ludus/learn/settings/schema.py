"""A JSON schema of `config.json`: what a run of a method may have been asked."""

from __future__ import annotations

from typing import Any

from ludus.options import Option, describe

TYPES = {int: "integer", float: "number", bool: "boolean", str: "string"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
BOUNDS = {
    "low": "minimum",
    "high": "maximum",
    "above": "exclusiveMinimum",
    "below": "exclusiveMaximum",
}


def run_schema(method: str, kind: Any) -> dict[str, Any]:
    """The whole file: what was asked, of which game, with which settings."""
    return {
        "$schema": DRAFT,
        "title": f"config.json of a run of {method}",
        "type": "object",
        "properties": {
            "format": {"const": 1},
            "ludus": {"type": "string", "description": "release that wrote it"},
            "rules": {"type": "integer", "description": "version of the game's rules"},
            "algorithm": {"const": method},
            "game": {"type": "string", "description": "game with its parameters"},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2**63 - 1},
            "python": {"type": "object", "description": "what tells a game written in Python"},
            "config": config_schema(kind),
            "command": {"type": "string", "description": "command that began the run"},
            "crc32": {"type": "integer", "description": "checksum of the file"},
        },
        "required": ["format", "rules", "algorithm", "game", "seed", "config", "command"],
        "additionalProperties": False,
    }


def config_schema(kind: Any) -> dict[str, Any]:
    """The settings, each with its range, default and sentence."""
    return {
        "type": "object",
        "properties": {one.name: option_schema(one) for one in describe(kind)},
        "additionalProperties": False,
    }


def option_schema(one: Option) -> dict[str, Any]:
    """One setting."""
    named = [TYPES[own] for own in one.types] + ["null"] * one.optional
    facts = one.facts
    found: dict[str, Any] = {
        "type": named[0] if len(named) == 1 else named,
        "default": one.default,
        "description": facts.help,
        "x-group": facts.group,
    }
    if facts.choices:
        found["enum"] = list(facts.choices)
    for name, key in BOUNDS.items():
        if (end := getattr(facts, name)) is not None:
            found[key] = end
    told = {"x-symbol": facts.symbol, "x-paper": facts.paper}
    return found | {name: value for name, value in told.items() if value}
