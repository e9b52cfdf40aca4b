"""A run folder: what is not ours stays, what is damaged is told, links are not followed."""

import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

import ludus
from ludus.cli import main
from ludus.files import Notice
from ludus.folders import atomic_folder, drop_half_written
from ludus.learn.runs.run import Run
from ludus.learn.store import selection
from tests.learn.small import small
from tests.learn.test_run import GAME, equal, run_in, weights
from tests.test_tournament_folder import snapshot


def train(path, *more):
    words = ["train", "dqn", "tictactoe", "--network", "mlp", "--width", "8", "--blocks", "1"]
    words += ["--steps", "2", "--eval-freq", "0", "--run", path, *more]
    return main(list(map(str, words)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return run_in(tmp_path_factory.mktemp("whole") / "run", steps=6).train()


@pytest.fixture
def run(whole, tmp_path):
    """Four steps of it, in a folder that a test may damage."""
    path = tmp_path / "run"
    return run_in(path, steps=4, keep_every=1).train()


def damage(one, name="state.safetensors"):
    file = one.path / name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def kept(run):
    return {one.step: one for one in selection.checkpoints(run.folder.checkpoints)}


OURS = ("games", "checkpoints", "tensorboard")


@pytest.mark.parametrize("more", [("--opponent", "nobody"), ("--planes", "foo"), ()])
def test_a_failed_training_deletes_nothing_of_the_users(tmp_path, capsys, more):
    for name in OURS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "step-000000001").write_text("mine")
    for name in ("lock", "metrics.jsonl", "metrics.new", "config.new", ".writing-3"):
        (tmp_path / name).write_text("mine")
    before = snapshot(tmp_path)
    assert train(tmp_path, *more) == 2
    assert snapshot(tmp_path) == before
    said = capsys.readouterr().err
    assert said.count("\n") == 1


def test_a_run_whose_config_is_lost_keeps_its_checkpoints(run, capsys):
    run.folder.settings.unlink()
    before = snapshot(run.path)
    assert train(run.path) == 2
    assert "holds checkpoints and no config.json; give a folder that is new" in (
        capsys.readouterr().err
    )
    assert snapshot(run.path) == before


def test_what_a_killed_process_left_of_its_own_does_not_block_the_next(tmp_path, capsys):
    """Such names are drawn at random, so only who drew them has them."""
    (tmp_path / "lock").touch()
    (tmp_path / f".config.json.{'0' * 32}.new").write_text("half")
    (tmp_path / "checkpoints").mkdir()
    assert train(tmp_path) == 0
    assert not list(tmp_path.glob(".*"))
    (tmp_path / f".metrics.jsonl.{'1' * 32}.new").write_text("half")
    (tmp_path / f".metrics.jsonl.{'1' * 31}.new").write_text("mine")
    (tmp_path / "checkpoints" / ".writing-mine").mkdir()
    assert main(["resume", str(tmp_path), "--steps", "3"]) == 0
    assert [file.name for file in tmp_path.glob(".*")] == [f".metrics.jsonl.{'1' * 31}.new"]
    assert (tmp_path / "checkpoints" / ".writing-mine").exists()


def test_a_lock_that_was_there_stays(tmp_path, capsys):
    (tmp_path / "lock").touch()
    assert train(tmp_path, "--opponent", "nobody") == 2
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A run that was trained on the command line, with its report."""
    path = tmp_path_factory.mktemp("reported") / "run"
    assert train(path) == 0
    return path


@pytest.mark.parametrize(
    "name",
    [
        "lock",
        "config.new",
        "metrics.new",
        "metrics.jsonl",
        "report.new",
        "report.html",
        "config.json",
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_links_in_a_run_folder_are_not_followed(reported, tmp_path, name, there, capsys):
    shutil.copytree(reported, tmp_path / "run")
    target = tmp_path / "target"
    (tmp_path / "run" / name).unlink(missing_ok=True)
    (tmp_path / "run" / name).symlink_to(target)
    if there:
        target.write_text("mine")
    code = main(["resume", str(tmp_path / "run"), "--steps", "3"])
    assert code == (2 if name in ("lock", "metrics.jsonl", "config.json") else 0)
    said = capsys.readouterr().err
    assert said == "" or (said.startswith("ludus: ") and said.count("\n") == 1)
    assert target.exists() == there
    assert not there or target.read_text() == "mine"


@pytest.mark.parametrize("name", ["checkpoints", "games", "tensorboard"])
def test_a_linked_folder_in_a_run_is_refused_and_what_it_leads_to_stays(run, tmp_path, name):
    mine = tmp_path / "mine"
    mine.mkdir()
    if name == "checkpoints":
        shutil.copytree(run.path / name, mine, dirs_exist_ok=True)
        shutil.rmtree(run.path / name)
    (mine / "step-9.jsonl").write_text("mine")
    (run.path / name).symlink_to(mine)
    before = snapshot(tmp_path)
    with pytest.raises(ValueError, match=f"{name} is a link"):
        Run(run.path).with_config(steps=5).train()
    assert snapshot(tmp_path) == before


def test_checkpoints_with_something_of_the_users_are_not_dropped(run):
    there = kept(run)
    (there[1].path / "notes.txt").write_text("mine")
    (there[2].path / "state.json").unlink()
    (there[2].path / "state.json").mkdir()
    Run(run.path).with_config(steps=6, keep_every=0).train()
    assert list(kept(run)) == [1, 2, 5, 6]
    assert (there[1].path / "notes.txt").read_text() == "mine"


def test_a_checkpoint_takes_no_place_where_something_of_the_users_is(run):
    mine = run.folder.checkpoints / "step-000000005"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="step-000000005 holds what is not a checkpoint's"):
        Run(run.path).with_config(steps=6).train()
    assert (mine / "notes.txt").read_text() == "mine"
    assert not list(run.folder.checkpoints.glob(".writing-*"))
    shutil.rmtree(mine)
    assert list(kept(Run(run.path).with_config(steps=6).train()))[-1] == 6


@pytest.mark.parametrize("steps", [4, 0])
def test_no_flipped_bit_of_the_settings_goes_unseen(run, steps):
    """Neither with checkpoints beside them nor before the first one."""
    if not steps:
        for one in kept(run).values():
            shutil.rmtree(one.path)
    file, rng = run.folder.settings, random.Random(steps)
    before = file.read_bytes()
    for _ in range(60):
        data = bytearray(before)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data)
        unbroken = {k: v for k, v in json.loads(before).items() if k != "crc32"}
        try:
            again = Run(run.path)
            again.load_newest()
        except ValueError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert again.asked.record(again.command) == unbroken
    file.write_bytes(before)
    Run(run.path).load_newest()


def test_nothing_is_lost_when_the_two_newest_are_damaged(whole, run):
    for step in (3, 4):
        damage(kept(run)[step])
    again = Run(run.path).with_config(steps=3, keep_every=0).train()
    assert 3 in kept(again)
    for one in list(kept(again).values()):
        if one.step > 3:
            damage(one, "state.json")
    again = Run(run.path).with_config(steps=6)
    for step in again.steps():
        found, _ = selection.newest(run.folder.checkpoints)
        assert found.step == step.number
    equal(weights(again), weights(whole))
    assert list(kept(again)) == [5, 6]


def test_damaged_checkpoints_are_no_reason_to_drop_whole_ones(tmp_path):
    run = run_in(tmp_path / "run", steps=4, keep_every=1).train()
    there = kept(run)
    for step in (3, 4):
        there[step].path.rename(there[step].path.with_name(f"step-{step + 100:09}"))
        damage(kept(run)[step + 100])
    again = Run(run.path).with_config(steps=6, keep_every=0).train()
    assert set(kept(again)) == {5, 6, 103, 104}
    assert selection.newest(run.folder.checkpoints)[0].step == 6


def test_the_best_that_is_kept_is_a_whole_one(tmp_path):
    run = run_in(tmp_path / "run", steps=3, eval_freq=1, keep_every=1).train()
    from tests.learn.test_run import rewritten

    for step, one in kept(run).items():
        rewritten(one, strength=[0.8, 0.9, 0.2][step - 1])
    damage(kept(run)[2])
    Run(run.path).with_config(steps=6, eval_freq=0, keep_every=0).train()
    assert list(kept(run)) == [1, 5, 6]
    assert selection.best(run.folder.checkpoints).step == 1


@pytest.mark.parametrize("which", ["last", "best"])
@pytest.mark.parametrize("name", ["state.json", "state.safetensors"])
def test_an_older_agent_that_plays_for_a_damaged_one_is_told(run, which, name, capsys):
    from tests.learn.test_run import rewritten

    for one in kept(run).values():  # so that it has a best one
        rewritten(one, strength=0.1 * one.step)
    damage(kept(run)[4], name)
    with pytest.warns(Notice, match=rf"step-000000004 is damaged.*; {run.path}@{which} is step 3"):
        ludus.agent(f"{run.path}@{which}")
    words = ["match", GAME, f"{run.path}@{which}", "random", "--games", "2"]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"ludus: {run.path}/checkpoints/step-000000004 is damaged")
    assert said.count("\n") == 1


def test_a_damaged_one_that_was_weaker_anyway_is_nobodys_concern(tmp_path):
    run = run_in(tmp_path / "run", steps=3, eval_freq=1, keep_every=1).train()
    from tests.learn.test_run import rewritten

    for step, one in kept(run).items():
        rewritten(one, strength=[0.8, 0.9, 0.2][step - 1])
    damage(kept(run)[3])
    ludus.agent(f"{run.path}@best")
    damage(kept(run)[2])
    with pytest.warns(Notice, match="step-000000002 is damaged.*@best is step 1"):
        ludus.agent(f"{run.path}@best")


FULL = """
import resource, sys
from tests.learn.test_run import run_in
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
try:
    run_in(sys.argv[1], steps=60, checkpoint_seconds=3600.0).train()
except ValueError as error:
    print(error)
"""


def test_metrics_on_a_disk_that_fills_are_whole_lines(tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "run"], capture_output=True, text=True, check=True
    ).stdout
    assert told == f"no room left in {tmp_path / 'run'}; nothing was saved yet\n"
    data = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    assert 2000 < len(data) <= 3000
    assert data.endswith(b"}\n")
    again = Run(tmp_path / "run")
    assert again.with_config(steps=1).train().notices == []


def test_a_short_write_of_metrics_is_gone_on_with(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:50])))
    run = run_in(tmp_path / "run", steps=2).train()
    assert [line["step"] for line in run.folder.course()] == [1, 2]


def spoil(file, at, change):
    lines = file.read_bytes().split(b"\n")
    lines[at] = change(lines[at])
    file.write_bytes(b"\n".join(lines))


def test_damage_to_metrics_is_told_in_a_sentence(run, capsys):
    file = run.folder.metrics
    spoil(file, 1, lambda line: line.replace(b'"games": ', b'"games": 1'))
    before = file.read_bytes()
    assert [line["step"] for line in run.folder.course()] == [1, 3, 4]
    again = Run(run.path).train()
    assert again.notices == [f"{file}, line 2 is damaged, and is passed over"]
    assert file.read_bytes() == before
    assert main(["runs", str(run.path.parent)]) == 0
    assert capsys.readouterr().err == f"ludus: {file}, line 2 is damaged, and is passed over\n"


def test_no_flipped_bit_of_the_metrics_goes_unseen(run):
    """Not even in the checksum's name, in the first line or a later one."""
    file = run.folder.metrics
    before, course = file.read_bytes(), run.folder.course()
    names = [at for at in range(len(before)) if before.startswith(b'"crc32"', at)]
    assert len(names) == len(course) == 4
    for number, at in enumerate(names):
        for bit in range(8 * len(b'"crc32"')):
            data = bytearray(before)
            data[at + bit // 8] ^= 1 << bit % 8
            file.write_bytes(data)
            assert run.folder.course() == [*course[:number], *course[number + 1 :]]
            assert any("damaged" in flaw for flaw in run.folder.flaws())


def test_a_line_without_a_checksum_after_one_that_has_it_is_damaged(run):
    file = run.folder.metrics
    spoil(file, 2, lambda line: line[: line.rindex(b', "crc32"')] + b"}")
    assert [line["step"] for line in run.folder.course()] == [1, 2, 4]
    assert run.folder.flaws() == [f"{file}, line 3 is damaged, and is passed over"]


def test_a_torn_last_line_of_metrics_is_cut_with_a_sentence(run):
    file = run.folder.metrics
    before = file.read_bytes()
    file.write_bytes(before + before[:40])
    assert Run(run.path).train().notices == [f"{file}, line 5 was cut off, and is dropped"]
    assert file.read_bytes() == before


def test_metrics_that_are_gone_are_told(run):
    file = run.folder.metrics
    file.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[2:]))
    assert Run(run.path).train().notices == [f"{file} lacks 2 of 4 steps"]
    file.unlink()
    again = Run(run.path).with_config(steps=5).train()
    assert again.notices == [f"{file} lacks 4 of 4 steps"]
    assert [line["step"] for line in again.folder.course()] == [5]


