"""Every learning method: runs on every game, repeats bit by bit, goes on as if never stopped."""

import numpy as np
import pytest

import ludus
from ludus.learn import algorithm, ppo
from ludus.learn.collecting import collector as collecting
from ludus.learn.networks.onnx import graph_of
from ludus.learn.networks.precision import has_bfloat16
from ludus.learn.store import checkpoint, selection
from tests.learn.small import METHODS, everything, same, small


def trained(name, game, config, seed=1, saved=None, upto=None):
    """The state after the last step, or after step `upto`."""
    for step in algorithm(name).train(game, config, seed=seed, saved=saved):
        if step.number == upto:
            break
    return step


@pytest.mark.parametrize("name", METHODS)
def test_it_runs_and_resumes_on_every_game(name, game, tmp_path):
    config = small(name, steps=2)
    unbroken = everything(trained(name, game, config).snapshot())
    first = trained(name, game, config, upto=1)
    checkpoint.write(tmp_path, first.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))


@pytest.mark.parametrize("name", METHODS)
def test_a_seed_repeats_and_another_differs(name):
    game, config = ludus.game("connect4:rows=4,columns=5"), small(name)
    one, two = (everything(trained(name, game, config, seed=3).snapshot()) for _ in range(2))
    same(one, two)
    other = everything(trained(name, game, config, seed=4).snapshot())
    weights = [key for key in one[0] if key.startswith("network/")]
    assert any(not np.array_equal(one[0][key], other[0][key]) for key in weights)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("at", [1, 2, 3])
def test_it_resumes_at_any_step(name, at, tmp_path):
    game, config = ludus.game("tictactoe:success=0.5"), small(name)
    unbroken = everything(trained(name, game, config).snapshot())
    early = trained(name, game, config, upto=at)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))


OPPONENTS = ["lagged", "pool", "random", "greedy", "uct:simulations=8", "1*legality;1*random;self"]


@pytest.mark.parametrize("name", ["dqn", "ppo", "reinforce"])
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_it_resumes_against_anybody(name, opponent, tmp_path):
    if name not in METHODS:
        pytest.skip(f"{name} is not here")
    game, config = ludus.game("tictactoe"), small(name, opponent=opponent)
    unbroken = everything(trained(name, game, config).snapshot())
    early = trained(name, game, config, upto=2)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))


@pytest.mark.parametrize("name", ["dqn", "ppo", "reinforce"])
def test_it_plays_through_onnx_and_resumes(name, tmp_path):
    game, config = ludus.game("connect4:rows=4,columns=5"), small(name, backend="onnx")
    unbroken = everything(trained(name, game, config).snapshot())
    early = trained(name, game, config, upto=2)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))


@pytest.mark.skipif(not has_bfloat16(), reason="torch has no bfloat16 on this machine")
@pytest.mark.parametrize("name", ["dqn", "alphazero", "supervised"])
def test_it_learns_in_rough_numbers_and_resumes(name, tmp_path):
    """Products have eight bits there; weights and what is learned from stay floats."""
    game, config = ludus.game("connect4:rows=4,columns=5"), small(name, precision="bfloat16")
    unbroken = everything(trained(name, game, config).snapshot())
    early = trained(name, game, config, upto=2)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))
    fine = everything(trained(name, game, small(name, precision="float32")).snapshot())
    weights = [key for key in fine[0] if key.startswith("network/")]
    assert all(unbroken[0][key].dtype == fine[0][key].dtype for key in weights)
    assert any(not np.array_equal(fine[0][key], unbroken[0][key]) for key in weights)


def test_the_graph_is_made_where_it_pays_and_says_the_same(monkeypatch):
    """Counted, never timed: a training repeats on any machine."""
    made = []
    monkeypatch.setattr(collecting, "graph_of", lambda network: made.append(1) or graph_of(network))
    collector = ppo.Learner(ludus.game("connect4"), small("ppo", n_envs=8), seed=1).collector
    few, many = collector.evaluator(127), collector.evaluator(128)
    assert len(made) == 1
    features = collector.games.features
    for one, other in zip(few(features), many(features), strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize("name", METHODS)
def test_a_game_written_in_python(name):
    game = ludus.game("examples/breakthrough.py", size=4)
    assert trained(name, game, small(name, steps=1)).number == 1


# What the papers vary, and what has to be an option of which method.
OPTIONS = {
    "dqn": "target_update_interval tau double_q n_step per_alpha per_beta per_beta_steps "
    "exploration_strategy exploration_initial exploration_final exploration_decay_games "
    "credit monte_carlo_returns shaping illegal_reward opponent buffer_size planes network",
    "ppo": "clip_range gae_lambda gamma ent_coef vf_coef vf_smooth_l1 separate_networks "
    "critic_learning_rate weight_decay lr_decay_steps opponent opponent_soft_interval "
    "opponent_tau opponent_full_interval pool_interval pool_size pool_prob "
    "proximity_weighting planes shaping bounded_value init encoder freeze_encoder "
    "head_width head_layers",
    "reinforce": "baseline gamma ent_coef opponent shaping",
    "cem": "population_size elite_frac min_variance sigma fitness_games opponent",
    "saes": "sigma sigma_learning_rate mutation fitness_games opponent",
    "vae": "latent_dim kl_coef data_agent data_agent_fraction dataset_games validation_fraction",
}


@pytest.mark.parametrize("name", OPTIONS)
def test_what_the_papers_vary_is_an_option(name):
    assert set(OPTIONS[name].split()) <= algorithm(name).Config.__dataclass_fields__.keys()
    assert algorithm(name).PRESETS


@pytest.mark.parametrize("name", METHODS)
def test_presets_are_configs(name):
    module = algorithm(name)
    for preset in module.PRESETS.values():
        assert module.Config(**preset.settings) != module.Config()


@pytest.mark.parametrize("name", ["dqn", "ppo", "reinforce"])
def test_presets_can_begin_and_see_what_they_say(name):
    """Signed is one plane, or another word is meant."""
    module = algorithm(name)
    for preset in module.PRESETS.values():
        sizes = {"n_envs": 1, "width": 8, "blocks": 1, "buffer_size": 100}
        fitting = {k: v for k, v in sizes.items() if k in module.Config.__dataclass_fields__}
        encoder = {"encoder": "latent=32,width=8"} if "head_width" in preset.settings else {}
        config = module.Config(**{**preset.settings, **fitting, **encoder})
        learner = module.Learner(ludus.game(preset.game), config, seed=1)
        assert config.planes == "paper" or learner.collector.games.shape[0] == 1


@pytest.mark.parametrize("name", ["ppo", "reinforce"])
def test_it_resumes_with_the_averages_of_batch_normalisation(name, tmp_path):
    game = ludus.game("connect4:rows=4,columns=5")
    config = small(name, network="c4net", opponent="lagged", max_rollout_plies=64)
    unbroken = everything(trained(name, game, config).snapshot())
    early = trained(name, game, config, upto=2)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(unbroken, everything(trained(name, game, config, saved=stored).snapshot()))


@pytest.mark.parametrize("watch", [False, True])
def test_dqn_may_learn_from_who_sits_opposite(watch):
    config = small("dqn", opponent="random", learn_from_opponent=watch, n_step=1)
    *_, last = algorithm("dqn").train(ludus.game("connect4"), config, seed=1)
    replay = last.parts["replay"]
    share = replay.useful[: min(replay.time, replay.length)].mean()
    assert share == 1 if watch else 0.3 < share < 0.7
