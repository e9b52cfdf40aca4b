"""Runs made before settings and metrics had the names of today: played, resumed and reported.

`tests/data/old-run` was trained by the tree before the renaming, PPO with settings of many kinds.
"""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.learn import algorithm, algorithms
from ludus.learn.runs.run import Run
from ludus.learn.settings.renamed import (
    METRICS,
    SETTINGS,
    STATES,
    new_metric,
    new_settings,
    new_states,
    old_settings,
)
from ludus.learn.store import selection, zoo
from ludus.report.training import page

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copytree(DATA / "old-run", tmp_path / "old-run"))


@pytest.mark.parametrize("method", algorithms())
def test_every_old_name_has_a_field_of_today(method):
    kind = algorithm(method).Config
    fields = {field.name for field in dataclasses.fields(kind)}
    table = SETTINGS[method]
    assert set(table.values()) <= fields
    assert not table.keys() & fields, "an old name may not mean something else today"
    assert len(set(table.values())) == len(table)
    assert old_settings(kind) == table


def test_names_of_today_stay():
    for name in (*METRICS.values(), "score greedy low", "seconds_search", "elo", "loss"):
        assert new_metric(name) == name
    assert new_metric("points runs/x@best:c=2 low") == "score runs/x@best:c=2 low"
    assert new_metric("cells right, plane 3") == "cell_accuracy_plane_3"
    today = new_settings("ppo", {"trace": 0.9, "clip": 0.1})
    assert new_settings("ppo", today) == today == {"gae_lambda": 0.9, "clip_range": 0.1}
    assert new_settings("dqn", {"clip": 5.0}) == {"max_grad_norm": 5.0}
    assert new_settings(["x"], {"clip": 5.0}) == {"clip": 5.0}


def test_both_names_at_once_are_not_taken_for_one():
    both = {"trace": 0.9, "gae_lambda": 0.8}
    assert new_settings("ppo", both) == both


def test_agents_in_old_settings_keep_their_option():
    told = {"opponent": "uct:c=2;runs/x:c=2,simulations=9;9*zoo/y@best:simulations=3,c=1"}
    assert new_settings("ppo", told) == {
        "opponent": "uct:c=2;runs/x:c_puct=2,simulations=9;9*zoo/y@best:simulations=3,c_puct=1"
    }


def test_an_old_run_says_what_it_was_asked(old):
    config = Run(old).asked.config
    assert (config.gae_lambda, config.clip_range, config.n_envs) == (0.9, 0.15, 8)
    assert (config.opponent_tau, config.eval_opponents) == (0.5, "random;greedy")
    assert config.separate_networks
    assert config.anneal_ent_coef


def test_an_old_run_plays(old):
    for which in ("best", "last", "step=3"):
        thought = ludus.agent(f"{old}@{which}").think(ludus.game("tictactoe").start())
        assert thought.policy.sum() == pytest.approx(1)


def test_an_old_run_resumes_as_it_would_have_gone_on(old, tmp_path):
    """Beside what the old tree came to; and in two sittings bit by bit as in one."""
    twice = Path(shutil.copytree(old, tmp_path / "twice"))
    assert main(["resume", str(old), "--steps", "6"]) == 0
    for steps in ("5", "6"):
        assert main(["resume", str(twice), "--steps", steps]) == 0
    one, other = (selection.newest(path / "checkpoints")[0].load() for path in (old, twice))
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        assert np.asarray(array).tobytes() == np.asarray(other.arrays[name]).tobytes(), name
    assert one.plain == other.plain

    lines = (DATA / "old-run-resumed.jsonl").read_text().splitlines()
    found = Run(old).folder.course()[4:]
    for line, got in zip(map(json.loads, lines), found, strict=True):
        expected = {new_metric(name): value for name, value in line.items() if name != "crc32"}
        assert got.keys() - {"time_elapsed", "n_eval_games"} == expected.keys()  # both came later
        for name in ("step", "positions", "games", "game_length", "policy_loss", "entropy"):
            assert got[name] == pytest.approx(expected[name], rel=1e-3, abs=1e-5), name


def test_a_resumed_run_writes_the_names_of_today(old):
    assert main(["resume", str(old), "--steps", "5"]) == 0
    config = json.loads((old / "config.json").read_text())["config"]
    assert config["gae_lambda"] == 0.9
    assert not config.keys() & SETTINGS["ppo"].keys()
    before, after = (
        json.loads((old / f"checkpoints/step-{step:09}/state.json").read_text())["plain"]
        for step in (4, 5)
    )
    for part, names in STATES.items():
        assert before[part].keys() & names.keys(), "the old run shows that its states are read"
        assert set(names.values()) <= after[part].keys()
        assert not after[part].keys() & names.keys()


def test_both_names_of_a_state_at_once_are_not_taken_for_one():
    both = {"opponents": {"seats": 1, "learner_sides": 2}, "rng": {"seats": 3}}
    assert new_states(both) == both
    assert new_states({"opponents": {"seats": 1}}) == {"opponents": {"learner_sides": 1}}
    assert new_states({"opponents": [1], "x": 2}) == {"opponents": [1], "x": 2}


def test_an_old_run_is_reported(old, capsys):
    told = page(Run(old))
    for part in ("gae_lambda", "score random", "optimal_move_rate", "Adaptability", "% won"):
        assert part in told
    assert "points random" not in told
    assert main(["runs", str(old.parent)]) == 0
    assert "step 4 of 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("ppo connect4 --trace 0.9", "no option --trace; did you mean --gae-lambda?"),
        ("alphazero connect4 --trace=0.9", "did you mean --td-lambda?"),
        ("dqn connect4 --clip 1", "did you mean --max-grad-norm?"),
        ("saes connect4 --matches 1", "did you mean --fitness-games?"),
        ("saes connect4 --tau 1", "did you mean --sigma-learning-rate?"),
        ("ppo connect4 --straying 1", "no option --straying; "),
        ("ppo connect4 --gae-lamda 1", "did you mean --gae-lambda?"),
    ],
)
def test_an_old_option_is_told_its_new_name(words, hint, capsys):
    assert main(["train", *words.split()]) == 2
    assert hint in capsys.readouterr().err


def test_an_old_option_of_resume_is_told_its_new_name(old, capsys):
    assert main(["resume", str(old), "--ladder", "random"]) == 2
    assert "no option --ladder; did you mean --eval-opponents?" in capsys.readouterr().err
    assert main(["resume", str(old), "--evaluate-every", "3"]) == 2
    assert "no option --evaluate-every; did you mean --eval-freq?" in capsys.readouterr().err


def test_cards_of_the_zoo_need_no_new_names():
    olds = set().union(*SETTINGS.values())
    for name in zoo.names():
        assert not zoo.card(name).keys() & olds - {"games"}


@pytest.mark.parametrize("name", zoo.names())
def test_the_command_of_a_card_can_be_given_again(name):
    """But for the files it wrote: every option that it has is one of today."""
    card = zoo.card(name)
    told = {word[2:].replace("-", "_") for word in card["command"].split() if word[:2] == "--"}
    config = algorithm(card["algorithm"]).Config
    assert told <= {one.name for one in dataclasses.fields(config)} | {"minutes", "seed", "run"}
