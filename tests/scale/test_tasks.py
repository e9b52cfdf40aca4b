"""Tasks: plain data out, plain data back, each exactly once, in whatever place it was done."""

import ast
import contextlib
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.tasks import check_message, in_order, perform, results
from ludus.scale import connect
from ludus.scale.place import read_place
from ludus.scale.threads import ThreadWorkers

from .jobs import install


def test_results_come_once_and_in_order(monkeypatch):
    work = install(monkeypatch)
    tasks = [{"x": x, "seconds": 0.02 * (x % 3)} for x in range(12)]
    with ThreadWorkers(3) as workers:
        assert [one["x"] for one in in_order(workers, work["slowly"], tasks)] == list(range(12))
        places = [place for place, _ in results(workers, work["slowly"], tasks)]
    assert sorted(places) == list(range(12))


def test_tasks_are_made_as_they_are_needed(monkeypatch):
    work, asked = install(monkeypatch), []

    def tasks():
        for x in range(1000):
            asked.append(x)
            yield {"x": x}

    with (
        ThreadWorkers(2) as workers,
        contextlib.closing(results(workers, work["double"], tasks())) as coming,
    ):
        next(coming)
        assert len(asked) <= 5
    assert workers.under_way == 0


def test_an_error_is_its_sentence(monkeypatch):
    work = install(monkeypatch)
    with (
        ThreadWorkers(2) as workers,
        pytest.raises(ValueError, match="7 is too much"),
    ):
        list(results(workers, work["fail"], [{"x": 7}]))


def test_ctrl_c_keeps_what_is_done(monkeypatch):
    work, kept = install(monkeypatch), []
    with ThreadWorkers(2) as workers:
        coming = results(workers, work["double"], ({"x": x} for x in range(9)))
        kept.append(next(coming)[0])
        taking = workers.take

        def interrupted(seconds=None):
            workers.take = taking
            for future in list(workers.futures):
                future.result()
            raise KeyboardInterrupt

        workers.take = interrupted

        def keep_on():
            for place, _ in coming:
                kept.append(place)

        with pytest.raises(KeyboardInterrupt):
            keep_on()
        assert sorted(kept) == list(range(5))  # one before it was heard, and two a worker


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, [len], np.array([object()]), {"a": {"b": {3}}}, lambda: 0]
)
def test_only_plain_data_is_sent(value, monkeypatch):
    with pytest.raises(TypeError, match=r"plain data|no text"):
        check_message({"x": value}, "task")
    work = install(monkeypatch)
    with pytest.raises(TypeError, match="plain data"):
        perform(work["leak"], {})


def test_plain_data_is_sent():
    check_message({"a": [1, 2.5, "x", b"y", None, True], "b": {"c": np.zeros(3)}}, "task")
    check_message({"x": np.float32(1), "y": (np.int64(2),)}, "task")


@pytest.mark.parametrize("work", ["os:system", "ludus", "ludus.checks", "ludus.checks:", ":x", ""])
def test_work_is_a_function_of_ludus(work):
    with pytest.raises(ValueError, match="no work"):
        perform(work, {})


@pytest.mark.parametrize(
    "text", ["moon", "", "local:1", "ray:", "ray:x", "ray:x:y", "Ray", "ray:a b:1"]
)
def test_places_that_there_are_not(text):
    with pytest.raises(ValueError, match="there are local, ray"):
        read_place(text)


def test_places():
    assert read_place("ray:node-1.example:6379").address == "node-1.example:6379"
    assert read_place("ray:[::1]:6379").address == "[::1]:6379"
    assert read_place("ray:auto").address == "auto"
    assert read_place("ray").address is None


@pytest.mark.parametrize("count", [-1, 1025])
def test_how_many_workers_there_can_be(count):
    with (
        pytest.raises(ValueError, match="workers is a whole number from 1"),
        connect("local", count),
    ):
        pass


def imports(path):
    """The modules that a file names, at its top or late."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_ray_is_named_in_one_place_and_nothing_that_serves_reaches_it():
    source = Path(ludus.__file__).parent
    own = {"cli", "scale"}
    for path in source.rglob("*.py"):
        room = path.relative_to(source).parts[0]
        names = set(imports(path))
        assert room == "scale" or not {one for one in names if one.split(".")[0] == "ray"}, path
        assert room in own or not {one for one in names if one.startswith("ludus.scale")}, path


def test_nothing_is_pickled_by_us():
    source = Path(ludus.__file__).parent
    for path in (source / "scale").rglob("*.py"):
        assert not {"pickle", "cloudpickle", "marshal", "dill"} & set(imports(path)), path
