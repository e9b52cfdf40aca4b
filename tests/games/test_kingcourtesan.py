"""King and Courtesan: computed numbers, each way to win, strict text, notation."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())[
    "king_courtesan"
]
START = ".bbbbB/r.bbbb/rr.bbb/rrr.bb/rrrr.b/Rrrrr. r"


def game(size=6):
    return ludus.game("kingcourtesan", size=size)


def moves(state):
    at = game(len(str(state).split("/")))
    return {at.move(state, action) for action in state.legal()}


def played(text, move):
    at = game(len(text.split("/")))
    return at.replay(move, at.state(text))


@pytest.mark.parametrize("size", [3, 4, 6])
def test_perft(size):
    nodes = ORACLES[str(size)]
    assert _core.perft(game(size).start(), len(nodes)) == nodes


def test_the_start():
    state = game().start()
    assert str(state) == START
    assert state.num_actions == 1296
    assert game(8).num_actions == 4096
    assert state.player == 0
    steps = {move for move in moves(state) if "-" in move}
    diagonal = {move for move in steps if move[0] != move[3] and move[1] != move[4]}
    assert len(moves(state)) == 22
    assert diagonal == {"a4-b5", "b3-c4", "c2-d3", "d1-e2"}
    assert len(steps - diagonal) == 10
    assert {move for move in moves(state) if "x" in move} == {
        "a5xb6",
        "b4xc5",
        "c3xd4",
        "d2xe3",
        "e1xf2",
    }
    assert {move for move in moves(state) if "/" in move} == {"a1/a2", "a1/b1", "a1/b2"}


def test_the_second_player_wins_on_the_smallest_board():
    lengths = {}

    def solved(state):
        """Who wins for the player to move, and in how many plies the winner does it."""
        if state.outcome is not None:
            return state.outcome, 0
        text = str(state)
        if text not in lengths:
            replies = [solved(state.play(action)) for action in state.legal()]
            lost = [plies for outcome, plies in replies if outcome == -1]
            value = (1, min(lost) + 1) if lost else (-1, max(p for _, p in replies) + 1)
            lengths[text] = value
        return lengths[text]

    assert ORACLES["value"]["3"] == "second player wins, 14 plies"
    assert solved(game(3).start()) == (-1, 14)


def test_random_play():
    """Two samples of 100,000 games agree within four standard errors."""
    games = 100_000
    wins, losses, draws, plies = _core.playouts(game().start(), 7, 0, games, 1)
    assert draws == 0
    assert wins + losses == games
    assert wins / games == pytest.approx(0.495, abs=4 * 0.5 * (2 / games) ** 0.5)
    assert plies / games == pytest.approx(41.2, abs=0.05 + 4 * 9 * (2 / games) ** 0.5)


def test_random_play_has_about_22_moves():
    rng = random.Random(5)
    counts = []
    for _ in range(1500):
        state = game().start()
        while state.outcome is None:
            legal = state.legal()
            counts.append(len(legal))
            state = state.play(rng.choice(legal))
    assert np.mean(counts) == pytest.approx(21.86, abs=0.2)
    assert 30 < max(counts) <= 50
    assert min(counts) >= 1


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("..B/R../... r", "a2-a3", "R.B/.../... b"),
        ("..B/R../... r", "a2-b3", ".RB/.../... b"),
        ("..B/b../r.R r", "a1xa2", "..B/r../..R b"),
        ("..B/r../b.R b", "a1xa2", "..B/b../..R r"),  # forward for Blue is back for Red
        ("b.B/r.R/... r", "a2xa3", "r.B/..R/... b"),
        ("..B/bR./... r", "b2xa2", "..B/R../... b"),  # captures go backward, too
        ("..B/r../R.. r", "a1/a2", "..B/R../r.. b"),
        ("..B/..b/R.. b", "c3/c2", "..b/..B/R.. r"),
    ],
)
def test_a_move(before, move, after):
    assert str(played(before, move)) == after


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        # Steps go forward only; just a king may move onto a friend.
        ("..B/.r./R.. r", {"b2-b3", "b2-c2", "b2xc3", "a1-a2", "a1-b1", "a1/b2"}),
        # The other way round for Blue.
        ("..B/.b./R.. b", {"b2-b1", "b2-a2", "b2xa1", "c3-b3", "c3-c2", "c3/b2"}),
        # A courtesan does not exchange, and the king does so only forward.
        ("r.B/rR./... r", {"a2-b3", "a3-b3", "b2-b3", "b2-c2", "b2xc3"}),
        # A piece in the last corner can only capture.
        ("b.r/B../..R r", {"c1-c2"}),
        ("B.r/.b./..R r", {"c3xb2", "c1xb2", "c1-c2"}),
    ],
)
def test_where_pieces_go(before, expected):
    assert moves(game(3).state(before)) == expected


@pytest.mark.parametrize(
    ("before", "move"),
    [
        (".R./..B/... r", "b3-c3"),  # the king arrives by a step
        (".Rb/..B/... r", "b3xc3"),  # by a capture
        (".Rr/B../... r", "b3/c3"),  # by an exchange
        (".RB/.../... r", "b3xc3"),  # by capturing the king at home
        ("b../B../.R. b", "a2-a1"),
        ("b../Br./rR. b", "a2xa1"),
        ("R../B../b.. b", "a2/a1"),
        ("r../.B./..R r", "c1xb2"),  # a king captures the king
        ("r../.B./..R b", "b2xc1"),
        ("rB./.../..R r", "a3xb3"),  # a courtesan captures the king
        ("b../.../RbB b", "b1xa1"),
    ],
)
def test_a_win(before, move):
    state = played(before, move)
    mover = "rb".index(before[-1])
    assert state.outcome == -1
    assert state.player == 1 - mover
    assert state.winner == mover
    assert state.returns == ((1, -1) if mover == 0 else (-1, 1))
    assert state.legal() == []
    assert str(game(3).state(str(state))) == str(state)
    with pytest.raises(ValueError, match="the game is over"):
        state.play(0)


@pytest.mark.parametrize(
    ("before", "move"),
    [
        (".r./B../R.. r", "b3-c3"),  # a courtesan on the enemy's home
        ("..B/bR./... b", "a2-a1"),
        ("R../..B/... r", "a3-b3"),  # a king next to it
        ("r.B/R../... r", "a2/a3"),  # a king in a corner that is nobody's home
    ],
)
def test_no_win(before, move):
    state = played(before, move)
    assert state.outcome is None
    assert state.winner is None
    assert state.legal()


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8])
def test_a_move_always_exists_and_games_end(size, rng):
    for _ in range(30):
        state = game(size).start()
        for _ in range(700):
            if state.outcome is not None:
                break
            state = state.play(rng.choice(state.legal()))
        assert state.outcome == -1


@pytest.mark.parametrize(
    "text",
    [
        START,
        START[:-1] + "b",
        "....../....../....../....../....../R....B b",
        "....../....../....../....../....../.....B r",  # Red's king was just captured
        "....../....../....../....../....../R..... b",
        "....../....../....../....../....../B....R r",  # Blue's king has arrived
        "bbbbbB/....../....../....../....../R..... r",
    ],
)
def test_text_reads_back(text):
    assert str(game().state(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "6 rows of 6 cells"),
        (START[:-2], "6 rows of 6 cells"),
        (START + " ", "6 rows of 6 cells"),
        (START[:-1] + "w", "6 rows of 6 cells"),
        (START.replace(" ", "/"), "6 rows of 6 cells"),
        ("..B/.../R.. r", "6 rows of 6 cells"),
        (START.replace("/", "|"), "joined by '/'"),
        ("x" + START[1:], "cells '.'"),
        ("\0" + START[1:], "cells '.'"),
        (START.replace("B", "b"), "each side has one king"),  # Blue, not to move, has none
        (START.replace("R", "."), None),
        (START.replace("R", "r"), "at most 14 courtesans"),  # 15 courtesans and no king
        (START.replace("R", "r").replace(" r", " b"), "each side has one king"),
        (START.replace(".b", "Rb", 1), "each side has one king"),
        (START.replace(".b", "Bb", 1), "each side has one king"),
        (START.replace(".b", "rb", 1), "at most 14 courtesans"),
        (START.replace(".b", "bb", 1), "at most 14 courtesans"),
        ("....R./....../....../....../....../.....B r", None),
        (".....R/....../....../....../....../....B. r", "already stands on the enemy's home"),
        ("....R./....../....../....../....../B..... b", "already stands on the enemy's home"),
    ],
)
def test_strict_text(text, sentence):
    if sentence is None:
        assert str(game().state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            game().state(text)


@pytest.mark.parametrize("size", [-1, 0, 2, 9, 10**9])
def test_sizes(size):
    with pytest.raises(ValueError, match=f"between 3 and 8, not {size}"):
        game(size)


def test_notation_is_read_back_and_mistakes_are_named():
    state = game().replay("a5-a6 f2xe1 a1/b2")
    assert str(state) == "rbbbbB/..bbbb/rr.bbb/rrr.bb/rRrr../rrrrb. b"
    with pytest.raises(ValueError, match="no move 'b6xa5' here"):
        game().action(state, "b6xa5")


def test_the_planes_of_the_mover():
    state = game(3).state("..B/rb./R.. b")
    assert state.shape() == state.shape("paper") == (6, 3, 3)
    king, courtesans, enemy_king, enemy_courtesans, empty, player = state.features()
    # Blue sees its home as the cell (0, 0).
    assert king.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert courtesans.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert enemy_king.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert enemy_courtesans.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert empty.tolist() == [[0, 1, 1], [1, 0, 0], [1, 1, 0]]
    assert player.tolist() == [[1, 1, 1]] * 3
    assert game(3).start().features()[5].sum() == 0
    assert np.array_equal(state.features(), state.features("paper"))


def test_both_players_see_the_same_start():
    red = game().start()
    blue = game().state(START[:-1] + "b")
    assert np.array_equal(red.features()[:5], blue.features()[:5])
    assert np.array_equal(red.mask(), blue.mask())
    assert red.key != blue.key


def test_the_board_is_mirrored_in_the_line_of_the_homes():
    state = game(3).state("r.B/..b/R.. b")
    assert state.num_symmetries == 2
    assert str(state.transformed(1)) == ".bB/.../R.r b"
    assert state.transformed_action(1, 8 * 9 + 7) == 8 * 9 + 5
