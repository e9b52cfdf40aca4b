"""Chinese Checkers: the solver's numbers, and each rule by hand."""

import json
from collections import Counter, deque
from itertools import combinations
from pathlib import Path

import pytest

import ludus
from ludus import _core

DATA = Path(__file__).parents[1] / "data"
ORACLES = json.loads((DATA / "oracles.json").read_text())["chinese_checkers"]
SAMPLE = [line.rsplit(" ", 2) for line in (DATA / "cc_4x4_3_sample.txt").read_text().splitlines()]


def checkers(size=5, pieces=6, **parameters):
    return ludus.game("chinesecheckers", size=size, pieces=pieces, **parameters)


def moves(game, state):
    return {game.move(state, action) for action in state.legal()}


def placed(game, first, second, to_move):
    """The state with pieces on these ids, or None if the rules cannot have it."""
    marks = dict.fromkeys(first, "1") | dict.fromkeys(second, "2")
    cells = range(game.parameters["size"] ** 2)
    return read(game, "".join(marks.get(cell, ".") for cell in cells) + f" {to_move}")


def every_text(size, pieces):
    """Each way to put the pieces on the board, with either side to move."""
    cells = range(size * size)
    for first in combinations(cells, pieces):
        rest = [cell for cell in cells if cell not in first]
        for second in combinations(rest, pieces):
            marks = ["."] * len(cells)
            for cell in first:
                marks[cell] = "1"
            for cell in second:
                marks[cell] = "2"
            yield from ("".join(marks) + side for side in (" 1", " 2"))


def read(game, text):
    try:
        return game.state(text)
    except ValueError:
        return None


def solve(game):
    """Each position's result for the player to move and its distance, backwards from the ends.

    Both players hurry: whoever wins as fast, whoever loses as late as possible.
    """
    size, pieces = game.parameters["size"], game.parameters["pieces"]
    read_all = [read(game, text) for text in every_text(size, pieces)]
    states = [state for state in read_all if state is not None]
    number = {state: n for n, state in enumerate(states)}
    before = [[] for _ in states]
    undecided = []
    for n, state in enumerate(states):
        legal = state.legal()
        undecided.append(len(legal))
        for action in legal:
            before[number[state.play(action)]].append(n)
    results = [None] * len(states)
    todo = deque()
    for n, state in enumerate(states):
        if state.outcome is not None:
            results[n] = ("L", 0)
            todo.append(n)
    while todo:
        n = todo.popleft()
        result, distance = results[n]
        for earlier in before[n]:
            undecided[earlier] -= 1
            if results[earlier] is None and (result == "L" or not undecided[earlier]):
                results[earlier] = ("W" if result == "L" else "L", distance + 1)
                todo.append(earlier)
    illegal = len(read_all) - len(states)
    return illegal, {state: results[n] or ("D", None) for n, state in enumerate(states)}


def tally(illegal, results):
    counts = Counter(result for result, _ in results.values())
    return {
        "states": illegal + len(results),
        **{result: counts[result] for result in "WLD"},
        "I": illegal,
    }


@pytest.mark.parametrize("name", ["4x3", "5x6"])
@pytest.mark.parametrize("forward_only", [False, True])
def test_perft(name, forward_only):
    size, pieces = map(int, name.split("x"))
    nodes = ORACLES["perft_forward" if forward_only else "perft_all"][name]
    start = checkers(size, pieces, forward_only=forward_only).start()
    assert _core.perft(start, len(nodes)) == nodes


@pytest.mark.parametrize(
    ("name", "longest_win", "longest_loss"),
    [("3x1", 9, 8), ("3x3", 7, 6), ("4x1", 13, 12), ("5x1", 17, 16)],
)
def test_small_boards_solved(name, longest_win, longest_loss):
    size, pieces = map(int, name.split("x"))
    game = checkers(size, pieces)
    illegal, results = solve(game)
    oracle = dict(ORACLES["solve"][name])
    assert results[game.start()] == ("W", oracle.pop("start_plies"))
    assert tally(illegal, results) == oracle
    assert max(distance for result, distance in results.values() if result == "W") == longest_win
    assert max(distance for result, distance in results.values() if result == "L") == longest_loss


def test_one_piece_on_7x7_as_published():
    """Sturtevant counts the positions that the first player wins, not the player to move."""
    illegal, results = solve(checkers(7, 1))
    first = sum(result == "WL"[state.player] for state, (result, _) in results.items())
    assert (illegal + len(results), first, illegal) == (4704, 2304, 96)
    assert all(result != "D" for result, _ in results.values())


