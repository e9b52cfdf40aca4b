"""Presets mean their papers: game, units, settings, and what was filled in is said."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

import ludus
from ludus.cli import main
from ludus.learn import algorithm, algorithms, alphazero
from ludus.learn.runs.run import Run
from ludus.learn.settings.preset import Preset, find, training_game
from ludus.learn.settings.presets import TABLES

RESULTS = Path(__file__).parents[2] / "docs" / "results" / "presets.md"
EVERY = [(method, one) for method, table in TABLES.items() for one in table.values()]
each = pytest.mark.parametrize(
    ("method", "preset"), EVERY, ids=[f"{method}-{one.name}" for method, one in EVERY]
)


def config_of(method, preset, **changes):
    return algorithm(method).Config(**{**preset.settings, **changes})


@each
def test_a_preset_is_described(method, preset):
    assert algorithm(method).PRESETS[preset.name] is preset
    assert ludus.game(preset.game).spelling
    assert preset.paper
    assert preset.filled.keys() <= preset.settings.keys() | {"game"}
    assert all(preset.filled.values())
    config_of(method, preset)


@each
def test_a_preset_is_measured_some_twenty_to_a_hundred_times(method, preset):
    config = config_of(method, preset)
    if method == "vae":
        return  # it makes no agent
    if every := config.eval_freq_games:
        assert 20 <= config.total_games // every <= 100
    elif config.steps > 20:
        assert 20 <= config.steps // config.eval_freq <= 100
    assert not config.keep_every


@each
def test_minutes_change_no_preset(method, preset, tmp_path, monkeypatch):
    """They only stop it."""
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludus.cli._training.train_run", lambda made, *_: seen.append(made) or 0)
    for words in ([], ["--minutes", "0.01"], ["--minutes", "600"]):
        assert main(["train", method, "--preset", preset.name, *words]) == 0
    assert {made.asked.config for made in seen} == {config_of(method, preset)}
    assert {made.asked.game.spelling for made in seen} == {ludus.game(preset.game).spelling}


def test_tables_are_of_the_methods():
    assert list(TABLES) == algorithms()
    for method, table in TABLES.items():
        assert algorithm(method).PRESETS is table
        assert [one.name for one in table.values()] == list(table)


PAPERS = "cathedral:size=8,rules=seed,fair_start=true"


@pytest.mark.parametrize(
    "words",
    [
        "--preset cathedral",
        "--preset=cathedral",
        "cathedral --preset cathedral",
        "--preset cathedral cathedral",
        "--seed 3 cathedral --preset cathedral",
        "--preset cathedral --batch-size 8 cathedral --seed 3",
        f"{PAPERS} --preset cathedral",
        "cathedral:fair_start=true,rules=seed,size=8 --preset cathedral",
    ],
)
def test_a_preset_brings_its_game(words, tmp_path, monkeypatch, capsys):
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludus.cli._training.train_run", lambda made, *_: seen.append(made) or 0)
    assert main(["train", "ppo", *words.split()]) == 0
    assert seen[0].asked.game.spelling == ludus.game(PAPERS).spelling
    assert seen[0].command == f"ludus train ppo {words}"
    assert capsys.readouterr().err == ""


def test_other_parameters_of_the_same_game_are_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludus.cli._training.train_run", lambda *_: 0)
    assert main(["train", "ppo", "cathedral:size=10", "--preset", "cathedral"]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"ludus: the paper of cathedral plays {PAPERS}, ")
    assert said.endswith(", not cathedral:size=10\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ppo --preset cathedral connect4", "the preset cathedral is for cathedral, not for conn"),
        ("ppo connect4 --preset cathedral", "the preset cathedral is for cathedral, not for conn"),
        ("ppo connect4 checkers", "'checkers' is one too many"),
        ("ppo --preset cathedrl", "no preset 'cathedrl'; did you mean cathedral?"),
        ("ppo --preset ''", "no preset ''; there are cathedral"),
        ("supervised --preset x", "no preset 'x'; there are none"),
        ("ppo", "which game?"),
        ("ppo --minutes 3", "which game?"),
        ("nothing --preset x", "no algorithm 'nothing'"),
        ("ppo --preset", "argument --preset: expected one argument"),
        (
            "ppo --preset cathedral --total-games -1",
            "total_games is a whole number of at least 0, not -1",
        ),
        ("ppo --preset cathedral --total-games 0", "steps is above 0, not 0"),
        ("supervised tictactoe --total-games 5", "total_games is 0 here"),
        ("dqn tictactoe --opponent 5*random;6games*random;self", "an opponent is written like"),
    ],
)
def test_mistakes_are_one_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", *[word.replace("''", "") for word in words.split()]]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["train", "--help"], ["train", "-h"]])
def test_help_without_an_algorithm(words, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 0
    assert "--list-presets" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["dqn --help", "dqn connect4 --help", "dqn --seed 1 -h"])
def test_help_of_an_algorithm(words, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", *words.split()])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    assert "--preset NAME" in said
    assert "cathedral-vs-random" in said
    assert "GAME" in said


def test_presets_are_listed_in_lines_that_fit(capsys):
    assert main(["train", "--list-presets"]) == 0
    said = capsys.readouterr().out
    for method, one in EVERY:
        assert f"ludus train {method} --preset {one.name}\n" in said
    assert max(map(len, said.splitlines())) <= 80
    assert main(["train", "ppo", "--list-presets"]) == 0
    own = capsys.readouterr().out
    assert "train ppo" in own
    assert "train dqn" not in own


@pytest.mark.parametrize(
    "words",
    [
        "--list-presets --json",
        "--json --list-presets",
        "vae --list-presets --json",
        "--json vae --list-presets",
        "--json --list-presets vae",
    ],
)
def test_presets_are_listed_for_programs(words, capsys):
    assert main(["train", *words.split()]) == 0
    records = json.loads(capsys.readouterr().out)["presets"]
    kept = {(one["method"], one["name"]): one for one in records}
    vae = TABLES["vae"]["cathedral"]
    found = kept["vae", "cathedral"]
    assert found["settings"] == vae.settings
    assert found["filled"] == vae.filled
    assert (found["game"], found["paper"]) == (vae.game, vae.paper)
    assert len(kept) == (1 if "vae" in words else len(EVERY))


def test_a_preset_is_found_by_its_name():
    one = Preset("x", "tictactoe", "nobody", {})
    assert find("x", {"x": one}) is one
    assert training_game(one, None)[0].spelling == "tictactoe"
    assert training_game(None, "connect4")[0].name == "connect4"


# What the papers print, read from them line by line.
PRINTED = {
    ("dqn", "cathedral"): (
        "batch_size=64 learning_rate=0.001 gamma=0.95 target_update_interval=30 "
        "buffer_size=40000 per_alpha=0.6 exploration_decay_games=500.0 "
        "exploration_strategy=boltzmann total_games=4000 shaping=dense"
    ),
    ("dqn", "cathedral-vs-illegal"): "opponent=1500 games*legality;self total_games=4000",
    ("ppo", "cathedral"): (
        "critic_learning_rate=0.0002 learning_rate=0.0005 n_episodes=5 n_epochs=20 "
        "gae_lambda=0.95 opponent_tau=0.3 opponent_soft_interval=10 opponent_full_interval=100 "
        "clip_range=0.2 gamma=0.97 ent_coef=0.01 total_games=10000"
    ),
    ("ppo", "cathedral-vae"): "opponent_full_interval=1 freeze_encoder=True total_games=10000",
    ("dqn", "kingcourtesan"): (
        "buffer_size=100000 batch_size=32 target_update_interval=1000 exploration_initial=1.0 "
        "exploration_final=0.1 credit=max"
    ),
    ("dqn", "kingcourtesan-correct"): "credit=adversarial batch_size=32",
    ("cem", "kingcourtesan"): "population_size=100 elite_frac=0.2 min_variance=0.01",
    ("saes", "kingcourtesan"): "sigma=0.1 mutation=old",
    ("ppo", "supertictactoe"): (
        "learning_rate=0.0003 weight_decay=0.0001 gamma=0.99 gae_lambda=0.95 clip_range=0.2 "
        "vf_coef=0.2 ent_coef=0.02 batch_size=128 vf_smooth_l1=True steps=50"
    ),
    ("alphazero", "fusion"): (
        "search=root clear_window=True random_opening_plies=0 ema_decay=0.0 q_ratio=0.0"
    ),
    ("alphazero", "connect4"): (
        "simulations=75 games_per_step=100 samples_per_step=30000 batch_size=64 gate=0.55 "
        "gate_discards=True network=c4net overlap=False"
    ),
    ("alphazero", "connect4-25"): "simulations=25",
    ("alphazero", "connect4-50"): "simulations=50",
    ("alphazero", "checkers"): (
        "simulations=25 blocks=8 width=256 games_per_step=100 batch_size=64"
    ),
    ("alphazero", "thesis-4x4"): (
        "n_envs=6 window=1000 simulations=128 batch_size=64 learning_rate=1e-05 momentum=0.9 "
        "weight_decay=0.0001 fpu_strategy=zero plain=True steps=50 replace_prob=1.0"
    ),
    ("alphazero", "thesis-5x5"): (
        "n_envs=29 window=10000 simulations=128 batch_size=128 learning_rate=1e-05 "
        "momentum=0.9 weight_decay=0.0001 steps=300 replace_prob=0.5"
    ),
    ("alphazero", "thesis-single"): "games_per_step=300 steps=10 n_envs=1 clear_window=True",
    ("vae", "cathedral"): "latent_dim=32",
}


@pytest.mark.parametrize(("method", "name"), PRINTED)
def test_what_a_paper_prints_is_set(method, name):
    config = dataclasses.asdict(config_of(method, TABLES[method][name]))
    pairs = PRINTED[method, name].replace("1500 games*", "1500_games*").split()
    for pair in pairs:
        setting, _, printed = pair.partition("=")
        assert str(config[setting]) == printed.replace("_games", " games"), setting


def test_games_are_the_papers():
    of = {(method, one.name): ludus.game(one.game) for method, one in EVERY}
    assert of["dqn", "cathedral"].parameters["size"] == 8
    assert of["dqn", "cathedral"].parameters["fair_start"] is True
    assert of["ppo", "supertictactoe"].parameters["success"] == 1
    for name, size, pieces in (("4x4", 4, 3), ("5x5", 5, 6)):
        own = of["alphazero", f"thesis-{name}"].parameters
        assert (own["size"], own["pieces"], own["forward_only"]) == (size, pieces, True)
        assert (own["repetition"], own["max_plies"]) == (8, 100)


def test_a_preset_trains_from_the_command_line(tmp_path, capsys):
    words = ["--preset", "fusion", "--steps", "1", "--games-per-step", "3", "--simulations", "2"]
    words += [
        "--width",
        "8",
        "--blocks",
        "1",
        "--eval-freq",
        "0",
        "--run",
        str(tmp_path / "x"),
    ]
    assert main(["train", "alphazero", *words]) == 0
    asked = Run(tmp_path / "x").asked
    assert asked.game.spelling == "tictactoe"
    assert asked.config.clear_window
    assert isinstance(asked.config, alphazero.Config)


@pytest.mark.parametrize(
    ("method", "name", "setting", "why"),
    [
        ("alphazero", "thesis-4x4", "steps", "5 hours"),
        ("alphazero", "thesis-5x5", "steps", "72 hours"),
        ("alphazero", "thesis-replay", "steps", "not printed"),
        ("alphazero", "thesis-parallel", "steps", "not printed"),
        ("alphazero", "thesis-single", "simulations", "parallel games"),
        ("alphazero", "thesis-single", "momentum", "parallel games"),
        ("alphazero", "thesis-single", "weight_decay", "parallel games"),
        ("ppo", "supertictactoe-3", "opponent", "begins every game"),
        ("ppo", "supertictactoe-4", "opponent", "begins every game"),
    ],
)
def test_what_is_read_otherwise_than_printed_is_said(method, name, setting, why):
    assert why in TABLES[method][name].filled.get(setting, "")


def measured():
    """The rows of the results: method and name, what is set over it, and the intervals."""
    lines = RESULTS.read_text().splitlines()
    rows = [line.split("|")[1:-1] for line in lines if re.match(r"\| `\w+ --preset", line)]
    for words, over, *_, before, after in rows:
        method, _, name = words.strip().strip("`").split()
        shares = [re.search(r"\((\d+)-(\d+)\)", cell) for cell in (before, after)]
        ends = [tuple(map(int, one.groups())) for one in shares if one]
        yield (method, name), over.strip(), ends


def test_the_results_sum_up_what_their_rows_show():
    rows = [
        line for line in RESULTS.read_text().splitlines() if re.match(r"\| (stronger|paid)", line)
    ]
    said = [
        [
            (method, name)
            for part in row.split("|")[2].split(";")
            for method, *names in [re.findall(r"`([\w-]+)`", part)]
            for name in names
        ]
        for row in rows
    ]
    alone, smaller, _ = said
    every = sorted((method, one.name) for method, one in EVERY)
    assert sorted(which for row in said for which in row) == every
    found = list(measured())
    assert {which for which, _, _ in found} == {(method, one.name) for method, one in EVERY}
    for which in [*alone, *smaller]:
        ends = [
            two for one, over, two in found if one == which and bool(over) == (which in smaller)
        ]
        cells_only = which[0] == "vae"
        assert ends
        assert cells_only or any(after[0] > before[1] for before, after in ends), which
