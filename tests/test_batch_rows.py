"""Rows of a batch: taken out, put back, given up, and paid by the game's shaping."""

import numpy as np
import pytest

import ludus
from ludus import _core


def arrays(batch, rows):
    return (
        np.zeros((rows, *batch.shape), np.float32),
        np.zeros((rows, batch.num_actions), np.bool_),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.float32),
    )


def played(batch, rows, plies):
    """All that so many random plies write."""
    written = []
    for _ in range(plies):
        actions = np.zeros(rows, np.int32)
        batch.sample(actions)
        out = arrays(batch, rows)
        batch.step(actions, *out)
        written.append(b"".join(array.tobytes() for array in out))
    return written


def test_a_batch_taken_up_again_goes_on_exactly(game):
    rows = 5
    batch, other = ludus.batch(game, rows, seed=3), ludus.batch(game, rows, seed=9)
    played(batch, rows, 12)
    randoms = np.zeros(rows, np.uint64)
    batch.randoms(randoms)
    for row in range(rows):
        other.put(row, game.state(bytes(batch.state(row))))
    other.put_randoms(randoms)
    assert played(batch, rows, 40) == played(other, rows, 40)


def test_rows_that_are_given_up_begin_anew(game):
    rows = 4
    batch = ludus.batch(game, rows, seed=2)
    played(batch, rows, 3)
    before = [batch.state(row) for row in range(rows)]
    batch.restart(np.array([True, False, True, False]))
    for row in range(rows):
        after = batch.state(row)
        if row % 2:
            assert (after, after.plies) == (before[row], before[row].plies)
        else:
            assert after.plies == 0


@pytest.mark.parametrize(
    ("spelling", "kind"),
    [
        ("cathedral:size=8,rules=seed", "dense"),
        ("checkers", "material"),
        ("supertictactoe", "designed"),
        ("supertictactoe:success=1.0", "original"),
    ],
)
def test_signals_are_those_of_single_states(spelling, kind):
    game, rows = ludus.game(spelling), 6
    batch = ludus.batch(game, rows, seed=4, frame="absolute", shaping=kind)
    signals, outcomes = np.zeros((rows, 2), np.float32), np.zeros(rows, np.float32)
    checked = 0
    for _ in range(60):
        before = [batch.state(row) for row in range(rows)]
        actions = np.zeros(rows, np.int32)
        batch.sample(actions)
        batch.step(actions, outcomes=outcomes, signals=signals)
        for row in range(rows):
            if not np.isnan(outcomes[row]):
                continue  # the state where it ended is gone
            mover = before[row].player
            paid = before[row].shaping(int(actions[row]), batch.state(row), kind)
            assert (paid[mover], paid[1 - mover]) == pytest.approx(tuple(signals[row]))
            checked += 1
    assert checked > 200


def test_the_end_pays_both_in_signals():
    batch = ludus.batch(ludus.game("supertictactoe:success=1.0"), 8, seed=1, shaping="designed")
    signals, outcomes = np.zeros((8, 2), np.float32), np.zeros(8, np.float32)
    wins = 0
    for _ in range(400):
        actions = np.zeros(8, np.int32)
        batch.sample(actions)
        batch.step(actions, outcomes=outcomes, signals=signals)
        for row in np.flatnonzero(outcomes == 1):
            assert signals[row].tolist() == [1, -1]
            wins += 1
    assert wins


def test_without_shaping_signals_are_nothing():
    batch = ludus.batch(ludus.game("cathedral:size=8"), 2, seed=1)
    signals, actions = np.ones((2, 2), np.float32), np.zeros(2, np.int32)
    batch.sample(actions)
    batch.step(actions, signals=signals)
    assert not signals.any()


def test_mistakes_are_told():
    game = ludus.game("connect4")
    batch = ludus.batch(game, 3)
    with pytest.raises(ValueError, match="no shaping 'dense' in this game"):
        ludus.batch(game, 3, shaping="dense")
    with pytest.raises(
        ValueError, match="no shaping 'x' in this game; there are designed, original"
    ):
        ludus.batch(ludus.game("supertictactoe"), 3, shaping="x")
    with pytest.raises(ValueError, match="a row"):
        batch.state(3)
    with pytest.raises(ValueError, match="a game that goes on"):
        batch.put(0, game.replay("1122334"))
    with pytest.raises(ValueError, match="other parameters"):
        batch.put(0, ludus.game("connect4:rows=5").start())
    with pytest.raises(ValueError, match="of another game"):
        batch.put(0, ludus.game("tictactoe").start())
    with pytest.raises(ValueError, match="randoms has 3 items"):
        batch.put_randoms(np.zeros(2, np.uint64))
    with pytest.raises(TypeError, match="rows is a C-contiguous, writable array of bool"):
        batch.restart(np.zeros(3, np.int8))


@pytest.mark.parametrize("games", [0, -1, 10**8 + 1, 2**63, 2**70])
def test_as_many_games_as_nobody_plays_are_refused(games):
    state = ludus.game("connect4").start()
    for begin in (
        lambda: _core.batch(state, games, 0, "full", True),
        lambda: _core.versus(state, games, 0, "full", (False, True, 0.0)),
    ):
        with pytest.raises(ValueError, match=f"games is between 1 and 100000000, not {games}"):
            begin()
