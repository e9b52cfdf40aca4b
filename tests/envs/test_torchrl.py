import warnings

import numpy as np
import pytest

import ludus

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # TorchRL warns of its own past when it is imported
    pytest.importorskip("torchrl", reason="the TorchRL adapter needs TorchRL")
    import torch
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.envs.utils import check_env_specs
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

from ludus.envs.torchrl import LudusEnv


@pytest.fixture(autouse=True)
def _torch():
    torch.manual_seed(7)
    torch.set_num_threads(1)


def test_the_specs_are_right(game):
    planes = "paper" if game.name == "supertictactoe" else "full"
    env = LudusEnv(game, batch_size=3, planes=planes, opponent_first=0.5)
    check_env_specs(env, seed=1)


@pytest.mark.parametrize("opponent", ["self", "uct:simulations=5", "greedy"])
def test_the_specs_are_right_for_every_kind_of_opponent(opponent):
    check_env_specs(LudusEnv("tictactoe", batch_size=2, opponent=opponent, seed=1))


def test_the_specs_are_those_of_the_paper():
    env = LudusEnv("supertictactoe", batch_size=5, planes="paper", success=0.5)
    told = env.reset()
    assert told["observation"].shape == (5, 2, 12, 12)
    assert (told["action_mask"].shape, told["action_mask"].dtype) == ((5, 80), torch.bool)
    assert told["step_count"].tolist() == [[0]] * 5
    assert env.action_spec.space.n == 80
    assert (env.reward_spec.space.low.min(), env.reward_spec.space.high.max()) == (-1, 1)
    assert env.game.parameters["success"] == 0.5


def test_it_plays_the_plain_game(game):
    """Rows follow the rules, and everything told is what the row's state says."""
    env = LudusEnv(game, batch_size=3, opponent_first=0.5, seed=2)
    told = env.reset()
    for _ in range(15):
        before = [env.state(row) for row in range(3)]
        told = env.rand_action(told)
        after = env.step(told)["next"]
        for row, old in enumerate(before):
            state = env.state(row)
            over = state.outcome is not None
            assert state.plies > old.plies
            assert told["action_mask"][row, told["action"][row]]
            assert after["done"][row].item() == after["terminated"][row].item() == over
            side = int(env.sides[row])
            assert after["reward"][row].item() == (state.returns[side] if over else 0)
            view = state.features(player=side)
            assert (after["observation"][row].numpy() == view).all()
            assert (after["action_mask"][row].numpy() == (True if over else state.mask())).all()
        told = env.maybe_reset(after)


def test_steps_are_counted_by_game():
    env = LudusEnv("tictactoe", batch_size=6, seed=1)
    rolled = env.rollout(20, break_when_any_done=False)
    for row in rolled:
        expected = 0
        for step in row:
            assert step["step_count"].item() == expected
            assert step["next", "step_count"].item() == expected + 1
            expected = 0 if step["next", "done"].item() else expected + 1
    assert rolled["next", "done"].sum() > 10


def test_what_was_collected_stays():
    env = LudusEnv("connect4", batch_size=2, seed=1)
    rolled = env.rollout(4)
    stones = rolled["next", "observation"].sum(dim=(2, 3, 4))
    assert stones.tolist() == [[2, 4, 6, 8]] * 2


@pytest.mark.parametrize(("chance", "firsts"), [(0.0, 0), (1.0, 64)])
def test_the_opponent_moves_first_as_often_as_asked(chance, firsts):
    env = LudusEnv("connect4", batch_size=64, opponent_first=chance, seed=1)
    assert (env.reset()["observation"].sum(dim=(1, 2, 3)) == 1).sum() == firsts
    assert LudusEnv("connect4", batch_size=400, opponent_first=0.25, seed=1).reset()[
        "observation"
    ].sum() in range(70, 131)


@pytest.mark.parametrize("opponent", [None, 7, "nobody"])
def test_an_opponent_that_is_none_is_refused(opponent):
    with pytest.raises(ValueError, match=r"an opponent is an agent|no agent 'nobody'"):
        LudusEnv("tictactoe", opponent=opponent)


