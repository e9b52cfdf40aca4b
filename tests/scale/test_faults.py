"""Workers die, hang, or are of another make: nothing is lost, and nothing counts twice."""

import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import ludus
from ludus.arena.tasks import results
from ludus.files import Notice
from ludus.learn import algorithm
from ludus.learn.store.selection import checkpoint_of
from ludus.scale import ray_workers as on_ray
from ludus.scale.facts import difference, facts

from ..learn.small import everything, same, small
from .killing import killing_workers

MATCH = ("connect4", "uct:simulations=3000", "uct:simulations=2500")


def course(score):
    return [dataclasses.replace(one, seconds=()) for one in score.played]


def trained(method, spelling, config, **more):
    *_, last = algorithm(method).train(ludus.game(spelling), config, seed=3, **more)
    return everything(last.snapshot())


def test_games_of_workers_that_die_are_played_again(ray_workers):
    here = ludus.match(*MATCH, games=16, seed=2)
    with killing_workers(ray_workers, 3, seed=1) as killed:
        there = ludus.match(*MATCH, games=16, seed=2, workers=ray_workers)
    assert killed
    assert course(here) == course(there)


def test_a_training_of_workers_that_die_goes_on(ray_workers):
    config = small("alphazero", steps=4, n_pools=3, simulations=16, n_envs=8)
    here = trained("alphazero", "connect4", config)
    with killing_workers(ray_workers, 3, seed=2) as killed:
        there = trained("alphazero", "connect4", config, workers=ray_workers)
    assert killed
    same(here, there)


def test_a_worker_that_hangs_holds_nobody_up(ray_workers, monkeypatch):
    """Its task is done by another, and it is replaced in the end."""
    monkeypatch.setattr(on_ray, "LEAST_LATE", 0.5)
    monkeypatch.setattr(on_ray, "LATE", 1.5)
    ludus.match("tictactoe", "random", "random", games=8, workers=ray_workers)  # all are there
    stopped = []

    def stop():
        while not stopped:
            busy = [one for one in list(ray_workers.workers) if one.task is not None]
            for one in busy[:1]:
                os.kill(one.pid, signal.SIGSTOP)
                stopped.append(one.pid)
            time.sleep(0.01)

    thread = threading.Thread(target=stop)
    thread.start()
    here = ludus.match(*MATCH, games=8, seed=2)
    there = ludus.match(*MATCH, games=8, seed=2, workers=ray_workers)
    thread.join()
    os.kill(stopped[0], signal.SIGKILL)
    assert course(here) == course(there)


def test_a_worker_of_another_make_is_refused(ray_workers, monkeypatch):
    ours = {**facts(), "native module": "another"}
    monkeypatch.setattr(on_ray, "facts", lambda: ours)
    with on_ray.RayWorkers(ray_workers.ray, 2) as others:
        others.submit("ludus.arena.shards:play_shard", {})
        with (
            pytest.warns(Notice, match="it gets no work"),
            pytest.raises(ValueError, match=r"a worker on node \w+ has native module .* another"),
        ):
            others.take()


def test_what_is_compared_when_a_worker_joins():
    here = facts()
    assert list(here) == [
        *("ludus", "Python", "numpy", "torch", "onnxruntime", "onnx", "ray"),
        *("build", "sources", "native module"),
    ]
    assert difference(here, dict(here)) == ""
    for name in here:
        there = {**here, name: "0.0"}
        assert difference(here, there).startswith(f"has {name} 0.0, and who hands out the work has")
    assert difference(here, {}).startswith("has ludus none")


def test_a_cluster_whose_machines_come_and_go_is_given_time(ray_workers, monkeypatch):
    """Workers whose machines were lost before they came up were once taken for a defect."""
    died = RuntimeError("The actor died because its node has died.")
    with on_ray.RayWorkers(ray_workers.ray, 1) as others:
        for _ in range(20):
            others.lose(others.workers[0], died)
        others.fertile -= on_ray.BARREN
        with pytest.raises(ValueError, match="no worker comes up: The actor died"):
            others.lose(others.workers[0], died)


def test_machines_that_die_are_not_the_fault_of_a_task(ray_workers):
    doing = on_ray.Task(1, "ludus.x:y", {}, {})
    with on_ray.RayWorkers(ray_workers.ray, 1) as others:
        others.tasks[1] = doing
        for error, lost in (("its node has died.", 0), ("its process has died.", 1)):
            worker = others.workers[0]
            worker.state, worker.task, doing.doing = on_ray.WORKING, doing, 1
            others.queue.clear()
            others.lose(worker, RuntimeError(f"The actor died because {error}"))
            assert doing.lost == lost
            assert list(others.queue) == [doing]


