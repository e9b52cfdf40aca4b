"""A run survives kills, damage, a full disk, a second process, changed settings, bad numbers."""

import dataclasses
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

import ludus
from ludus.arena import record
from ludus.learn import dqn, ppo
from ludus.learn.networks.optimise import gradient_step
from ludus.learn.networks.plan import Diverged
from ludus.learn.runs.run import Run
from ludus.learn.store import checkpoint, selection
from ludus.learn.training.loop import run_step
from tests.learn.small import METHODS, small

GAME = "connect4:rows=4,columns=4"


def run_in(path, name="dqn", **changes):
    config = small(name, **{"checkpoint_seconds": 0.0, **changes})
    return Run(path, GAME, name, config, seed=5)


def weights(run):
    """Of the newest checkpoint, with its step."""
    one, _ = selection.newest(run.folder.checkpoints)
    return one.step, one.arrays("network")


def equal(one, other):
    assert one[0] == other[0]
    assert one[1].keys() == other[1].keys()
    for name, array in one[1].items():
        assert array.tobytes() == other[1][name].tobytes(), name


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    found = {}
    for name in METHODS:
        run = run_in(tmp_path_factory.mktemp(name) / "run", name, steps=6).train()
        found[name] = weights(run)
    return found


def test_a_run_is_a_folder_of_plain_files(tmp_path):
    run = run_in(tmp_path / "x", eval_freq=2, steps=4, eval_opponents="random;greedy").train()
    record = json.loads((run.path / "config.json").read_text())
    assert record["game"] == GAME
    assert record["config"]["n_envs"] == 6
    course = run.folder.course()
    assert [line["step"] for line in course] == [1, 2, 3, 4]
    assert {"score random", "score greedy", "strength"} <= course[1].keys()
    assert "strength" not in course[0]
    kept = [one.step for one in selection.checkpoints(run.folder.checkpoints)]
    assert kept[-1] == 4
    assert len(kept) <= 3
    files = {path.name for path in (run.folder.checkpoints / "step-000000004").iterdir()}
    assert files == {"state.safetensors", "state.json"}


def test_the_games_that_measured_it_are_kept_and_replay(tmp_path):
    run = run_in(tmp_path / "x", eval_freq=2, steps=4, eval_opponents="random;greedy").train()
    files = {path.name for path in run.folder.games.iterdir()}
    assert files == {"step-2.jsonl", "step-4.jsonl"}
    found = list(record.read(run.folder.games / "step-4.jsonl"))
    assert len(found) == 4  # two against each
    names = {frozenset(one.played.agents) for one in found}
    assert names == {frozenset({f"{run.path}@step=4", rung}) for rung in ("random", "greedy")}
    for one in found:
        assert one.states[-1].outcome is not None  # replayed by the rules
    run.folder.cut(3)
    assert [path.name for path in run.folder.games.iterdir()] == ["step-2.jsonl"]


@pytest.mark.parametrize("name", METHODS)
def test_a_crash_between_any_two_steps_changes_nothing(name, unbroken, tmp_path):
    """What a kill leaves behind is what the folder holds at that moment."""
    rng = random.Random(name)
    run = run_in(tmp_path / "run", name, steps=6)
    crashes = []
    for step in run.steps():
        if rng.random() < 0.5:
            crashes.append(tmp_path / f"crash{step.number}")
            shutil.copytree(run.path, crashes[-1])
    equal(unbroken[name], weights(run))
    for path in crashes:
        with (path / "metrics.jsonl").open("a") as metrics:
            metrics.write('{"step": 9, "lo')  # cut off in the middle
        (path / "checkpoints" / ".writing-6").mkdir()
        again = Run(path).train()
        equal(unbroken[name], weights(again))
        assert [line["step"] for line in again.folder.course()] == list(range(1, 7))


def test_checkpoints_far_apart_lose_only_time(unbroken, tmp_path):
    run = run_in(tmp_path / "run", steps=6, checkpoint_seconds=3600.0)
    for step in run.steps():
        if step.number == 4:
            shutil.copytree(run.path, tmp_path / "crash")  # nothing saved yet
    equal(unbroken["dqn"], weights(Run(tmp_path / "crash").train()))


def test_whoever_stops_listening_stops_and_saves(unbroken, tmp_path):
    run = run_in(tmp_path / "run", steps=6, checkpoint_seconds=3600.0)
    for step in run.steps():
        if step.number == 3:
            break
    assert weights(run)[0] == 3
    equal(unbroken["dqn"], weights(Run(run.path).train()))


