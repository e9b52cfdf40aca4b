"""A preset: the settings that a paper prints, on its own game, and what had to be filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ludus.game import game

if TYPE_CHECKING:
    from ludus.game import Game


@dataclass(frozen=True)
class Preset:
    """Settings by name. What a paper does not print and we chose is in `filled`, with the reason.

    Fields of a Config that are in neither have ludus' own defaults.
    """

    name: str
    game: str  # its spelling, with the parameters that the paper played with
    paper: str  # which, and where in it the settings stand
    settings: Mapping[str, Any]
    filled: Mapping[str, str] = field(default_factory=dict)  # a setting, or game: why so


Presets = Mapping[str, Preset]


def by_name(*presets: Preset) -> Presets:
    """A table of a method's presets."""
    return {one.name: one for one in presets}


def find(name: str, presets: Presets) -> Preset:
    """The preset of this name."""
    if name not in presets:
        near = get_close_matches(name, presets, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"no preset {name!r:.60}; {hint}there are {', '.join(presets) or 'none'}")
    return presets[name]


def training_game(preset: Preset | None, asked: str | None) -> tuple[Game, str]:
    """The game to train on, and a sentence where it is another than the paper's.

    A preset brings its game. The bare name of that game means the same; with parameters of its own
    it is what was asked for.
    """
    if preset is None:
        if asked is None:
            raise ValueError("which game? `ludus games` lists them; a --preset brings its own")
        return game(asked), ""
    papers = game(preset.game)
    if asked is None or asked == papers.name:
        return papers, ""
    chosen = game(asked)
    if chosen.name != papers.name:
        raise ValueError(f"the preset {preset.name} is for {papers.name}, not for {chosen.name}")
    if chosen.spelling == papers.spelling:
        return chosen, ""
    return chosen, f"the paper of {preset.name} plays {preset.game}, not {asked:.120}"
