import numpy as np
import pytest

import ludus

pytest.importorskip("gymnasium", reason="the vector adapter needs Gymnasium")

import gymnasium
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from ludus.envs.gymnasium import LudusVectorEnv


def made(name="tictactoe", rows=5, **options):
    envs = LudusVectorEnv(name, rows, **options)
    envs.reset(seed=3)
    return envs


def test_what_it_returns_is_in_its_spaces(game):
    envs = LudusVectorEnv(game, 4, opponent="self")
    observation, info = envs.reset(seed=1)
    for _ in range(20):
        assert envs.observation_space.contains(observation)
        assert info["action_mask"].shape == (4, game.num_actions)
        actions = envs.sample()
        assert envs.action_space.contains(actions.astype(np.int64))
        observation, rewards, ended, cut, info = envs.step(actions)
        assert rewards.shape == ended.shape == cut.shape == (4,)
        assert (ended.dtype, cut.dtype) == (np.bool_, np.bool_)


def test_next_step_resets_where_a_game_ended():
    envs = made()
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    ended, met = np.zeros(5, bool), 0
    for _ in range(30):
        _, rewards, now, _, _ = envs.step(envs.sample())
        for row in np.flatnonzero(ended):
            assert envs.state(row).plies == 0
            assert (rewards[row], now[row]) == (0, False)
            met += 1
        ended = now.copy()
    assert met > 5


def test_same_step_shows_the_end_in_info():
    envs = made(autoreset_mode="SameStep")
    met = 0
    for _ in range(30):
        observation, _, ended, _, info = envs.step(envs.sample())
        assert ("final_obs" in info) == ended.any()
        for row in np.flatnonzero(ended):
            assert envs.state(row).plies == 0
            assert (observation[row] == envs.state(row).features()).all()
            last = info["final_obs"][row]
            assert last[:2].sum() >= 5  # stones on the board
            assert (info["final_info"]["action_mask"][row]).all()
            met += 1
        if ended.any():
            assert (info["_final_obs"] == ended).all()
            assert all(last is None for last in info["final_obs"][~ended])
    assert met > 5


def test_disabled_waits_for_the_caller():
    envs = made(autoreset_mode=AutoresetMode.DISABLED)
    ended = np.zeros(5, bool)
    while not ended.any():
        _, _, ended, _, _ = envs.step(envs.sample())
    with pytest.raises(ValueError, match="reset_mask"):
        envs.step(envs.sample())
    plies = [envs.state(row).plies for row in range(5)]
    envs.reset(options={"reset_mask": ended})
    for row in range(5):
        assert envs.state(row).plies == (0 if ended[row] else plies[row])
    envs.step(envs.sample())
    for wrong in (np.ones(4, bool), np.ones(5), 3):
        with pytest.raises(ValueError, match="reset_mask is true or false for each of 5 rows"):
            envs.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="a seed begins every row anew"):
        envs.reset(seed=1, options={"reset_mask": ended})


def test_nothing_is_copied_and_the_step_before_stays():
    envs = made(rows=3)
    first = envs.step(envs.sample())[0]
    kept = first.copy()
    second = envs.step(envs.sample())[0]
    assert (first == kept).all()
    assert not np.shares_memory(first, second)
    third = envs.step(envs.sample())[0]
    assert third is first  # the same memory, written by native code


def test_copies_are_made_where_asked():
    envs = made(rows=3, copy=True)
    seen = [envs.step(envs.sample())[0] for _ in range(5)]
    kept = [array.copy() for array in seen]
    for _ in range(5):
        envs.step(envs.sample())
    assert all((a == b).all() for a, b in zip(seen, kept, strict=True))


def test_self_play_pays_who_acted():
    envs = made("connect4", 1, opponent="self")
    for action in (0, 1, 0, 1, 0, 1):
        _, rewards, ended, _, info = envs.step(np.array([action]))
        assert not ended[0]
    assert info["player"][0] == 0
    _, rewards, ended, _, _ = envs.step(np.array([0]))
    assert (rewards[0], ended[0]) == (1, True)


