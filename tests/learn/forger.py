"""Makes checkpoints with right checksums and wrong content, as somebody who means harm would.

A forgery is named by a few words, `array network/trunk.1.weight: transposed`, and the same words
make the same forgery of the same run. `attacked` meets one with all that reads runs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import signal
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

import ludus
from ludus.cli.runs import described
from ludus.learn import algorithm
from ludus.learn.net.architectures import NETWORKS
from ludus.learn.run.run import Run
from tests.learn.small import small

GAME = "connect4:rows=4,columns=5"
SECONDS = 20  # in which every border has to answer
ARRAYS, PLAIN, SETTINGS = "state.safetensors", "state.json", "config.json"
KINDS = {
    "ppo": {"opponent": "pool", "separate": True},
    "dqn": {"opponent": "lagged"},
    "alphazero": {"gate": "0.5", "gate_games": 2, "network": "c4net"},
    "cem": {},
    "saes": {},
    "vae": {},
    "supervised": {},
}
BUILT_BY = ("network", "width", "blocks", "planes", "encoder", "latent", "separate", "bounded")
LEFT_OUT = "left out"


def honest(folder: Path, name: str) -> Path:
    """A run of this kind at its third step of eight."""
    run = Run(folder / name, GAME, name, small(name, steps=8, **known(name)), seed=1)
    training = run.steps()
    for _ in islice(training, 3):
        pass
    training.close()
    return folder / name


def known(name: str) -> dict:
    fields = {one.name for one in dataclasses.fields(type(small(name)))}
    return {key: value for key, value in KINDS[name].items() if key in fields}


# --- what an array may be told to be -------------------------------------------------------------


def other_dtype(array):
    return array.astype(np.float64 if array.dtype != np.float64 else np.int16)


def nonsense(array):
    made = array.copy().reshape(-1)
    if made.dtype.kind == "f":
        made[: len(made) // 2 + 1] = np.nan
    elif made.dtype.kind in "iu":
        made[: len(made) // 2 + 1] = np.iinfo(made.dtype).max
    return made.reshape(array.shape)


def negative(array):
    made = array.copy()
    if made.dtype.kind == "u":
        return np.asarray(~made)
    return np.asarray(-made - 1 if made.dtype.kind == "i" else -np.abs(made) - 1, made.dtype)


def huge(array):
    if array.dtype.kind == "f":
        return np.full_like(array, np.finfo(array.dtype).max)
    return np.full_like(array, np.iinfo(array.dtype).min if array.dtype.kind == "i" else 1)


CHANGES = {
    "left out": lambda array: None,
    "transposed": lambda array: np.ascontiguousarray(array[None].swapaxes(0, -1)),
    "of another dtype": other_dtype,
    "nonsense": nonsense,
    "negative": negative,
    "huge": huge,
    "a number": lambda array: np.array(0, array.dtype),
    "empty": lambda array: np.zeros((0, *array.shape[1:]), array.dtype),
    "longer": lambda array: np.concatenate([np.atleast_1d(array)] * 2),
    "shorter": lambda array: np.ascontiguousarray(np.atleast_1d(array)[:-1]),
}

VALUES = {
    "left out": LEFT_OUT,
    "null": None,
    "true": True,
    "text": "nonsense",
    "a path": "../../../etc/passwd",
    "an array's name": "array network/trunk.1.weight",
    "-1": -1,
    "huge": 10**30,
    "a fraction": 0.5,
    "not a number": float("nan"),
    "a list": [],
    "a dict": {},
}


# --- files -----------------------------------------------------------------------------------


def pipe(file: Path) -> None:
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.mkdir()


def endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


def loop(file: Path) -> None:
    file.symlink_to(file.name)


def sparse(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(1 << 42)


def header_of_all(file: Path) -> None:
    file.write_bytes((2**63 - 1).to_bytes(8, "little") + b"{}")


FILES = {
    "gone": lambda file: None,
    "empty": Path.touch,
    "a pipe": pipe,
    "a folder": folder,
    "endless": endless,
    "a loop": loop,
    "four terabytes": sparse,
    "text": lambda file: file.write_text("{}"),
    "brackets": lambda file: file.write_text("[" * 100_000),
    "a huge header": header_of_all,
    "a locked file": lambda file: (file.write_text("{}"), file.chmod(0)),
}
HEADERS = {
    "overlap": lambda told: {name: {**one, "data_offsets": [0, 4]} for name, one in told.items()},
    "a gap": lambda told: {
        name: {**one, "data_offsets": [n + 8 for n in one["data_offsets"]]}
        for name, one in told.items()
    },
    "backwards": lambda told: {
        name: {**one, "data_offsets": one["data_offsets"][::-1]} for name, one in told.items()
    },
    "negative": lambda told: {
        name: {**one, "shape": [-n for n in one["shape"]]} for name, one in told.items()
    },
    "overflow": lambda told: {
        name: {**one, "shape": [2**32, 2**32, *one["shape"]]} for name, one in told.items()
    },
    "many axes": lambda told: {
        name: {**one, "shape": [*one["shape"], *[1] * 70]} for name, one in told.items()
    },
    "another dtype": lambda told: {name: {**one, "dtype": "BF16"} for name, one in told.items()},
    "no dtype": lambda told: {name: {**one, "dtype": None} for name, one in told.items()},
    "lists": lambda told: {name: [one] for name, one in told.items()},
    "a list": lambda told: [told],
    "nothing": lambda told: {},
    "nested": lambda told: None,
}


# --- forging -----------------------------------------------------------------------------------


class Copy:
    """A copy of a run whose newest checkpoint is rewritten, and sealed again."""

    def __init__(self, run: Path, to: Path) -> None:
        shutil.copytree(run, to)
        self.run = to
        self.checkpoint = max((to / "checkpoints").iterdir())
        self.record = json.loads((self.checkpoint / PLAIN).read_text())
        self.data = (self.checkpoint / ARRAYS).read_bytes()
        self.settings = json.loads((to / SETTINGS).read_text())

    @property
    def arrays(self) -> dict:
        return load(self.data)

    def seal(self) -> None:
        (self.checkpoint / ARRAYS).write_bytes(self.data)
        files = self.record.get("files")
        if isinstance(files, dict) and ARRAYS in files:
            files[ARRAYS] = hashlib.sha256(self.data).hexdigest()
        self.record.pop("checksum", None)
        text = json.dumps(self.record, sort_keys=True, ensure_ascii=False)
        checksum = hashlib.sha256(text.encode()).hexdigest()
        (self.checkpoint / PLAIN).write_text(json.dumps({**self.record, "checksum": checksum}))
        (self.run / SETTINGS).write_text(json.dumps(self.settings))


def kinds(run: Path) -> list[str]:
    """The names of all forgeries of a run."""
    newest = max((run / "checkpoints").iterdir())
    record = json.loads((newest / PLAIN).read_text())
    settings = json.loads((run / SETTINGS).read_text())
    arrays = load((newest / ARRAYS).read_bytes())
    places = [*paths({key: record[key] for key in record if key != "checksum"})]
    config = [f"config/{name}" for name in record["config"]]
    names = ["array more: made up", "arrays: one named twice", "arrays: none", "graph: a pipe"]
    names += [f"array {name}: {change}" for name in arrays for change in CHANGES]
    names += [f"value {place}: {value}" for place in places for value in VALUES]
    names += [f"settings {place}: {value}" for place in paths(settings) for value in VALUES]
    names += [f"both {place}: {v}" for place in config for v in VALUES if agreed(place, v)]
    names += [f"both config/network: {name}" for name in NETWORKS]
    names += [f"both config/{name}: {n}" for name in ("width", "blocks") for n in (3, 16, 10**5)]
    names += [f"file {name}: {kind}" for name in (ARRAYS, PLAIN) for kind in FILES]
    names += [f"file ../../{name}: {kind}" for name in (SETTINGS, "metrics.jsonl") for kind in FILES]
    names += [f"header: {kind}" for kind in HEADERS]
    return names


def agreed(place: str, value: str) -> bool:
    """Whether settings so large are a network's: others ask honestly for a long training."""
    return value != "huge" or place.removeprefix("config/") in BUILT_BY