def test_tensorboard_is_closed_however_a_run_ends(tmp_path, monkeypatch):
    class Board:
        def __init__(self):
            self.written, self.closed = [], False

        def add_scalar(self, name, value, step):
            self.written.append((name, step))

        def close(self):
            self.closed = True

    board = Board()
    monkeypatch.setattr("ludus.learn.runs.run.writer", lambda run: board)
    steps = run_in(tmp_path / "run", tensorboard=True).steps()
    next(steps)
    assert ("games", 1) in board.written
    assert not board.closed
    steps.close()
    assert board.closed


def test_time_is_up(tmp_path):
    run = run_in(tmp_path / "run", steps=10_000).train(minutes=0)
    assert weights(run)[0] == 1


def test_a_damaged_checkpoint_is_passed_over(unbroken, tmp_path):
    run = run_in(tmp_path / "run", steps=4).train()
    last = run.folder.checkpoints / "step-000000004" / "state.safetensors"
    data = bytearray(last.read_bytes())
    data[len(data) // 2] ^= 1
    last.write_bytes(data)
    again = Run(run.path).with_config(steps=6).train()
    equal(unbroken["dqn"], weights(again))
    assert "state.safetensors is not what was written" in again.notices[0]
    assert again.notices[1] == "going on from step 3, the newest whole checkpoint"


@pytest.mark.parametrize("damage", ["", "{", '{"format": 1}'])
def test_damage_everywhere_is_refused(damage, tmp_path):
    run = run_in(tmp_path / "run", steps=3).train()
    for one in selection.checkpoints(run.folder.checkpoints):
        (one.path / "state.json").write_text(damage)
    with pytest.raises(ValueError, match="no whole checkpoint is left"):
        Run(run.path).with_config(steps=5).train()
    assert (run.path / "checkpoints" / "step-000000003" / "state.safetensors").exists()


def test_a_second_process_is_refused(tmp_path):
    run = run_in(tmp_path / "run")
    steps = run.steps()
    next(steps)
    with pytest.raises(ValueError, match="another process trains in"):
        Run(run.path).train()
    steps.close()


def test_a_run_is_not_begun_twice(tmp_path):
    run_in(tmp_path / "run", steps=1).train()
    with pytest.raises(ValueError, match="holds a run; `ludus resume"):
        run_in(tmp_path / "run")


def test_changed_settings_are_refused_and_named(tmp_path):
    run = run_in(tmp_path / "run", steps=2).train()
    file = run.path / "config.json"
    record = json.loads(file.read_text())
    record["config"]["gamma"] = 0.5
    file.write_text(json.dumps(record))
    with pytest.raises(ValueError, match=r"gamma of the run in .* was 0.99 and is now 0.5"):
        Run(run.path).train()
    with pytest.raises(ValueError, match="gamma of the run"):
        Run(run.path).with_config(gamma=0.7)


def test_settings_that_an_older_run_did_not_know_have_their_defaults(unbroken, tmp_path):
    run = run_in(tmp_path / "run", steps=4).train()
    settings = run.path / "config.json"
    record = json.loads(settings.read_text())
    del record["config"]["opponent_tau"], record["crc32"]
    settings.write_text(json.dumps(record))
    for one in selection.checkpoints(run.folder.checkpoints):
        record = json.loads((one.path / "state.json").read_text())
        del record["config"]["opponent_tau"], record["checksum"]
        checksum = checkpoint.digest(checkpoint.canonical(record).encode())
        (one.path / "state.json").write_text(json.dumps({**record, "checksum": checksum}))
    equal(unbroken["dqn"], weights(Run(run.path).with_config(steps=6).train()))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("algorithm", "ppo", "algorithm of the run in .* was 'dqn' and is now 'ppo'"),
        ("game", "tictactoe", "game of the run in .* was .* and is now 'tictactoe'"),
        ("seed", 6, "seed of the run in .* was 5 and is now 6"),
        ("seed", "five", "config.json is damaged: its seed is 'five'"),
        ("seed", -1, "seed of the run in .* was 5 and is now -1"),
        ("config", None, "config.json is damaged: its config is None"),
    ],
)
def test_another_training_is_refused_and_named(name, value, sentence, tmp_path):
    run = run_in(tmp_path / "run", steps=2).train()
    record = json.loads((run.path / "config.json").read_text())
    record[name] = value
    (run.path / "config.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match=sentence):
        Run(run.path).train()


def remembered_from(path, name, game=GAME, **changes):
    """A run that began from another, which is then deleted half way; and one where it is not."""
    for where in ("alone", "accompanied"):
        config = small(name, steps=2, **changes)
        Run(path / where, game, name, config, seed=5).train()
    accompanied = Run(path / "accompanied").with_config(steps=4).train()
    for option in ("init", "encoder"):
        if option in changes:
            shutil.rmtree(changes[option])
    equal(weights(accompanied), weights(Run(path / "alone").with_config(steps=4).train()))


@pytest.mark.parametrize("name", ["dqn", "cem"])
def test_a_resumed_run_needs_no_run_that_it_began_from(name, tmp_path):
    first = run_in(tmp_path / "first", name, steps=1).train()
    remembered_from(tmp_path, name, init=str(first.path))


@pytest.mark.parametrize("frozen", [True, False])
def test_a_resumed_run_needs_no_run_of_its_encoder(frozen, tmp_path):
    first = run_in(tmp_path / "first", "vae", steps=1, latent_dim=5, width=7).train()
    remembered_from(tmp_path, "ppo", encoder=str(first.path), frozen=frozen, separate=True)


def test_strengths_are_compared_on_one_ladder_only(tmp_path):
    run = run_in(
        tmp_path / "run", steps=3, eval_freq=1, keep_every=1, eval_opponents="random"
    ).train()
    for one in selection.checkpoints(run.folder.checkpoints):
        rewritten(one, strength=[0.7, 0.9, 0.8][one.step - 1])
    assert selection.best(run.folder.checkpoints).step == 2
    run = Run(run.path).with_config(eval_opponents="uct:simulations=2", steps=5).train()
    for one in selection.checkpoints(run.folder.checkpoints)[3:]:
        rewritten(one, strength=[0.3, 0.2][one.step - 4])
    assert selection.best(run.folder.checkpoints).step == 4
    assert selection.strength(run.folder.checkpoints) == 0.3


def rewritten(one, **changes):
    """Write something else into a checkpoint, with its checksum."""
    record = json.loads((one.path / "state.json").read_text()) | changes
    del record["checksum"]
    checksum = checkpoint.digest(checkpoint.canonical(record).encode())
    (one.path / "state.json").write_text(json.dumps({**record, "checksum": checksum}))


def test_a_damaged_config_is_told(tmp_path):
    run = run_in(tmp_path / "run", steps=1).train()
    (run.path / "config.json").write_text("{")
    with pytest.raises(ValueError, match=r"config.json is damaged"):
        Run(run.path)
    with pytest.raises(ValueError, match="there is no run in"):
        Run(tmp_path / "nowhere")


def test_a_full_disk_stops_with_a_sentence_and_loses_nothing(unbroken, tmp_path, monkeypatch):
    run = run_in(tmp_path / "run", steps=6)
    real, written = checkpoint.create, []

    def full(file, data):
        if file.name == "state.json" and "writing" in str(file):
            written.append(file)
            if len(written) == 3:
                file.write_bytes(data[:10])
                raise OSError(errno.ENOSPC, "No space left on device", str(file))
        real(file, data)

    monkeypatch.setattr(checkpoint, "create", full)
    with pytest.raises(ValueError, match=r"no room left in .*; the state after step 2 is kept"):
        run.train()
    monkeypatch.undo()
    assert not list(run.folder.checkpoints.glob(".writing*"))
    equal(unbroken["dqn"], weights(Run(run.path).train()))


DESCENDING = ["alphazero", "dqn", "ppo", "reinforce", "supervised", "vae"]


@pytest.mark.parametrize("name", DESCENDING)
@pytest.mark.parametrize(
    ("number", "told"),
    [(float("nan"), "are not finite"), (1e7, r"have gone beyond 1e\+06")],
)
def test_weights_gone_bad_stop_the_run_and_are_named(name, number, told, tmp_path):
    run = run_in(tmp_path / "run", name, steps=6)
    steps = run.steps()
    for _ in range(2):
        step = next(steps)
    first, weight = next(iter(step.parts["network"].named_parameters()))
    weight.data.view(-1)[0] = number
    with (
        np.errstate(all="ignore"),
        pytest.raises(Diverged, match=f"the weights {first} {told}; the state after step 2"),
    ):
        list(steps)
    saved, arrays = weights(run)
    assert saved == 2
    assert all(np.abs(array).max() < 100 for array in arrays.values())


def test_a_learning_rate_that_is_too_high_is_told(tmp_path):
    run = run_in(tmp_path / "run", "ppo", steps=50, learning_rate=1e7)
    with np.errstate(all="ignore"), pytest.raises(Diverged, match=r"beyond|not finite"):
        run.train()


def test_bad_weights_are_told_with_what_they_brought():
    class Learner:
        values = "policy"
        network = torch.nn.Linear(2, 1)
        parts = {"network": network}  # noqa: RUF012

        def step(self, number):
            raise Diverged("the policy is not finite")

    with pytest.raises(Diverged, match=r"^the policy is not finite$"):
        run_step(Learner(), 1)
    Learner.network.bias.data.fill_(float("inf"))
    with pytest.raises(
        Diverged, match=r"^the policy is not finite: the weights bias are not finite$"
    ):
        run_step(Learner(), 1)


def descended(spoil):
    """One step of a network of two layers, in which something was spoiled."""
    network = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    targets = torch.zeros(4, 1)
    optimizer = torch.optim.Adam(network.parameters())
    scale = spoil(network, targets) or 1.0
    loss = scale * ((network(torch.ones(4, 2)) - targets) ** 2).mean()
    gradient_step(network, optimizer, loss, 1.0, targets=targets)


def bad_weight(network, targets):
    network[1].weight.data[0, 1] = np.nan


def bad_target(network, targets):
    targets[2] = np.nan


def great_loss(network, targets):
    return 1e12


def infinite_slope(network, targets):
    """Only one layer's gradient is bad; the loss is fine."""
    network[1].bias.register_hook(lambda slope: slope * float("inf"))


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (bad_weight, "the weights 1.weight are not finite"),
        (bad_target, "targets is not finite"),
        (infinite_slope, "the gradient of 1.bias is not finite"),
        (great_loss, r"the loss is .*, beyond 1e\+06"),
    ],
)
def test_what_went_bad_first_is_named(spoil, told):
    torch.manual_seed(1)
    with pytest.raises(Diverged, match=told):
        descended(spoil)


