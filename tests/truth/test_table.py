"""Tables on disk: whole or refused, made by one process at a time, resumed after a kill."""

import os
import subprocess
import sys

import numpy as np
import pytest

from ludus.truth import solving, table, table_cache

SAID = {"what": "table", "game": "counting", "rules": 1}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def arrays():
    rng = np.random.default_rng(1)
    return {"values": rng.integers(0, 256, 10_000, np.uint8), "few": np.arange(3, dtype=np.uint32)}


@pytest.fixture
def written(home, arrays):
    path = home / "a.table"
    table.write(path, SAID, arrays)
    return path


def test_a_table_reads_back(written, arrays):
    read = table.read(written, SAID)
    assert read.header["game"] == "counting"
    np.testing.assert_array_equal(read.arrays["values"], arrays["values"])
    np.testing.assert_array_equal(read.arrays["few"].view(np.uint32), arrays["few"])
    assert not read.arrays["values"].flags.writeable


def test_a_table_is_poured_into_arrays(written, arrays):
    into = {name: np.zeros_like(array) for name, array in arrays.items()}
    assert table.pour(written, SAID, into)["game"] == "counting"
    for name, array in arrays.items():
        np.testing.assert_array_equal(into[name], array)
    spoiled = bytearray(written.read_bytes())
    spoiled[-1] ^= 1
    written.write_bytes(spoiled)
    with pytest.raises(ValueError, match="the checksum of its few is wrong"):
        table.pour(written, SAID, into)
    written.write_bytes(spoiled[:-3])
    with pytest.raises(ValueError, match="truncated, or of another size"):
        table.pour(written, SAID, into)
    with pytest.raises(ValueError, match="has other arrays than these"):
        table.pour(written, SAID, {"few": into["few"]})


def test_any_flipped_bit_is_found(written):
    whole = written.read_bytes()
    rng = np.random.default_rng(2)
    spots = [*range(60), *rng.integers(0, len(whole), 100)]
    padding = sum(whole[spot] == 0 for spot in spots)
    refused = 0
    for spot in spots:
        spoiled = bytearray(whole)
        spoiled[spot] ^= 1 << int(rng.integers(8))
        written.write_bytes(spoiled)
        try:
            table.read(written, SAID)
        except ValueError as error:
            refused += str(written) in str(error)
        else:
            assert whole[spot] == 0  # between the arrays, where nothing is kept
    assert refused >= len(spots) - padding > 0


@pytest.mark.parametrize("length", [0, 1, 20, 100, 5000, 10_000])
def test_a_truncated_table_is_refused(written, length):
    written.write_bytes(written.read_bytes()[:length])
    with pytest.raises(ValueError, match=r"a\.table is"):
        table.read(written, SAID)


def test_a_longer_table_is_refused(written):
    written.write_bytes(written.read_bytes() + b"x")
    with pytest.raises(ValueError, match="1 bytes too many"):
        table.read(written, SAID)


@pytest.mark.parametrize(
    ("name", "value"), [("game", "other"), ("rules", 2), ("what", "checkpoint")]
)
def test_a_foreign_or_outdated_table_is_refused(written, name, value):
    with pytest.raises(ValueError, match=f"is a table with {name}"):
        table.read(written, {**SAID, name: value})


def test_a_full_disk_leaves_nothing_half_written(written, arrays, monkeypatch):
    before = written.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        table.write(written, SAID, arrays)
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == ["a.table"]


class Counting:
    """A solver that fills an array with squares, ten at a time."""

    def __init__(self):
        self.array = np.zeros(100, np.uint8)
        self.at = 0

    @property
    def done(self):
        return self.at == 100

    @property
    def progress(self):
        return self.at / 100

    def work(self, _seconds):
        for _ in range(10):
            self.array[self.at] = self.at * self.at % 251
            self.at += 1

    def checkpoint(self):
        return {"at": self.at}, {"array": self.array}

    def resume(self, facts):
        self.at = facts["at"]

    def table(self):
        return {"array": self.array}

    def result(self):
        return {"states": 100}


def job(solver=Counting, memory=0, disk=0):
    return solving.Job("counting:a=1", 1, 100, memory, disk, solver)


