"""Games that OpenSpiel has by the same rules, move by move beside it."""

import random

import pytest

import ludus

pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize(
    ("name", "theirs"), [("connect4", "connect_four"), ("tictactoe", "tic_tac_toe")]
)
def test_random_games_go_the_same_way(name, theirs):
    game, other = ludus.game(name), pyspiel.load_game(theirs)
    assert game.num_actions == other.num_distinct_actions()
    rng = random.Random(2)
    for _ in range(300):
        state, peer = game.start(), other.new_initial_state()
        while state.outcome is None:
            assert not peer.is_terminal()
            assert state.player == peer.current_player()
            assert sorted(state.legal()) == peer.legal_actions()
            action = rng.choice(state.legal())
            state = state.play(action)
            peer.apply_action(action)
        assert peer.is_terminal()
        assert list(state.returns) == peer.returns()
