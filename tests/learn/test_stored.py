"""Nothing that is loaded runs: a Python file runs only if the person names it in this very call."""

import ast
import dataclasses
import json
import typing
from contextlib import suppress
from pathlib import Path

import pytest

import ludus
from ludus.arena.record import Record, read
from ludus.cli import main
from ludus.learn import algorithm
from ludus.learn.agents._trained import zoo_evaluator
from ludus.learn.runs.run import Run
from ludus.learn.store import zoo
from ludus.learn.store.checkpoint import PLAIN, canonical, digest
from ludus.truth import table
from tests.learn.small import METHODS, small

GAME = "tictactoe"
EXAMPLE = Path(__file__).parents[2] / "examples" / "breakthrough.py"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run to copy from, as files."""
    path = tmp_path_factory.mktemp("trained") / "run"
    Run(path, GAME, "ppo", small("ppo", steps=1, eval_freq=1), seed=1).train()
    return {file.relative_to(path): file.read_bytes() for file in path.rglob("*") if file.is_file()}


class Forger:
    """Writes files that name a Python file which leaves a mark when it runs."""

    def __init__(self, folder, trained):
        self.folder, self.trained = folder, trained
        self.mark = folder / "mark"
        self.poison = folder / "notes.py"
        self.poison.write_text(f"open({str(self.mark)!r}, 'w').close()\n")

    def run(self, name="run", **record):
        """A run folder that says this of itself, in its settings and its checkpoints alike."""
        path = self.folder / name
        for file, data in self.trained.items():
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_bytes(data)
        for file in [path / "config.json", *path.glob(f"checkpoints/*/{PLAIN}")]:
            known = json.loads(file.read_text())
            if known.pop("checksum", None):
                known |= record
                known["checksum"] = digest(canonical(known).encode())
            file.write_text(json.dumps({**known, **record}))
        return str(path)

    def settings(self, method, **config):
        """A run of a method that was stopped before its first checkpoint."""
        path = self.folder / "begun"
        path.mkdir(exist_ok=True)
        asked = {**dataclasses.asdict(small(method)), **config}
        record = {"format": 1, "rules": 1, "algorithm": method, "game": GAME, "seed": 1}
        (path / "config.json").write_text(json.dumps({**record, "config": asked, "command": ""}))
        return str(path)

    def record(self, **fields):
        score = ludus.match(GAME, "random", "random:epsilon=0.5", games=1, seed=1)
        line = json.loads(Record(ludus.game(GAME), 1, score.played[0]).line())
        file = self.folder / "games.jsonl"
        file.write_text(json.dumps({**line, **fields}) + "\n")
        return str(file)

    def zoo(self, monkeypatch):
        card = json.loads((zoo.FOLDER / "tictactoe.json").read_text())
        (self.folder / "tictactoe.json").write_text(json.dumps({**card, "game": str(self.poison)}))
        weights = (zoo.FOLDER / "tictactoe.safetensors").read_bytes()
        (self.folder / "tictactoe.safetensors").write_bytes(weights)
        monkeypatch.setattr(zoo, "FOLDER", self.folder)
        zoo_evaluator.cache_clear()

    def tournament(self):
        path = self.folder / "cup"
        ludus.tournament(GAME, ["random", "random:epsilon=0.5"], games=2, seed=0, run=path)
        file = path / "tournament.json"
        known = json.loads(file.read_text())
        poison = str(self.poison)
        file.write_text(json.dumps({**known, "game": poison, "spellings": [poison, poison]}))
        return str(path)


@pytest.fixture
def forger(tmp_path, trained, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Forger(tmp_path, trained)


def command(*words):
    """A command that must come to an end with a sentence, or go well."""
    code = main([str(word) for word in words])
    assert code in (0, 2)
    if code:
        raise ValueError("it said why")


# Every loader of stored spellings, by the module that reads the file.
def checkpoint_agent(f, m):
    ludus.agent(f.run(game=str(f.poison))).think(ludus.game(GAME).start())


def checkpoint_match(f, m):
    command("match", GAME, f.run(game=str(f.poison)), "random", "--games", 2)


def checkpoint_symmetric(f, m):
    ludus.agent(f.run(game=str(f.poison)) + "@last:symmetric=true").think(ludus.game(GAME).start())


def checkpoint_init(f, m):
    run = f.run(game=str(f.poison))
    command("train", "ppo", GAME, "--init", run, "--steps", 1, "--run", f.folder / "new")


def checkpoint_encoder(f, m):
    run = f.run(game=str(f.poison), algorithm="vae")
    command("train", "ppo", GAME, "--encoder", run, "--steps", 1, "--run", f.folder / "new")


def config_resume(f, m):
    command("resume", f.run(game=str(f.poison)))


def config_run(f, m):
    Run(f.run(game=str(f.poison))).train()


def config_zoo_add(f, m):
    command("zoo", "new", "--add", f.run(game=str(f.poison)), "--minutes", 1)


def config_runs(f, m):
    f.run(game=str(f.poison))
    command("runs", f.folder)


def config_nested(f, m):
    run = f.run("other", game=str(f.poison))
    command("resume", f.run(config={**dataclasses.asdict(small("ppo")), "eval_opponents": run}))


def zoo_card(f, m):
    f.zoo(m)
    ludus.agent("zoo/tictactoe").think(ludus.game(GAME).start())


def zoo_list(f, m):
    f.zoo(m)
    command("zoo")


def record_parse(f, m):
    list(read(f.record(game=str(f.poison))))


def record_agents(f, m):
    command("replay", f.record(agents=[str(f.poison), str(f.poison)]))


def record_replay(f, m):
    command("replay", f.record(game=str(f.poison)), "--game", 1)


def tournament_resume(f, m):
    agents = ("random", "random:epsilon=0.5")
    command("tournament", GAME, *agents, "--games", 2, "--run", f.tournament(), "--resume")


def tournament_games(f, m):
    path = Path(f.tournament())
    ours = json.dumps({**json.loads((path / "tournament.json").read_text()), "game": GAME})
    (path / "tournament.json").write_text(ours)
    (path / "games.jsonl").write_bytes(Path(f.record(game=str(f.poison))).read_bytes())
    ludus.tournament(GAME, ["random", "random:epsilon=0.5"], games=2, seed=0, run=path, resume=True)


def table_header(f, m):
    import numpy as np

    file = f.folder / "x.table"
    table.write(file, {"game": str(f.poison)}, {"scores": np.zeros(4, np.int8)})
    table.read(file, {"game": GAME})


def table_shelf(f, m):
    m.setenv("LUDUS_HOME", str(f.folder))
    (f.folder / "tables").mkdir()
    (f.folder / "tables" / "notes.py.table").write_bytes(b"")
    command("solve", "--list")


def env_snapshot(f, m):
    pytest.importorskip("pettingzoo")
    from ludus.envs.pettingzoo import env

    one = env(GAME)
    one.reset(seed=1)
    forged = one.snapshot().replace(b'"tictactoe"', json.dumps(str(f.poison)).encode())
    one.restore(forged)


def written_snapshot(f, m):
    game = ludus.game(str(EXAMPLE), size=4)
    forged = {"text": str(game.start()), "plies": 0, "game": str(f.poison)}
    game.state(b"ludus-written-1\n" + json.dumps(forged).encode())


def native_snapshot(f, m):
    data = bytes(ludus.game(GAME).start())
    ludus.game(GAME).state(data.replace(b"tictactoe", b"/notes.py"))


def served_runs(f, m):
    from ludus.serve.runs import Runs

    f.run(game=str(f.poison))
    f.tournament()
    runs = Runs(f.folder)
    listed = runs.all()
    assert listed["runs"] or listed["tournaments"]
    for ask, kind in (
        (runs.metrics, "runs"),
        (runs.games, "runs"),
        (runs.tournament, "tournaments"),
    ):
        for one in listed[kind]:
            with suppress(ValueError):
                ask(one["id"], *([0] if ask == runs.metrics else []))


def served_line(f, m):
    from ludus.serve.games import Catalogue
    from ludus.serve.protocol import load

    Catalogue().game(load(json.dumps({"game": str(f.poison)}), 1000)["game"])


def served_agent(f, m):
    from ludus.serve.games import Catalogue

    Catalogue().check_agent(ludus.game(GAME), str(f.poison))


def proof_sign(f, m):
    folder = f.folder / "proof"
    folder.mkdir()
    said = {"agent": str(f.poison), "game": str(f.poison), "rules": 1, "seed": 0}
    (folder / "proof.json").write_text(json.dumps(said))
    assert main(["prove", "zoo/tictactoe", "--side", "first", "--folder", str(folder)]) == 2


def certificate_game(f, m):
    from ludus.lab.certificate import FORMAT, UNBEATEN, VERSION, Certificate, Head
    from ludus.lab.certificate import write_certificate as write

    head = Head(FORMAT, VERSION, str(f.poison), 1, 0, UNBEATEN, False, 0, None, {})
    write(f.folder / "forged.proof", Certificate(head, b"", b""))
    assert main(["check-proof", str(f.folder / "forged.proof")]) in (1, 2)


def harden_plan(f, m):
    folder = f.folder / "hardened"
    folder.mkdir()
    said = {"game": str(f.poison), "agent": str(f.poison), "options": str(f.poison)}
    (folder / "harden.json").write_text(json.dumps(said))
    words = ["harden", "zoo/tictactoe", "--minutes", "0.01", "--into", str(folder)]
    assert main(words) == 2


def harden_measured(f, m):
    from ludus.lab.harden import read_measured

    file = f.folder / "measured.json"
    file.write_text(json.dumps({"agent": str(f.poison), "sides": [{"proven": True}]}))
    read_measured(file)
    for damaged in ([], {}, {"sides": 3}, {"sides": [3]}):
        file.write_text(json.dumps(damaged))
        with pytest.raises(ValueError, match="is damaged: remove it"):
            read_measured(file)


def study_store(f, m):
    from ludus import lines
    from ludus.studies.engine.store import Store

    folder = f.folder / "study"
    folder.mkdir()
    forged = {"format": 1, "study": str(f.poison), "ludus": str(f.poison)}
    (folder / "study.json").write_bytes(lines.data(lines.dump(forged)))
    Store(folder, "cathedral").check()


LOADERS = {
    "ludus.learn.store.checkpoint": [
        checkpoint_agent,
        checkpoint_match,
        checkpoint_symmetric,
        checkpoint_init,
        checkpoint_encoder,
    ],
    "ludus.learn.runs.folder": [
        config_resume,
        config_run,
        config_runs,
        config_nested,
        config_zoo_add,
    ],
    "ludus.learn.store.zoo": [zoo_card, zoo_list],
    "ludus.arena.record": [record_parse, record_agents, record_replay],
    "ludus.arena.folder": [tournament_resume, tournament_games],
    "ludus.truth.table": [table_header, table_shelf],
    "ludus.envs.snapshot": [env_snapshot],
    "ludus.written": [written_snapshot],
    "ludus._core": [native_snapshot],
    "ludus.lab.prove_folder": [proof_sign],
    "ludus.lab.certificate": [certificate_game],
    "ludus.lab.hardening": [harden_plan],
    "ludus.lab.harden": [harden_measured],
    "ludus.studies.engine.store": [study_store],
    "ludus.serve.runs": [served_runs],
    "ludus.serve.protocol": [served_line, served_agent],
}
EVERY = [loader for loaders in LOADERS.values() for loader in loaders]


@pytest.mark.parametrize("loader", EVERY, ids=lambda loader: loader.__name__)
def test_no_loader_runs_a_python_file(forger, loader, monkeypatch):
    with suppress(ValueError):
        loader(forger, monkeypatch)
    assert not forger.mark.exists()


@pytest.mark.parametrize("how", ["{}", "random;{}", "3*{};self", "{}:epsilon=0.5"])
@pytest.mark.parametrize("method", METHODS)
def test_no_setting_of_a_stored_run_runs_a_python_file(forger, method, how, capsys):
    hints = typing.get_type_hints(algorithm(method).Config)
    for name in [name for name, kind in hints.items() if kind is str]:
        run = forger.settings(method, **{name: how.format(forger.poison)})
        assert main(["resume", run]) == 2, name
        said = capsys.readouterr().err
        assert "--with" in said
        assert "notes.py" in said
        assert "Traceback" not in said
        assert not forger.mark.exists(), name


SOURCE = Path(ludus.__file__).parent
READERS = {"load", "parse", "data", "text", "lines", "bounded_lines", "open_file"}


def module_name(path):
    parts = ("ludus", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts)


def calls(path, module):
    """The functions of a module that a file calls, as `module.function`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == module
        ):
            yield node.func.attr