def test_interrupts_wait_for_the_step_and_save(unbroken, tmp_path):
    run = run_in(tmp_path / "run", steps=6, checkpoint_seconds=3600.0)

    def interrupted():
        for step in run.steps():
            if step.number == 3:
                os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert weights(run)[0] in (3, 4)
    equal(unbroken["dqn"], weights(Run(run.path).train()))


def test_the_best_and_every_nth_are_kept(tmp_path):
    run = run_in(tmp_path / "run", steps=12, eval_freq=1, keep_every=5).train()
    kept = {one.step for one in selection.checkpoints(run.folder.checkpoints)}
    measured = {line["step"]: line["strength"] for line in run.folder.course()}
    best = selection.best(run.folder.checkpoints)
    assert best.strength == max(measured.values())
    assert kept == {5, 10, 11, 12, best.step}


def test_nothing_that_is_loaded_can_run_code(tmp_path):
    run = run_in(tmp_path / "run", steps=1).train()
    for file in run.path.rglob("*"):
        if file.is_file():
            assert b"\x80\x04" not in file.read_bytes()[:2]  # how pickles begin
    assert not list(run.path.rglob("*.pt"))


def command(*words):
    return [sys.executable, "-m", "ludus", *map(str, words)]


def environment():
    source = str(Path(ludus.__file__).parents[1])
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([source, before] if before else [source])}


