"""Makes checkpoints with right checksums and wrong content, as somebody who means harm would.

A forgery is named by a few words, `array network/trunk.1.weight: transposed`, and the same words
make the same forgery of the same run.
"""

import dataclasses
import hashlib
import json
import os
import shutil
from itertools import islice
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from ludus.learn.networks.architectures import NETWORKS
from ludus.learn.runs.run import Run
from tests.learn.forgeries import CHANGES, FILES, HEADERS, LEFT_OUT, VALUES
from tests.learn.small import small

GAME = "connect4:rows=4,columns=5"
ARRAYS, PLAIN, SETTINGS = "state.safetensors", "state.json", "config.json"
KINDS = {
    "ppo": {"opponent": "pool", "separate_networks": True},
    "dqn": {"opponent": "lagged"},
    "alphazero": {"gate": "0.5", "gate_games": 2, "network": "c4net"},
    "cem": {},
    "saes": {},
    "vae": {},
    "supervised": {},
}
BUILT_BY = (
    "network",
    "width",
    "blocks",
    "planes",
    "encoder",
    "latent_dim",
    "separate_networks",
    "bounded_value",
)


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
    names += [
        f"file ../../{name}: {kind}" for name in (SETTINGS, "metrics.jsonl") for kind in FILES
    ]
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