def paths(record, head: str = ""):
    """Every place in nested dicts and lists; of long lists the first few."""
    items = record.items() if isinstance(record, dict) else enumerate(record[:3])
    for key, value in items:
        place = f"{head}/{key}" if head else str(key)
        yield place
        if isinstance(value, dict | list):
            yield from paths(value, place)


def forge(name: str, run: Path, to: Path) -> Path:
    """A copy of a run with this forgery in it."""
    what, _, change = name.rpartition(": ")
    kind, _, place = what.partition(" ")
    made = Copy(run, to)
    forgers = {
        "array": change_array,
        "arrays": change_arrays,
        "value": change_value,
        "settings": change_settings,
        "both": change_both,
        "header": change_header,
    }
    if kind in forgers:
        forgers[kind](made, place, change)
        made.seal()
    elif kind == "graph":
        (made.checkpoint / "network.onnx").unlink(missing_ok=True)
        os.mkfifo(made.checkpoint / "network.onnx")
    else:
        file = made.checkpoint / place
        file.unlink()
        FILES[change](file)
    return to


def change_array(made: Copy, place: str, change: str) -> None:
    arrays = made.arrays
    changed = np.zeros(3, np.float32) if place == "more" else CHANGES[change](arrays[place])
    arrays[place] = changed
    made.data = save({key: one for key, one in arrays.items() if one is not None})