@pytest.fixture(scope="module")
def solved_4x4():
    return solve(checkers(4, 3))


@pytest.mark.slow
def test_4x4_with_three_pieces_solved(solved_4x4):
    illegal, results = solved_4x4
    oracle = dict(ORACLES["solve"]["4x3"])
    distances = Counter(results.values())
    wins = {d: count for (result, d), count in distances.items() if result == "W"}
    losses = {d: count for (result, d), count in distances.items() if result == "L"}
    game = checkers(4, 3)
    assert results[game.start()] == ("W", oracle.pop("start_plies"))
    assert max(wins) == oracle.pop("longest_win")
    assert max(losses) == oracle.pop("longest_loss")
    assert tally(illegal, results) == oracle
    assert wins == {
        1: 29736,
        3: 15350,
        5: 28966,
        7: 33902,
        9: 31012,
        11: 24750,
        13: 16370,
        15: 9086,
        17: 3510,
        19: 932,
        21: 136,
    }
    assert losses == {
        0: 10830,
        2: 3584,
        4: 10814,
        6: 18620,
        8: 20158,
        10: 19130,
        12: 15784,
        14: 9626,
        16: 4896,
        18: 1836,
        20: 396,
        22: 28,
    }


@pytest.mark.slow
def test_opening_moves_of_4x4_with_three_pieces(solved_4x4):
    _, results = solved_4x4
    game = checkers(4, 3)
    start = game.start()
    opening = {game.move(start, a): results[start.play(a)] for a in start.legal()}
    assert opening == {
        **dict.fromkeys(("0-3", "0-5", "1-4", "2-4"), ("L", 20)),
        **dict.fromkeys(("1-3", "2-5"), ("W", 21)),
    }


@pytest.mark.slow
def test_the_sample_of_solved_positions(solved_4x4):
    _, results = solved_4x4
    game = checkers(4, 3)
    for text, result, distance in SAMPLE:
        if result != "I":
            assert results[game.state(text)] == (result, int(distance)), text


@pytest.mark.slow
def test_how_many_moves_and_reachable_positions_4x4_has(solved_4x4):
    _, results = solved_4x4
    legal = [len(state.legal()) for state in results if state.outcome is None]
    assert round(sum(legal) / len(legal), 3) == 10.666
    assert max(legal) == 20
    start = checkers(4, 3, repetition=0, max_plies=1_000_000_000).start()
    reached, todo = {start}, [start]
    while todo:
        state = todo.pop()
        fresh = {state.play(action) for action in state.legal()} - reached
        reached |= fresh
        todo += fresh
    assert len(reached) == 309_386


def test_the_sample_of_positions():
    game = checkers(4, 3)
    for text, result, distance in SAMPLE:
        state = read(game, text)
        if result == "I":
            assert state is None, text
        else:
            assert state.outcome == (-1 if (result, distance) == ("L", "0") else None), text


@pytest.mark.slow
def test_two_positions_of_forward_4x4_have_no_move():
    free, forward = checkers(4, 3), checkers(4, 3, forward_only=True)
    stuck = [
        text
        for text in every_text(4, 3)
        if (state := read(forward, text)) is not None
        and state.outcome is not None
        and free.state(text).outcome is None
    ]
    assert len(stuck) == 2
    assert all(forward.state(text).outcome == -1 for text in stuck)
    assert not any(forward.state(text).legal() for text in stuck)


