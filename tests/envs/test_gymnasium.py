import copy
import random

import numpy as np
import pytest

import ludus

pytest.importorskip("gymnasium", reason="the Gymnasium adapter needs Gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from ludus.envs import gymnasium as adapter


def legal(env, rng):
    return int(rng.choice(np.flatnonzero(env.unwrapped.action_masks())))


def episode(env, rng, seed=None):
    """A random episode; yields what each step told."""
    env.reset(seed=seed)
    over = False
    while not over:
        told = env.step(legal(env, rng))
        over = told[2]
        yield told


def test_the_checker_is_content(game):
    env = gymnasium.make(adapter.env_id(game.name), side="random", **game.parameters)
    check_env(env.unwrapped, skip_render_check=False)


@pytest.mark.parametrize("mode", ["human", "ansi", "rgb_array", "svg"])
def test_every_mode_renders(mode):
    env = adapter.LudusEnv("connect4", render_mode=mode)
    env.reset(seed=0)
    env.step(2)
    frame = env.render()
    kinds = {"human": type(None), "ansi": str, "rgb_array": np.ndarray, "svg": str}
    assert isinstance(frame, kinds[mode])


def test_people_see_the_board_without_asking(capsys):
    env = gymnasium.make("ludus/TicTacToe-v0", render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out.count("first player to move") == 1
    env.step(4)
    assert capsys.readouterr().out.count("first player to move") == 1


IDS = {
    "cathedral": "ludus/Cathedral-v0",
    "checkers": "ludus/EnglishDraughts-v0",
    "chinesecheckers": "ludus/ChineseCheckers-v0",
    "connect4": "ludus/ConnectFour-v0",
    "kingcourtesan": "ludus/KingAndCourtesan-v0",
    "supertictactoe": "ludus/SuperTicTacToe-v0",
    "tictactoe": "ludus/TicTacToe-v0",
}


@pytest.mark.parametrize("name", ludus.game_names())
def test_every_game_is_registered(name):
    assert adapter.env_id(name) == IDS[name]
    env = gymnasium.make(IDS[name], opponent="random")
    assert env.unwrapped.game == ludus.game(name)
    envs = gymnasium.make_vec(IDS[name], num_envs=2)
    assert isinstance(envs, adapter.LudusVectorEnv)
    assert envs.game == env.unwrapped.game


def test_parameters_pass_through_make():
    env = gymnasium.make("ludus/ConnectFour-v0", rows=5, columns=6)
    assert env.observation_space.shape == (2, 5, 6)
    assert env.action_space.n == 6
    envs = gymnasium.make_vec("ludus/ConnectFour-v0", num_envs=3, rows=5)
    assert envs.observation_space.shape == (3, 2, 5, 7)


def test_it_plays_the_plain_game(game):
    """The learner's actions and the opponent's answers make a line that the rules allow."""
    env = adapter.LudusEnv(game, side="random")
    choices = random.Random(8)
    for seed in range(3):
        env.reset(seed=seed)
        over = False
        while not over:
            state = env.state
            assert state.player == env.player
            assert (env.action_masks() == state.mask()).all()
            action = choices.choice(state.legal())
            planes, reward, over, cut, info = env.step(state.seen(action))
            assert env.state.plies > state.plies
            assert not cut
            assert (planes == env.state.features(player=env.player)).all()
            assert over == (env.state.outcome is not None)
            assert reward == (env.state.returns[env.player] if over else 0)
            assert info["player"] == env.player
        assert not info["action_mask"].any()


def test_the_opponent_answers_once():
    env = adapter.LudusEnv("connect4", opponent="random")
    env.reset(seed=4)
    before = env.state
    assert before == ludus.game("connect4").start()
    env.step(3)
    assert env.state in [before.play(3).play(reply) for reply in before.play(3).legal()]


@pytest.mark.parametrize(
    ("side", "expected"),
    [("first", [0, 0, 0, 0]), ("second", [1, 1, 1, 1]), ("alternating", [0, 1, 0, 1])],
)
def test_the_side_is_the_one_asked_for(side, expected):
    env = adapter.LudusEnv("connect4", side=side)
    players = [env.reset(seed=0 if first else None)[1]["player"] for first in (1, 0, 0, 0)]
    assert players == expected
    assert env.state.plies == expected[-1]


def test_a_random_side_is_each_about_half_the_time():
    env = adapter.LudusEnv("connect4", side="random")
    env.reset(seed=1)
    seconds = sum(env.reset()[1]["player"] for _ in range(400))
    assert 150 < seconds < 250


def test_the_first_mover_of_a_coin_is_the_first_side():
    env = adapter.LudusEnv("cathedral", size=8, fair_start=True, side="first")
    players = {env.reset(seed=seed)[1]["player"] for seed in range(20)}
    assert players == {0, 1}
    assert env.state.plies == 0


def test_the_same_seed_is_the_same_episode(game):
    env, other = (adapter.LudusEnv(game, side="random") for _ in range(2))
    lines = [
        [(told[0].tobytes(), told[1]) for told in episode(each, random.Random(2), seed=6)]
        for each in (env, other)
    ]
    assert lines[0] == lines[1]


def test_opponents_are_spelled_as_everywhere():
    for opponent in ("uct:simulations=20", "alphabeta:depth=2", "random:epsilon=0.5"):
        env = adapter.LudusEnv("tictactoe", opponent=opponent, side="second")
        *_, last = episode(env, random.Random(1), seed=1)
        assert last[2]
    strong = adapter.LudusEnv(
        "tictactoe", opponent=ludus.agent("uct:simulations=300"), side="second"
    )
    rewards = [list(episode(strong, random.Random(i), seed=i))[-1][1] for i in range(10)]
    assert max(rewards) <= 0
    assert min(rewards) == -1


@pytest.mark.parametrize("opponent", ["nobody", 7])
def test_an_opponent_that_is_none_is_refused(opponent):
    with pytest.raises(ValueError, match=r"no agent 'nobody'|an opponent is an agent"):
        adapter.LudusEnv("tictactoe", opponent=opponent)


def test_an_illegal_action_loses_and_leaves_the_board():
    env = adapter.LudusEnv("tictactoe", opponent="random")
    env.reset(seed=1)
    env.step(4)
    before = bytes(env.state)
    _, reward, over, cut, info = env.step(4)
    assert (reward, over, cut, info["illegal"]) == (-1.0, True, False, True)
    assert bytes(env.state) == before
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("action", [-1, 9, 10**30, None, 2.5, float("nan"), "2", np.array([2])])
def test_what_is_no_action_is_refused(action):
    env = adapter.LudusEnv("tictactoe")
    env.reset(seed=1)
    before = bytes(env.state)
    with pytest.raises(ValueError, match="an action is a whole number between 0 and 8, not"):
        env.step(action)
    assert bytes(env.state) == before


def test_there_is_no_game_before_reset():
    env = adapter.LudusEnv("tictactoe", render_mode="ansi")
    for ask in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(ValueError, match="there is no game yet: call reset"):
            ask()


def test_a_copy_goes_on_as_the_game_does(game):
    env = adapter.LudusEnv(game, side="random")
    env.reset(seed=5)
    env.step(legal(env, random.Random(1)))
    copied = copy.deepcopy(env)
    lines = []
    for each in (env, copied):
        rng, line, over = random.Random(3), [], each.state.outcome is not None
        while not over:
            planes, reward, over, *_ = each.step(legal(each, rng))
            line.append((planes.tobytes(), reward, bytes(each.state)))
        lines.append(line)
    assert lines[0] == lines[1]


def test_shaping_is_told_apart():
    env = adapter.LudusEnv("supertictactoe", success=1.0, shaping="original")
    env.reset(seed=1)
    *_, info = env.step(0)
    assert info["shaping"] == pytest.approx(0.1)


def maskable_ppo():
    """The learner of sb3-contrib, on one thread: so small a network only waits for more."""
    learner = pytest.importorskip("sb3_contrib", reason="MaskablePPO is sb3-contrib's").MaskablePPO
    import torch

    torch.set_num_threads(1)
    return learner


def test_maskable_ppo_takes_the_env_as_it_is():
    learner = maskable_ppo()

    env = gymnasium.make("ludus/TicTacToe-v0", opponent="random", side="alternating")
    model = learner("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1)
    model.learn(64)
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=env.unwrapped.action_masks())
    assert info["action_mask"][action]


@pytest.mark.slow
def test_maskable_ppo_beats_random_at_tic_tac_toe():
    learner = maskable_ppo()

    env = gymnasium.make("ludus/TicTacToe-v0", opponent="random", side="alternating")
    model = learner("MlpPolicy", env, n_steps=512, batch_size=128, seed=3)
    model.learn(12_000)
    score = 0.0
    for index in range(200):
        observation, _ = env.reset(seed=index)
        over = False
        while not over:
            masks = env.unwrapped.action_masks()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            observation, reward, over, _, info = env.step(int(action))
            assert "illegal" not in info
        score += (reward + 1) / 2
    assert score / 200 > 0.8  # random against random gets 0.5 over both sides
