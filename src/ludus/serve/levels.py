"""Levels from beginner to perfect, with their measured ratings."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.game import Game, game, is_registered

FILE = Path(__file__).with_name("levels.json")
NAMES = ("beginner", "novice", "casual", "club", "strong", "expert", "master", "champion")
PERFECT = "perfect"
PLAYING = ("onnx", "onnxruntime", "safetensors")  # what networks play with
LEARNED = "zoo/"  # agents that are networks, and know one game
NUMBERS = ("elo", "low", "high")
UNMEASURED = (
    {"name": NAMES[0], "agent": "random"},
    {"name": NAMES[3], "agent": "uct:simulations=100"},
    {"name": NAMES[6], "agent": "uct:simulations=5000"},
)


def levels(game: Game) -> list[dict[str, Any]]:
    """[{level, name, agent, elo, low, high, games}], the weakest first.

    Elo counts from random play, within this game only. With other parameters than those that were
    measured the agents are the same, without ratings and without those that learned another game.
    """
    known = measured_levels() if is_registered(game.kind) else {}
    found = known.get(game.spelling)
    if found is None:
        plain = [
            level
            for level in known.get(game.name, UNMEASURED)
            if not level["agent"].startswith(LEARNED)
        ]
        found = [{**level, **dict.fromkeys(NUMBERS), "games": 0} for level in plain]
    here = [level for level in found if networks_play() or not level["agent"].startswith(LEARNED)]
    return [{"level": rank, **level} for rank, level in enumerate(here, 1)]


def networks_play() -> bool:
    """Whether what networks play with is installed."""
    return all(find_spec(name) is not None for name in PLAYING)


@cache
def measured_levels() -> dict[str, list[dict[str, Any]]]:
    """The levels by game, from the file; made by scripts/levels.py."""
    read = reading.parse(reading.data(FILE))
    return {spelling: check_levels(spelling, one) for spelling, one in read.items()}


def check_levels(spelling: str, found: Any) -> list[dict[str, Any]]:
    """The levels of a game, if they are in order and complete."""
    levels: list[dict[str, Any]] = found["levels"]
    game(spelling)
    for level in levels:
        right = isinstance(level["agent"], str) and isinstance(level["name"], str)
        numbers = [level[name] for name in NUMBERS]
        if not right or not all(type(number) is int for number in numbers):
            raise ValueError(f"{FILE.name}: a level of {spelling} is not complete")
        if not level["low"] <= level["elo"] <= level["high"]:
            raise ValueError(f"{FILE.name}: {level['agent']} of {spelling} is outside its interval")
    elo = [level["elo"] for level in levels]
    if elo != sorted(elo):
        raise ValueError(f"{FILE.name}: the levels of {spelling} do not rise")
    return levels
