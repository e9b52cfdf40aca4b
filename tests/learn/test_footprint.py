"""Settings that no memory holds are refused before anything is allocated."""

import dataclasses
import re
import resource
from itertools import islice

import pytest

import ludus
from ludus import cli
from ludus.arena.tournament import Tournament
from ludus.cli import main
from ludus.learn import algorithm, algorithms
from ludus.learn.networks.network import network
from ludus.learn.runs.cost import arrays_of
from ludus.learn.settings.footprint import sizes_of

HUGE = 10**12
REFUSED = [
    ("dqn", "buffer_size"),
    ("dqn", "n_envs"),
    ("dqn", "batch_size"),
    ("dqn", "n_eval_games"),
    ("dqn", "eval_truth_states"),
    ("ppo", "n_steps"),
    ("ppo", "n_envs"),
    ("reinforce", "n_envs"),
    ("alphazero", "window"),
    ("alphazero", "n_pools"),
    ("alphazero", "cache_size"),
    ("alphazero", "n_envs"),
    ("alphazero", "positions_per_step"),
    ("alphazero", "simulations"),
    ("alphazero", "batch_size"),
    ("supervised", "n_envs"),
    ("supervised", "window"),
    ("vae", "positions_per_step"),
    ("vae", "latent_dim"),
    ("vae", "width"),
    ("vae", "n_envs"),
    ("vae", "dataset_games"),
    ("cem", "population_size"),
    ("cem", "fitness_games"),
    ("saes", "fitness_games"),
]


@pytest.mark.parametrize(("method", "option"), REFUSED)
def test_a_request_that_no_memory_holds_is_refused(method, option, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    words = ["train", method, "tictactoe", f"--{option.replace('_', '-')}", str(HUGE)]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert f"{option} {HUGE}" in said
    assert "of memory" in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 1_000_000  # kB


BEYOND = [
    ("dqn", "pool_size", 10**8),
    ("ppo", "pool_size", 10**8),
    ("cem", "sigma", 1e30),
    ("saes", "sigma_learning_rate", 1e9),
    ("saes", "sigma_learning_rate", -1e9),
]


@pytest.mark.parametrize(("method", "option", "value"), BEYOND)
def test_a_number_that_nothing_can_be_made_with_is_refused(method, option, value):
    with pytest.raises(ValueError, match=f"{option} is .*, not {re.escape(repr(value))}$"):
        algorithm(method).Config(**{option: value})


@pytest.mark.parametrize("method", algorithms())
def test_so_many_threads_are_refused(method, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", method, "tictactoe", "--threads", "1000000"]) == 2
    assert "threads is a whole number from 1 to 1024, not 1000000" in capsys.readouterr().err


def test_a_fit_to_some_minutes_refuses_it_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "alphazero", "connect4", "--minutes", "1", "--n-pools", str(HUGE)]) == 2
    assert "of memory" in capsys.readouterr().err


@pytest.mark.parametrize("spelled", ["connect4", "checkers", "cathedral:size=8"])
@pytest.mark.parametrize(
    ("method", "part", "option"),
    [("dqn", "replay", "buffer_size"), ("alphazero", "window", "window")],
)
def test_a_footprint_is_close_to_what_is_held(spelled, method, part, option):
    module, on = algorithm(method), ludus.game(spelled)
    config = module.Config(**{option: 20_000})
    held = sum(array.nbytes for array in arrays_of(module.Learner(on, config, 0).parts[part]))
    told = config.footprint(sizes_of(on, config.planes))[(option,)]
    assert 0.8 * held < told < 1.5 * held


@pytest.mark.parametrize("method", algorithms())
def test_defaults_fit_into_a_small_machine(method):
    for game in ludus.game_names():
        on = ludus.game(game)
        config = algorithm(method).Config()
        assert sum(config.footprint(sizes_of(on, config.planes)).values()) < 2e9


def test_a_footprint_grows_with_every_setting_that_it_names():
    sizes = sizes_of(ludus.game("connect4"), "full")
    for method in algorithms():
        config = algorithm(method).Config()
        for names in config.footprint(sizes):
            for name in names:
                more = dataclasses.replace(config, **{name: 10 * max(1, getattr(config, name))})
                assert more.footprint(sizes)[names] > config.footprint(sizes)[names]


def test_more_games_than_memory_holds_are_refused(capsys):
    assert main(["tournament", "tictactoe", "random", "greedy", "--games", str(10**9)]) == 2
    assert "1,000,000,000 games would take 1,325.0 GB of memory" in capsys.readouterr().err
    assert main(["match", "tictactoe", "random", "random", "--games", str(10**9)]) == 2
    assert "1,000,000,000 games would take 1,325.0 GB of memory" in capsys.readouterr().err


def test_long_games_take_more_memory_than_short_ones(monkeypatch):
    """A game of Chinese Checkers at random takes some hundred plies, one of tic-tac-toe seven."""
    monkeypatch.setattr("ludus.resources.available_memory", lambda: 10**9)
    assert Tournament(
        "tictactoe", ["random", "greedy"], games=10**5, seed=0, openings="none"
    ).remaining
    with pytest.raises(ValueError, match=r"100,000 games would take .* of memory"):
        Tournament("chinesecheckers", ["random", "greedy"], games=10**5, seed=0, openings="none")


def test_a_batch_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr("ludus.resources.available_memory", lambda: 10**6)
    with pytest.raises(ValueError, match=r"a batch of 100,000 games would take .* of memory"):
        ludus.batch(ludus.game("checkers"), 100_000)


def test_jobs_of_a_tournament_are_not_listed_first():
    one = Tournament("tictactoe", ["random", "greedy"], games=10**6, seed=0, openings="none")
    assert one.remaining == 10**6
    assert [index for _, index in islice(one.jobs(), 4)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("dqn", {"train_freq": 10**12}),
        ("dqn", {"gradient_steps": 10**12}),
        ("ppo", {"n_epochs": 10**12}),
        ("supervised", {"positions_per_step": 10**12}),
        ("vae", {"n_epochs": 10**12}),
        ("alphazero", {"gate_games": 10**12}),
        ("alphazero", {"eval_simulations": 10**12}),
        ("reinforce", {"max_rollout_plies": 10**12}),
        ("cem", {"max_plies": 10**12}),
        ("saes", {"max_plies": 10**12}),
    ],
)
def test_a_step_without_end_is_refused(name, asked):
    module = algorithm(name)
    config = module.Config(**asked)
    with pytest.raises(ValueError, match=r"positions in a step; 1e\+10 is the most"):
        next(module.train(ludus.game("tictactoe"), config))


def test_a_network_that_does_not_fit_is_refused_in_our_words(monkeypatch):
    monkeypatch.setattr("ludus.resources.available_memory", lambda: 10**6)
    with pytest.raises(ValueError, match=r"to train a network of [\d,]+ weights would take"):
        network("mlp", (2, 6, 7), 7, seed=1, width=2000)


def test_memory_that_torch_lacks_is_no_defect():
    error = RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried")
    assert cli.explain_error(error) == (cli.BAD_INPUT, "memory ran out: ask for less")
