"""Forged checkpoints with right checksums: a sentence or an intact result, and nothing is lost."""

import json
import random
import shutil

import pytest

import ludus
from ludus.cli import main
from ludus.files import Notice
from ludus.learn.runs.run import Run
from tests.learn import forger
from tests.learn.borders import attacked, content
from tests.learn.forgeries import CHANGES

FEW, MANY = 5, 300  # forgeries of each run: always, and where there is time


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    home = tmp_path_factory.mktemp("honest")
    made = {}

    def run(name):
        if name not in made:
            made[name] = forger.honest(home, name)
        return made[name]

    return run


def meet(names, run, folder):
    """Meet forgeries, each in a fresh copy of a run; what was said."""
    said = {}
    for name in names:
        to = folder / f"{run.name}-forged"
        said[name] = attacked(forger.forge(name, run, to), name)
        shutil.rmtree(to)
    return said


@pytest.mark.parametrize("kind", forger.KINDS)
def test_what_is_not_forged_is_used(honest, kind, tmp_path):
    run = shutil.copytree(honest(kind), tmp_path / f"{kind}-whole")
    refused = {border: told for border, told in attacked(run, kind).items() if told}
    assert refused.keys() == ({"best", "last", "init"} if kind == "vae" else {"encoder"})


@pytest.mark.parametrize("kind", forger.KINDS)
def test_a_few_forgeries_are_met(honest, kind, tmp_path):
    names = forger.kinds(honest(kind))
    meet(random.Random(kind).sample(names, FEW), honest(kind), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", forger.KINDS)
def test_many_forgeries_are_met(honest, kind, tmp_path):
    names = forger.kinds(honest(kind))
    meet(random.Random(f"{kind} again").sample(names, MANY), honest(kind), tmp_path)


def test_what_is_no_file_or_too_large_is_refused_everywhere(honest, tmp_path):
    run = honest("cem")
    names = [name for name in forger.kinds(run) if name.startswith(("file state", "header"))]
    for name, said in meet(names, run, tmp_path).items():
        assert all(told for border, told in said.items() if border != "runs"), name


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_array_of_the_network_or_its_optimizer_is_refused(honest, change, tmp_path):
    playing, weights, moments = (
        f"array {array}/{name}: {change}"
        for array, name in (
            ("averaged", "trunk.1.weight"),
            ("network", "trunk.1.weight"),
            ("optimizer", "state/0/exp_avg_sq"),
        )
    )
    said = meet([playing, weights, moments], honest("ppo"), tmp_path)
    if change != "negative":  # which weights may be
        assert all(said[playing][border] for border in ("best", "last", "resume", "init"))
        assert said[weights]["resume"]
    if change != "huge":  # which moments may be
        assert said[moments]["resume"]


def test_features_that_the_window_cannot_hold_are_refused(honest, tmp_path):
    name = "array pools/1/features: huge"
    assert (
        "features goes beyond 65504" in meet([name], honest("alphazero"), tmp_path)[name]["resume"]
    )


def test_a_graph_beside_the_arrays_is_never_looked_at(honest, tmp_path):
    said = meet(["graph: a pipe"], honest("ppo"), tmp_path)
    assert [border for border, told in said["graph: a pipe"].items() if told] == ["encoder"]


def test_files_that_are_named_elsewhere_are_not_read(honest, tmp_path):
    run = shutil.copytree(honest("ppo"), tmp_path / "run")
    made = forger.Copy(run, tmp_path / "ppo-forged")
    made.record["files"]["../../../secret"] = "0" * 64
    made.seal()
    with pytest.raises(ValueError, match="names other files than there are"):
        ludus.agent(f"{made.run}@last")


def test_settings_that_are_not_the_arrays_are_told(honest, tmp_path):
    for name in ("both config/network: conv", "both config/width: 16", "both config/blocks: 3"):
        said = meet([name], honest("ppo"), tmp_path)[name]
        assert "is damaged: " in said["best"]
        assert "is damaged: " in said["resume"]


def test_one_bad_run_does_not_hide_the_others(honest, tmp_path, capsys):
    for name in ("good", "worse"):
        shutil.copytree(honest("ppo"), tmp_path / name)
    bad = [
        "settings config/steps: text",
        "file state.json: a pipe",
        "file ../../config.json: endless",
    ]
    for number, name in enumerate(bad):
        forger.forge(name, honest("ppo"), tmp_path / f"bad-{number}")
    assert main(["runs", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(bad)
    assert sum("step 3 of 8" in line for line in lines) == 2
    assert sum("bad-" in line and ("damaged" in line or "cannot" in line) for line in lines) == 3
    assert main(["runs", str(tmp_path), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["runs"]
    assert sum("damage" in record for record in records) == len(bad)


def test_a_refused_resume_changes_nothing(honest, tmp_path):
    name = "array optimizer/state/0/exp_avg_sq: negative"
    run = forger.forge(name, honest("ppo"), tmp_path / "ppo-forged")
    before = content(run)
    with pytest.raises(ValueError, match="is damaged: optimizer/state/0/exp_avg_sq goes beyond 0"):
        Run(run).with_config(steps=99).train()
    assert content(run) == before


def test_an_older_whole_checkpoint_is_gone_back_to(honest, tmp_path):
    """The newest is damaged: playing and resuming use the one before."""
    run = shutil.copytree(honest("cem"), tmp_path / "run")
    training = Run(run).steps()
    next(training)
    training.close()
    newest = max((run / "checkpoints").iterdir())
    (newest / "state.safetensors").write_bytes(b"nothing")
    with pytest.warns(Notice, match=r"step-000000004 is damaged.*run@last is step 3"):
        assert ludus.agent(f"{run}@last")
    again = Run(run).steps()
    assert next(again).number == 4
    again.close()


def test_a_run_without_a_whole_checkpoint_says_what_is_wrong(honest, tmp_path):
    run = forger.forge("value strength: text", honest("ppo"), tmp_path / "ppo-forged")
    with pytest.raises(ValueError, match=r"is damaged: .* has a strength that is none"):
        ludus.agent(f"{run}@last")
