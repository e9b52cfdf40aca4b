import copy
import random
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import ludus

pytest.importorskip("pettingzoo", reason="the PettingZoo adapter needs PettingZoo")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's tests import its own past
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import BaseWrapper

from ludus.envs import pettingzoo as adapter

# PettingZoo's api_test warns by name of any observation that is a dict, as one with a mask must be:
#     if not isinstance(observation, np.ndarray):
#         if env_name is not None and env_name not in env_obs_dicts:
#     if (not (isinstance(space, Box) or isinstance(space, Discrete))
#             and str(env.unwrapped) not in env_obs_space):
# Both lists hold the names of PettingZoo's own environments and nothing else.
BY_NAME = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
}
# And of two kinds of boards, whoever shows them:
#     if np.array_equal(observation, np.zeros(observation.shape)) and env_name not in [KAZ]:
# which is an empty board where planes hold stones and nothing else; and
#     if not np.all(observation >= 0) and (... observation.shape[2] == 3) and env_name not in [KAZ]:
# which is a board of three columns with a plane that is -1 while the second player moves.
EMPTY = "Observation numpy array is all zeros."
PICTURE = (
    "The observation contains negative numbers and is in the shape of a graphical observation. "
    "This might be a bad thing."
)
OF_BOARDS = {"connect4": {EMPTY}, "tictactoe": {PICTURE}}
# Seeds that draw eight plies by turns where other draws end the game or give a player two.
LUCKY = {
    "chinesecheckers:size=3,pieces=3,repetition=6": 31,
    "kingcourtesan:size=3": 31,
    "tictactoe:success=0.5,strays=first": 17,
    "tictactoe:success=0.25,strays=second,stray_to=open": 17,
}
SHAPED = {"cathedral": "dense", "supertictactoe": "designed"}


def legal(env, rng):
    """A random legal action for whoever is to act; None when there is nothing to do."""
    observation, _, over, cut, _ = env.last()
    if over or cut:
        return None
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env, rng, plies=10**9):
    """Random play; yields after each step."""
    while env.agents and plies:
        env.step(legal(env, rng))
        plies -= 1
        yield env


def advice(env, cycles=60):
    """All that PettingZoo's api_test warns of, word by word."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env, num_cycles=cycles)
    return {str(warning.message) for warning in told}


def test_the_api_test_passes_without_warnings(game):
    """Without any, but for Connect Four's empty board and tic-tac-toe's minus ones."""
    assert advice(adapter.env(game, masked=False)) == OF_BOARDS.get(game.name, set())


def test_a_mask_in_the_observation_is_warned_of_by_name_alone(game):
    env = adapter.env(game)
    assert advice(env) == BY_NAME | OF_BOARDS.get(game.name, set())
    env.metadata["name"] = "connect_four_v3"
    assert advice(env) == OF_BOARDS.get(game.name, set())


def test_pettingzoos_own_connect_four_is_warned_of_alike():
    pytest.importorskip("pygame", reason="PettingZoo's Connect Four imports it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3

        env = connect_four_v3.env()
    assert advice(env) == {EMPTY}
    env.unwrapped.metadata = {**env.unwrapped.metadata, "name": "ours_v0"}
    assert advice(env) == BY_NAME | {EMPTY}


def test_the_seed_test_passes(game):
    seed_test(lambda: adapter.env(game), num_cycles=40)


def test_the_render_test_passes(game):
    shown = {"svg": lambda svg: svg.startswith("<svg") and svg.endswith("</svg>\n")}
    render_test(lambda render_mode: adapter.env(game, render_mode=render_mode), custom_tests=shown)


class Legal(BaseWrapper):
    """Spaces that draw legal actions: PettingZoo's test of max_cycles knows no masks."""

    def reset(self, seed=None, options=None):
        super().reset(seed=2, options=options)

    def action_space(self, agent):
        rng = random.Random(LUCKY.get(self.unwrapped.game.spelling, 7))
        return SimpleNamespace(sample=lambda: self.drawn(agent, rng))

    def drawn(self, agent, rng):
        mask = self.env.infos[agent]["action_mask"]
        return rng.choice(np.flatnonzero(mask)) if mask.any() else 0


def legal_parallel(game, max_cycles):
    env = adapter.parallel_env(game, max_cycles=max_cycles)
    env.aec_env = Legal(env.aec_env)
    return env


def test_the_max_cycles_test_passes(game):
    if (game.parameters.get("max_plies") or 8) < 8:
        pytest.skip("its rules end it before the test's four rounds are over")
    mod = SimpleNamespace(
        env=lambda max_cycles: Legal(adapter.env(game, max_cycles=max_cycles)),
        parallel_env=lambda max_cycles: legal_parallel(game, max_cycles),
    )
    max_cycles_test(mod)


def test_a_truncated_game_pays_nobody():
    env = adapter.env("checkers", max_cycles=3)
    env.reset(seed=1)
    *_, last = play(env, random.Random(1), 6)
    assert last.truncations == {"player_0": True, "player_1": True}
    assert last.terminations == {"player_0": False, "player_1": False}
    assert last.rewards == {"player_0": 0, "player_1": 0}
    assert not last.infos["player_0"]["action_mask"].any()


