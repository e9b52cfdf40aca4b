"""Small tasks for tests, under a name that workers accept."""

import time

import numpy as np


def install(monkeypatch):
    """Make them findable in this process; `ludus.checks` stands in for any module."""
    for name, work in WORK.items():
        monkeypatch.setattr("ludus.checks." + name, work, raising=False)
    return {name: f"ludus.checks:{name}" for name in WORK}


def double(task):
    return {"x": 2 * task["x"], "array": np.full(3, task["x"])}


def slowly(task):
    time.sleep(task["seconds"])
    return {"x": task["x"]}


def fail(task):
    raise ValueError(f"{task['x']} is too much")


def leak(task):
    return {"x": object()}


WORK = {"double": double, "slowly": slowly, "fail": fail, "leak": leak}