def test_a_module_that_writes_no_action_is_told_so():
    for module in (lambda asked: asked, lambda asked: None):
        env = LudusEnv("tictactoe", opponent=module)
        with pytest.raises(ValueError, match="returned no tensordict with"):
            env.step(env.rand_action(env.reset()))


@pytest.mark.parametrize("actions", [[4, -1], [4, 9], [2**32, 4], [4.0, 0.0]])
def test_what_is_no_action_is_refused_and_changes_nothing(actions):
    env = LudusEnv("tictactoe", batch_size=2, seed=1)
    told = env.reset()
    with pytest.raises(ValueError, match="an action is a whole number"):
        env.step(told.set("action", torch.tensor(actions)))
    assert [env.state(row).plies for row in range(2)] == [0, 0]
    env.step(env.rand_action(told))
    assert [env.state(row).plies for row in range(2)] == [2, 2]


def test_a_wrong_probability_is_refused():
    with pytest.raises(ValueError, match="opponent_first is a probability"):
        LudusEnv("tictactoe", opponent_first=2)


def test_an_illegal_action_loses_and_leaves_the_board():
    env = LudusEnv("tictactoe", batch_size=2, seed=1)
    told = env.reset()
    told = env.step(told.set("action", torch.tensor([4, 0])))["next"]
    before = bytes(env.state(0))
    legal = int(told["action_mask"][1].int().argmax())
    after = env.step(told.set("action", torch.tensor([4, legal])))["next"]
    assert after["reward"].flatten().tolist() == [-1, 0]
    assert after["terminated"].flatten().tolist() == [True, False]
    assert bytes(env.state(0)) == before


@pytest.mark.parametrize(("kind", "paid"), [("original", 0.1), ("designed", 0.0)])
def test_both_rewards_of_the_paper(kind, paid):
    env = LudusEnv("supertictactoe", batch_size=2, success=1.0, reward=kind, seed=1)
    told = env.rand_action(env.reset())
    after = env.step(told)["next"]
    assert after["reward"].flatten().tolist() == pytest.approx([paid, paid])
    assert after["outcome"].flatten().tolist() == [0, 0]
    rolled = env.rollout(200, break_when_any_done=False)
    over = rolled["next", "done"]
    assert over.any()
    assert (rolled["next", "reward"][over] == rolled["next", "outcome"][over]).all()
    assert env.reward_spec.low.min() == -1
    assert env.reward_spec.high.max() == 1
    assert set(rolled["next", "outcome"][over].tolist()) <= {-1.0, 0.0, 1.0}
    assert not rolled["next", "outcome"][~over].any()
    with pytest.raises(
        ValueError, match="no reward 'paper' here; there are outcome, designed, original"
    ):
        LudusEnv("supertictactoe", reward="paper")


@pytest.mark.parametrize("reward", ["outcome", "designed", "original"])
def test_an_illegal_action_costs_the_game_by_any_reward(reward):
    env = LudusEnv("supertictactoe", batch_size=1, success=1.0, reward=reward, seed=1)
    told = env.step(env.reset().set("action", torch.tensor([4])))["next"]
    after = env.step(told.set("action", torch.tensor([4])))["next"]
    assert (after["reward"].item(), after["done"].item()) == (-1, True)


def test_the_policy_itself_plays_from_the_other_side():
    """It is shown its own stones first, whichever side it plays."""
    seen = []

    def policy(asked):
        seen.append(asked.clone())
        return asked.set("action", asked["action_mask"].int().argmax(dim=1))

    env = LudusEnv("connect4", batch_size=3, opponent="self", seed=1)
    env.set_policy(policy)
    env.step(env.reset().set("action", torch.tensor([3, 4, 5])))
    assert not seen[0]["observation"][:, 0].any()
    assert seen[0]["observation"][:, 1, 5].argmax(dim=1).tolist() == [3, 4, 5]
    other = LudusEnv("connect4", batch_size=3, opponent=policy, seed=1)
    other.step(other.reset().set("action", torch.tensor([0, 0, 0])))
    assert [str(other.state(row)).count("o") for row in range(3)] == [1, 1, 1]
    with pytest.raises(ValueError, match='opponent="self"'):
        LudusEnv("connect4").set_policy(policy)


