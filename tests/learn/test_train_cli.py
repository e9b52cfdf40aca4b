"""`ludus train`, `resume` and `runs`, as a person types them."""

import argparse
import json
import re
import signal
import subprocess
import sys
import threading

import pytest

import ludus
from ludus.cli import main
from ludus.cli._training import strength_of
from ludus.cli.resume import CHANGES
from ludus.learn import algorithm, dqn, vae
from ludus.learn.collecting.replay import SLABS
from ludus.learn.runs.cost import cost
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import FREE, make_config, read_config
from ludus.report.quantities import PROGRESS, quantity_figure
from tests.learn.small import small

TINY = ["--n-envs", "6", "--train-freq", "4", "--width", "8", "--learning-starts", "6"]
TINY += ["--gradient-steps", "1", "--batch-size", "8", "--buffer-size", "600"]


def train(*words):
    return main(["train", "dqn", "tictactoe", *TINY, *map(str, words)])


def test_train_resume_runs(tmp_path, capsys):
    path = tmp_path / "runs" / "x"
    words = ("--steps", 3, "--run", path, "--eval-freq", 3, "--n-eval-games", 4)
    assert train(*words, "--seed", 2) == 0
    assert "done at step 3" in capsys.readouterr().out
    assert main(["resume", str(path), "--steps", "5"]) == 0
    assert "done at step 5" in capsys.readouterr().out
    assert main(["runs", str(tmp_path / "runs"), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["runs"]
    assert (record["algorithm"], record["game"], record["step"]) == ("dqn", "tictactoe", 5)
    assert 0 <= record["strength"] <= 1
    assert main(["runs", str(tmp_path / "runs")]) == 0
    assert "step 5 of 5" in capsys.readouterr().out
    command = json.loads((path / "config.json").read_text())["command"]
    assert command.startswith("ludus train dqn tictactoe --n-envs 6")


def test_the_report_is_one_file_with_everything(tmp_path):
    path = tmp_path / "x"
    train("--steps", 4, "--run", path, "--eval-freq", 2, "--n-eval-games", 4)
    page = (path / "report.html").read_text()
    for part in ("<svg", "Strength", "Losses", "learning_rate", "torch", "ludus train dqn"):
        assert part in page
    assert page.count("% won<") == 1
    assert "<h3>Adaptability</h3>" in page
    for outside in ("http://", "https://", "src=", "href=", "url(", "@import"):
        assert outside not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["train", "dqm", "tictactoe"], "no algorithm 'dqm'; did you mean dqn?"),
        (["train", "dqn", "tictactoe", "--learning-rat", "1"], "did you mean --learning-rate?"),
        (
            ["train", "dqn", "tictactoe", "--steps", "many"],
            "steps is a whole number of at least 0, not",
        ),
        (["train", "dqn", "tictactoe", "--gamma", "2"], "gamma is a number from 0 to 1"),
        (["train", "dqn", "tictactoe", "--credit", "mine"], "credit is one of auto, adversarial"),
        (["train", "dqn", "tictactoe", "--preset", "cathedra"], "did you mean cathedral?"),
        (["train", "dqn", "tictactoe", "--opponent", "nobody"], "no agent 'nobody'"),
        (["train", "dqn", "tictactoe", "--opponent", "random;self"], "an opponent is written"),
        (["train", "dqn", "chess"], "no game 'chess'"),
        (["resume", "nowhere"], "there is no run in nowhere"),
        (["resume", "nowhere", "--minutes", "0"], "minutes is a number above 0, not 0"),
        (["demo", "--minutes", "-1"], "minutes is a number above 0, not -1"),
        (["demo", "--minutes", "nan"], "minutes is a number above 0, not nan"),
        *(
            (["train", "dqn", "tictactoe", *words], sentence)
            for words, sentence in [
                (["--minutes", "0"], "minutes is a number above 0, not 0"),
                (["--minutes", "-1"], "minutes is a number above 0, not -1"),
                (["--minutes", "nan"], "minutes is a number above 0, not nan"),
                (["--planes", "foo"], "foo"),
                (["--init", "nowhere"], "there is no run in nowhere"),
                (["--init", "zoo/nobody"], "no 'nobody' in the zoo; there are checkers"),
                (["--encoder", "nowhere"], "there is no run in nowhere"),
                (["--eval-opponents", "random;nobody"], "no agent 'nobody'"),
                (["--eval-openings", "foo"], "openings are none, random:PLIES or a file"),
                (["--width", "-3"], "width is a whole number of at least 0, not -3"),
                (["--blocks", "-3"], "blocks is a whole number from 0 to 1000, not -3"),
                (["--threads", "0"], "threads is a whole number from 1 to 1024, not 0"),
                (["--steps", "0"], "steps is above 0, not 0"),
                (
                    ["--gradient-steps", "-1"],
                    "gradient_steps is a whole number of at least 0, not -1",
                ),
                (
                    ["--learning-starts", "-5"],
                    "learning_starts is a whole number of at least 0, not -5",
                ),
                (
                    ["--exploration-final", "-3"],
                    "exploration_final is a number of at least 0, not -3",
                ),
                (["--n-eval-games", "0"], "n_eval_games is a whole number of at least 1, not 0"),
                (["--learning-rate", "1e39"], "learning_rate is a number up to 1e+30, not 1e+39"),
            ]
        ),
        (
            ["train", "vae", "tictactoe", "--threads", "0"],
            "threads is a whole number from 1 to 1024, not 0",
        ),
        (
            ["train", "cem", "tictactoe", "--threads", "0"],
            "threads is a whole number from 1 to 1024, not 0",
        ),
        (
            ["train", "supervised", "tictactoe", "--threads", "0"],
            "threads is a whole number from 1 to 1024, not 0",
        ),
        (
            ["train", "alphazero", "tictactoe", "--max-num-considered-actions", "0"],
            "max_num_considered_actions",
        ),
    ],
)
def test_mistakes_are_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    """And leave nothing behind that would block the corrected command."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.startswith("ludus: ")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_what_was_in_the_folder_stays(tmp_path, capsys):
    path = tmp_path / "x"
    path.mkdir()
    (path / "notes.txt").write_text("mine")
    for words in (["--planes", "foo"], ["--steps", 1, "--eval-freq", 0]):
        assert train(*words, "--run", path) == 2
        assert "holds notes.txt and no config.json" in capsys.readouterr().err
        assert [file.name for file in path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    "words", [("--steps", "-4"), ("--steps", "0"), ("--eval-opponents", "nobody")]
)
def test_a_wrong_resumption_changes_nothing(words, tmp_path, capsys):
    path = tmp_path / "x"
    assert train("--steps", 1, "--eval-freq", 0, "--run", path) == 0
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    assert main(["resume", str(path), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert before == {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_ctrl_c_before_the_first_step_leaves_nothing(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ludus.learn.dqn.Learner.collect", interrupted)
    assert train("--run", tmp_path / "x") == 130
    assert "stopped before the first step: nothing is kept" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_demo_stops_where_it_is_stopped(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("ludus.cli._training.train_run", lambda *_, **__: 130)
    monkeypatch.setattr("ludus.cli.demo.prepare_match", lambda *_, **__: pytest.fail("goes on"))
    from ludus.cli.demo import train_alphazero

    args = argparse.Namespace(json=True, minutes=0.01, folder=str(tmp_path / "x"), seed=0)
    with pytest.raises(KeyboardInterrupt):
        train_alphazero(args)


def test_a_dry_run_costs_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert train("--dry-run", "--json", "--steps", 1000) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["weights"] > 100
    assert found["bytes"] > 600 * (2 * 9 + 2)
    assert found["seconds"] > 0
    assert not list(tmp_path.iterdir())
    assert train("--dry-run") == 0
    assert "MB on disk" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("alphazero --window 5", "a window of 5 forgets most of the 2048 positions"),
        ("alphazero --replace-prob 0", "replace_prob is 0.01 or more, not 0.0"),
        ("dqn --buffer-size 600 --n-envs 4", "learning_starts 2000 never comes"),
        ("ppo --eval-opponents nobody", "no agent 'nobody'"),
        ("ppo --eval-opponents random;human", "'human' waits at a terminal"),
        ("ppo --opponent 2*human;self", "'human' waits at a terminal"),
        ("cem --opponent human", "'human' waits at a terminal"),
        ("cem --opponent nobody", "no agent 'nobody'"),
        ("vae --data-agent human:epsilon=0.5", "'human:epsilon=0.5' waits at a terminal"),
        ("vae --data-agent nobody", "no agent 'nobody'"),
        ("supervised --teacher human", "'human' waits at a terminal"),
        ("supervised --window 5", "a window of 5 forgets most of the"),
        ("ppo --eval-openings foo", "openings are none, random:PLIES or a file"),
    ],
)
@pytest.mark.parametrize("dry", [True, False])
def test_a_dry_run_refuses_what_a_training_would(words, sentence, dry, tmp_path, capsys):
    method, *options = words.split()
    where = ["--run", str(tmp_path / "r")]
    assert main(["train", method, "tictactoe", *options, *where, *["--dry-run"] * dry]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_learning_begins_where_a_buffer_is_just_large_enough():
    game = ludus.game("tictactoe")
    for starts, learns in ((40, True), (41, False)):
        how = {"n_envs": 4, "buffer_size": 60, "n_step": 5, "credit": "adversarial"}
        config = small("dqn", **how, learning_starts=starts, steps=12)
        training = dqn.train(game, config, seed=1)
        if learns:
            *_, step = training
            assert "loss" in step.metrics
        else:
            with pytest.raises(ValueError, match="learning_starts 41 never comes"):
                next(training)


def test_a_run_is_resumed_with_whatever_touches_nothing_that_is_learned(tmp_path, capsys):
    assert {*CHANGES, "steps", "total_games"} == FREE
    run = tmp_path / "r"
    assert train("--steps", 1, "--eval-freq", 0, "--run", run) == 0
    more = ["--eval-freq", "1", "--n-eval-games", "3", "--checkpoint-seconds", "0"]
    assert main(["resume", str(run), "--steps", "3", *more]) == 0
    config = Run(run).asked.config
    assert (config.eval_freq, config.n_eval_games, config.checkpoint_seconds) == (1, 3, 0.0)
    assert [line["step"] for line in Run(run).folder.course() if "score random" in line] == [2, 3]
    assert main(["resume", str(run), "--steps", "4", "--eval-freq", "none"]) == 0
    assert Run(run).asked.config.eval_freq is None
    capsys.readouterr()
    for words, told in (
        (["--eval-freq", "-1"], "eval_freq is a whole number of at least 0, not -1"),
        (["--n-eval-games", "many"], "n_eval_games is a whole number of at least 1, not 'many'"),
        (["--tensorboard", "7"], "tensorboard is true or false, not 7"),
    ):
        assert main(["resume", str(run), *words]) == 2
        assert capsys.readouterr().err == f"ludus: {told}\n"


def test_a_window_that_is_fitted_holds_the_step_that_was_asked_for():
    on, asked = ludus.game("tictactoe"), {"positions_per_step", "simulations", "precision"}
    config = algorithm("alphazero").Config(positions_per_step=90_000, simulations=2)
    fitted = algorithm("alphazero").autotune(on, config, 0.001, asked)
    assert fitted.positions_per_step == 90_000 <= fitted.window


def test_the_cost_is_of_steps_that_learn():
    """A warmup of many steps is not what the rest of them takes."""
    config = small(
        "dqn",
        n_envs=1,
        train_freq=1,
        learning_starts=500,
        buffer_size=2000,
        steps=3000,
        batch_size=8,
    )
    game = ludus.game("tictactoe")
    found = cost(game, dqn, config, 1)
    *_, step = dqn.train(
        game, small("dqn", n_envs=1, train_freq=1, buffer_size=2000, steps=40), seed=1
    )
    replay, weights = step.parts["replay"], found["weights"]
    room = sum(getattr(replay, own).nbytes for own in SLABS.values()) + replay.tree.nodes.nbytes
    assert found["bytes"] > room + 4 * 4 * weights  # the network, its target, and Adam's moments
    assert found["steps"] == 3000


def test_the_cost_of_an_autoencoder_counts_its_weights():
    found = cost(ludus.game("tictactoe"), vae, small("vae"), 1)
    assert found["weights"] > 100


def test_runs_get_folders_of_their_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert train("--steps", 1, "--eval-freq", 0) == 0
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {
        "dqn-tictactoe",
        "dqn-tictactoe-2",
    }


def test_options_are_the_fields_of_config(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "ppo", "connect4", "--help"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    for option in (
        "--clip-range",
        "--ent-coef",
        "--opponent-tau",
        "--preset",
        "--minutes",
        "--dry-run",
    ):
        assert option in said


def test_tensorboard_by_option(tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    path = tmp_path / "x"
    assert train("--steps", 3, "--run", path, "--tensorboard", "true", "--eval-freq", 0) == 0
    read = events.EventAccumulator(str(path / "tensorboard")).Reload()
    course = Run(path).folder.course()
    for name in ("games", "exploration"):
        written = [(event.step, event.value) for event in read.Scalars(name)]
        assert written == [(line["step"], pytest.approx(line[name])) for line in course]


def test_without_tensorboard_nothing_is_begun(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert train("--run", tmp_path / "x", "--tensorboard", "true") == 2
    assert "tensorboard is not installed" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_settings_from_words():
    config = read_config(dqn.Config, {"gamma": "1", "double_q": "false", "network": "1"}, None)
    assert (config.gamma, config.double_q, config.network) == (1.0, False, "1")
    assert isinstance(config.gamma, float)
    preset = read_config(dqn.Config, {"batch_size": "7"}, dqn.PRESETS["cathedral"])
    assert (preset.batch_size, preset.target_update_interval) == (7, 30)
    with pytest.raises(ValueError, match="no option 'gama'; did you mean gamma"):
        make_config(dqn.Config, {"gama": 1})


WITHOUT_TORCH = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "safetensors", "onnxruntime", "onnx"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import ludus
from ludus.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["train", "dqn", "tictactoe"], 2, "learning needs torch, which is not installed: pip"),
        (["match", "tictactoe", "random", "greedy", "--games", "2"], 0, ""),
        (["train", "--list-presets"], 0, ""),
        (["--help"], 0, ""),
    ],
)
def test_without_torch_everything_else_works(words, code, sentence):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *words], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr


def test_help_is_quick_because_torch_waits():
    """The command line knows all its commands without torch."""
    code = "import sys; from ludus.cli import parser; parser(); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_report_of_an_autoencoder_shows_every_plane(tmp_path):
    config = small("vae", steps=2)
    run = Run(tmp_path / "x", "tictactoe", "vae", config, seed=1).train()
    planes = [name for name in run.folder.course()[-1] if name.startswith("cell_accuracy_plane_")]
    assert len(planes) == ludus.game("tictactoe").start().shape("full")[0]
    (quantity,) = (one for one in PROGRESS if one.title == "Reconstruction")
    drawn = quantity_figure(quantity, run.folder.course())
    assert drawn.count("<ul class=legend>") == 1
    assert all(f"<b>{name}</b>" in drawn for name in planes)


def test_wins_are_told_by_kind_of_opponent(tmp_path):
    words = ("--eval-opponents", "random;greedy", "--eval-freq", 2, "--n-eval-games", 4)
    assert train("--steps", 2, "--run", tmp_path / "x", *words) == 0
    line = Run(tmp_path / "x").folder.course()[-1]
    assert 0 <= line["win_rate random"] <= 1
    assert 0 <= line["win_rate greedy"] <= 1
    assert (tmp_path / "x" / "report.html").read_text().count("% won<") == 2


def test_the_line_tells_intervals_games_and_truth():
    metrics = {
        "training_score": 0.5,
        "score random": 0.97,
        "score random low": 0.88,
        "score random high": 0.99,
        "elo": 120.4,
        "elo_low": -30.0,
        "elo_high": 260.0,
        "optimal_move_rate": 0.8,
        "value_accuracy": 0.7,
    }
    assert strength_of(metrics, 100) == (
        "score of 100 games: random 97 % (88-99), Elo +120 (-30 to 260), "
        "optimal move rate 80 %, value accuracy 70 %"
    )
    assert strength_of({"training_score": 0.5}, 100) == ""


def test_strength_is_listed_by_the_last_ladder(tmp_path, capsys):
    words = ("--eval-freq", 1, "--n-eval-games", 4, "--eval-truth-states", 0)
    assert train("--steps", 2, "--run", tmp_path / "x", *words) == 0
    assert main(["resume", str(tmp_path / "x"), "--steps", "3", "--eval-opponents", "perfect"]) == 0
    capsys.readouterr()
    assert main(["runs", str(tmp_path), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["runs"]
    assert record["strength"] == Run(tmp_path / "x").folder.course()[-1]["strength"]


SMALL_ZERO = [
    "--n-envs",
    4,
    "--n-pools",
    1,
    "--simulations",
    4,
    "--positions-per-step",
    16,
    "--batch-size",
    8,
]
SMALL_ZERO += ["--window", 400, "--threads", 1, "--eval-freq", 0, "--steps", 1]


def test_a_warm_start_takes_the_network_that_it_begins_from(tmp_path):
    def zero(*words):
        return main(["train", "alphazero", "tictactoe", *map(str, [*SMALL_ZERO, *words])])

    first, second = tmp_path / "first", tmp_path / "second"
    assert zero("--run", first, "--width", 16, "--blocks", 1) == 0
    assert zero("--run", second, "--init", first, "--minutes", 0.05) == 0
    config = Run(second).asked.config
    assert (config.network, config.width, config.blocks) == ("zero", 16, 1)


def test_a_warm_start_from_the_zoo(tmp_path):
    words = ["--init", "zoo/tictactoe", "--learning-rate", "1e-12", "--run", tmp_path / "x"]
    assert main(["train", "alphazero", "tictactoe", *map(str, [*SMALL_ZERO, *words])]) == 0
    start = ludus.game("tictactoe").start()
    learned, known = Run(tmp_path / "x").last(), ludus.agent("zoo/tictactoe")
    assert learned.think(start).policy == pytest.approx(known.think(start).policy, abs=0.01)


def test_a_run_in_python(tmp_path):
    from ludus.learn import ppo

    config = ppo.Config(steps=2, n_envs=4, n_steps=4, eval_freq=0)
    run = Run(tmp_path / "x", "tictactoe", ppo, config, seed=1).train(minutes=10)
    assert run.last().think(run.asked.game.start()).policy.sum() == pytest.approx(1)
    assert Run(tmp_path / "x").asked == run.asked


QUICK = ["--n-envs", "4", "--network", "mlp", "--width", "8", "--eval-freq", "0"]


def test_the_first_lines_tell_folder_network_budget_and_how_to_watch(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "ppo", "tictactoe", *QUICK, "--steps", "2", "--minutes", "5"]) == 0
    said = capsys.readouterr().out
    run = Run("runs/ppo-tictactoe")
    game, config = run.asked.game, run.asked.config
    weights = cost(game, algorithm("ppo"), config, 0)["weights"]
    head, _, rest = said.partition("\nwatch: ")
    assert head.replace("\n", " · ") == (
        f"runs/ppo-tictactoe: ppo on tictactoe · network mlp, {weights:,} weights · "
        "5 min or 2 steps"
    )
    assert rest.startswith("ludus serve --runs runs · report: runs/ppo-tictactoe/report.html\n")
    assert max(map(len, said.splitlines()[:3])) < 80
    assert "done at step 2: " in said


@pytest.mark.parametrize("method", ["dqn", "alphazero", "reinforce", "cem", "saes"])
@pytest.mark.parametrize("board", ["connect4", "tictactoe"])
def test_weights_are_counted_as_they_are_built(method, board):
    from ludus.learn.networks.effects import count_weights, network_name
    from ludus.learn.networks.network import size

    chosen, module = ludus.game(board), algorithm(method)
    config = small(method)
    built = module.Learner(chosen, config, 0).network
    assert count_weights(chosen, config) == size(built)
    assert network_name(chosen, config)


def test_time_that_is_up_is_told_with_its_step(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["train", "ppo", "tictactoe", *QUICK, "--minutes", "0.001", "--run", "x"]
    assert main([*words, "--steps", "1000000"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"time is up \(0.001 min\) at step \d+: \./x@best plays", said)


def test_ctrl_c_is_answered_at_once_and_its_step_is_saved(tmp_path):
    run = Run(tmp_path / "x", "tictactoe", "ppo", small("ppo", steps=50), seed=1)
    told = []
    steps = run.steps(stopping=lambda: told.append("stopping"))
    next(steps)
    signal.raise_signal(signal.SIGINT)
    assert told == ["stopping"]  # while no step has ended since
    with pytest.raises(KeyboardInterrupt):
        list(steps)
    assert run.folder.course()[-1]["step"] == 1


@pytest.mark.parametrize("live", [False, True])
def test_the_line_says_that_it_stops_after_this_step(tmp_path, monkeypatch, capfd, live):
    from ludus.cli import _progress, _training

    run = Run(tmp_path / "x", "tictactoe", "ppo", small("ppo", steps=50), seed=1)
    line = _training.TrainingProgress(run, None, quiet=False)
    seen = []
    if live:
        line.bar = _progress.Bar()
        monkeypatch.setattr(line.bar, "draw", lambda *words: seen.append(words))
    line.stopping()
    line.ticker.close()
    assert (capfd.readouterr().err, [words[2] for words in seen]) == (
        ("", [_training.STOPPING]) if live else (f"{_training.STOPPING}\n", [])
    )
    assert _training.STOPPING.startswith("stopping after this step")


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_fitting_settings_to_the_machine_is_not_silent(more, tmp_path, monkeypatch, capsys):
    """It takes many seconds on a slow machine, and nothing else is printed before."""
    from ludus.cli import _progress
    from ludus.learn import alphazero

    said = threading.Event()
    monkeypatch.setattr(_progress, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(_progress, "PLAIN_SECONDS", 0.0)
    tell = _progress.say
    monkeypatch.setattr(_progress, "say", lambda *a, **k: (tell(*a, **k), said.set()))

    def wait(*_):
        assert said.wait(60)
        raise ValueError("fitted")

    monkeypatch.setattr(alphazero, "autotune", wait)
    words = ["train", "alphazero", "tictactoe", "--minutes", "1", "--run", str(tmp_path / "x")]
    assert main([*words, *more]) == 2
    err = capsys.readouterr().err
    assert err.startswith("fitting settings to this machine: 0 s\n")
    assert err.endswith("ludus: fitted\n")


def test_the_time_that_is_left_counts_the_first_step_too(tmp_path, monkeypatch, capfd):
    from ludus.cli import _training
    from ludus.learn.training.loop import Step

    now = [1000.0]
    monkeypatch.setattr(_training.time, "monotonic", lambda: now[0])
    run = Run(tmp_path / "x", "tictactoe", "ppo", small("ppo", steps=10**6), seed=1)
    line = _training.TrainingProgress(run, 1.0, quiet=False)
    line.ticker.close()
    now[0] += 45
    line(Step(1, {}, {}))
    assert capfd.readouterr().err.endswith(" 15 s left\n")


def test_writing_the_report_is_told(tmp_path, monkeypatch):
    """It looks for mistakes by an oracle, and may take seconds."""
    from ludus.cli import _training

    told = []

    class Told:
        def __init__(self, what):
            told.append(what)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(_training, "Progress", Told)
    words = ["train", "ppo", "tictactoe", "--steps", "1", "--n-envs", "2", "--eval-freq", "0"]
    assert main([*words, "--run", str(tmp_path / "r")]) == 0
    assert told == ["writing the report"]
    assert (tmp_path / "r" / "report.html").exists()
