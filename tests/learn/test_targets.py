"""Returns and advantages against traces worked out by hand."""

import numpy as np
import pytest

import ludus
from ludus.learn.collecting.targets import advantages, complete_plies, n_step_returns, window


def trace(players, mine, others, ended):
    """One row: arrays as `returns` takes them."""
    paid = np.stack([mine, others], 1).astype(np.float32)[None]
    return np.array([players], np.int8), paid, np.array([ended], np.bool_)


def only(found):
    return tuple(float(part[0]) for part in found)


def test_the_next_state_counts_against_the_actor_when_the_other_moves_there():
    players, paid, ended = trace([0, 1], [0.5], [0], [False])
    assert only(n_step_returns(players, paid, ended, 1, 0.9, "adversarial")) == pytest.approx(
        (0.5, 1, -0.9)
    )


def test_the_next_state_counts_for_the_actor_who_moves_again():
    players, paid, ended = trace([1, 1], [0.5], [0], [False])
    assert only(n_step_returns(players, paid, ended, 1, 0.9, "adversarial")) == pytest.approx(
        (0.5, 1, 0.9)
    )


def test_nothing_follows_an_end():
    players, paid, ended = trace([0, 0, 1], [1, 7], [-1, 7], [True, False])
    assert only(n_step_returns(players, paid, ended, 2, 0.9, "adversarial")) == (1, 0, 0)


def test_three_plies_of_which_two_are_one_players():
    """0 acts and is paid 1, 1 acts twice and is paid 2, then 4, then 0 is to move.

    For 0: 1 - 0.5 * 2 - 0.25 * 4 = -1, and then 0.125 times its own value.
    """
    players, paid, ended = trace([0, 1, 1, 0], [1, 2, 4], [0, 0, 0], [False] * 3)
    assert only(n_step_returns(players, paid, ended, 3, 0.5, "adversarial")) == pytest.approx(
        (-1, 3, 0.125)
    )


def test_the_end_within_the_window_pays_with_the_sign_of_who_made_it():
    players, paid, ended = trace([0, 1, 0, 1], [0, 1, 9], [0, -1, 9], [False, True, False])
    assert only(n_step_returns(players, paid, ended, 3, 0.5, "adversarial")) == pytest.approx(
        (-0.5, 0, 0)
    )


def test_own_credit_looks_to_the_next_own_turn():
    """0 is paid 1; 1 moves twice, which costs 0 first 2 and then 3; then it is 0's turn."""
    players, paid, ended = trace([0, 1, 1, 0, 1], [1, 5, 5, 7], [0, -2, -3, 7], [False] * 4)
    assert only(n_step_returns(players, paid, ended, 1, 0.5, "own")) == pytest.approx((-4, 3, 0.5))


def test_own_credit_over_two_turns():
    players, paid, ended = trace([0, 1, 0, 1, 0], [1, 5, 2, 5], [0, -1, 0, -4], [False] * 4)
    assert only(n_step_returns(players, paid, ended, 2, 0.5, "own")) == pytest.approx((-1, 4, 0.25))


def test_own_credit_hears_of_the_end_that_the_other_makes():
    players, paid, ended = trace([0, 1, 0], [0, 1], [0, -1], [False, True])
    assert only(n_step_returns(players, paid, ended, 1, 0.5, "own")) == (-1, 0, 0)


def test_own_credit_is_not_known_when_it_waits_too_long():
    players, paid, ended = trace([0, 1, 1, 1], [0] * 3, [0] * 3, [False] * 3)
    assert np.isnan(only(n_step_returns(players, paid, ended, 1, 0.5, "own"))[2])


def test_max_credit_ignores_who_moves():
    players, paid, ended = trace([0, 1], [0.5], [0], [False])
    assert only(n_step_returns(players, paid, ended, 1, 0.9, "max")) == pytest.approx((0.5, 1, 0.9))


def test_windows():
    assert window("adversarial", 3) == 3
    assert window("own", 1) > 1


def column(values, kind=np.float32):
    return np.array(values, kind)[:, None]


def rolled(players, mine, others, ended, values):
    paid = np.stack([mine, others], 1).astype(np.float32)[:, None]
    return column(players, np.int8), paid, column(ended, np.bool_), column(values)


