"""Puzzles have one right answer, by an analysis that shares nothing with the oracles."""

import pytest

import ludus
from ludus.serve.lines import begin
from ludus.serve.trainer import (
    GRADES,
    OFFERED,
    answer,
    games_with_puzzles,
    grade_of,
    plies_to_see,
    puzzles,
)
from ludus.truth.oracle import NoTruth, oracle
from tests.reference.solve import solve

SMALL = (
    "tictactoe",
    "chinesecheckers:size=4,pieces=1",
    "chinesecheckers:size=3,pieces=3",
    "kingcourtesan:size=3",
)


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Tables are made here, and not where a person keeps theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def last(steps):
    *meanwhile, end = steps
    assert not any(meanwhile)
    return end


def made(game, known, seed, grade):
    """A puzzle, and the line that leads to it."""
    found = last(puzzles(game, known, seed, grade))
    line = begin(game, found["line"]["start"])
    for action in found["line"]["tokens"]:
        line = line.play(action)
    assert line.record() == found["line"]
    return found, line


def worth(game, truth, state):
    """What each move is worth, and in how many plies it ends, by the slow analysis."""
    moves = {}
    for action in state.legal():
        after = state.play(action)
        value, plies = truth[str(after)]
        sign = 1 if after.player == state.player else -1
        moves[action] = sign * value, None if plies is None else plies + 1
    return moves


@pytest.fixture(scope="module", params=SMALL)
def solved(request):
    game = ludus.game(request.param)
    return game, oracle(game), solve([game.start()], lambda state: game.state(str(state)))


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exactly_one_move_keeps_the_value(solved, seed, grade):
    game, known, truth = solved
    found, line = made(game, known, seed, grade)
    moves = worth(game, truth, line.state)
    most = max(value for value, _ in moves.values())
    best = [action for action, (value, _) in moves.items() if value == most]
    assert len(best) == 1 < len(moves)
    assert found["to_keep"] == {1: "win", 0: "draw"}[most]
    assert found["grade"] in GRADES
    for action in moves:
        judged = last(answer(line, known, action))
        assert judged["right"] == (action in best)
        assert judged["best"] == best
        assert {int(a): true["value"] for a, true in judged["moves"].items()} == {
            a: value for a, (value, _) in moves.items()
        }
    if found["grade"] == 1 and most == 1 and len(moves) > 2:
        assert moves[best[0]][1] == 1  # it wins at once


def test_a_seed_and_a_grade_give_the_same_puzzle_again():
    game = ludus.game("tictactoe")
    known = oracle(game)
    first = [last(puzzles(game, known, seed, 2)) for seed in range(8)]
    assert first == [last(puzzles(game, known, seed, 2)) for seed in range(8)]
    assert len({str(found) for found in first}) > 5


def test_grades_differ_in_what_has_to_be_seen():
    game = ludus.game("chinesecheckers:size=4,pieces=1")
    known = oracle(game)
    plies = []
    for grade in GRADES:
        lines = [made(game, known, seed, grade)[1] for seed in range(4)]
        plies.append(sum(known.distance(line.state) for line in lines))
    assert plies == sorted(plies)
    assert plies[0] < plies[-1]


def test_what_has_to_be_seen():
    assert plies_to_see({0: 1.0, 1: -1.0, 2: 0.0}, {0: 3, 1: 8, 2: None}, 0) == 3
    assert plies_to_see({0: 0.0, 1: -1.0, 2: -1.0}, {0: None, 1: 2, 2: 6}, 0) == 6
    assert plies_to_see({0: 0.0, 1: -1.0}, {0: None, 1: None}, 0) is None
    state = ludus.game("tictactoe").start()
    grades = [grade_of(state, 4, seen) for seen in (1, 3, 5, 9, 20, None)]
    assert grades == sorted(grades)
    assert set(grades) <= set(GRADES)


@pytest.mark.parametrize("seed", [1, 2])
def test_endgames_of_draughts(seed):
    game = ludus.game("checkers")
    known = oracle(game, pieces=2)
    found, line = made(game, known, seed, 3)
    values = known.values(line.state)
    most = max(values.values())
    assert most == {"win": 1, "draw": 0}[found["to_keep"]]
    (right,) = [action for action, value in values.items() if value == most]
    assert [a for a in values if last(answer(line, known, a))["right"]] == [right]


@pytest.mark.parametrize("seed", range(4))
def test_connect_four_is_looked_at_late(seed):
    game = ludus.game("connect4:rows=4,columns=5")
    found, line = made(game, oracle(game), seed, 2)
    empty = str(line.state).count(".")
    assert 4 <= empty <= 25
    if empty <= 11:
        moves = worth(game, solve([line.state]), line.state)
        most = max(value for value, _ in moves.values())
        assert [value for value, _ in moves.values()].count(most) == 1
        assert found["to_keep"] == {1: "win", 0: "draw"}[most]


def test_games_without_puzzles_say_why():
    known = oracle("tictactoe")
    with pytest.raises(NoTruth, match="no puzzles of Cathedral; there are of checkers, "):
        list(puzzles(ludus.game("cathedral"), known, 1, 1))
    with pytest.raises(NoTruth, match="chance"):
        list(puzzles(ludus.game("tictactoe:success=0.5"), known, 1, 1))
    with pytest.raises(ValueError, match="a grade is 1 to 5, not 6"):
        list(puzzles(ludus.game("tictactoe"), known, 1, 6))
    with pytest.raises(ValueError, match="not legal"):
        list(answer(begin(ludus.game("tictactoe")), known, 9))


def test_what_is_offered_is_judged_at_once():
    assert set(games_with_puzzles()) <= set(OFFERED)
    assert {"connect4", "checkers", "kingcourtesan:size=3"} <= set(games_with_puzzles())
    assert (
        "kingcourtesan:size=4" not in games_with_puzzles()
    )  # its table takes minutes, and is not here