def test_it_plays_the_plain_game(game):
    """Same actions, same chance: the same states, views, masks and rewards."""
    env = adapter.env(game)
    several = False
    for seed in range(3):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        state = game.start(rng)
        choices = random.Random(seed)
        while state.outcome is None:
            assert env.board == state
            assert env.agent_selection == f"player_{state.player}"
            observation, reward, over, cut, info = env.last()
            assert (observation["observation"] == state.features()).all()
            assert (observation["action_mask"] == state.mask()).all()
            assert info["action_mask"] is observation["action_mask"]
            assert (reward, over, cut) == (0, False, False)
            action = choices.choice(state.legal())
            env.step(state.seen(action))
            after = state.play(action, rng)
            several |= after.player == state.player
            state = after
        assert bytes(env.board) == bytes(state)
        assert tuple(env.rewards.values()) == state.returns
        for _ in range(2):
            agent = env.agent_selection
            _, reward, over, _, _ = env.last()
            assert over
            assert reward == state.returns[env.possible_agents.index(agent)]
            env.step(None)
        assert not env.agents
    assert several or not game.kind.turns


def test_a_draw_pays_nobody_and_is_over():
    env = adapter.env("tictactoe")
    env.reset(seed=0)
    for action in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        env.step(action)
    assert env.board.returns == (0, 0)
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}


def test_whoever_waits_sees_the_board_from_the_own_side():
    """Connect Four's planes are own stones, then the other's."""
    env = adapter.env("connect4")
    env.reset(seed=0)
    env.step(3)
    mine, theirs = env.observe("player_0")["observation"]
    assert mine[5, 3] == 1
    assert theirs.sum() == 0
    assert not env.observe("player_0")["action_mask"].any()
    assert (env.observe("player_1")["observation"][1] == mine).all()


def test_an_illegal_action_loses_and_leaves_the_board(game):
    env = adapter.env(game)
    env.reset(seed=3)
    for _ in play(env, random.Random(2), 40):
        if env.agents and not any(env.terminations.values()):
            mask = env.infos[env.agent_selection]["action_mask"]
            if not mask.all():
                break
    else:
        pytest.skip("every action stays legal here")
    before, agent = bytes(env.board), env.agent_selection
    env.step(int(np.argmin(mask)))
    assert bytes(env.board) == before
    assert env.rewards[agent] == -1
    assert sum(env.rewards.values()) == 0
    assert all(env.terminations.values())


NO_ACTIONS = [
    -1,
    7,
    10**30,
    None,
    3.0,
    3.5,
    float("nan"),
    "3",
    [3],
    np.array([3]),
    np.array([1, 2]),
]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused(action):
    env = adapter.env("connect4")
    env.reset(seed=1)
    before = env.snapshot()
    with pytest.raises(ValueError, match="an action is a whole number between 0 and 6, not"):
        env.step(action)
    assert env.snapshot() == before


@pytest.mark.parametrize("action", [3, np.int8(3), np.uint64(3), np.array(3)], ids=repr)
def test_every_kind_of_whole_number_is_an_action(action):
    env = adapter.env("connect4")
    env.reset(seed=1)
    env.step(action)
    assert env.board == ludus.game("connect4").replay("4")


@pytest.mark.parametrize(
    "verb", ["step", "snapshot", "observe", "state", "render", "agent_iter", "last"]
)
def test_there_is_no_game_before_reset(verb):
    env = adapter.env("connect4", render_mode="ansi")
    given = {"step": [0], "observe": ["player_0"]}.get(verb, [])
    with pytest.raises(ValueError, match=r"there is no game .*call reset\(\)"):
        getattr(env, verb)(*given)


def test_nobody_else_looks_at_the_board():
    env = adapter.env("connect4")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'player_2'; there are player_0, player_1"):
        env.observe("player_2")


def trace(env, seed):
    """Everything that can be told apart in the rest of a game."""
    return [
        (bytes(env.board), list(env.agents), dict(env.rewards), dict(env._cumulative_rewards))
        for _ in play(env, random.Random(seed))
    ]


@pytest.mark.parametrize("plies", [0, 5, 11])
def test_a_snapshot_goes_on_as_the_game_did(game, plies):
    options = {"shaping": SHAPED[game.name]} if game.name in SHAPED else {}
    env = adapter.env(game, **options)
    env.reset(seed=11)
    list(play(env, random.Random(4), plies))
    data = env.snapshot()
    other = adapter.env(game, **options)
    other.restore(data)
    assert other.snapshot() == data
    assert bytes(other.board) == bytes(env.board)
    copied = copy.deepcopy(env)
    expected = trace(env, 9)
    assert trace(other, 9) == expected
    assert trace(copied, 9) == expected
    env.restore(data)
    assert trace(env, 9) == expected


