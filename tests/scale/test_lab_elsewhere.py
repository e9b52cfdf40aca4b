"""The truth suite and parts of studies come to the same wherever they are worked at."""

import json

import numpy as np
import pytest

from ludus.agent import agent
from ludus.cli import main
from ludus.game import game
from ludus.lab import opinions
from ludus.lab.opinions import ask
from ludus.lab.plan import SuitePlan, build_datasets
from ludus.lab.suite import Suite
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import Unmasked
from ludus.studies.engine.store import Store
from ludus.studies.engine.training import train
from ludus.studies.engine.working import do, parts_of
from ludus.truth.oracle import oracle

from ..learn.small import small

TIMES = ("milliseconds", "second", "minutes", "command", "workers", "learner_wait")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / "run"
    return Run(path, "tictactoe", "alphazero", small("alphazero", steps=2), seed=1).train()


@pytest.fixture
def chunks(monkeypatch):
    """So small that there are several."""
    monkeypatch.setattr(opinions, "CHUNK", 16)


@pytest.mark.parametrize("who", ["uct:simulations=20", "random", "{}", "{}:epsilon=0.5"])
def test_opinions_do_not_depend_on_who_asks(workers, run, chunks, who):
    on = game("tictactoe")
    start = on.start()
    states = [start, *(start.play(one).play(other) for one in (0, 4) for other in (1, 2, 3))] * 9
    one = agent(who.format(f"{run.path}@last"), seed=4)
    told = []
    here = ask(one, states, seed=3)
    there = ask(one, states, seed=3, workers=workers, progress=told.append)
    np.testing.assert_array_equal(here.values, there.values)
    np.testing.assert_array_equal(here.chosen, there.chosen)
    assert told == [16, 32, 48, 63]
    assert len(ask(one, [], workers=workers).values) == 0


def test_the_truth_suite_does_not_depend_on_who_asks(workers, run, chunks):
    on = game("tictactoe")
    plan = SuitePlan("tictactoe", "own", True, (4,), 0, 0, 60, 20, seed=5)
    datasets = build_datasets(plan, oracle(on), None)
    found = []
    for place in (1, workers):
        suite = Suite(plan, datasets, [f"{run.path}@last"], place)
        suite.run()
        found.append(json.dumps(suite.result()))
    assert found[0] == found[1]
    assert found[0].count('"policy"') == 2


def test_the_truth_suite_on_the_command_line(ray_workers, run, capsys):
    words = ["evaluate", str(run.path), "--simulations", "4", "--searched", "5", "--random", "30"]
    answers = []
    for more in ([], ["--on", "ray", "--workers", "2"]):
        assert main([*words, *more, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]


def test_an_agent_of_another_file_is_refused(workers, run):
    on, one = game("tictactoe"), agent("random")
    [task] = opinions.chunk_tasks(one, on, [on.start()], 0)
    number = workers.submit(opinions.WORK, {**task, "marks": ["", "another"]})
    with pytest.raises(ValueError, match="random is made from another file on a worker"):
        workers.take()
    workers.forget()
    assert number


class Question:
    """Some parts."""

    missing = ""

    def __init__(self, *parts):
        self.own = parts

    def parts(self):
        return self.own


def lasting(result):
    """A result without what tells of time and place."""
    if isinstance(result, dict):
        return {
            name: lasting(one)
            for name, one in result.items()
            if not any(word in name for word in TIMES) and name != "time_elapsed"
        }
    return [lasting(one) for one in result] if isinstance(result, list) else result


@pytest.mark.parametrize("method", ["cem", "alphazero", "reinforce"])
def test_parts_of_a_study_do_not_depend_on_who_works(workers, tmp_path, method):
    """Trainings that know workers are handed out, others and agents without a spelling stay."""
    config = small(method, steps=2)
    own = algorithm(method).Config()
    changed = {n: v for n, v in vars(config).items() if v != getattr(own, n)}
    training = train(method, game="tictactoe", **changed)
    question = Question(
        Games("tictactoe", training.agent(), "uct:simulations=5", 5),
        Games("tictactoe", Unmasked(training.agent()), "random", 4),
    )
    parts = parts_of([question])
    assert len(parts) == 3
    found, asked = [], []
    submit = workers.submit
    for name, place in (("here", 1), ("there", workers)):
        store = Store(tmp_path / name, "test")
        workers.submit = lambda work, task: (asked.append(work), submit(work, task))[1]
        try:
            do(store, parts, guesses={}, workers=place)
        finally:
            workers.submit = submit
        found.append([lasting(store.read(part)) for part in parts.values()])
        if place == 1:
            assert not asked
    assert json.dumps(found[0], default=str) == json.dumps(found[1], default=str)
    handed = {work.rpartition(":")[2] for work in asked}
    own = {"cem": {"judge_part"}, "alphazero": {"play_pool"}, "reinforce": set()}[method]
    assert handed == {"play_shard"} | own


def test_what_has_no_spelling_plays_here(tmp_path, workers):
    bench = Bench(Store(tmp_path, "test"), None, workers)
    assert bench.workers_for(agent("random")) is workers
    assert bench.workers_for(agent("random"), object()) == 1
    assert bench.threads == 1
    local = Bench(Store(tmp_path, "test"), None, 3)
    assert local.workers_for(object()) == local.threads == 3


def test_a_study_on_the_command_line(ray_workers, tmp_path, capsys):
    answers = []
    for name, more in (("here", []), ("there", ["--on", "ray", "--workers", "2"])):
        words = ["study", "cathedral", "--scale", "smoke", "--only", "first-placer", "--json"]
        assert main([*words, "--folder", str(tmp_path / name), *more]) == 0
        answers.append(lasting(json.loads(capsys.readouterr().out)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "words", ["study cathedral --scale smoke", "evaluate uct --game tictactoe --random 9"]
)
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("--on moon", "no place 'moon' to work on"),
        ("--on ray --workers 0", "workers is a whole number from 1"),
    ],
)
def test_what_is_asked_in_vain(capsys, tmp_path, monkeypatch, words, place, said):
    monkeypatch.chdir(tmp_path)
    assert main([*words.split(), *place.split()]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())