# Readers of files that hold no spellings, and the line readers that those above share.
ELSE = {"ludus.arena.opening", "ludus.files", "ludus.lines", "ludus.learn.store.arrays"}
ELSE |= {"ludus.serve.levels", "ludus.serve.pages"}
ELSE |= {"ludus.studies.engine.quotes", "ludus.studies.engine.torchrl_part"}  # numbers, weights
# What a driver tells its workers: `tests/scale/test_tasks.py`.
ELSE |= {"ludus.learn.selfplay.spread_pools", "ludus.learn.collecting.spread_fitness"}


def test_every_reader_of_json_is_walked_by_a_loader_above():
    for path in SOURCE.rglob("*.py"):
        if path.name == "reading.py":
            continue
        assert not {"load", "loads"} & {*calls(path, "json")}, f"{path}: ludus.reading reads JSON"
        if READERS & {*calls(path, "reading")}:
            assert module_name(path) in {*LOADERS, *ELSE}, f"{path} reads files: walk it above"
    assert all((SOURCE.parent / f"{name.replace('.', '/')}.py").exists() for name in ELSE)


def test_a_folder_named_zoo_does_not_shadow_the_zoo(forger):
    forger.run("zoo/tictactoe", game=str(forger.poison))
    state = ludus.game(GAME).start()
    assert ludus.agent("zoo/tictactoe").think(state).policy.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match=r"no 'nobody' in the zoo"):
        ludus.agent("zoo/nobody")
    forger.run("zoo/nobody")
    with pytest.raises(ValueError, match=r"no 'nobody' in the zoo"):
        ludus.agent("zoo/nobody")
    assert ludus.agent("./zoo/nobody").think(state).policy.sum() == pytest.approx(1)
    assert Run("zoo/nobody").last().think(state).policy.sum() == pytest.approx(1)
    assert not forger.mark.exists()