def test_the_negated_view_is_negated():
    """In the paper's one plane of own and other marks the policy's own are positive."""
    seen = []

    def policy(asked):
        seen.append(asked["observation"].clone())
        return asked.set("action", asked["action_mask"].int().argmax(dim=1))

    env = LudusEnv("supertictactoe", batch_size=2, planes="signed", success=1.0, opponent="self")
    env.set_policy(policy)
    told = env.step(env.reset().set("action", torch.tensor([5, 40])))["next", "observation"]
    assert [sorted(set(view.flatten().tolist())) for view in seen[0]] == [[-1, 0]] * 2
    assert [sorted(set(view.flatten().tolist())) for view in told] == [[-1, 0, 1]] * 2
    assert (told[seen[0] == -1] == 1).all()


def test_the_policys_weights_stay_its_own():
    actor, _ = networks(LudusEnv("tictactoe"))
    env = LudusEnv("tictactoe", opponent="self")
    env.set_policy(actor)
    actor.train()
    env.step(env.rand_action(env.reset()))
    assert not list(env.parameters())
    assert actor.training


def test_the_same_seed_is_the_same_play():
    def line(seed):
        env = LudusEnv("supertictactoe", batch_size=4, opponent="random")
        env.set_seed(seed)
        return env.rollout(20, break_when_any_done=False)["observation"]

    assert (line(1) == line(1)).all()
    assert not (line(1) == line(2)).all()


def networks(env):
    """An actor over legal actions and a critic: small, for any game."""
    size = env.observation_spec["observation"].shape[1:].numel()
    body = lambda out: torch.nn.Sequential(  # noqa: E731
        torch.nn.Flatten(-3), torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, out)
    )
    logits = TensorDictModule(body(env.action_spec.space.n), ["observation"], ["logits"])
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(body(1), in_keys=["observation"])


def trained(env, frames, per_batch=1024):
    """Plain PPO with TorchRL's own parts."""
    actor, critic = networks(env)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    collector = Collector(env, actor, frames_per_batch=per_batch, total_frames=frames)
    losses = []
    for data in collector:
        legal = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
        assert legal.all()
        for _ in range(4):
            with torch.no_grad():
                advantage(data)
            for batch in data.reshape(-1).split(256):
                parts = loss(batch)
                total = parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                optimizer.step()
                losses.append(total.item())
    collector.shutdown()
    return actor, losses


@pytest.mark.filterwarnings("ignore")  # TorchRL's own, of its own parts
def test_collector_masked_categorical_gae_and_clip_ppo_work():
    env = LudusEnv("tictactoe", batch_size=16, opponent="random", opponent_first=0.5, seed=1)
    _, losses = trained(env, 256, per_batch=128)
    assert losses
    assert np.isfinite(losses).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ppo_beats_random_at_tic_tac_toe():
    env = LudusEnv("tictactoe", batch_size=32, opponent="random", opponent_first=0.5, seed=1)
    actor, _ = trained(env, 40_000)
    test = LudusEnv("tictactoe", batch_size=64, opponent="random", opponent_first=0.5, seed=2)
    with torch.no_grad():
        rolled = test.rollout(40, actor, break_when_any_done=False)
    rewards = rolled["next", "reward"][rolled["next", "done"]]
    assert len(rewards) > 400
    assert ((rewards + 1) / 2).mean() > 0.8


def test_the_games_of_the_door_are_native_ones():
    with pytest.raises(ValueError, match="need a native game"):
        LudusEnv(ludus.game("examples/breakthrough.py", size=4))
