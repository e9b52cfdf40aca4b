"""The zoo: trained networks that come with ludus, each with a card that says how it was made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import files, reading
from ludus.learn import MISSING
from ludus.learn.net.player import Evaluator, in_onnx
from ludus.learn.run.checkpoint import Checkpoint, digest, weights_format
from ludus.stored import stored_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = Path(__file__).parents[2] / "zoo"
HEAD = "zoo/"  # of the spelling of its agents
BUILT_BY = ("network", "width", "blocks", "planes")


def has(*kinds: type) -> Callable[[Any, str], bool]:
    """Whether a card says something of these kinds under a name."""
    return lambda card, name: isinstance(card, dict) and type(card.get(name)) in kinds


# What a card must say, and of which kind.
FIELDS = dict.fromkeys(("game", "algorithm", "network", "planes", "values"), has(str))
FIELDS |= dict.fromkeys(("checksum", "command"), has(str))
FIELDS |= dict.fromkeys(("step", "width", "blocks", "seed"), has(int))
FIELDS |= {"minutes": has(int, float), "measured": has(list)}


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
    return dict(found)


def weights(name: str) -> dict[str, Any]:
    """What it plays with, by name, in whole floats."""
    known = card(name)
    data = (FOLDER / f"{name}.safetensors").read_bytes()
    if digest(data) != known["checksum"]:
        raise ValueError(f"the weights of zoo/{name} are damaged")
    return {key: whole(array) for key, array in weights_format().load(data).items()}


def whole(array: NDArray[Any]) -> NDArray[Any]:
    """A stored array as a network has it: half floats are floats, and a lone count is a number."""
    if array.dtype == np.float16:
        return array.astype(np.float32)
    return array.reshape(()) if array.shape == (1,) and array.dtype == np.int64 else array


@cache
def loaded(name: str) -> tuple[dict[str, Any], Evaluator]:
    """Its card and its network, ready to play."""
    known, arrays = card(name), weights(name)
    try:
        import torch

        from ludus.learn.net import networks, onnx
    except ModuleNotFoundError as error:
        raise ValueError(MISSING.format(name=error.name)) from None
    start = stored_game(known["game"], f"{HEAD}{name}").start()
    made = networks.network(
        known["network"],
        start.shape(known["planes"]),
        start.num_actions,
        seed=0,
        width=known["width"],
        blocks=known["blocks"],
        value=any(key.startswith("value.") for key in arrays),
    )
    made.load_state_dict({key: torch.tensor(array) for key, array in arrays.items()})
    return known, in_onnx(onnx.graph_of(made.eval()))


def add(name: str, one: Checkpoint, facts: dict[str, Any]) -> Path:
    """Take in what a checkpoint plays with, in half floats; facts are its command and strength."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise ValueError(f"a name in the zoo is of letters, digits, - and _, unlike {name!r}")
    config = one.record["config"]
    arrays = played_with(one)
    halves = {
        key: np.ascontiguousarray(array.astype(np.float16) if array.dtype == np.float32 else array)
        for key, array in arrays.items()
    }
    data = weights_format().save(halves)
    FOLDER.mkdir(exist_ok=True)
    files.write(FOLDER / f"{name}.safetensors", data)
    known = {
        "game": one.record["game"],
        "algorithm": one.record["algorithm"],
        "step": one.step,
        **{key: config[key] for key in BUILT_BY},
        "values": one.record["values"],
        "checksum": digest(data),
        **facts,
    }
    text = json.dumps(known, indent=2, ensure_ascii=False) + "\n"
    path = FOLDER / f"{name}.json"
    files.write(path, text.encode())
    return path


def played_with(one: Checkpoint) -> dict[str, Any]:
    """The weights that play: those the gate let through, an average, or those that learn."""
    return one.arrays("gate/player") or one.arrays("averaged") or one.arrays("network")
