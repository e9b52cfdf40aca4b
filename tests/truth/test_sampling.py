"""Numbers stand for states: each for one, all of them for all."""

import re
from itertools import combinations

import numpy as np
import pytest

import ludus
from ludus.learn import supervised
from ludus.learn.store import checkpoint, selection
from ludus.truth.placements import Placements
from ludus.truth.sampling import PLAYED, UNIFORM, random_states
from tests.learn.small import everything, same, small


@pytest.mark.parametrize(("cells", "pieces"), [(9, 2), (9, 3), (7, 1)])
def test_placements_are_all_there_are(cells, pieces):
    known = Placements(cells, ((("1", pieces), ("2", pieces)), (("1", 1), ("2", 0))))
    found = [known.marks(number) for number in range(known.size)]
    expected = set()
    for mover in (0, 1):
        for a, b in ((pieces, pieces), (1, 0)):
            for first in combinations(range(cells), a):
                for second in combinations(sorted({*range(cells)} - {*first}), b):
                    marks = [
                        "1" if c in first else "2" if c in second else "." for c in range(cells)
                    ]
                    expected.add(("".join(marks), mover))
    assert {("".join(board), mover) for board, mover in found} == expected
    assert len(found) >= len(expected)


@pytest.mark.parametrize("spelling", ["kingcourtesan:size=3", "chinesecheckers:size=3,pieces=2"])
def test_all_states_of_a_game_have_a_number(spelling):
    """Whatever play can reach from the start, and that goes on, is drawn in the end."""
    game = ludus.game(spelling)
    drawn = {str(state) for state in random_states(game, np.random.default_rng(1))[1]}
    todo, reached = [game.start()], set()
    while todo and len(reached) < 3000:
        state = todo.pop()
        if state.outcome is None and str(state) not in reached:
            reached.add(str(state))
            todo += [game.state(str(state.play(action))) for action in state.legal()]
    assert len(reached) > 500
    assert reached <= drawn


def test_endgames_of_checkers_are_drawn_and_known():
    game = ludus.game("checkers")
    states = random_states(game, np.random.default_rng(1))[1]
    found = [next(states) for _ in range(300)]
    assert {state.player for state in found} == {0, 1}
    pieces = [sum(mark.isdigit() for mark in re.split(r"[,:BWK]", str(one))) for one in found]
    assert set(pieces) == {2, 3, 4}


@pytest.mark.parametrize(
    ("spelling", "how"),
    [
        ("chinesecheckers:size=3,pieces=2", UNIFORM),
        ("tictactoe", UNIFORM),
        ("tictactoe:success=0.5", UNIFORM),
        ("connect4", PLAYED),
        ("checkers", UNIFORM),
        ("kingcourtesan:size=4", UNIFORM),
        ("cathedral", PLAYED),
    ],
)
def test_states_that_go_on_are_drawn(spelling, how):
    game = ludus.game(spelling)
    told, states = random_states(game, np.random.default_rng(1))
    found = [next(states) for _ in range(200)]
    assert told == how
    assert all(state.outcome is None for state in found)
    if how == UNIFORM:
        assert len({str(state) for state in found}) == 200
    again = random_states(game, np.random.default_rng(1))[1]
    assert [str(next(again)) for _ in found] == [str(state) for state in found]


def test_supervised_learning_draws_fresh_uniform_states(tmp_path):
    game = ludus.game("tictactoe")
    config = small("supervised", states="uniform", teacher="perfect:fastest=false", n_envs=32)
    unbroken = list(supervised.train(game, config, seed=1))[-1]
    assert 0 <= unbroken.metrics["fresh_value_accuracy"] <= 1
    for step in supervised.train(game, config, seed=1):
        if step.number == 2:
            break
    checkpoint.write(tmp_path, step.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    again = list(supervised.train(game, config, seed=1, saved=stored))[-1]
    same(everything(unbroken.snapshot()), everything(again.snapshot()))
    assert again.metrics["fresh_move_accuracy"] == unbroken.metrics["fresh_move_accuracy"]


def test_states_without_numbers_are_refused():
    with pytest.raises(ValueError, match="not numbered"):
        next(supervised.train(ludus.game("connect4"), small("supervised", states="uniform")))