def test_a_snapshot_keeps_who_has_taken_leave():
    env = adapter.env("tictactoe")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    env.step(None)
    other = adapter.env("tictactoe")
    other.restore(env.snapshot())
    assert len(env.agents) == 1
    assert other.agents == env.agents
    assert other.last()[1:4] == env.last()[1:4]
    other.step(None)
    assert not other.agents


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: b"x" + data,
        lambda data: data.replace(b'"plies": 3', b'"plies": -3'),
        lambda data: data.replace(b'"plies": 3', b'"plies": 3, "more": 1'),
        lambda data: data.replace(b"player_1", b"player_9"),
        lambda data: data.replace(b'"state": "', b'"state": "zz'),
        lambda data: data.replace(b'"bit_generator"', b'"other"'),
        lambda data: data.replace(b'"rewards": [0.0', b'"rewards": [NaN'),
        lambda data: re.sub(rb'"last": \d', b'"last": 7', data),
        lambda data: b"",
    ],
)
def test_a_damaged_snapshot_is_refused_and_changes_nothing(spoil):
    env = adapter.env("connect4")
    env.reset(seed=2)
    list(play(env, random.Random(1), 3))
    data = env.snapshot()
    assert spoil(data) != data
    with pytest.raises(ValueError, match=r"not a snapshot|is damaged"):
        env.restore(spoil(data))
    assert env.snapshot() == data


def test_a_snapshot_of_another_game_is_refused():
    env, other = adapter.env("connect4"), adapter.env("connect4", rows=5)
    env.reset(seed=2)
    with pytest.raises(ValueError, match="is of connect4, not of connect4:rows=5"):
        other.restore(env.snapshot())


@pytest.mark.parametrize("name", SHAPED)
def test_shaping_is_told_apart_and_is_the_games_own(name):
    game = ludus.game(name)
    env = adapter.env(game, shaping=SHAPED[name])
    env.reset(seed=5)
    rng, choices = np.random.default_rng(5), random.Random(5)
    state, since = game.start(rng), [0.0, 0.0]
    while state.outcome is None:
        action = choices.choice(state.legal())
        env.step(state.seen(action))
        after = state.play(action, rng)
        since[state.player] = 0.0
        for player, signal in enumerate(state.shaping(action, after, SHAPED[name])):
            since[player] += signal
            assert env.infos[f"player_{player}"]["shaping"] == since[player]
        assert sum(env.rewards.values()) == 0
        state = after
    assert tuple(env.rewards.values()) == state.returns


def test_unknown_choices_are_named():
    for wrong, sentence in (
        ({"render_mode": "film"}, "no render mode 'film'; there are human, ansi, rgb_array, svg"),
        ({"planes": "all"}, "no planes 'all' here; there are full, paper"),
        ({"shaping": "dense"}, "no shaping 'dense' here; there are none"),
        ({"max_cycles": 0}, "max_cycles is a whole number"),
        ({"rows": 99}, "a connect4 board has"),
    ):
        with pytest.raises(ValueError, match=sentence):
            adapter.env("connect4", **wrong)
    for wrong in (None, 7):
        with pytest.raises(ValueError, match=f"by its spelling or its class, not {wrong}"):
            adapter.env(wrong)
    with pytest.raises(ValueError, match="takes no more parameters"):
        adapter.env(ludus.game("connect4"), rows=5)


def test_people_see_the_board_without_asking(capsys):
    env = adapter.env("tictactoe", render_mode="human")
    env.reset(seed=1)
    assert "first player to move" in capsys.readouterr().out
    env.step(4)
    assert "second player to move" in capsys.readouterr().out
    data = env.snapshot()
    other = adapter.env("tictactoe", render_mode="human")
    other.restore(data)
    assert not capsys.readouterr().out
    other.render()
    assert "second player to move" in capsys.readouterr().out


def test_pixels_show_the_board():
    env = adapter.env("connect4", render_mode="rgb_array")
    env.reset(seed=0)
    empty = env.render()
    env.step(3)
    after = env.render()
    assert empty.shape == after.shape == (420, 480, 3)
    red = (np.abs(after.astype(int) - (0xD8, 0x43, 0x43)) < 8).all(axis=2)
    assert not (np.abs(empty.astype(int) - (0xD8, 0x43, 0x43)) < 8).all(axis=2).any()
    rows, columns = np.nonzero(red)
    assert abs(rows.mean() - 360) < 2  # the lowest row, the middle column
    assert abs(columns.mean() - 240) < 2


def test_the_parallel_api_test_passes_without_warnings(game):
    parallel_api_test(adapter.parallel_env(game), num_cycles=40)


def test_the_parallel_face_plays_the_same_game():
    env = adapter.parallel_env("connect4")
    env.reset(seed=0)
    env.step({"player_0": 2, "player_1": 5})
    env.step({"player_0": 2, "player_1": 5})
    assert env.unwrapped.board == ludus.game("connect4").replay("36")


def test_a_game_written_in_python_has_a_door_too():
    game = ludus.game("examples/breakthrough.py", size=4)
    assert advice(adapter.env(game, masked=False), cycles=30) == set()
    env = adapter.env(game)
    env.reset(seed=1)
    before = str(env.board)
    env.step(0)  # there is no piece of the first player
    assert str(env.board) == before
    assert env.rewards == {"player_0": -1, "player_1": 1}