def test_the_same_seed_is_the_same_play():
    def line(seed):
        envs = LudusVectorEnv("supertictactoe", 4, opponent="uct:simulations=10", side="random")
        envs.reset(seed=seed)
        return [envs.step(envs.sample())[0].tobytes() for _ in range(12)]

    assert line(1) == line(1) != line(2)


def test_a_reset_without_a_seed_is_another_play():
    envs = made("tictactoe", 8, opponent="random", side="second")
    assert envs.reset()[0].tobytes() != envs.reset()[0].tobytes()


def test_an_illegal_action_loses_its_row():
    envs = made(rows=2)
    envs.step(np.array([4, 0]))
    before = bytes(envs.state(0))
    legal = int(envs.action_masks()[1].argmax())
    _, rewards, ended, _, _ = envs.step(np.array([4, legal]))
    assert (rewards[0], ended[0]) == (-1, True)
    assert bytes(envs.state(0)) == before


NO_ACTIONS = [
    (np.array([1.0, 2.0]), "not float64 in the shape"),
    (np.array([np.nan, 2.0]), "not float64 in the shape"),
    (np.array([True, False]), "not bool in the shape"),
    (np.array([1]), r"not int64 in the shape \(1,\)"),
    (np.array([[1, 2]]), r"not int64 in the shape \(1, 2\)"),
    (None, "not object in the shape"),
    (np.array([1, -1]), "not -1 as in row 1"),
    (np.array([1, 9]), "not 9 as in row 1"),
    (np.array([2**32, 1]), "not 4294967296 as in row 0"),
]


@pytest.mark.parametrize(("actions", "sentence"), NO_ACTIONS)
def test_what_is_no_action_is_refused_and_changes_nothing(actions, sentence):
    envs = made(rows=2)
    envs.step(np.array([4, 0]))
    masks, before = envs.action_masks().copy(), [bytes(envs.state(row)) for row in range(2)]
    with pytest.raises(ValueError, match=f"an action is a whole number .*{sentence}"):
        envs.step(actions)
    assert [bytes(envs.state(row)) for row in range(2)] == before
    assert (envs.action_masks() == masks).all()


def test_there_are_no_games_before_reset():
    envs = LudusVectorEnv("tictactoe", 2)
    for ask in (lambda: envs.step(np.zeros(2, np.int32)), envs.sample, envs.action_masks):
        with pytest.raises(ValueError, match="there are no games yet: call reset"):
            ask()


def test_unknown_choices_are_named():
    for wrong, sentence in (
        ({"opponent": None}, "an opponent is an agent or its spelling, not None"),
        ({"opponent": 7}, "an opponent is an agent or its spelling, not 7"),
        ({"opponent": "nobody"}, "no agent 'nobody'; there are"),
        ({"side": "both"}, "no side 'both'; there are first, second, alternating, random"),
        ({"autoreset_mode": "never"}, "no autoreset mode 'never'; there are NextStep, SameStep"),
        ({"num_envs": 0}, "num_envs is a whole number from 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            LudusVectorEnv("tictactoe", **{"num_envs": 2, **wrong})


def test_gymnasiums_own_wrappers_fit():
    envs = RecordEpisodeStatistics(gymnasium.make_vec("ludus/TicTacToe-v0", num_envs=4))
    envs.reset(seed=1)
    lengths = []
    for _ in range(40):
        *_, info = envs.step(envs.unwrapped.sample())
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert len(lengths) > 10
    assert min(lengths) >= 3
    assert max(lengths) <= 5  # the learner's plies in a game of nine


def test_every_row_renders():
    envs = made(rows=2, render_mode="ansi")
    assert len(envs.render()) == 2
    assert "to move" in envs.render()[0]


def test_a_python_opponent_may_sit_in_the_vector():
    envs = made("connect4", 3, opponent="greedy", side="second")
    assert [envs.state(row).plies for row in range(3)] == [1, 1, 1]
    assert ludus.game("connect4") == envs.game
