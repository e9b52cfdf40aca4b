"""Connect Four: published numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.conftest import playout

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


def successors(states):
    """Every distinct state one ply further."""
    return {state.play(action) for state in states for action in state.legal()}


def distinct_positions(plies):
    """How many distinct positions there are at each ply, and how many of them are won."""
    states, distinct, won = {ludus.game("connect4").start()}, [1], [0]
    for _ in range(plies):
        states = successors(states)
        distinct.append(len(states))
        won.append(sum(state.outcome is not None for state in states))
    return distinct, won


def test_distinct_positions():
    distinct, won = distinct_positions(7)
    assert distinct == ORACLES["distinct_positions_ply_0_42"][:8]
    assert won[7] == ORACLES["won_positions_ply_7_9"][0]


@pytest.mark.slow
def test_distinct_positions_further():
    distinct, won = distinct_positions(9)
    assert distinct == ORACLES["distinct_positions_ply_0_42"][:10]
    assert won[7:] == ORACLES["won_positions_ply_7_9"]


def lines():
    """The 69 lines of four, as sets of (row, column)."""
    found = []
    for row in range(6):
        for column in range(7):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * dr, column + i * dc) for i in range(4)]
                if all(0 <= r < 6 and 0 <= c < 7 for r, c in cells):
                    found.append(cells)
    return found


def test_exactly_the_69_lines_win(rng):
    assert len(lines()) == 69
    seen = set()
    game = ludus.game("connect4")
    for _ in range(3000):
        *_, last = playout(game, rng)
        rows = str(last).split("/")
        mark = "xo"[1 - last.player]
        complete = [
            index
            for index, cells in enumerate(lines())
            if all(rows[r][c] == mark for r, c in cells)
        ]
        assert bool(complete) == (last.outcome == -1)
        seen.update(complete)
    assert len(seen) == 69


def test_columns_are_written_1_to_7():
    game = ludus.game("connect4")
    assert [game.move(game.start(), a) for a in range(7)] == list("1234567")
    assert str(game.replay("4453")) == "......./......./......./......./...o.../..oxx.."
    assert game.replay("4 4 5 3") == game.replay("4453")


@pytest.mark.parametrize("name", ["Test_L1_R1", "Test_L2_R1", "Test_L3_R1"])
def test_known_positions_replay_and_go_on(name):
    """The published sets hold unfinished positions; a win at once is told by its score."""
    path = Path(__file__).parents[3] / "shared" / "data" / name
    if not path.exists():
        pytest.skip("the published test sets are not beside this checkout")
    game = ludus.game("connect4")
    for line in path.read_text().splitlines():
        moves, score = line.split()
        state = game.replay(moves)
        assert state.outcome is None
        assert state.plies == len(moves)
        wins_now = any(state.play(a).outcome == -1 for a in state.legal())
        assert wins_now == (int(score) == (44 - (len(moves) + 1)) // 2)


@pytest.mark.parametrize(
    "spelled", ["connect4", "connect4:rows=4,columns=5", "connect4:rows=1,columns=32"]
)
def test_the_signed_plane_has_own_stones_as_1_and_the_others_as_minus_1(spelled):
    game, rng = ludus.game(spelled), np.random.default_rng(1)
    state = game.start()
    while state.outcome is None:
        mine, theirs = state.features()
        for player in (None, 0, 1):
            signed = state.features("signed", player)
            assert signed.shape == (1, *mine.shape) == state.shape("signed")
            assert (
                signed[0] == (mine - theirs) * (1 if player in (None, state.player) else -1)
            ).all()
        state = state.play(int(rng.choice(state.legal())))


def test_a_batch_sees_the_signed_plane_that_a_state_does():
    """The default size has code of its own, chosen in batches."""
    batch = ludus.batch(ludus.game("connect4"), 5, seed=1, planes="signed")
    seen = np.zeros((5, *batch.shape), np.float32), np.zeros((5, 7), np.bool_), np.zeros(5, np.int8)
    outcomes, signals = np.zeros(5, np.float32), np.zeros((5, 2), np.float32)
    for column in (3, 3, 2, 4, 3):
        batch.step(np.full(5, column, np.int32), *seen, outcomes, signals)
    for row in range(5):
        assert (seen[0][row] == batch.state(row).features("signed")).all()
    assert {*np.unique(seen[0])} == {-1, 0, 1}