def options(config):
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if value != field.default:
            yield from (f"--{field.name.replace('_', '-')}", str(value))


def newest_step(path):
    """Of the checkpoints that a process is writing."""
    return max((one.step for one in selection.checkpoints(path / "checkpoints")), default=0)


def killed(words, path, moment):
    """A real process, killed so long after it has gone on and stored a step."""
    before = newest_step(path)
    process = subprocess.Popen(
        command(*words), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and newest_step(path) <= before:
        time.sleep(0.01)
    time.sleep(moment)
    assert process.poll() is None
    process.kill()
    process.wait()
    assert newest_step(path) > before


OPPOSITE = {"dqn": "pool", "ppo": "uct:simulations=4"}  # of those that do not play themselves


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
# So few weights may collapse, and say so.
@pytest.mark.filterwarnings("ignore:step .* steps:ludus.files.Notice")
def test_kill_minus_nine_at_random_moments(name, tmp_path):
    """Killed as it learns and writes, then resumed to the end."""
    opponent = {"opponent": OPPOSITE[name]} if name in OPPOSITE else {}
    config = small(name, steps=10**6, checkpoint_seconds=0.0, **opponent)
    rng, path = random.Random(name), tmp_path / "killed"
    words = ["train", name, GAME, "--seed", 5, "--run", path, *options(config)]
    for _ in range(3):
        killed(words, path, rng.random() / 2)
        words = ["resume", path]
    last = newest_step(path) + 2
    words += ["--steps", last]
    subprocess.run(command(*words), env=environment(), check=True, stdout=subprocess.DEVNULL)
    config = dataclasses.replace(config, steps=last, checkpoint_seconds=3600.0)
    whole = Run(tmp_path / "whole", GAME, name, config, seed=5).train()
    equal(weights(whole), weights(Run(path)))


def test_steps_are_a_loop_one_owns():
    game = ludus.game("tictactoe")
    config = ppo.Config(steps=3, n_envs=8, n_steps=4)
    for step in ppo.train(game, config, seed=1):
        if step.number == 2:
            break
    assert step.number == 2
    assert step.games >= 0
    thought = step.agent.think(game.start())
    assert thought.policy.sum() == pytest.approx(1)


def test_an_agent_of_a_step_stays_as_it_is():
    game = ludus.game("tictactoe")
    policies = []
    for step in dqn.train(game, small("dqn", steps=5), seed=1):
        if step.number == 2:
            early = step.agent
            policies.append(early.think(game.start()).policy)
    policies.append(early.think(game.start()).policy)
    assert np.array_equal(*policies)
    assert not np.array_equal(policies[0], step.agent.think(game.start()).policy)


def test_perfect_play_keeps_the_truth_of_tictactoe_and_random_play_does_not():
    from ludus.learn.runs import evaluate

    game = ludus.game("tictactoe")
    perfect = evaluate.compare_with_truth(game, ludus.agent("perfect"), 80, 1)
    assert perfect == {"optimal_move_rate": 1, "value_accuracy": 1}
    assert (
        0.1
        < evaluate.compare_with_truth(game, ludus.agent("random", seed=1), 80, 1)[
            "optimal_move_rate"
        ]
        < 0.9
    )


def test_a_value_is_right_where_its_result_is():
    from ludus.learn.runs import evaluate

    class Fixed:
        """Thinks the same of everything."""

        def __init__(self, value):
            self.value = value

        def think(self, state):
            return ludus.Thought(np.eye(state.num_actions)[state.legal()[0]], self.value)

    game = ludus.game("tictactoe")
    right = [
        evaluate.compare_with_truth(game, Fixed(value), 80, 1)["value_accuracy"]
        for value in (0.4, 0.3, -0.4)
    ]
    assert sum(right) == pytest.approx(1)
    assert all(share > 0 for share in right)
    assert "value_accuracy" not in evaluate.compare_with_truth(game, Fixed(0.0), 80, 1)


def test_a_ladder_of_several_gives_a_rating(tmp_path):
    run = run_in(
        tmp_path / "run", "ppo", steps=1, eval_freq=1, eval_opponents="random;greedy"
    ).train()
    line = run.folder.course()[-1]
    assert line["elo_low"] <= line["elo"] <= line["elo_high"]
    from ludus.learn.runs import evaluate

    def strength(student, config):
        game = ludus.game(GAME)
        scores = evaluate.play_opponents(game, student, config, 1)
        return evaluate.measure_strength(game, student, scores, config, 1)

    config = small("ppo", eval_opponents="random;uct:simulations=200", n_eval_games=20)
    high = strength(ludus.agent("alphabeta:depth=6"), config)
    low = strength(ludus.agent("random", seed=2), config)
    assert low["elo_high"] < high["elo_low"]


def test_a_run_tells_how_much_of_the_truth_it_keeps(tmp_path):
    config = small("ppo", steps=1, eval_freq=1, eval_truth_states=40)
    run = Run(tmp_path / "x", "tictactoe", "ppo", config, seed=1).train()
    line = run.folder.course()[-1]
    from ludus.learn.runs import evaluate

    told = evaluate.compare_with_truth(ludus.game("tictactoe"), run.last(), 40, 1)
    assert told == {name: line[name] for name in ("optimal_move_rate", "value_accuracy")}


def test_moves_are_compared_with_the_truth_where_it_is_known(monkeypatch):
    """An oracle of its own: a win in one is the only best move, where there is one."""
    from ludus.learn.runs import evaluate

    class Oracle:
        def values(self, state):
            return {action: state.play(action).outcome == -1 for action in state.legal()}

    game = ludus.game("tictactoe")
    monkeypatch.setattr(evaluate, "oracle_of", lambda game: Oracle())
    evaluate.truths.cache_clear()
    try:
        assert (
            evaluate.compare_with_truth(game, ludus.agent("greedy"), 60, 1)["optimal_move_rate"]
            == 1
        )
        assert (
            evaluate.compare_with_truth(game, ludus.agent("random"), 60, 1)["optimal_move_rate"]
            < 0.9
        )
    finally:
        evaluate.truths.cache_clear()