def test_a_run_from_before_checksums_goes_on_without_a_word(whole, run):
    file = run.folder.metrics
    lines = [json.loads(line) for line in file.read_text().split("\n")[:-1]]
    for line in lines:
        del line["crc32"]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = Run(run.path).with_config(steps=6).train()
    assert again.notices == []
    assert [line["step"] for line in again.folder.course()] == [1, 2, 3, 4, 5, 6]
    equal(weights(again), weights(whole))


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b'{"step": "x"}',
        b'{"step": 1e400}',
        b'{"step": -1}',
        b'{"step": 1, "loss": "x"}',
        b"\xff",
        b"1",
        b"",
    ],
)
def test_no_line_of_metrics_is_a_traceback(run, line):
    spoil(run.folder.metrics, 0, lambda _: line)
    assert Run(run.path).train().notices == [
        f"{run.folder.metrics}, line 1 is damaged, and is passed over"
    ]


def test_a_training_that_is_killed_before_its_first_step_can_be_begun_again(tmp_path):
    """Nothing is there until there is a step, but a lock that blocks nobody."""
    seen = []

    def looking(*_, **__):
        seen.append(sorted(path.name for path in (tmp_path / "run").iterdir()))
        raise ValueError("stopped")

    config = small("dqn", steps=1, tensorboard=True)
    run = Run(tmp_path / "run", GAME, "dqn", config)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.learn.dqn.Learner.step", looking)
        with pytest.raises(ValueError, match="stopped"):
            run.train()
    assert seen == [["lock"]]
    assert not (tmp_path / "run").exists()