def test_advantages_by_hand_with_two_plies_by_one_player():
    """gamma = lambda = 0.5; plies by 0, 1, 1, then 0 is to move.

    d2 = 0 - 0.5 * 0.8 - 0.4 = -0.8                       (0 moves next: against 1)
    d1 = 0 + 0.5 * 0.4 - 0.2 = 0       a1 = 0 + 0.25 * -0.8 = -0.2   (1 moves again)
    d0 = 1 - 0.5 * 0.2 - 0.6 = 0.3     a0 = 0.3 - 0.25 * -0.2 = 0.35
    """
    data = rolled([0, 1, 1, 0], [1, 0, 0], [0, 0, 0], [False] * 3, [0.6, 0.2, 0.4, 0.8])
    found = advantages(*data, 0.5, 0.5, "adversarial")
    assert found[:, 0] == pytest.approx([0.35, -0.2, -0.8])


def test_advantages_stop_at_the_end_of_a_game():
    """The first game ends with 1's win at ply 1; the second begins with 0."""
    data = rolled([0, 1, 0, 1], [0, 1, 0], [0, -1, 0], [False, True, False], [0.5, 0.5, 0.2, 0.4])
    found = advantages(*data, 1.0, 1.0, "adversarial")
    # a2 = -0.4 - 0.2; a1 = 1 - 0.5; a0 = (-0.5 - 0.5) - a1
    assert found[:, 0] == pytest.approx([-1.5, 0.5, -0.6])


def test_own_advantages_by_hand():
    """gamma = lambda = 1. 0 acts (paid 1), 1 acts twice (costing 0: 2 and 3), 0 acts, 1 to move.

    0 at ply 3: 0's next turn is not seen, so nothing is known
    1 at ply 2: what it is paid there and at 0's ply 3, 4 and 0, then its V4: 4 + 0.3 - 0.1 = 4.2
    1 at ply 1: 6 + V2 - V1 + a2 = 6 + 0.1 - 0.2 + 4.2 = 10.1
    0 at ply 0: 1 - 2 - 3 + V3 - V0 = -4 + 0.5 - 0.4 = -3.9, no further than to its own last state
    """
    data = rolled(
        [0, 1, 1, 0, 1], [1, 6, 4, 0], [0, -2, -3, 0], [False] * 4, [0.4, 0.2, 0.1, 0.5, 0.3]
    )
    found = advantages(*data, 1.0, 1.0, "own")
    assert found[:, 0] == pytest.approx([-3.9, 10.1, 4.2, 0])
    assert complete_plies(data[0], data[2])[:, 0].tolist() == [True, True, True, False]


def test_advantages_where_stray_stones_cost_turns():
    """Super tic-tac-toe: 0 has four in a row while each stone of 1 goes astray, onto no cell.

    gamma = lambda = 0.5 and values of 0: 0's last ply has advantage 1. A ply before it has a
    quarter of the next one's, against 1 and for 0; or, looking to one's own turns, a quarter of
    one's own next, and 1's last ply hears of the loss itself.
    """
    state, players, mine, ended = ludus.game("supertictactoe").start(), [], [], []
    for action, lands in ((0, 0), (15, 80), (1, 1), (15, 80), (2, 2), (15, 80), (3, 3)):
        players.append(state.player)
        after = state.play(action, chance=lands)
        assert (after.features("paper").sum() > state.features("paper").sum()) == (lands < 80)
        state = after
        mine.append(float(state.winner == 0))
        ended.append(state.winner is not None)
    assert players == [0, 1, 0, 1, 0, 1, 0]
    assert ended == [False] * 6 + [True]
    data = rolled([*players, 0], mine, -np.array(mine), ended, [0] * 8)
    found = advantages(*data, 0.5, 0.5, "adversarial")[:, 0]
    assert found == pytest.approx([(-1 / 4) ** ply for ply in range(6, -1, -1)])
    own = advantages(*data, 0.5, 0.5, "own")[:, 0]
    assert own == pytest.approx([1 / 64, -1 / 16, 1 / 16, -1 / 4, 1 / 4, -1, 1])