def test_a_task_that_ends_every_worker_is_told(ray_workers):
    """A stand-in for a task that needs more memory than there is."""
    ended = on_ray.Task(1, "ludus.x:y", {}, {}, lost=on_ray.MOST_LOST, doing=1)
    with on_ray.RayWorkers(ray_workers.ray, 1) as others:
        others.tasks[1] = ended
        worker = others.workers[0]
        worker.state, worker.task = on_ray.WORKING, ended
        with pytest.raises(ValueError, match="13 workers were lost over the same task"):
            others.lose(worker, RuntimeError("gone"))


def test_an_error_of_a_worker_is_its_sentence(ray_workers):
    with pytest.raises(ValueError, match=r"no work 'os:system'"):
        list(results(ray_workers, "os:system", [{}]))
    with pytest.raises(ValueError, match=r"KeyError: 'plans' \(shards.py:\d+\)"):
        list(results(ray_workers, "ludus.arena.shards:play_shard", [{}]))


@pytest.mark.slow
def test_thirty_nodes_are_killed_at_random_moments():
    """In a process of its own, which is connected to a cluster of its own."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    words = [sys.executable, "-m", "tests.scale.thirty", "--kills", "30", "--seed", "5"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "30 nodes were killed, and every result was that of an undisturbed run" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_is_stopped_goes_on_where_it_was(tmp_path, how):
    """On the cluster first, then here: the tournament of one that was not stopped."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    agents = ["uct:simulations=800", "uct:simulations=400", "random"]
    words = ["tournament", "connect4", *agents, "--games", "40", "--seed", "3", "--run", "t"]
    driver = subprocess.Popen(
        [sys.executable, "-m", "ludus", *words, "--on", "ray", "--workers", "2"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    games = tmp_path / "t" / "games.jsonl"
    try:
        while not games.exists() or games.read_bytes().count(b"\n") < 5:
            assert driver.poll() is None
            time.sleep(0.02)
    finally:
        driver.send_signal(how)
        code = driver.wait()
    if how == signal.SIGINT:
        assert code in (0, 130)
    before = games.read_bytes().splitlines()
    assert 5 <= len(before) <= 120
    table = ludus.tournament("connect4", agents, games=40, seed=3, run=tmp_path / "t", resume=True)
    whole = ludus.tournament("connect4", agents, games=40, seed=3)
    assert table.games == 120
    for key, games_ in whole.played.items():
        ours = [dataclasses.replace(one, seconds=()) for one in table.played[key]]
        assert ours == [dataclasses.replace(one, seconds=()) for one in games_]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["cem", "alphazero"])
def test_a_training_whose_driver_is_killed_goes_on_in_either_place(tmp_path, method):
    """Four kills, on the cluster and here in turn; then it is what an undisturbed one was."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")
    # Long steps, so that a kill comes while one is played.
    sizes = {
        "cem": {"population-size": 8, "fitness-games": 20, "opponent": "uct:simulations=100"},
        "alphazero": {"n-envs": 8, "positions-per-step": 120, "simulations": 16, "n-pools": 3},
    }[method]
    words = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    words += ["--eval-freq", "0", "--seed", "3", "--steps", "10", "--width", "8"]
    ludus_ = [sys.executable, "-m", "ludus"]
    silent = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        [*ludus_, "train", method, "connect4", *words, "--run", "whole"], check=True, **silent
    )
    course, kills = tmp_path / "torn" / "metrics.jsonl", 0
    begin = ["train", method, "connect4", *words, "--run", "torn"]
    resume = ["resume", "torn", "--steps", "10"]
    for count, place in enumerate([["--on", "ray", "--workers", "2"], []] * 2):
        driver = subprocess.Popen([*ludus_, *(resume if count else begin), *place], **silent)
        try:
            while driver.poll() is None and steps_of(course) < 2 * count + 1:
                time.sleep(0.02)
            time.sleep(0.05)
        finally:
            kills += driver.poll() is None
            driver.kill()
            driver.wait()
    assert kills == 4
    subprocess.run([*ludus_, *resume, "--on", "ray", "--workers", "1"], check=True, **silent)
    torn, whole = (checkpoint_of(f"{tmp_path / name}@last").load() for name in ("torn", "whole"))
    assert torn.step == whole.step == 10
    same(everything(torn), everything(whole))
    assert steps_of(course) == 10


def steps_of(course):
    """Lines of metrics."""
    return course.read_bytes().count(b"\n") if course.exists() else 0