def test_the_zoo_takes_in_names_only(run, tmp_path, capsys):
    words = ["zoo", "../../x", "--add", str(run.path), "--minutes", "1"]
    assert main(words) == 2
    assert "a name in the zoo" in capsys.readouterr().err


def test_a_picture_replaces_a_picture_whole(tmp_path, capsys):
    file, link = tmp_path / "x.svg", tmp_path / "link.svg"
    file.write_text("old")
    link.symlink_to(file)
    assert main(["show", "tictactoe", "--svg", str(link)]) == 0
    assert file.read_text().startswith("<svg")
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.svg", "x.svg"]
    shutil.copy(file, tmp_path / "before")
    words = [sys.executable, "-m", "ludus", "show", "tictactoe", "--svg", "/dev/stdout"]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("<svg")


def test_resuming_deletes_only_what_the_run_has_made(run):
    mine = run.folder.games / "step-99.jsonl"
    run.folder.games.mkdir(exist_ok=True)
    mine.write_text("mine")
    newest = max(run.folder.checkpoints.iterdir())
    copy = shutil.copytree(newest, run.folder.checkpoints / "step-3")
    Run(run.path).with_config(steps=8).train()
    assert mine.read_text() == "mine"
    assert {one.name for one in copy.iterdir()} == {"state.json", "state.safetensors"}


