"""A run that learned a game written in Python: whoever plays it or goes on with it brings it."""

import hashlib
import importlib.util
import io
import shutil
import sys
import warnings
from pathlib import Path

import pytest

import ludus
from ludus.cli import main
from ludus.learn.runs.run import Run
from tests.learn.small import small

EXAMPLE = Path(__file__).parents[2] / "examples" / "breakthrough.py"


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Trained on a copy of the example, in a folder of its own."""
    home = tmp_path_factory.mktemp("learned")
    (home / "breakthrough.py").write_bytes(EXAMPLE.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        Run("bt", "breakthrough.py:size=4", "ppo", small("ppo", steps=2), seed=1).train()
    return home


def poisoned(home, folder):
    """A copy of that run beside a file of the same name which leaves a mark."""
    shutil.copytree(home / "bt", folder / "bt")
    (folder / "breakthrough.py").write_text(f"open({str(folder / 'mark')!r}, 'w').close()\n")


def test_a_run_that_learned_a_python_game_plays_it_when_the_person_brings_it(
    learned, tmp_path, monkeypatch
):
    poisoned(learned, tmp_path)
    monkeypatch.chdir(tmp_path)
    one = ludus.agent("bt/")  # runs nothing
    thought = one.think(ludus.game(str(EXAMPLE), size=4).start())
    assert thought.policy.sum() == pytest.approx(1)
    assert main(["match", f"{EXAMPLE}:size=4", "bt/", "random", "--games", "2"]) == 0
    symmetric = ludus.agent("bt/@last:symmetric=true,simulations=4")
    assert symmetric.think(ludus.game(str(EXAMPLE), size=4).start()).policy.sum() > 0.99
    assert not (tmp_path / "mark").exists()


def test_a_run_that_learned_a_python_game_knows_it_by_its_nature(learned, tmp_path, monkeypatch):
    monkeypatch.chdir(learned)
    one = ludus.agent("bt/")
    for other in (
        ludus.game(str(EXAMPLE)),
        ludus.game("connect4"),
        ludus.game(str(EXAMPLE), size=5),
    ):
        with pytest.raises(ValueError, match=r"bt/ has learned breakthrough.py:size=4, not "):
            one.think(other.start())
    namesake = tmp_path / "another.py"
    namesake.write_bytes(EXAMPLE.read_bytes())
    with pytest.raises(ValueError, match=r"bt/ has learned breakthrough.py:size=4, not .*another"):
        one.think(ludus.game(str(namesake), size=4).start())


def test_a_python_game_that_has_changed_is_told_once(learned, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(learned)
    changed = tmp_path / "breakthrough.py"
    changed.write_text(EXAMPLE.read_text() + "\n# a remark\n")
    one, state = ludus.agent("bt/"), ludus.game(str(changed), size=4).start()
    with pytest.warns(UserWarning, match=r"breakthrough\.py .* changed since bt/ learned it"):
        one.think(state)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["match", f"{changed}:size=4", "bt/", "random", "--games", "4"]) == 0
    said = capsys.readouterr().err
    assert said.count("changed since") == 1
    assert said.startswith("ludus: ")


def test_a_run_of_a_python_game_is_resumed_by_naming_its_file(
    learned, tmp_path, monkeypatch, capsys
):
    poisoned(learned, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["resume", "bt", "--steps", "3"]) == 2
    said = capsys.readouterr().err
    assert "`ludus resume bt --game breakthrough.py`" in said
    wanted = hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()
    assert f"the Python file 'breakthrough.py' (SHA-256 {wanted[:16]}...), which runs" in said
    assert len(said.splitlines()) == 1
    with pytest.raises(ValueError, match=r"Run\('bt', 'breakthrough\.py'\)"):
        Run("bt")
    for other in ("other.py", "connect4", "breakthrough", f"{EXAMPLE}:size=5", f"{EXAMPLE}:a=b"):
        assert main(["resume", "bt", "--steps", "3", "--game", other]) == 2
    assert main(["resume", "bt", "--steps", "3", "--with", str(EXAMPLE)]) == 2
    assert main(["resume", "bt", "--steps", "3", "--game", str(EXAMPLE)]) == 0
    assert Run("bt", f"{EXAMPLE}:size=4").folder.course()[-1]["step"] == 3
    assert main(["resume", "bt", "--steps", "4", "--game", str(learned / "breakthrough.py")]) == 0
    assert not (tmp_path / "mark").exists()


def test_a_run_that_learned_a_class_goes_on_with_that_class(tmp_path):
    cls = type(ludus.game(str(EXAMPLE)).start().inner)
    mine = ludus.game(type("Mine", (cls,), {}), size=4)
    Run(tmp_path / "r", mine, "ppo", small("ppo", steps=1), seed=1).train()
    with pytest.raises(ValueError, match=r"has learned a class of yours: Run\(.*, game\) goes on"):
        Run(tmp_path / "r")
    Run(tmp_path / "r", mine).with_config(steps=2).train()
    assert Run(tmp_path / "r", mine).last().think(mine.start()).policy.sum() == pytest.approx(1)


def test_a_resumed_run_of_another_python_game_is_refused(learned, tmp_path, monkeypatch):
    poisoned(learned, tmp_path)
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "deep" / "breakthrough.py"
    other.parent.mkdir()
    other.write_text(EXAMPLE.read_text().replace("class Breakthrough", "class Breakout"))
    with pytest.raises(ValueError, match=r"bt has learned breakthrough.py:size=4, not .*Breakout"):
        Run("bt", str(other))


def test_agents_in_python_of_a_stored_run_are_named_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from dataclasses import dataclass\nfrom ludus.agents.random import RandomAgent\n"
        "@dataclass\nclass Mine:\n    seed: int = 0\n    def think(self, state):\n"
        "        return RandomAgent(seed=self.seed).think(state)\n"
    )
    settings = ["--steps", "1", "--eval-opponents", "random;mine.py", "--opponent", "mine.py"]
    small_ones = ["--n-envs", "4", "--network", "mlp", "--width", "8", "--n-eval-games", "2"]
    assert main(["train", "ppo", "tictactoe", *settings, *small_ones, "--run", "r"]) == 0
    assert main(["resume", "r", "--steps", "2"]) == 2
    assert "`ludus resume r --with mine.py`" in capsys.readouterr().err
    assert main(["resume", "r", "--steps", "2", "--with", "./mine.py"]) == 0


def imported(folder):
    """The class as a person's own `import breakthrough` gives it, without the loader of games."""
    spec = importlib.util.spec_from_file_location("breakthrough", folder / "breakthrough.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["breakthrough"] = module
    spec.loader.exec_module(module)
    return module.Breakthrough


@pytest.mark.parametrize("agent", ["bt/", "bt/@last:simulations=4", "alphabeta:depth=1,judge=bt/"])
def test_a_learned_python_game_is_played_everywhere(learned, monkeypatch, capsys, agent):
    monkeypatch.chdir(learned)
    monkeypatch.setattr("sys.stdin", io.StringIO("\nquit\n"))
    spelled = "breakthrough.py:size=4"
    for workers in ("1", "2"):
        words = ["match", spelled, agent, "random", "--games", "2", "--workers", workers]
        assert main(words) == 0, capsys.readouterr().err
    assert main(["tournament", spelled, agent, "random", "--games", "2"]) == 0
    assert main(["play", spelled, "--vs", agent]) == 0
    monkeypatch.setitem(sys.modules, "breakthrough", None)  # taken away again at the end
    games = [spelled, ludus.game("breakthrough.py", size=4), ludus.game(imported(learned), size=4)]
    for one in games:
        assert ludus.match(one, agent, "random", games=2).games == 2


def test_a_learned_python_game_is_resumed_from_any_folder(learned, tmp_path, monkeypatch, capsys):
    shutil.copytree(learned / "bt", tmp_path / "runs" / "bt")
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "breakthrough.py").write_bytes(EXAMPLE.read_bytes())
    step = 2
    for folder, run, game in (
        (tmp_path, "runs/bt", "games/breakthrough.py"),
        (tmp_path / "far" / "away", "../../runs/bt", "../../games/breakthrough.py"),
        (tmp_path / "runs", "bt", f"{tmp_path}/games/breakthrough.py:size=4"),
    ):
        step += 1
        monkeypatch.chdir(folder)
        assert main(["resume", run, "--steps", str(step), "--game", game]) == 0
        spelled = game.removesuffix(":size=4") + ":size=4"
        agent = run if "/" in run else f"./{run}"
        assert main(["match", spelled, agent, "random", "--games", "2"]) == 0
        assert main(["resume", run, "--steps", "9"]) == 2
        assert "needs the Python file" in capsys.readouterr().err
    assert Run(tmp_path / "runs" / "bt", f"{EXAMPLE}:size=4").folder.course()[-1]["step"] == 5
