"""Super tic-tac-toe: its lines, its forfeits, its signals, text and notation."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.envs.sides import BOTH
from ludus.envs.versus import VersusGames

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())["super_ttt"]

# By rows and columns, as the rules speak; actions count by blocks.
NUMBER = {
    (top + row, left + column): 16 * block + 4 * row + column
    for block, (top, left) in enumerate([(0, 4), (4, 0), (4, 4), (4, 8), (8, 4)])
    for row in range(4)
    for column in range(4)
}


def text(marks, mover):
    """The text form of a board given as {(row, column): mark}."""
    rows = (
        "".join(marks.get((row, column), ".") for column in range(12) if (row, column) in NUMBER)
        for row in range(12)
    )
    return "/".join(rows) + " " + mover


def wins(cells):
    """Whether x has won with these cells, by what the native game says after the last of them."""
    game = ludus.game("supertictactoe")
    state = game.state(text(dict.fromkeys(cells[1:], "x"), "x"))
    return state.play(NUMBER[cells[0]], chance=NUMBER[cells[0]]).winner == 0


@pytest.fixture(scope="module")
def lines():
    """All straight runs of cells that win and would not without one of their ends."""
    found = {}
    for direction, (down, across) in {
        "horizontal4": (0, 1),
        "vertical4": (1, 0),
        "diag5": (1, 1),
        "anti5": (1, -1),
    }.items():
        found[direction] = []
        for row, column in NUMBER:
            for length in range(2, 7):
                run = [(row + i * down, column + i * across) for i in range(length)]
                if not set(run) <= set(NUMBER):
                    break
                if wins(run):
                    found[direction].append(run)
                    break
    return found


def test_cells():
    assert ludus.game("supertictactoe").num_actions == ORACLES["cells"] == len(NUMBER)


def test_lines(lines):
    assert {name: len(runs) for name, runs in lines.items()} == ORACLES["lines"]
    lengths = {name: {len(run) for run in runs} for name, runs in lines.items()}
    assert lengths == {"horizontal4": {4}, "vertical4": {4}, "diag5": {5}, "anti5": {5}}


def test_lines_through_a_cell(lines):
    through = Counter(cell for runs in lines.values() for run in runs for cell in run)
    assert [through[cell] for cell in [(0, 4), (4, 0), (11, 7), (7, 11)]] == [3, 3, 3, 3]
    assert (through[0, 5], through[4, 4], through[5, 5]) == (2, 11, 9)


def test_perft():
    state = ludus.game("supertictactoe", success=1).start()
    assert _core.perft(state, 3) == ORACLES["perft"]


@pytest.mark.slow
def test_perft_of_four_plies_ends_no_game():
    state = ludus.game("supertictactoe", success=1).start()
    assert _core.perft(state, 4)[-1] == 80 * 79 * 78 * 77


def test_perft_refuses_chance():
    with pytest.raises(ValueError, match="chance"):
        _core.perft(ludus.game("supertictactoe").start(), 1)


def test_the_first_win_is_at_the_seventh_ply():
    state = ludus.game("supertictactoe", success=1).replay("a8 l8 a7 l7 a6 l6 a5")
    assert (state.winner, state.plies) == (0, 7)


def test_five_in_a_row_of_four_win_too():
    cells = [(4, 2), (4, 0), (4, 1), (4, 3), (4, 4)]
    assert wins(cells)
    assert not wins([(4, 2), (4, 0), (4, 1), (4, 4), (4, 5)])


def test_four_on_a_diagonal_do_not_win():
    assert not wins([(4, 4), (5, 5), (6, 6), (7, 7)])


def test_lines_end_at_the_edge_of_the_cross():
    assert not wins([(4, 11), (4, 10), (5, 0), (5, 1)])  # neighbours only in reading order
    assert not wins([(3, 4), (2, 4), (4, 3), (4, 2)])


def test_forfeits_on_the_empty_board():
    state = ludus.game("supertictactoe").start()
    forfeit = {cell: dict(state.chances(action)).get(80, 0) for cell, action in NUMBER.items()}
    assert Counter(16 * chance for chance in forfeit.values()) == {5: 8, 3: 24, 2: 8, 1: 4, 0: 36}
    assert [cell for cell, chance in forfeit.items() if chance == 1 / 16] == [
        (4, 4),
        (4, 7),
        (7, 4),
        (7, 7),
    ]
    assert sum(forfeit.values()) / 80 == pytest.approx(0.103125)
    for (row, column), chance in forfeit.items():
        around = sum((row + i, column + j) in NUMBER for i in (-1, 0, 1) for j in (-1, 0, 1)) - 1
        assert chance == (8 - around) / 16


def test_where_a_mark_may_land():
    state = ludus.game("supertictactoe").state(text({(0, 4): "x", (1, 5): "o"}, "x"))
    chances = dict(state.chances(NUMBER[0, 5]))
    assert chances == {
        NUMBER[0, 5]: 1 / 2,
        NUMBER[0, 6]: 1 / 16,
        NUMBER[1, 4]: 1 / 16,
        NUMBER[1, 6]: 1 / 16,
        80: 5 / 16,
    }
    assert str(state.play(NUMBER[0, 5], chance=80)) == text({(0, 4): "x", (1, 5): "o"}, "o")


def test_a_stray_mark_can_win():
    state = ludus.game("supertictactoe").state(
        text(dict.fromkeys([(0, 4), (0, 5), (0, 6)], "x"), "x")
    )
    assert state.play(NUMBER[1, 7], chance=NUMBER[0, 7]).winner == 0


def test_planes():
    state = ludus.game("supertictactoe").state(text({(0, 4): "x", (5, 11): "o", (6, 0): "o"}, "o"))
    mine, theirs, cross = state.features()
    assert {tuple(cell) for cell in zip(*mine.nonzero(), strict=True)} == {(5, 11), (6, 0)}
    assert {tuple(cell) for cell in zip(*theirs.nonzero(), strict=True)} == {(0, 4)}
    assert {tuple(cell) for cell in zip(*cross.nonzero(), strict=True)} == set(NUMBER)
    assert (state.features("paper") == state.features()[:2]).all()
    assert (state.features("signed") == [mine - theirs]).all()


def after(marks, cell, mover="x"):
    """The state before and after a player marks a cell, and the action."""
    before = ludus.game("supertictactoe").state(text(marks, mover))
    return before, NUMBER[cell], before.play(NUMBER[cell], chance=NUMBER[cell])


@pytest.mark.parametrize(
    ("marks", "signal"),
    [
        ([(0, 4)], 0.0),
        ([(0, 4), (0, 5)], 0.02),
        ([(0, 4), (0, 5), (0, 6)], 0.1 * (2 * 0.2 + 0.5)),  # three are also two pairs
        ([(4, 4), (5, 5), (6, 6), (7, 7)], 0.1 * (3 * 0.2 + 2 * 0.5 + 0.8)),
        ([(0, 4), (0, 5), (1, 4), (1, 5)], 0.1 * (6 * 0.2)),
        ([(4, 11), (5, 0)], 0.0),
    ],
)
def test_the_designed_signal_counts_patterns_when_a_turn_is_answered(marks, signal):
    board = dict.fromkeys(marks, "x") | dict.fromkeys([(8, 4), (9, 4), (10, 7)], "o")
    before, action, state = after(board, (11, 4), "o")
    assert before.shaping(action, state, "designed") == pytest.approx((signal, 0))
    assert before.shaping(action, state, "original") == pytest.approx((0.1, 0))


def test_the_designed_signal_is_at_most_a_win():
    board = {(r, c): "x" for r, c in NUMBER if r % 4 < 3 and c % 4 < 3}
    before, action, state = after(board, (11, 7), "o")
    assert before.shaping(action, state, "designed") == (1, 0)


def test_a_lost_turn_earns_nothing_but_the_loss():
    """However many patterns the loser has, the paper pays it exactly -1 (equation 5)."""
    board = dict.fromkeys([(0, 4), (0, 5), (0, 6), (4, 4), (5, 5), (6, 6)], "x")
    board |= dict.fromkeys([(8, 4), (9, 4), (10, 4)], "o")
    quiet, action, then = after(board, (7, 11), "x")
    assert quiet.shaping(action, then, "designed")[0] == 0
    lost = then.play(NUMBER[11, 4], chance=NUMBER[11, 4])
    assert then.shaping(NUMBER[11, 4], lost, "designed") == (-1, 1)


def test_the_first_ply_answers_nothing():
    before, action, state = after({}, (0, 4))
    assert before.shaping(action, state, "original") == (0, 0)


def test_a_first_turn_that_was_forfeited_is_answered_too():
    """The board is still empty; equation 5 pays every turn after which the game goes on."""
    start = ludus.game("supertictactoe").start()
    forfeited = start.play(NUMBER[0, 4], chance=80)
    again = forfeited.play(NUMBER[0, 4], chance=80)
    assert start.shaping(NUMBER[0, 4], forfeited, "original") == (0, 0)
    assert forfeited.shaping(NUMBER[0, 4], again, "original") == pytest.approx((0.1, 0))
    marked = again.play(NUMBER[0, 4], chance=NUMBER[0, 4])
    assert again.shaping(NUMBER[0, 4], marked, "original") == pytest.approx((0, 0.1))
    assert again.shaping(NUMBER[0, 4], marked, "designed") == (0, 0)


@pytest.mark.parametrize("kind", ["designed", "original"])
def test_the_last_ply_of_the_cap_is_a_draw_and_signals_nothing(kind):
    """In a state, in a batch and against an opponent, though the board has patterns and room."""
    game = ludus.game("supertictactoe", success=1, max_plies=4)
    cells = [(0, 4), (8, 4), (0, 5), (8, 6)]  # two of x are side by side
    states = [game.start()]
    for cell in cells:
        states.append(states[-1].play(NUMBER[cell]))
    assert states[-1].outcome == 0
    assert states[-2].shaping(NUMBER[cells[-1]], states[-1], kind) == (0, 0)

    batch = ludus.batch(game, 1, seed=1, shaping=kind)
    versus = VersusGames(game, 1, seed=1, learner_side=BOTH, shaping=kind)
    signals, told = np.ones((1, 2), np.float32), versus.arrays()
    for cell in cells:
        action = np.full(1, NUMBER[cell], np.int32)
        batch.step(action, signals=signals)
        versus.step(action, told)
    assert told.dones[0]
    assert (told.shaping[0], told.opponent_shaping[0]) == (0, 0)
    assert signals.tolist() == [[0, 0]]


def test_the_end_signals_its_outcome_to_both():
    before, action, state = after(dict.fromkeys([(0, 4), (0, 5), (0, 6)], "x"), (0, 7))
    for kind in type(state).shapings():
        assert before.shaping(action, state, kind) == (1, -1)


def test_a_full_board_is_a_draw_and_signals_nothing():
    full = {(r, c): "xo"[(r // 2 + c) % 2] for r, c in NUMBER}
    last = next(cell for cell, mark in full.items() if mark == "x")
    before, action, state = after({c: m for c, m in full.items() if c != last}, last)
    assert (state.outcome, state.winner, state.legal()) == (0, None, [])
    for kind in type(state).shapings():
        assert before.shaping(action, state, kind) == (0, 0)


def test_a_forfeit_keeps_the_patterns():
    before = ludus.game("supertictactoe").state(text(dict.fromkeys([(0, 4), (0, 5)], "x"), "o"))
    state = before.play(NUMBER[0, 6], chance=80)
    assert before.shaping(NUMBER[0, 6], state, "designed") == pytest.approx((0.02, 0))


def test_shapings_by_name():
    before, action, state = after({}, (0, 4))
    assert type(state).shapings() == ["designed", "original"]
    with pytest.raises(ValueError, match="no shaping 'dense'"):
        before.shaping(action, state, "dense")


def test_notation():
    game = ludus.game("supertictactoe")
    names = {cell: game.move(game.start(), action) for cell, action in NUMBER.items()}
    assert (names[0, 4], names[11, 7], names[4, 0], names[7, 11]) == ("e12", "h1", "a8", "l5")
    assert len(set(names.values())) == 80
    assert all(game.action(game.start(), name) == NUMBER[cell] for cell, name in names.items())


@pytest.mark.parametrize(
    ("success", "board", "mover", "sentence"),
    [
        (1, {}, "o", "alternate"),
        (0.5, {}, "o", None),
        (1, {(0, 4): "x"}, "o", None),
        (1, {(0, 4): "x"}, "x", "alternate"),
        (0.5, dict.fromkeys([(0, 4), (0, 5), (0, 6), (0, 7)], "x"), "x", "already has a line"),
        (0.5, dict.fromkeys([(0, 4), (0, 5), (0, 6), (0, 7)], "x"), "o", None),
        (0.5, dict.fromkeys([(r, c) for r in (0, 2) for c in range(4, 8)], "x"), "o", "no single"),
        (0.5, {(0, 4): "z"}, "x", "and then who moves"),
        (0.5, {}, "z", "and then who moves"),
        (0.5, {}, "xx", "and then who moves"),
    ],
)
def test_strict_text(success, board, mover, sentence):
    game = ludus.game("supertictactoe", success=success)
    if sentence is None:
        assert str(game.state(text(board, mover))) == text(board, mover)
    else:
        with pytest.raises(ValueError, match=sentence):
            game.state(text(board, mover))
