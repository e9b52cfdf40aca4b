"""What each player sees of a board, whoever is to move."""

import random

import pytest

import ludus
from tests.conftest import playout

OTHER = {"B": "W", "W": "B", "1": "2", "2": "1", "r": "b", "b": "r", "x": "o", "o": "x"}
OTHER |= {"l": "d", "d": "l"}
# Where the text form says who is to move. It cannot differ where the board decides it: in Connect
# Four, and where marks are put down in turn and none is ever lost.
MOVER = {
    "cathedral": lambda text: len(text.rsplit(" ", 3)[0]) + 1,
    "checkers": lambda text: 0,
    "chinesecheckers": lambda text: len(text) - 1,
    "kingcourtesan": lambda text: len(text) - 1,
    "supertictactoe": lambda text: len(text) - 1,
    "tictactoe": lambda text: len(text) - 1,
}
MARKS = ("supertictactoe", "tictactoe")


def exchanged(game, state):
    """The same board with the other player to move, or None where the rules know no such state."""
    text = str(state)
    at = MOVER[game.name](text)
    try:
        return game.state(text[:at] + OTHER[text[at]] + text[at + 1 :])
    except ValueError:
        return None


def test_the_mover_sees_the_features(game):
    for state in playout(game, random.Random(1)):
        assert (state.features(player=state.player) == state.features()).all()


def test_no_feature_is_larger_than_said(game):
    for planes in game.kind.planes:
        most = game.kind.largest.get(planes, 1.0)
        for state in playout(game, random.Random(3)):
            assert abs(state.features(planes)).max() <= most


def test_who_waits_sees_what_it_would_see_if_it_moved(game):
    if game.name not in MOVER or (game.name in MARKS and not game.start().chancy):
        pytest.skip("who moves follows from the board")
    compared = 0
    for seed in range(10):
        for state in playout(game, random.Random(seed)):
            other = exchanged(game, state)
            if other is not None:
                assert (state.features(player=1 - state.player) == other.features()).all()
                compared += 1
        if compared > 20:
            break
    assert compared > 5


def test_both_views_of_connect_four_have_the_same_stones():
    for state in playout(ludus.game("connect4"), random.Random(2)):
        assert (state.features(player=1 - state.player) == state.features()[::-1]).all()


def test_a_ply_that_is_lost_to_chance_leaves_the_waiting_players_view():
    game = ludus.game("tictactoe", success=0.5)
    state = game.start().play(4, chance=4)
    lost = state.play(0, chance=9)
    assert (state.features(player=1 - state.player) == lost.features()).all()


def test_a_player_is_one_of_two():
    with pytest.raises(ValueError, match="a player is 0 or 1, not 2"):
        ludus.game("connect4").start().features(player=2)


def test_a_game_written_in_python_may_show_the_other_side():
    class Nim:
        """Take one or two; whoever takes the last one wins."""

        def __init__(self, left=5, player=0):
            self.left, self.player = left, player

        num_actions, shape = 2, (2, 1, 1)
        start = classmethod(lambda cls: cls())
        parse = classmethod(lambda cls, text: cls(*map(int, text.split())))
        outcome = property(lambda self: None if self.left else -1)

        def legal(self):
            return list(range(min(2, self.left)))

        def play(self, action):
            return Nim(self.left - action - 1, 1 - self.player)

        def features(self):
            return [[[self.left / 5]], [[self.player]]]

        def waiting(self):
            return Nim(self.left, 1 - self.player)

        def __str__(self):
            return f"{self.left} {self.player}"

        def __eq__(self, other):
            return str(self) == str(other)

        def __hash__(self):
            return hash(str(self))

    state = ludus.game(Nim).start()
    assert state.features(player=0)[1] == 0
    assert state.features(player=1)[1] == 1