def test_a_game_that_is_brought_to_another_run_does_not_run(forger):
    run = forger.run()
    with pytest.raises(ValueError, match=r"has learned tictactoe, not .*notes\.py"):
        Run(run, str(forger.poison))
    with pytest.raises(ValueError, match="a game is given by its spelling, not 5"):
        Run(run, 5)
    assert Run(run, GAME).asked.game.spelling == Run(run, ludus.game(GAME)).asked.game.spelling
    assert not forger.mark.exists()


@pytest.mark.parametrize("name", ["x;notes.py", "3*notes.py", " notes.py", "x*notes.py"])
def test_a_file_whose_name_ends_like_one_that_is_named_does_not_run(forger, name):
    harmless = forger.folder / "notes.py"
    forger.poison = forger.poison.rename(forger.folder / name)
    harmless.write_text("")
    for setting in ("eval_opponents", "opponent", "init", "encoder"):
        run = forger.settings("ppo", **{setting: name})
        with suppress(ValueError):
            Run(run, files=[harmless]).train()
    with suppress(ValueError):
        Run(forger.settings("supervised", teacher=name), files=[harmless]).train()
    assert not forger.mark.exists()


def test_a_damaged_description_of_a_python_game_is_a_sentence(forger):
    for python in (5, [], {"class": 5}, {"shape": "x"}, {"parameters": []}, {"sha256": 1}):
        run = forger.run(game="breakthrough.py", python=python)
        with pytest.raises(ValueError, match=r"."):
            ludus.agent(run).think(ludus.game(str(EXAMPLE), size=4).start())
