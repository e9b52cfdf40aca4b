"""The reward by option: every adapter pays what the arena and the learners pay, by one name."""

import numpy as np
import pytest

import ludus
from ludus.arena.record import Record
from ludus.arena.reward import OUTCOME, rewards_of
from ludus.envs.sides import BOTH
from ludus.envs.versus import VersusGames
from ludus.learn.collecting.vector_games import VectorGames

CATHEDRAL = "cathedral:size=8,rules=seed"
PAID = [
    (CATHEDRAL, "dense"),
    ("supertictactoe:success=1", "designed"),
    ("supertictactoe:success=1", "original"),
    ("checkers", "material"),
    ("connect4", OUTCOME),
]


class Line:
    """Plays a known game, whichever side it has."""

    def __init__(self, played, states, game):
        self.states = states
        moves = zip(states, played.moves, strict=False)
        self.actions = [game.action(state, move) for state, move in moves]

    def think(self, state):
        policy = np.zeros(state.num_actions)
        policy[self.actions[state.plies]] = 1
        return ludus.Thought(policy)


def known_game(spelling, reward, seed=3):
    """A game of the arena from its start, with what it paid."""
    game = ludus.game(spelling)
    score = ludus.match(
        game, "greedy", "random", games=1, seed=seed, openings="none", reward=reward
    )
    played = score.played[0]
    line = Line(played, Record(game, seed, played).states, game)
    return game, line, played.reward.paid


def frame(line, ply):
    """An action as whoever plays it sees it."""
    return line.states[ply].seen(line.actions[ply])


@pytest.mark.parametrize(("spelling", "reward"), PAID)
def test_pettingzoo_pays_both_players(spelling, reward):
    pettingzoo = pytest.importorskip("ludus.envs.pettingzoo")
    game, line, paid = known_game(spelling, reward)
    env = pettingzoo.env(game, reward=reward)
    env.reset(seed=0)
    got = {"player_0": 0.0, "player_1": 0.0}
    by_ply = {"player_0": 0.0, "player_1": 0.0}
    for ply, agent in enumerate(env.agent_iter()):
        _, earned, over, _, _ = env.last()
        got[agent] += earned
        env.step(None if over else frame(line, ply))
        if not over:
            for one, now in env.rewards.items():
                by_ply[one] += now
    assert tuple(got.values()) == pytest.approx(paid, abs=1e-4)
    assert tuple(by_ply.values()) == pytest.approx(paid, abs=1e-4)


@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize(("spelling", "reward"), PAID)
def test_gymnasium_pays_the_learner(spelling, reward, side):
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    game, line, paid = known_game(spelling, reward)
    env = adapters.LudusEnv(game, opponent=line, side=side, reward=reward)
    vector = adapters.LudusVectorEnv(game, 1, opponent=line, side=side, reward=reward)
    env.reset(seed=0)
    vector.reset(seed=0)
    total, over, outcome = 0.0, False, None
    while not over:
        action = frame(line, env.state.plies)
        _, rewards, ends, _, infos = vector.step(np.array([action]))
        _, now, over, _, info = env.step(action)
        assert rewards[0] == pytest.approx(now)
        assert ends[0] == over
        if reward != OUTCOME:
            outcome = info["outcome"]
            assert infos["outcome"][0] == outcome
        total += now
    assert total == pytest.approx(paid[env.player], abs=1e-4)
    if reward != OUTCOME:
        assert outcome == env.state.returns[env.player]


@pytest.mark.parametrize(("spelling", "reward"), PAID)
def test_vector_self_play_and_tables_pay_both(spelling, reward):
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    game, line, paid = known_game(spelling, reward)
    vector = adapters.LudusVectorEnv(game, 1, opponent="self", reward=reward)
    vector.reset(seed=0)
    table = VectorGames(game, 1, 0, shaping="" if reward == OUTCOME else reward)
    got = np.zeros(2)
    for ply in range(len(line.actions)):
        action, mover = np.array([frame(line, ply)], np.int32), line.states[ply].player
        _, rewards, _, _, info = vector.step(action)
        got[mover] += rewards[0]
        got[1 - mover] += -rewards[0] if reward == OUTCOME else info["other_reward"][0]
        _, ended = table.step(action)
    assert tuple(got) == pytest.approx(paid, abs=1e-4)
    assert ended[0]
    assert tuple(table.total[0]) == pytest.approx(paid, abs=1e-4)


def test_what_is_paid_for_an_answered_turn_reaches_who_waits_in_self_play():
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    vector = adapters.LudusVectorEnv(
        "supertictactoe", 2, opponent="self", success=1, shaping="original", copy=True
    )
    vector.reset(seed=0)
    told = [vector.step(np.array([action, action]))[4] for action in (0, 20, 1)]
    assert [info["shaping"].tolist() for info in told] == [[0, 0]] * 3
    assert [info["other_shaping"].tolist() for info in told] == [
        [0, 0],
        pytest.approx([0.1, 0.1]),
        pytest.approx([0.1, 0.1]),
    ]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_rewards_survive_autoreset(mode):
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    made = {"opponent": "random", "reward": "dense", "size": 8, "rules": "seed", "copy": True}
    vector = adapters.LudusVectorEnv("cathedral", 3, autoreset_mode=mode, **made)
    vector.reset(seed=1)
    ends = 0
    for _ in range(40):
        _, rewards, over, _, info = vector.step(vector.sample())
        outcome = info["outcome"]
        ends += over.sum()
        for row in np.flatnonzero(over & (outcome != 0)):
            # The end pays 10, and a last ply little beside it.
            assert np.sign(rewards[row]) == np.sign(outcome[row])
        assert (outcome[~over] == 0).all()
    assert ends


