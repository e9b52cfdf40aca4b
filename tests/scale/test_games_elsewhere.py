"""Matches and tournaments are the same games wherever they are played."""

import dataclasses
import json
import signal
import socket
import threading

import pytest

import ludus
from ludus.arena.match import prepare_match
from ludus.cli import main
from ludus.scale import connect

PAIRS = [
    ("connect4", "uct:simulations=20", "zoo/connect4:epsilon=0.2"),
    ("supertictactoe", "random", "uct:simulations=8"),
]


def course(score):
    """All but the thinking times."""
    return [dataclasses.replace(one, seconds=()) for one in score.played]


@pytest.mark.parametrize(("spelling", "a", "b"), PAIRS)
def test_a_match_does_not_depend_on_where_it_was_played(workers, spelling, a, b):
    here = ludus.match(spelling, a, b, games=13, seed=5)
    there = ludus.match(spelling, a, b, games=13, seed=5, workers=workers)
    assert course(here) == course(there)
    assert here.points == there.points
    assert all(one.seconds for one in there.played)


def test_a_game_written_in_python(workers):
    here, there = (
        ludus.match(
            "examples/breakthrough.py:size=5", "random", "random", games=5, seed=2, workers=n
        )
        for n in (1, workers)
    )
    assert course(here) == course(there)


def test_openings_rewards_and_sequential_tests(workers, tmp_path):
    openings = tmp_path / "openings.txt"
    openings.write_text("44\n3344\n")
    asked = {"games": 30, "seed": 4, "openings": str(openings), "reward": "outcome"}
    scores = []
    for place in (1, workers):
        sprt = ludus.arena.sprt.read_sprt("0,200", 0.05, 0.05)
        scores.append(
            ludus.match(
                "connect4", "uct:simulations=60", "random", workers=place, sprt=sprt, **asked
            )
        )
    here, there = scores
    assert course(here) == course(there)
    assert here.standing == there.standing
    assert here.average(True) == there.average(True)


def test_a_tournament_goes_on_elsewhere(workers, tmp_path):
    agents = ["random", "greedy:epsilon=0.3", "uct:simulations=10"]
    whole = ludus.tournament("tictactoe", agents, games=8, seed=3)
    ludus.tournament("tictactoe", agents, games=3, seed=3, run=tmp_path / "t")
    there = ludus.tournament(
        "tictactoe", agents, games=6, seed=3, run=tmp_path / "t", resume=True, workers=workers
    )
    back = ludus.tournament("tictactoe", agents, games=8, seed=3, run=tmp_path / "t", resume=True)
    assert there.games == 18
    for key, games in whole.played.items():
        assert [dataclasses.replace(g, seconds=()) for g in games] == [
            dataclasses.replace(g, seconds=()) for g in back.played[key]
        ]


def test_what_cannot_be_made_again_elsewhere_is_refused(workers):
    class Mine:
        def think(self, state):
            raise NotImplementedError

    for agent in (Mine(), "human"):
        with pytest.raises(ValueError, match="cannot be made again from a spelling"):
            ludus.match("tictactoe", agent, "random", games=2, workers=workers)


def test_another_file_on_a_worker_is_refused(workers, tmp_path, monkeypatch):
    match = prepare_match("tictactoe", "random", "random", games=2, seed=1)
    monkeypatch.setattr("ludus.arena.shards.marks", lambda plan: ["x", "", ""])
    if not hasattr(workers, "ray"):  # threads share what was changed here
        monkeypatch.setattr("ludus.arena.shards.plan_of", broken(match.plan))
    with pytest.raises(ValueError, match="tictactoe is made from another file on a worker"):
        match.play(workers)


def broken(plan):
    def plan_of(spelled):
        raise ValueError("tictactoe is made from another file on a worker than here")

    return plan_of


def test_progress_tells_who_works(ray_workers):
    match = prepare_match("tictactoe", "random", "random", games=20, seed=1)
    told = []
    match.play(ray_workers, progress=lambda share, text: told.append(text))
    assert "2 workers" in told[-1]
    assert "tasks/s each" in told[-1]


