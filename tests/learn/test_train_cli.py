"""`ludus train`, `resume` and `runs`, as a person types them."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

import ludus
from ludus.cli import main
from ludus.learn.run.config import made, read
from ludus.learn.run.run import Run
from ludus.report.training import PICTURES, picture
from tests.learn.small import small

TINY = ["--games", "6", "--plies", "4", "--width", "8", "--warmup", "6"]
TINY += ["--updates", "1", "--batch", "8", "--memory", "600"]


def train(*words):
    return main(["train", "dqn", "tictactoe", *TINY, *map(str, words)])


def test_train_resume_runs(tmp_path, capsys):
    path = tmp_path / "runs" / "x"
    words = ("--steps", 3, "--run", path, "--evaluate-every", 3, "--evaluate-games", 4)
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
    assert command.startswith("ludus train dqn tictactoe --games 6")


def test_the_report_is_one_file_with_everything(tmp_path):
    path = tmp_path / "x"
    train("--steps", 4, "--run", path, "--evaluate-every", 2, "--evaluate-games", 4)
    page = (path / "report.html").read_text()
    for part in ("<svg", "Strength", "Losses", "learning_rate", "torch", "ludus train dqn"):
        assert part in page
    assert page.count("% won</code>") == 1
    assert "<h2>Adaptability</h2><svg" in page
    for outside in ("http://", "https://", "src=", "href="):
        inside = page.replace("http://www.w3.org", "").replace("http://purl.org", "")
        inside = inside.replace("http://creativecommons.org", "").replace("xlink:href=", "")
        inside = inside.replace("https://matplotlib.org", "")
        assert outside not in inside


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["train", "dqm", "tictactoe"], "no algorithm 'dqm'; did you mean dqn?"),
        (["train", "dqn", "tictactoe", "--learning-rat", "1"], "did you mean --learning-rate?"),
        (["train", "dqn", "tictactoe", "--steps", "many"], "steps is a whole number, not 'many'"),
        (["train", "dqn", "tictactoe", "--gamma", "2"], "gamma is between 0 and 1"),
        (["train", "dqn", "tictactoe", "--credit", "mine"], "credit is one of adversarial"),
        (["train", "dqn", "tictactoe", "--preset", "cathedra"], "did you mean cathedral?"),
        (["train", "dqn", "tictactoe", "--opponent", "nobody"], "no agent 'nobody'"),
        (["train", "dqn", "tictactoe", "--opponent", "random;self"], "an opponent is written"),
        (["train", "dqn", "chess"], "no game 'chess'"),
        (["resume", "nowhere"], "there is no run in nowhere"),
    ],
)
def test_mistakes_are_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.startswith("ludus: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "runs").exists() or not list(tmp_path.glob("runs/*/checkpoints"))


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


def test_runs_get_folders_of_their_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert train("--steps", 1, "--evaluate-every", 0) == 0
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {
        "dqn-tictactoe",
        "dqn-tictactoe-2",
    }


def test_options_are_the_fields_of_config(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "ppo", "connect4", "--help"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    for option in ("--clip", "--entropy", "--soft-share", "--preset", "--minutes", "--dry-run"):
        assert option in said


def test_tensorboard_by_option(tmp_path, capsys):
    path = tmp_path / "x"
    code = train("--steps", 1, "--run", path, "--tensorboard", "true", "--evaluate-every", 0)
    if find_spec("tensorboard"):
        assert code == 0
        assert list((path / "tensorboard").iterdir())
    else:
        assert code == 2
        assert "tensorboard is not installed" in capsys.readouterr().err


def test_settings_from_words():
    from ludus.learn import dqn

    config = read(dqn.Config, {"gamma": "1", "double": "false", "network": "1"}, "", dqn.PRESETS)
    assert (config.gamma, config.double, config.network) == (1.0, False, "1")
    assert isinstance(config.gamma, float)
    preset = read(dqn.Config, {"batch": "7"}, "cathedral", dqn.PRESETS)
    assert (preset.batch, preset.target_every) == (7, 30)
    with pytest.raises(ValueError, match="no option 'gama'; did you mean gamma"):
        made(dqn.Config, {"gama": 1})


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
    planes = [name for name in run.folder.course()[-1] if name.startswith("cells right, plane ")]
    assert len(planes) == ludus.game("tictactoe").start().shape("full")[0]
    drawn = picture("Reconstruction", PICTURES["Reconstruction"], run.folder.course())
    assert drawn.count('id="legend_1"') == 1
    assert all(f"<!-- {name} -->" in drawn for name in planes)


def test_wins_are_told_by_kind_of_opponent(tmp_path):
    words = ("--ladder", "random;greedy", "--evaluate-every", 2, "--evaluate-games", 4)
    assert train("--steps", 2, "--run", tmp_path / "x", *words) == 0
    line = Run(tmp_path / "x").folder.course()[-1]
    assert 0 <= line["wins random"] <= 1
    assert 0 <= line["wins greedy"] <= 1
    assert (tmp_path / "x" / "report.html").read_text().count("% won</code>") == 2


def test_a_run_in_python(tmp_path):
    from ludus.learn import ppo

    config = ppo.Config(steps=2, games=4, plies=4, evaluate_every=0)
    run = Run(tmp_path / "x", "tictactoe", ppo, config, seed=1).train(minutes=10)
    assert run.last().think(run.asked.game.start()).policy.sum() == pytest.approx(1)
    assert Run(tmp_path / "x").asked == run.asked