def change_arrays(made: Copy, place: str, change: str) -> None:
    if change == "none":
        made.data = save({})
        return
    plain = made.record["plain"]
    plain["rng"] = next(iter(plain["network"].values()))


def change_value(made: Copy, place: str, change: str) -> None:
    put(made.record, place, VALUES[change])


def change_settings(made: Copy, place: str, change: str) -> None:
    put(made.settings, place, VALUES[change])


def change_both(made: Copy, place: str, change: str) -> None:
    value = VALUES.get(change, int(change) if change.isdecimal() else change)
    put(made.record, place, value)
    put(made.settings, place, value)


def put(record, place: str, value) -> None:
    *way, last = place.split("/")
    for key in way:
        record = record[int(key)] if isinstance(record, list) else record[key]
    key = int(last) if isinstance(record, list) else last
    if value == LEFT_OUT and isinstance(value, str):
        del record[key]
    else:
        record[key] = value


def change_header(made: Copy, place: str, change: str) -> None:
    length = int.from_bytes(made.data[:8], "little")
    told = HEADERS[change](json.loads(made.data[8 : 8 + length]))
    text = b"[" * 50_000 if told is None else json.dumps(told).encode()
    made.data = len(text).to_bytes(8, "little") + text + made.data[8 + length :]


# --- the borders ---------------------------------------------------------------------------------


def attacked(forged: Path, name: str) -> dict[str, str]:
    """What each border says to a forged run: a sentence, or nothing if it is used after all."""
    borders = {"best": plays, "last": plays, "resume": goes_on, "runs": listed, "init": warms}
    said = {}
    for border, meet in borders.items():
        with within_seconds(f"{name} at {border}"):
            try:
                meet(forged, border)
                said[border] = ""
            except ValueError as refusal:
                said[border] = sentence(str(refusal), f"{name} at {border}")
    return said


def sentence(told: str, where: str) -> str:
    assert told, f"{where}: says nothing"
    assert "\n" not in told, f"{where}: {told}"
    assert len(told) < 600, f"{where}: {told[:600]}"
    return told


def plays(run: Path, which: str) -> None:
    agent = ludus.agent(f"{run}@{which}")
    state = ludus.game(GAME).replay("12")
    policy = agent.think(state).policy
    assert np.isfinite(policy).all()
    assert set(np.flatnonzero(policy)) <= set(state.legal())


def goes_on(run: Path, border: str) -> None:
    again = run.with_name(run.name + "-again")
    shutil.copytree(run, again, symlinks=True, copy_function=copied)
    before = content(again)
    try:
        training = Run(again).steps()
        next(training, None)
        training.close()
    except ValueError as refusal:
        assert content(again) == before, f"{refusal}: and the run is another"
        raise
    finally:
        shutil.rmtree(again)


def copied(source: str, to: str) -> None:
    """As it is, pipes too; what is huge is not copied."""
    file = Path(source)
    if file.is_fifo():
        os.mkfifo(to)
    elif file.stat().st_size > 1 << 30:
        os.link(source, to)
    else:
        shutil.copy2(source, to)


def content(run: Path) -> dict[str, bytes]:
    """All that a run holds, but for its lock and what is no file or huge."""
    files = [file for file in run.rglob("*") if file.is_file() and not file.is_symlink()]
    return {
        str(file.relative_to(run)): file.read_bytes()
        for file in files
        if file.name != "lock" and file.stat().st_size < 1 << 30
    }


def listed(run: Path, border: str) -> None:
    record = described(run)
    json.dumps(record)
    if "damage" in record:
        raise ValueError(record["damage"])


def warms(run: Path, border: str) -> None:
    kind = KINDS[run.name.partition("-")[0]]
    own = {"network": kind["network"]} if "network" in kind else {}
    next(algorithm("reinforce").train(ludus.game(GAME), small("reinforce", init=str(run), **own)))


@contextmanager
def within_seconds(where: str):
    """A border that does not answer is broken."""

    def late(number, frame):
        raise AssertionError(f"{where}: no answer in {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