@pytest.mark.parametrize(("how", "said"), [("lost", "lacks 1 of 4 steps"), ("doubled", "twice")])
def test_lost_and_doubled_lines_of_metrics_are_told(run, how, said):
    lines = run.folder.metrics.read_bytes().splitlines(keepends=True)
    change = [lines[0], *lines[2:]] if how == "lost" else [lines[0], *lines]
    run.folder.metrics.write_bytes(b"".join(change))
    assert any(said in flaw for flaw in run.folder.flaws())


@pytest.mark.parametrize("name", ["we@ird", "x:y"])
def test_a_path_that_no_agent_could_be_spelled_with_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="has an @ or : in it"):
        Run(tmp_path / name, ludus.game("tictactoe"), "dqn", small("dqn"))
    assert not (tmp_path / name).exists()


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    place, names = tmp_path / "step-1", ("a", "b")
    with suppress(KeyError), atomic_folder(place, names, "checkpoint") as beside:
        (beside / "a").write_text("half")
        raise KeyError
    assert list(tmp_path.iterdir()) == []
    for text in ("one", "two"):
        with atomic_folder(place, names, "checkpoint") as beside:
            (beside / "a").write_text(text)
            assert not place.exists() or (place / "a").read_text() == "one"
        assert (place / "a").read_text() == text
    (place / "mine").write_text("mine")
    before = snapshot(tmp_path)
    with (
        pytest.raises(ValueError, match=r"step-1 holds what is not a checkpoint's: move that away"),
        atomic_folder(place, names, "checkpoint"),
    ):
        pass
    assert snapshot(tmp_path) == before
    (tmp_path / f".writing-{'0' * 32}").mkdir()
    (tmp_path / f".writing-{'1' * 32}").mkdir()
    (tmp_path / f".writing-{'1' * 32}" / "mine").write_text("mine")
    drop_half_written(tmp_path, names)
    assert {one.name for one in tmp_path.iterdir()} == {"step-1", f".writing-{'1' * 32}"}
