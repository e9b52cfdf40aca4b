"""Lines of play are counted to any depth that makes sense, and to no other."""

import pytest

import ludus
from ludus import _core


class Stones:
    """What a count needs of a state: take one to three stones, as long as there are any."""

    num_actions = 3

    def __init__(self, stones=10, player=0):
        self.stones, self.player = stones, player

    @property
    def outcome(self):
        return None if self.stones else -1

    def legal(self):
        return [a for a in range(3) if a < self.stones]

    def play(self, action):
        return Stones(self.stones - action - 1, 1 - self.player)


class Endless(Stones):
    """The first player moves on and on."""

    def play(self, action):
        return self


@pytest.mark.parametrize("count", [_core.perft, _core.perft_turns])
@pytest.mark.parametrize("depth", [0, -1, -(2**31), 65, 2**31, 2**64, 10**30])
def test_a_depth_that_makes_no_sense_is_refused(count, depth):
    for start in (ludus.game("connect4").start(), ludus.game("checkers").start(), Stones()):
        with pytest.raises(ValueError, match="depth"):
            count(start, depth)
        for depth_of_another_type in (1.5, "3", None):
            with pytest.raises(TypeError):
                count(start, depth_of_another_type)


@pytest.mark.parametrize("count", [_core.perft, _core.perft_turns])
def test_a_game_that_ends_soon_is_counted_to_the_greatest_depth(count):
    found = count(Stones(), 64)
    assert found[:3] == [3, 9, 27]
    assert found[9:] == [1] + [0] * 54


def test_a_turn_without_end_is_refused():
    with pytest.raises(ValueError, match="a turn here takes more than 1000 actions"):
        _core.perft_turns(Endless(), 1)
