"""Endgame tables: the numbers of RULES, plain search, and each state beside its successors."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.reference.solve import solve, turns, wins_within

CHECKERS = ludus.game("checkers")
BOARDS = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774}  # published


def solved(endgames, threads=2):
    table = np.zeros(endgames.size, np.uint8)
    solver = endgames.solver(table)
    while not solver.done:
        solver.work(1.0, threads)
    return table, solver


@pytest.fixture(scope="module")
def small():
    """King and Courtesan on 3 x 3."""
    endgames = _core.endgames(ludus.game("kingcourtesan:size=3").start())
    table, solver = solved(endgames)
    return endgames, table, solver.counts()


@pytest.fixture(scope="module")
def three():
    """Checkers with up to three pieces."""
    endgames = _core.endgames(CHECKERS.start(), 3)
    table, solver = solved(endgames)
    return endgames, table, solver.counts()


@pytest.fixture(scope="module")
def four():
    """Checkers with up to four pieces."""
    endgames = _core.endgames(CHECKERS.start(), 4)
    table, solver = solved(endgames)
    return endgames, table, solver.counts()


def check(oracle, state):
    """A win has a lost successor and the nearest one, a loss only won ones, a draw neither."""
    value, distance = oracle.look(state)
    if state.outcome is not None:
        assert (value, distance) == (-1, 0)
        return
    found = {}
    for action in state.legal():
        after = state.play(action)
        worth, left = oracle.look(after)
        same = after.player == state.player
        found[action] = (worth, left) if same else (-worth, None if left is None else left + 1)
    assert dict(oracle.actions(state)) == found
    wins = [left for worth, left in found.values() if worth == 1]
    losses = [left for worth, left in found.values() if worth == -1]
    if wins:
        assert (value, distance) == (1, min(wins))
    elif len(losses) == len(found):
        assert (value, distance) == (-1, max(losses))
    else:
        assert (value, distance) == (0, None)


def random_checkers(rng, pieces):
    """A text of so many pieces, each side having one; maybe of a position that play never has."""
    squares = rng.sample(range(1, 33), pieces)
    mine = rng.randint(1, pieces - 1)
    sides = {"W": sorted(squares[:mine]), "B": sorted(squares[mine:])}
    crowning = {"W": range(1, 5), "B": range(29, 33)}

    def listed(side):
        return ",".join(
            "K" * (square in crowning[side] or rng.random() < 0.5) + str(square)
            for square in sides[side]
        )

    return CHECKERS.state(f"{rng.choice('WB')}:W{listed('W')}:B{listed('B')}")


# King and Courtesan


def test_the_second_player_wins_3x3_in_14_plies(small):
    endgames, table, counts = small
    start = ludus.game("kingcourtesan:size=3").start()
    assert endgames.oracle(table).look(start) == (-1, 14)
    assert counts["longest_loss"] == 14
    assert counts["draws"] == 0


def test_every_arrangement_of_3x3_is_counted_once(small):
    states = sum(
        comb(9, mine) * comb(9 - mine, theirs) * mine * theirs
        for mine in range(1, 4)
        for theirs in range(1, 4)
    )
    assert small[2]["states"] == states
    parts = ("wins", "losses", "draws", "illegal")
    assert sum(small[2][part] for part in parts) == states
    assert sum(small[2]["by_distance"]) == small[2]["wins"] + small[2]["losses"]


def test_3x3_equals_plain_search_everywhere(small):
    game = ludus.game("kingcourtesan:size=3")
    oracle = small[0].oracle(small[1])
    plain = solve([game.start()])
    assert len(plain) == 64_902
    for text, truth in plain.items():
        assert oracle.look(game.state(text)) == truth


def arrangements(game):
    """Every legal state of 3 x 3 without a captured king."""
    for mine in (1, 2, 3):
        for theirs in (1, 2, 3):
            for red in combinations(range(9), mine):
                for blue in combinations(sorted(set(range(9)) - set(red)), theirs):
                    for king in red:
                        for other in blue:
                            yield placed(game, red, blue, {king, other})


def placed(game, red, blue, kings):
    cells = ["."] * 9
    for letter, cells_of in (("r", red), ("b", blue)):
        for cell in cells_of:
            cells[cell] = letter.upper() if cell in kings else letter
    rows = "/".join("".join(cells[row : row + 3]) for row in (6, 3, 0))
    try:
        return game.state(f"{rows} r")
    except ValueError:  # the mover's king has already arrived
        return None


@pytest.mark.slow
def test_every_state_of_3x3_agrees_with_its_successors(small):
    game = ludus.game("kingcourtesan:size=3")
    oracle = small[0].oracle(small[1])
    states = [state for state in arrangements(game) if state]
    assert len(states) == small[2]["wins"] + small[2]["losses"]
    for state in states:
        check(oracle, state)


@pytest.mark.slow
def test_the_first_player_wins_4x4_in_25_plies():
    game = ludus.game("kingcourtesan:size=4")
    endgames = _core.endgames(game.start())
    table, solver = solved(endgames)
    oracle = endgames.oracle(table)
    assert oracle.look(game.start()) == (1, 25)
    assert solver.counts()["states"] == 469_741_680
    rng = random.Random(4)
    for _ in range(2_000):
        state = game.start()
        while state.outcome is None:
            check(oracle, state)
            state = state.play(rng.choice(state.legal()))


# Checkers


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_as_many_positions_as_are_published(pieces):
    one_sided = 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))
    fewer = _core.endgames(CHECKERS.start(), pieces - 1).size if pieces > 2 else 0
    added = _core.endgames(CHECKERS.start(), pieces).size - fewer
    assert added == BOARDS[pieces] - one_sided
    assert BOARDS[1] == 28 + 28 + 32 + 32


def test_king_against_king(three):
    oracle = three[0].oracle(three[1])
    found = [
        oracle.look(CHECKERS.state(f"W:WK{white}:BK{black}"))
        for white in range(1, 33)
        for black in range(1, 33)
        if white != black
    ]
    values = [value for value, _ in found]
    assert [values.count(value) for value in (1, 0, -1)] == [230, 654, 108]
    assert max(distance for value, distance in found if value == 1) == 11


def test_diagram_88_of_lasker(three):
    oracle = three[0].oracle(three[1])
    white = CHECKERS.state("W:WK32:BK26")
    assert oracle.look(white) == (1, 9)
    assert oracle.look(CHECKERS.state("B:WK32:BK26")) == (0, None)
    winning = [action for action, (value, _) in oracle.actions(white) if value == 1]
    assert [CHECKERS.move(white, action) for action in winning] == ["32-27"]


def two_pieces():
    for white in range(1, 33):
        for black in range(1, 33):
            for w in ("", "K"):
                for b in ("", "K"):
                    men = (w or white > 4) and (b or black < 29)
                    if white != black and men:
                        for mover in "WB":
                            yield CHECKERS.state(f"{mover}:W{w}{white}:B{b}{black}")


def test_two_pieces_equal_plain_search_everywhere(three):
    oracle = three[0].oracle(three[1])
    states = list(two_pieces())
    plain = solve(states, lambda state: CHECKERS.state(str(state)))
    assert len(states) == 2 * _core.endgames(CHECKERS.start(), 2).size
    for state in states:
        assert oracle.look(state) == plain[str(state)]


def test_random_endgames_equal_plain_search(four, rng):
    oracle = four[0].oracle(four[1])
    seen = set()
    for _ in range(300):
        state = random_checkers(rng, rng.choice((3, 4)))
        value, distance = oracle.look(state)
        near = distance if value == 1 and distance <= 5 else None
        assert wins_within(state, 5) == near
        seen.add(near)
    assert seen == {None, 1, 3, 5}


def test_a_capture_that_goes_on_is_one_turn(four, rng):
    oracle = four[0].oracle(four[1])
    met = 0
    while met < 200:
        state = random_checkers(rng, 4)
        for action in state.legal():
            inside = state.play(action)
            if inside.player != state.player:
                continue
            met += 1
            check(oracle, inside)
            check(oracle, state)
            worth = [oracle.look(after) for after in turns(inside)]
            lost = [distance for value, distance in worth if value == -1]
            if lost:
                assert oracle.look(inside) == (1, min(lost) + 1)


def test_random_endgames_agree_with_their_successors(four, rng):
    oracle = four[0].oracle(four[1])
    for _ in range(5_000):
        check(oracle, random_checkers(rng, rng.choice((2, 3, 4))))


@pytest.mark.slow
def test_a_million_endgames_agree_with_their_successors(four):
    oracle = four[0].oracle(four[1])
    rng = random.Random(1_000_000)
    for _ in range(1_000_000):
        check(oracle, random_checkers(rng, 4))


def test_many_states_at_once(three, rng):
    oracle = three[0].oracle(three[1])
    states = [random_checkers(rng, pieces) for pieces in (2, 3, 4) for _ in range(50)]
    values = np.zeros(len(states))
    oracle.values(states, values)
    assert values[:100].tolist() == [oracle.look(state)[0] for state in states[:100]]
    assert np.isnan(values[100:]).all()


# How they are made


def test_threads_change_nothing(three):
    for threads in (1, 3):
        table, solver = solved(_core.endgames(CHECKERS.start(), 3), threads)
        np.testing.assert_array_equal(table, three[1])
        assert solver.counts() == three[2]


def interrupted(endgames, rng, most):
    """A solve that is broken off again and again; where it was each time."""
    saved, cursor = np.zeros(endgames.size, np.uint8), (0, 0, 0)
    cursors, done = set(), False
    while not done:
        table = saved.copy()
        solver = endgames.solver(table, cursor)
        for _ in range(rng.randint(1, most)):
            solver.work(0.0)
        saved, cursor, done = table.copy(), solver.cursor, solver.done
        cursors.add(cursor)
        for _ in range(3):  # lost by the interruption
            solver.work(0.0)
    return saved, {(min(step, 1) + step % 2, part > 0) for _, step, part in cursors}


def test_a_solve_goes_on_where_it_was_interrupted(three, rng):
    table, kinds = interrupted(_core.endgames(CHECKERS.start(), 3), rng, 20)
    assert kinds >= {(0, False), (1, False), (2, False)}  # all kinds of passes
    np.testing.assert_array_equal(table, three[1])


@pytest.mark.slow
def test_a_larger_solve_goes_on_where_it_was_interrupted(four, rng):
    table, kinds = interrupted(_core.endgames(CHECKERS.start(), 4), rng, 100)
    assert len(kinds) > 3  # which parts of passes are met depends on the machine
    np.testing.assert_array_equal(table, four[1])


def test_a_table_may_be_newer_than_its_cursor(three):
    endgames = _core.endgames(CHECKERS.start(), 3)
    table = np.zeros(endgames.size, np.uint8)
    cursor = (0, 0, 0)
    for part in range(30):
        solver = endgames.solver(table, cursor)
        for _ in range(10):
            solver.work(0.0)
        if part % 3 == 0:
            cursor = solver.cursor
    solver = endgames.solver(table, cursor)
    while not solver.done:
        solver.work(1.0)
    np.testing.assert_array_equal(table, three[1])


def test_a_finished_solve_stays_finished(small):
    endgames, table, counts = small
    solver = endgames.solver(table.copy())
    while not solver.done:
        solver.work(1.0)
    again = endgames.solver(table.copy(), solver.cursor)
    assert again.done
    assert again.finished == again.size == endgames.size
    assert again.counts() == counts


# What is refused


@pytest.mark.parametrize("pieces", [-1, 0, 1, 6, 10**30])
def test_tables_of_other_sizes_are_refused(pieces):
    with pytest.raises(ValueError, match="pieces"):
        _core.endgames(CHECKERS.start(), pieces)


def test_boards_too_large_are_refused():
    with pytest.raises(ValueError, match="size 3 and 4"):
        _core.endgames(ludus.game("kingcourtesan").start())


def test_arrays_that_are_no_table_are_refused(small):
    endgames = small[0]
    for wrong in (np.zeros(3, np.uint8), np.zeros(endgames.size + 1, np.uint8)):
        with pytest.raises(ValueError, match=r"bytes|items"):
            endgames.solver(wrong)
        with pytest.raises(ValueError, match="bytes"):
            endgames.oracle(wrong)
    readonly = small[1].copy()
    readonly.flags.writeable = False
    for wrong in (np.zeros(endgames.size), None, readonly):
        with pytest.raises(TypeError, match="table"):
            endgames.solver(wrong)
    with pytest.raises(TypeError, match="uint8"):
        endgames.oracle(np.zeros(endgames.size))
    endgames.oracle(readonly)


@pytest.mark.parametrize("cursor", [(0, 1, 0), (10**6, 0, 0), (0, 0, 10**9), (0, 300, 0)])
def test_cursors_of_other_tables_are_refused(small, cursor):
    with pytest.raises(ValueError, match="cursor"):
        small[0].solver(small[1].copy(), cursor)


def test_states_that_a_table_does_not_know(small, three):
    oracle = three[0].oracle(three[1])
    assert oracle.look(CHECKERS.start()) is None
    with pytest.raises(ValueError, match="not cover"):
        oracle.actions(CHECKERS.start())
    with pytest.raises(ValueError, match="another game"):
        oracle.look(ludus.game("tictactoe").start())
    with pytest.raises(ValueError, match="of the game with other parameters"):
        small[0].oracle(small[1]).look(ludus.game("kingcourtesan:size=4").start())