def test_a_table_is_solved_once():
    made = []

    def solver():
        made.append(Counting())
        return made[-1]

    first = solving.solve(job(solver))
    again = solving.solve(job(solver))
    assert len(made) == 1
    assert first.header["result"]["states"] == 100
    np.testing.assert_array_equal(first.arrays["array"], again.arrays["array"])


@pytest.mark.parametrize("stop", [1, 4, 9])
def test_a_stopped_solve_goes_on_where_it_was(stop):
    calls = []

    class Stopped(Counting):
        def work(self, seconds):
            if len(calls) == stop:
                raise KeyboardInterrupt
            calls.append(self.at)
            super().work(seconds)

    with pytest.raises(KeyboardInterrupt):
        solving.solve(job(Stopped))
    assert [path.suffix for path in table_cache.tables()] == [".part"]
    resumed = []

    class Resumed(Counting):
        def work(self, seconds):
            resumed.append(self.at)
            super().work(seconds)

    found = solving.solve(job(Resumed))
    assert resumed[0] == 10 * stop
    assert list(found.arrays["array"]) == [n * n % 251 for n in range(100)]
    assert [path.suffix for path in table_cache.tables()] == [".table"]


def test_what_does_not_fit_is_refused_before_it_begins():
    def never():
        raise AssertionError("nothing may begin")

    with pytest.raises(ValueError, match=r"would take 1,000\.0 GB of memory; .* are free"):
        solving.solve(job(never, memory=10**12))
    with pytest.raises(ValueError, match=r"would take 1,000,000\.0 GB of disk; .* are free"):
        solving.solve(job(never, disk=10**15))
    assert table_cache.tables() == []


def test_a_second_process_is_refused():
    path = job().file
    with table_cache.lock_table(path):
        code = f"""
from pathlib import Path
from ludus.truth.table_cache import lock_table
with lock_table(Path({str(path)!r})): pass
"""
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "another process is making counting_a=1.table" in other.stderr


def test_names_are_fit_for_any_file_system(home):
    assert table_cache.table_file("../a b:c/d").parent == home / "tables"


def test_a_killed_solve_goes_on_from_its_checkpoint(monkeypatch):
    class Killed(Counting):
        def work(self, seconds):
            if self.at == 50:
                raise SystemExit  # nothing is saved on the way out
            super().work(seconds)

    with pytest.raises(SystemExit):
        solving.solve(job(Killed), checkpoint_seconds=0)
    found = solving.solve(job())
    assert list(found.arrays["array"]) == [n * n % 251 for n in range(100)]


def test_a_damaged_checkpoint_is_refused_by_name():
    path = job().file.with_suffix(".part")
    path.parent.mkdir()
    path.write_bytes(b"spoiled")
    with pytest.raises(ValueError, match=r"counting_a=1\.part is not a table"):
        solving.solve(job())


def test_a_table_without_its_array_is_damaged(written):
    read = table.read(written, SAID)
    assert read.array("few", "u4").tolist() == [0, 1, 2]
    for name, kind in (("many", "u1"), ("few", "u8")):
        with pytest.raises(ValueError, match=f"damaged: it has no {name}, or not all of them"):
            read.array(name, kind)


@pytest.mark.parametrize("facts", [{}, {"facts": 5}, {"seconds": 1}, {"facts": {}, "seconds": 1}])
def test_a_checkpoint_that_does_not_say_how_far_it_came_is_damaged(facts):
    part = job().file.with_suffix(".part")
    array = {"array": np.zeros(100, np.uint8)}
    table.write(part, {**job().header("checkpoint"), **facts}, array)
    with pytest.raises(ValueError, match=r"counting_a=1\.part is damaged: "):
        solving.solve(job())


def test_a_result_that_cannot_be_is_damaged(home):
    sound = {"states": 3, "start": {"value": 1.0}, "seconds": 0.5, "peak_bytes": 7}
    for result in (None, [], {}, {**sound, "states": "x"}, {**sound, "start": {"value": "x"}}):
        table.write(home / "a.table", {**SAID, "result": result}, {})
        with pytest.raises(ValueError, match="what it says of its result cannot be"):
            solving.result_of(table.read(home / "a.table", SAID))
    table.write(home / "a.table", {**SAID, "result": sound}, {})
    assert solving.result_of(table.read(home / "a.table", SAID)) == sound
