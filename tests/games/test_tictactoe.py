"""Tic-tac-toe: published counts, computed values of the noisy game, text and notation."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())["tictactoe"]


def reachable(game):
    """Every state play can lead to, by its text."""
    found = {}
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        if str(state) in found:
            continue
        found[str(state)] = state
        for action in state.legal():
            waiting += [state.play(action, chance=result) for result, _ in state.chances(action)]
    return found


def test_perft_counts_the_lines_of_play():
    assert _core.perft(ludus.game("tictactoe").start(), 9) == ORACLES["nodes_at_depth_0_9"][1:]


def test_all_games():
    known = {}

    def endings(state):
        if str(state) not in known:
            count = Counter()
            if state.outcome is not None:
                count[state.winner] = 1
            for action in state.legal():
                count += endings(state.play(action))
            known[str(state)] = count
        return known[str(state)]

    count = endings(ludus.game("tictactoe").start())
    assert count.total() == ORACLES["games"]
    assert (count[0], count[1], count[None]) == (
        ORACLES["x_wins"],
        ORACLES["o_wins"],
        ORACLES["draws"],
    )


def test_all_positions():
    states = reachable(ludus.game("tictactoe")).values()
    ended = [state for state in states if state.outcome is not None]

    def classes(states):
        return len({min(str(state.transformed(i)) for i in range(8)) for state in states})

    assert (len(states), classes(states)) == (
        ORACLES["positions"],
        ORACLES["positions_mod_symmetry"],
    )
    assert (len(ended), classes(ended)) == (
        ORACLES["terminal_positions"],
        ORACLES["terminal_mod_symmetry"],
    )
    assert len({state.key for state in states}) == len(states)


def solved(game):
    """The worth of each start action to the first player, by value iteration over all states."""
    states = list(reachable(game).values())
    number = {str(state): index for index, state in enumerate(states)}
    ends = np.array([0.0 if s.outcome is None else float(s.outcome) for s in states])
    choices = [
        (index, action, [(number[str(s.play(action, chance=r))], p) for r, p in s.chances(action)])
        for index, s in enumerate(states)
        for action in s.legal()
    ]
    rows = np.repeat(np.arange(len(choices)), [len(chances) for _, _, chances in choices])
    after = np.array([index for _, _, chances in choices for index, _ in chances])
    weight = np.array([p for _, _, chances in choices for _, p in chances])
    owner = np.array([index for index, _, _ in choices])
    values = ends.copy()
    for _ in range(500):
        worth = -np.bincount(rows, weight * values[after], len(choices))
        best = np.where(np.isin(np.arange(len(states)), owner), -np.inf, ends)
        np.maximum.at(best, owner, worth)
        if np.abs(best - values).max() < 1e-13:
            break
        values = best
    first = number[str(game.start())]
    return [worth[i] for i, (index, _, _) in enumerate(choices) if index == first]


def test_perfect_play_draws():
    assert max(solved(ludus.game("tictactoe"))) == ORACLES["noisy_value_first_player"]["1.0"]


def test_value_of_the_noisy_game():
    worth = solved(ludus.game("tictactoe", success=0.5))
    assert worth == pytest.approx(ORACLES["noisy_p0.5_by_cell"], abs=1e-8)
    assert max(worth) == pytest.approx(ORACLES["noisy_value_first_player"]["0.5"], abs=1e-10)


def test_where_a_mark_may_land():
    state = ludus.game("tictactoe", success=0.6).state("x../.../..o x")
    centre = dict(state.chances(4))
    assert centre == pytest.approx(
        {4: 0.6, 1: 0.05, 2: 0.05, 3: 0.05, 5: 0.05, 6: 0.05, 7: 0.05, 9: 0.1}
    )
    assert dict(state.chances(2)) == pytest.approx({2: 0.6, 1: 0.05, 4: 0.05, 5: 0.05, 9: 0.25})


def test_a_forfeit_only_passes_the_turn():
    state = ludus.game("tictactoe", success=0.5).start().play(0, chance=9)
    assert str(state) == ".../.../... o"
    assert (state.player, state.plies) == (1, 1)
    assert str(state.play(0, chance=4)) == ".../.o./... x"


def test_nothing_strays_when_success_is_certain():
    state = ludus.game("tictactoe").start()
    assert not state.chancy
    assert state.chances(8) == [(8, 1.0)]
    with pytest.raises(ValueError, match="chance cannot bring 7"):
        state.play(8, chance=7)


def test_a_stray_mark_can_win():
    state = ludus.game("tictactoe", success=0.5).state("xx./oo./... x")
    assert state.play(5, chance=2).winner == 0


def test_too_many_plies_are_a_draw_but_a_line_made_by_the_last_wins():
    game = ludus.game("tictactoe", max_plies=5)
    assert game.replay("a3 a2 b3 b2 c3").winner == 0
    drawn = game.replay("a3 a2 b3 b2 c2")
    assert (drawn.outcome, drawn.winner, drawn.legal()) == (0, None, [])


def test_success_belongs_to_the_position():
    certain, noisy = (ludus.game("tictactoe", success=p).start() for p in (1.0, 0.5))
    assert str(certain) == str(noisy)
    assert certain != noisy


def test_features_say_who_moves():
    state = ludus.game("tictactoe").replay("b2 a1")
    mine, theirs, player = state.features()
    assert mine.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert theirs.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert (player == 1).all()
    assert (state.play(0).features()[2] == -1).all()


def test_notation():
    game = ludus.game("tictactoe")
    names = [game.move(game.start(), action) for action in range(9)]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert str(game.replay("b2 a3,c1")) == "o../.x./..x o"


@pytest.mark.parametrize("success", [0.0, -0.5, 1.5, float("nan"), float("inf")])
def test_success_is_a_probability(success):
    with pytest.raises(ValueError, match="success is a probability"):
        ludus.game("tictactoe", success=success)


def test_max_plies_is_positive():
    with pytest.raises(ValueError, match="max_plies is between 1 and 1000000, not 0"):
        ludus.game("tictactoe", max_plies=0)


@pytest.mark.parametrize(
    ("success", "text", "sentence"),
    [
        (1, "", "and then who moves"),
        (1, ".../.../...", "and then who moves"),
        (1, ".../.../... z", "and then who moves"),
        (1, ".../.../...  x", "and then who moves"),
        (1, ".../.X./... o", "and then who moves"),
        (1, "....../.... x", "and then who moves"),
        (1, ".../.\0./... x", "and then who moves"),
        (1, ".../.é/... x", "and then who moves"),
        (1, ".../.../... o", "alternate"),
        (0.5, ".../.../... o", None),
        (1, "xxx/oo./... x", "already has a line"),
        (1, "xxx/oo./... o", None),
        (1, "xxx/ooo/... x", "already has a line"),
        (0.5, "xxx/.../xxx o", "no single mark"),
        (0.5, "xxx/x../x.. o", None),
        (1, "xox/xxo/oxo o", None),
    ],
)
def test_strict_text(success, text, sentence):
    game = ludus.game("tictactoe", success=success)
    if sentence is None:
        assert str(game.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            game.state(text)