@pytest.mark.parametrize(
    ("size", "pieces", "start"),
    [
        (3, 1, "1.......2 1"),
        (3, 2, "11.....22 1"),
        (3, 3, "111...222 1"),
        (4, 4, "111.1......2.222 1"),
        (4, 6, "111111....222222 1"),
        (5, 6, "111111.............222222 1"),
        (5, 10, "1111111111.....2222222222 1"),
    ],
)
def test_the_smallest_boards_that_fit(size, pieces, start):
    assert str(checkers(size, pieces).start()) == start


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 2}, "size is between 3 and 9, not 2"),
        ({"size": 10}, "size is between 3 and 9, not 10"),
        ({"size": 1_000_000_000}, "size is between 3 and 9"),
        ({"pieces": 5}, "pieces is 1, 2, 3, 4, 6 or 10, not 5"),
        ({"pieces": 0}, "pieces is 1, 2, 3, 4, 6 or 10, not 0"),
        ({"size": 3, "pieces": 4}, "4 pieces fit from size 4 on"),
        ({"size": 3, "pieces": 6}, "6 pieces fit from size 4 on"),
        ({"size": 4, "pieces": 10}, "share no cell, not size 4"),
        ({"repetition": 1}, "repetition is from 2 to 100, or 0 for no such rule, not 1"),
        ({"repetition": -1}, "repetition is from 2 to 100, or 0 for no such rule, not -1"),
        ({"max_plies": 0}, "max_plies is between 1 and 100000, not 0"),
        ({"forward_only": 1}, "forward_only is True or False"),
    ],
)
def test_parameters_that_make_no_game(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.game("chinesecheckers", **parameters)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "16 cells '.', '1' or '2', a space"),
        ("111..........222", "16 cells"),
        ("111..........222 1 ", "16 cells"),
        ("111..........222  1", "16 cells"),
        ("111..........222 3", "for the player to move"),
        ("111..........22x 1", "16 cells"),
        ("111\0.........222 1", "16 cells"),
        ("111...é......222 1", "16 cells"),
        ("11...........222 1", "each player has 3 pieces here"),
        ("1111.........222 1", "each player has 3 pieces here"),
        ("12..1.......1.22 2", None),
        ("11........2..122 1", "goal of the player to move is already full"),
        ("11........2..122 2", None),
    ],
)
def test_strict_text(text, sentence):
    game = checkers(4, 3)
    if sentence is None:
        assert str(game.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            game.state(text)


def test_steps_and_hops_of_one_piece():
    game = checkers(4, 3)
    hops = placed(game, [0, 1, 9], [7, 13, 14], 1)
    assert {m for m in moves(game, hops) if m.startswith("0-")} == {"0-2", "0-3", "0-11"}
    wall = placed(game, [0, 1, 3], [7, 13, 14], 1)  # two in a row cannot be hopped over
    assert {m for m in moves(game, wall) if m.startswith("0-")} == {"0-2"}
    after = hops.play(game.action(hops, "0-11"))
    assert after == placed(game, [11, 1, 9], [7, 13, 14], 2)  # hopped pieces stay


def test_legal_actions_rise():
    state = placed(checkers(9, 10), range(20, 40, 2), range(41, 61, 2), 1)
    assert state.legal() == sorted(set(state.legal()))
    assert len(state.legal()) > 50


def test_a_goal_filled_with_the_others_help_wins_for_the_last_mover():
    game = checkers(4, 3)
    won = placed(game, [0, 1, 13], [9, 14, 15], 2)
    assert (won.outcome, won.winner, won.legal()) == (-1, 0, [])
    assert placed(game, [0, 1, 13], [9, 14, 15], 1) is None
    before = placed(game, [0, 1, 10], [9, 14, 15], 1)
    assert before.play(game.action(before, "10-13")) == won


def test_a_goal_full_of_pieces_that_never_left_is_no_win():
    assert placed(checkers(4, 3), [0, 1, 3], [13, 14, 15], 2).outcome is None


def test_nobody_completes_the_goal_of_the_opponent():
    game = checkers(4, 3)
    state = placed(game, [1, 4, 9], [0, 13, 14], 1)
    assert "4-2" not in moves(game, state)
    assert "1-2" in moves(game, state)  # leaves another gap
    assert "4-2" in moves(game, placed(game, [0, 1, 4], [9, 13, 14], 1))  # a goal without a 2


@pytest.mark.parametrize(("size", "pieces"), [(5, 6), (6, 10)])
def test_nobody_shuts_the_tip_of_the_opponents_goal(size, pieces):
    game = checkers(size, pieces)
    rest = [10, 11, 12, 13, 14, 16, 17][: pieces - 4]
    home = range(size**2 - pieces, size**2)

    empty_tip = placed(game, [1, 2, 5, 6, *rest], home, 1)
    assert "6-3" not in moves(game, empty_tip)
    assert "1-3" in moves(game, empty_tip)  # opens another gap

    own_tip = placed(game, [0, 1, 2, 5, *rest], home, 1)
    assert "0-3" not in moves(game, own_tip)
    assert "1-3" in moves(game, own_tip)

    others_tip = placed(game, [1, 2, 5, 6, *rest], [0, *home[1:]], 1)
    assert "6-3" in moves(game, others_tip)

    def turned(ids):
        return [size**2 - 1 - cell for cell in ids]

    for to_move in (1, 2):
        shut = [1, 2, 3, 5, *rest]
        assert placed(game, shut, home, to_move) is None
        assert placed(game, turned(home), turned(shut), to_move) is None
        assert placed(game, [0, *shut[1:]], home, to_move) is not None


def test_a_gap_that_both_rules_close():
    game = checkers(5, 6)
    state = placed(game, [0, 1, 2, 5, 6, 12], [4, 20, 21, 22, 23, 24], 1)
    assert {m for m in moves(game, state) if m.endswith("-3")} == {"1-3", "5-3"}  # not 0, not 6


def test_small_homes_have_no_tip_to_shut():
    assert placed(checkers(4, 4), [1, 2, 3, 5], [11, 13, 14, 15], 2) is not None


@pytest.mark.parametrize("text", ["111222.......... 2", "..........111222 1"])
def test_without_a_move_you_lose(text):
    stuck = checkers(4, 3, forward_only=True).state(text)
    assert (stuck.outcome, stuck.legal()) == (-1, [])
    assert checkers(4, 3).state(text).outcome is None


def test_a_crowd_can_be_stuck_with_all_moves():
    stuck = placed(checkers(5, 10), range(10), [*range(10, 19), 24], 1)
    assert (stuck.outcome, stuck.winner, stuck.legal()) == (-1, 1, [])


def test_forward_only_goes_forward_or_sideways():
    free, forward = checkers(4, 3), checkers(4, 3, forward_only=True)
    line = "0-3 15-12"
    assert moves(free, free.replay(line)) - moves(forward, forward.replay(line)) == {
        "1-0",
        "2-0",
        "3-0",
    }
    assert "3-4" in moves(forward, forward.replay(line))
    line += " 1-4"
    assert moves(free, free.replay(line)) - moves(forward, forward.replay(line)) == {
        "12-15",
        "13-15",
        "14-15",
    }


@pytest.mark.parametrize(("repetition", "rounds"), [(2, 1), (3, 2), (6, 5), (0, None)])
def test_repetition(repetition, rounds):
    game = checkers(4, 3, repetition=repetition)
    state = game.start()
    for _ in range(rounds or 20):
        assert state.outcome is None
        state = game.replay("1-3 14-12 3-1 12-14", state)
    assert state == game.start()
    assert state.outcome == (None if rounds is None else 0)


def test_the_length_of_a_game():
    cut = checkers(4, 3, max_plies=3)
    assert [cut.replay(line).outcome for line in ("", "1-3 14-12", "1-3 14-12 3-1")] == [
        None,
        None,
        0,
    ]
    free = checkers(3, 1, repetition=0)
    state, line = free.start(), ("0-1", "8-7", "1-0", "7-8")
    while state.outcome is None:
        state = free.replay(line[state.plies % 4], state)
    assert (state.plies, state.outcome) == (300, 0)


def test_notation():
    game = checkers(4, 3)
    start = game.start()
    assert moves(game, start) == {"0-3", "0-5", "1-3", "1-4", "2-4", "2-5"}
    assert game.action(start, "0-3") == 3
    assert game.move(start, 1 * 16 + 4) == "1-4"
    with pytest.raises(ValueError, match="no move '3-0' here"):
        game.action(start, "3-0")


def test_the_mover_sees_itself_at_the_first_tip():
    game = checkers(4, 3)
    start, after = game.start(), game.replay("0-3")
    home = [(0, 0), (0, 1), (1, 0)]
    for state in (start, after):
        own, _ = state.features()
        assert [tuple(map(int, cell)) for cell in zip(*own.nonzero(), strict=True)] == home
    _, others = after.features()
    assert {tuple(map(int, c)) for c in zip(*others.nonzero(), strict=True)} == {
        (1, 3),
        (2, 3),
        (3, 2),
    }
    assert after.seen(game.action(after, "15-12")) == game.action(start, "0-3")


def test_the_mirror_keeps_all_homes_but_that_of_two():
    for pieces in (1, 3, 4, 6, 10):
        assert checkers(5, pieces).start().num_symmetries == 2
    assert checkers(5, 2).start().num_symmetries == 1
    start = checkers(4, 3).start()
    assert start.transformed_action(1, 0 * 16 + 3) == 0 * 16 + 5
    assert start.transformed(1) == start


@pytest.mark.parametrize(("size", "pieces"), [(3, 3), (5, 6), (5, 10), (6, 2), (7, 10)])
@pytest.mark.parametrize("forward_only", [False, True])
def test_the_fast_form_counts_what_the_general_one_lists(size, pieces, forward_only, rng):
    state = checkers(size, pieces, forward_only=forward_only, repetition=0).start()
    while state.outcome is None and state.plies < 60:
        legal = state.legal()
        children = sum(len(state.play(action).legal()) for action in legal)
        assert _core.perft(state, 2) == [len(legal), children]
        state = state.play(rng.choice(legal))