def test_the_command_line(ray_workers, capsys, tmp_path):
    words = ["match", "connect4", "uct:simulations=9", "random", "--games", "9", "--json"]
    answers = []
    for more in ([], ["--on", "ray", "--workers", "2"]):
        record = tmp_path / f"{len(more)}.jsonl"
        assert main([*words, *more, "--record", str(record)]) == 0
        found = json.loads(capsys.readouterr().out)
        found.pop("seconds")
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        for line in lines:
            line.pop("seconds"), line.pop("crc32")
        answers.append((found, lines))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--on moon", "no place 'moon' to work on; there are local, ray"),
        ("--on ray:nowhere", "the address of a cluster is HOST:PORT or auto"),
        ("--on ray --timing alone", "timing alone plays one game at a time"),
        ("--on ray --workers 0", "workers is a whole number from 1 to 1024, not 0"),
        ("--on ray --workers -3", "workers is a whole number from 1 to 1024, not -3"),
        ("--on ray --workers 1025", "workers is a whole number from 1 to 1024, not 1025"),
        ("--on ray:10.0.0.1:65536", "a port is from 1 to 65535, not as in '10.0.0.1:65536'"),
        ("--on ray:10.0.0.1:0", "a port is from 1 to 65535"),
    ],
)
def test_what_is_refused_is_one_sentence(capsys, words, said):
    assert main(["match", "connect4", "random", "random", *words.split()]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_an_address_where_nobody_listens(capsys):
    pytest.importorskip("ray", reason="Ray is not installed")
    from ludus.scale.cluster import check_answers

    with pytest.raises(ValueError, match=r"no Ray cluster answers at 127.0.0.1:9: `ray start"):
        check_answers("127.0.0.1:9")


@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n", b"hi"])
def test_an_address_where_something_else_listens(monkeypatch, greeting):
    """Ray itself would try for minutes."""
    from ludus.scale import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.sendall(greeting)
                over.wait(20)

        over = threading.Event()
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ValueError, match=f"what listens at {address} is no Ray cluster"):
            cluster.check_answers(address)
        over.set()
        thread.join()


def test_an_address_where_ray_listens(ray_workers):
    from ludus.scale.cluster import check_answers

    check_answers(ray_workers.ray.get_runtime_context().gcs_address)


@pytest.mark.parametrize("count", [0, 1025])
def test_how_many_workers_is_looked_at_before_a_cluster_is_started(monkeypatch, count):
    monkeypatch.setattr("ludus.scale.cluster.import_ray", None)
    with pytest.raises(ValueError, match="workers is a whole number"), connect("ray", count):
        pass


def test_a_cluster_of_another_ray_is_told_as_ray_tells_it(monkeypatch):
    pytest.importorskip("ray", reason="Ray is not installed")
    from ludus.scale import cluster

    class Other:
        def is_initialized(self):
            return False

        def shutdown(self):
            pass

        def init(self, **options):
            raise RuntimeError("Version mismatch:\nRay 2.60.0 there,\nRay 2.59.0 here")

    monkeypatch.setattr(cluster, "import_ray", lambda alone: Other())
    monkeypatch.setattr(cluster, "check_answers", lambda address: None)
    said = "the Ray cluster at 10.0.0.1:6379 cannot be used: Version mismatch: Ray 2.60.0 there"
    with pytest.raises(ValueError, match=said), connect("ray:10.0.0.1:6379"):
        pass


@pytest.mark.parametrize("when", ["init", "shutdown"])
def test_ctrl_c_does_not_cut_a_beginning_or_an_end_of_ray_in_two(monkeypatch, when):
    """Python once ended with a segmentation fault."""
    from ludus.scale import cluster

    done = []

    class Slow:
        def is_initialized(self):
            return False

        def init(self, **options):
            self.work("init")

        def shutdown(self):
            self.work("shutdown")

        def work(self, name):
            if name == when:
                signal.raise_signal(signal.SIGINT)
            done.append(name)

    monkeypatch.setattr(cluster, "import_ray", lambda alone: Slow())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is off
    try:
        with pytest.raises(KeyboardInterrupt), cluster.cluster(None, 1):
            done.append("work")
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["init", *(["work"] if when == "shutdown" else []), "shutdown"]


def test_a_cluster_of_our_own_listens_on_the_loopback_alone(ray_workers):
    psutil = pytest.importorskip("psutil")
    me = psutil.Process()
    ours = [me, *me.children(recursive=True)]
    at = {
        one.laddr.ip.removeprefix("::ffff:")
        for process in ours
        for one in process.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN
    }
    assert at == {"127.0.0.1"}
    assert ray_workers.ray.get_runtime_context().gcs_address.startswith("127.0.0.1:")


def test_without_ray_one_sentence_says_what_to_install(monkeypatch, capsys):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["match", "connect4", "random", "random", "--on", "ray"]) == 2
    told = capsys.readouterr().err
    assert "--on ray needs Ray, which is not installed: pip install '.[ray]'" in told
    assert told.count("\n") == 1
