"""Connect Four: published numbers."""

import json
from pathlib import Path

import pytest

import ludus
from ludus import _core

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())["connect4"]


def test_perft():
    assert _core.perft(ludus.game("connect4").start(), 9) == ORACLES["perft_1_9"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "6 rows of 7 cells"),
        ("......./......./......./......./......./......z", "cells '.', 'x', 'o'"),
        ("......./......./......./......./.x...../.......", "nothing below it"),
        ("......./......./......./......./......./oo.....", "x moves first"),
        ("......./......./......./......./ooo..../xxxx...", None),
    ],
)
def test_strict_text(text, sentence):
    game = ludus.game("connect4")
    if sentence is None:
        assert str(game.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            game.state(text)