def test_torchrl_pays_the_same():
    torchrl = pytest.importorskip("ludus.envs.torchrl")
    import torch
    from tensordict import TensorDict

    game, line, paid = known_game(CATHEDRAL, "dense")
    env = torchrl.LudusEnv(game, batch_size=1, opponent=line, reward="dense")
    env.reset()
    total, over = 0.0, False
    while not over:
        action = torch.tensor([frame(line, env.state(0).plies)])
        found = env.step(TensorDict({"action": action}, [1]))["next"]
        total += float(found["reward"])
        over = bool(found["done"])
    assert total == pytest.approx(paid[0], abs=1e-4)


def test_the_other_share_is_of_the_opponent_inside_too():
    """With a zero-sum signal the two shares are opposites, whoever answers."""
    made = VersusGames(
        ludus.game("checkers"),
        4,
        seed=1,
        learner_side=(False, False, 0.5),
        opponent="random",
        shaping="material",
    )
    out = made.arrays()
    actions, seen = np.empty(4, np.int32), 0
    made.look(out)
    for _ in range(60):
        made.sample(actions)
        made.step(actions, out)
        assert (out.shaping == -out.opponent_shaping).all()
        seen += np.count_nonzero(out.shaping)
    assert seen


@pytest.mark.parametrize("adapter", ["LudusEnv", "LudusVectorEnv"])
def test_an_illegal_action_pays_minus_one_by_any_reward(adapter):
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    env = getattr(adapters, adapter)(CATHEDRAL, reward="dense")
    _, info = env.reset(seed=0)
    mask = np.asarray(info["action_mask"]).reshape(-1, env.game.num_actions)
    illegal = int(mask[0].argmin())
    _, reward, over, _, info = env.step(illegal if adapter == "LudusEnv" else np.array([illegal]))
    assert (np.ravel(reward)[0], np.ravel(over)[0]) == (-1, True)
    assert np.ravel(info["outcome"])[0] == -1


def test_an_illegal_action_leaves_the_other_what_it_was_paid():
    pettingzoo = pytest.importorskip("ludus.envs.pettingzoo")
    env = pettingzoo.env("supertictactoe", success=1, reward="original")
    env.reset(seed=0)
    for action in (0, 20, 0):  # the third is on a mark
        env.step(action)
    got = {}
    for agent in env.agent_iter():
        got[agent] = env.last()[1]
        env.step(None)
    assert got == {"player_0": -1.0, "player_1": 1.0}


@pytest.mark.parametrize(("spelling", "reward"), PAID[:2])
def test_conformance_checks_pass_with_rewards(spelling, reward):
    pettingzoo = pytest.importorskip("ludus.envs.pettingzoo")
    import warnings

    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(spelling, reward=reward), num_cycles=40)


def test_a_snapshot_goes_on_with_what_is_owed():
    pettingzoo = pytest.importorskip("ludus.envs.pettingzoo")
    game, line, _ = known_game(CATHEDRAL, "dense")
    env, other = (pettingzoo.env(game, reward="dense") for _ in range(2))
    env.reset(seed=0)
    for ply in range(5):
        env.step(frame(line, ply))
    other.restore(env.snapshot())
    for ply in range(5, len(line.actions)):
        assert env.last()[1:3] == other.last()[1:3]
        env.step(frame(line, ply))
        other.step(frame(line, ply))
    assert env.rewards == other.rewards


@pytest.mark.parametrize(
    ("spelling", "options", "said"),
    [
        ("connect4", {"reward": "dense"}, "there is only outcome, as connect4 has no shaping"),
        (CATHEDRAL, {"reward": "nonsense"}, "no reward 'nonsense' here; there are outcome, dense"),
        (CATHEDRAL, {"reward": None}, "no reward None here; there are outcome, dense"),
        (CATHEDRAL, {"reward": ["dense"]}, "no reward .* here; there are outcome, dense"),
        ("supertictactoe", {"reward": "designed", "shaping": "original"}, "one signal at a time"),
    ],
)
@pytest.mark.parametrize(
    "adapter", ["pettingzoo.LudusAEC", "gymnasium.LudusEnv", "vector.LudusVectorEnv"]
)
def test_a_reward_that_is_none_is_one_sentence_at_every_adapter(adapter, spelling, options, said):
    module, name = adapter.split(".")
    found = pytest.importorskip(f"ludus.envs.{module}")
    with pytest.raises(ValueError, match=said):
        getattr(found, name)(spelling, **options)


def test_a_reward_and_the_same_signal_told_apart_go_together():
    adapters = pytest.importorskip("ludus.envs.gymnasium")
    env = adapters.LudusEnv("supertictactoe", reward="original", shaping="original", success=1)
    _, info = env.reset(seed=0)
    _, reward, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert reward == info["shaping"]
    assert rewards_of(env.game) == [OUTCOME, "designed", "original"]
    assert BOTH[0]