def test_advantages_where_a_lost_turn_lets_the_other_move_again():
    """gamma = lambda = 0.5; 1 is passed over, so that 0 acts twice, then 1 wins.

    adversarial:                                        own, where 0's ply 1 hears of the loss:
    a2 = 1 - 0.6 = 0.4                                  a2 = 0.4
    a1 = -0.5 * 0.6 - 0.4 - 0.25 * 0.4 = -0.8           a1 = -1 - 0.4 = -1.4
    a0 = 0.5 * 0.4 - 0.2 + 0.25 * -0.8 = -0.2           a0 = 0.5 * 0.4 - 0.2 + 0.25 * -1.4 = -0.35
    """
    data = rolled([0, 0, 1, 0], [0, 0, 1], [0, 0, -1], [False, False, True], [0.2, 0.4, 0.6, 0.9])
    found = advantages(*data, 0.5, 0.5, "adversarial")
    assert found[:, 0] == pytest.approx([-0.2, -0.8, 0.4])
    assert advantages(*data, 0.5, 0.5, "own")[:, 0] == pytest.approx([-0.35, -1.4, 0.4])


def test_with_one_player_they_are_the_textbooks():
    """Against a plain loop over delta, for a game that nobody else plays."""
    rng = np.random.default_rng(3)
    plies, gamma, trace_ = 12, 0.9, 0.8
    paid = rng.normal(size=(plies, 1, 2)).astype(np.float32)
    ended = rng.random((plies, 1)) < 0.2
    values = rng.normal(size=(plies + 1, 1)).astype(np.float32)
    players = np.zeros((plies + 1, 1), np.int8)
    expected, after = np.zeros(plies), 0.0
    for ply in reversed(range(plies)):
        alive = 0.0 if ended[ply, 0] else 1.0
        error = paid[ply, 0, 0] + gamma * alive * values[ply + 1, 0] - values[ply, 0]
        after = expected[ply] = error + gamma * trace_ * alive * after
    for credit in ("adversarial", "own", "max"):
        found = advantages(players, paid, ended, values, gamma, trace_, credit)
        assert found[:, 0] == pytest.approx(expected, abs=1e-5)


def test_alternating_zero_sum_play_agrees_with_a_second_computation():
    """The sum over all later plies, signs written out."""
    rng = np.random.default_rng(4)
    plies, gamma = 9, 0.7
    players = rng.integers(2, size=(plies + 1, 1)).astype(np.int8)
    mine = rng.normal(size=plies).astype(np.float32)
    values = rng.normal(size=(plies + 1, 1)).astype(np.float32)
    paid = np.stack([mine, -mine], 1)[:, None]
    found = advantages(
        players, paid, np.zeros((plies, 1), np.bool_), values, gamma, 1.0, "adversarial"
    )
    for ply in range(plies):
        total = -values[ply, 0]
        for later in range(ply, plies):
            sign = 1 if players[later, 0] == players[ply, 0] else -1
            total += sign * gamma ** (later - ply) * mine[later]
        sign = 1 if players[plies, 0] == players[ply, 0] else -1
        total += sign * gamma ** (plies - ply) * values[plies, 0]
        assert found[ply, 0] == pytest.approx(total, abs=1e-5)


def test_a_signal_that_pays_both_sides_leaves_no_advantage_where_values_are_right():
    """Either side is paid -1 a ply of its own for ever: with gamma 0.9 each state is worth -10.

    Every value is right, so every advantage is 0, wherever the rollout is cut.
    """
    for plies in range(1, 8):
        players = [ply % 2 for ply in range(plies + 1)]
        data = rolled(players, [-1] * plies, [0] * plies, [False] * plies, [-10] * (plies + 1))
        found = advantages(*data, 0.9, 0.95, "own")
        assert found[:, 0] == pytest.approx(np.zeros(plies), abs=1e-5)
        known = complete_plies(data[0], data[2])[:, 0]
        assert known.tolist() == [ply < plies - 1 for ply in range(plies)]


def test_an_end_makes_the_last_actions_of_both_sides_complete():
    players = np.array([[0, 1, 1, 0, 1, 0]], np.int8).T
    ended = np.array([[False, False, True, False, False]]).T
    assert complete_plies(players, ended)[:, 0].tolist() == [True, True, True, True, False]
