"""One game has one spelling, however its parameters were written."""

import pytest

import ludus
from ludus.game import game_of


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("supertictactoe:success=1", "supertictactoe:success=1.0"),
        ("supertictactoe:success=1/2", "supertictactoe"),
        ("connect4:rows=6", "connect4"),
    ],
)
def test_a_game_is_spelled_in_one_way(written, other):
    game = ludus.game(written)
    assert game.spelling == ludus.game(other).spelling == ludus.game(game.spelling).spelling
    assert game_of(game.start()).spelling == game.spelling
