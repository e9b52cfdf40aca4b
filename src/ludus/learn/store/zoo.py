"""The zoo: trained networks that come with ludus, each with a card that says how it was made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import files, reading
from ludus.learn.store import arrays as stored_arrays
from ludus.learn.store.checkpoint import PLAIN, Checkpoint, digest, weights_format
from ludus.learn.store.record import is_return_range
from ludus.learn.store.selection import checkpoint_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path(__file__).parents[2] / "zoo"
HEAD = "zoo/"  # of the spelling of its agents
MOST_BYTES = 1 << 30  # of its weights
# Settings, each of its kind.
BUILT_BY = {
    "network": "",
    "width": 0,
    "blocks": 0,
    "planes": "",
    "activation": "",
}  # of their kinds
BEFORE = {"activation": "relu"}  # what older cards and runs do not say
FORMS = HALVES, INT8 = "fp16", "int8"  # of stored weights
SCALE = ":scale"  # after the name of int8 weights: the scales of their rows
MOST_LEVEL = 127


def says(*kinds: type) -> Callable[[Any, str], bool]:
    """Whether a card says something of these kinds under a name."""
    return lambda card, name: isinstance(card, dict) and type(card.get(name)) in kinds


# What a card must say, and of which kind.
FIELDS = dict.fromkeys(("game", "algorithm", "network", "planes", "values"), says(str))
FIELDS |= dict.fromkeys(("checksum", "command"), says(str))
FIELDS |= dict.fromkeys(("step", "width", "blocks", "seed"), says(int))
FIELDS |= {"minutes": says(int, float), "measured": says(list)}


def names() -> list[str]:
    """Who lives there."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def card(name: str) -> dict[str, Any]:
    """What is known of one of them: game, network, command, seed, minutes, measured strength."""
    if name not in names():
        raise ValueError(f"no {name!r} in the zoo; there are {', '.join(names()) or 'none'}")
    try:
        found = reading.load(FOLDER / f"{name}.json")
    except ValueError as error:
        raise ValueError(f"the card of {HEAD}{name} is damaged: {error}") from None
    if wrong := next((key for key, fits in FIELDS.items() if not fits(found, key)), None):
        raise ValueError(f"the card of {HEAD}{name} is damaged: it has no sound {wrong}")
    if "returns" in found and not is_return_range(found["returns"]):
        raise ValueError(f"the card of {HEAD}{name} is damaged: it has no sound returns")
    return {**BEFORE, **found}


def weights(name: str) -> dict[str, Any]:
    """What it plays with, by name, in whole floats."""
    known, path = card(name), FOLDER / f"{name}.safetensors"
    try:
        if stored_arrays.digest_of(path, MOST_BYTES) != known["checksum"]:
            raise stored_arrays.Unreadable("is not what was written")
        found = stored_arrays.read(path, MOST_BYTES)
    except stored_arrays.Unreadable as wrong:
        raise ValueError(f"zoo/{name} is damaged: its {path.name} {wrong}") from None
    try:
        return unpack(found)
    except ValueError as wrong:
        raise ValueError(f"zoo/{name} is damaged: {wrong}") from None


def pack(one: Checkpoint, form: str = HALVES) -> bytes:
    """The file of what a checkpoint plays with: half floats, or int8 weights."""
    packed: dict[str, NDArray[Any]] = {}
    for key, array in player_weights(one).items():
        if form == INT8 and array.dtype == np.float32 and array.ndim > 1:
            most = np.abs(array).reshape(len(array), -1).max(1)
            scale = np.maximum(most, 1e-12).astype(np.float32) / MOST_LEVEL
            packed[key] = np.round(array / along(scale, array)).astype(np.int8)
            packed[key + SCALE] = scale
        elif array.dtype == np.float32:
            packed[key] = array.astype(np.float16)
        else:
            packed[key] = array
    return bytes(weights_format().save({k: np.ascontiguousarray(a) for k, a in packed.items()}))


def unpack(found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Stored arrays as a network has them; int8 times their scales."""
    scales = {key.removesuffix(SCALE): one for key, one in found.items() if key.endswith(SCALE)}
    arrays = {key: one for key, one in found.items() if not key.endswith(SCALE)}
    for key, scale in scales.items():
        array = arrays.get(key)
        if array is None or array.ndim < 2 or array.dtype != np.int8:
            raise ValueError(f"{key}{SCALE} is of nothing")
        if scale.dtype != np.float32 or scale.shape != array.shape[:1]:
            raise ValueError(f"{key}{SCALE} does not fit {key}")
        arrays[key] = array.astype(np.float32) * along(scale, array)
    return {key: as_floats(array) for key, array in arrays.items()}


def along(scale: NDArray[Any], array: NDArray[Any]) -> NDArray[Any]:
    """A number for each row of an array, so that both can be multiplied."""
    return scale.reshape(-1, *[1] * (array.ndim - 1))


def as_floats(array: NDArray[Any]) -> NDArray[Any]:
    """A stored array as a network has it: half floats are floats, and a lone count is a number."""
    if array.dtype == np.float16:
        return array.astype(np.float32)
    return array.reshape(()) if array.shape == (1,) and array.dtype == np.int64 else array


def add(name: str, one: Checkpoint, facts: dict[str, Any], form: str = HALVES) -> Path:
    """Take in what a checkpoint plays with; facts are its command and strength."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise ValueError(f"a name in the zoo is of letters, digits, - and _, unlike {name!r}")
    if form not in FORMS:
        raise ValueError(f"weights are stored as {' or '.join(FORMS)}, not as {form!r}")
    config = one.record["config"]
    data = pack(one, form)
    FOLDER.mkdir(exist_ok=True)
    files.write(FOLDER / f"{name}.safetensors", data)
    known = {
        "game": one.record["game"],
        "algorithm": one.record["algorithm"],
        "step": one.step,
        **{key: {**BEFORE, **config}[key] for key in BUILT_BY},
        "values": one.record["values"],
        **{key: one.record[key] for key in ("returns",) if key in one.record},
        "form": form,
        "checksum": digest(data),
        **facts,
        "settings": config,  # all of them, whatever a machine or a later version would choose
    }
    return write_card(name, known)


def write_card(name: str, known: dict[str, Any]) -> Path:
    """The card of one of them."""
    text = json.dumps(known, indent=2, ensure_ascii=False) + "\n"
    path = FOLDER / f"{name}.json"
    files.write(path, text.encode())
    return path


def player_weights(one: Checkpoint) -> dict[str, Any]:
    """The weights that play: those the gate let through, an average, or those that learn."""
    return one.arrays(one.playing_part or "network")


def in_zoo(run: str) -> bool:
    """Whether one of the zoo is meant, whatever is in this folder; a folder is `./zoo/NAME`."""
    return run.startswith(HEAD)


def weights_of(run: str) -> dict[str, Any]:
    """The weights that a run, or one of the zoo, plays with."""
    if in_zoo(run):
        return weights(run.removeprefix(HEAD))
    return player_weights(checkpoint_of(run))


def network_of(run: str) -> dict[str, Any]:
    """The settings that the network of a run, or of one of the zoo, was built by."""
    if in_zoo(run):
        known = card(run.removeprefix(HEAD))
    else:
        one = checkpoint_of(run)
        known = {**BEFORE, **one.record.get("config", {})}
        for name, kind in BUILT_BY.items():
            if type(known.get(name)) is not type(kind):
                raise one.fault(PLAIN, f"has no {name}")
    return {name: known[name] for name in BUILT_BY}
