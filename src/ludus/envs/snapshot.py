"""A running game of an environment as bytes: data only, strictly read, nothing in it can run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from ludus import reading

MAGIC = b"ludus-env-1\n"
MOST_PLIES = 2**31 - 1


@dataclass(frozen=True)
class Snapshot:
    """What a running game consists of besides the rules."""

    game: str
    state: str  # the bytes of the state in hexadecimal
    random: dict[str, Any]  # the generator that decides what is left to chance
    rewards: list[float]  # of the last step, by player
    owed: list[float]  # since each player's last action
    shaping: list[float]  # the same of the extra signal
    over: bool
    cut: bool
    left: list[str]  # agents that have not taken their leave
    selected: str
    plies: int
    last: int | None

    def __bytes__(self) -> bytes:
        return MAGIC + json.dumps(asdict(self)).encode()


def read(data: bytes, game: str, agents: tuple[str, str]) -> Snapshot:
    """Read a snapshot of this game back; whatever else it is given, it says what is wrong."""
    if not isinstance(data, bytes) or not data.startswith(MAGIC):
        raise ValueError("these bytes are not a snapshot of a running game")
    try:
        record = reading.parse(data.removeprefix(MAGIC))
    except ValueError:
        raise ValueError("this snapshot of a running game is damaged") from None
    if not isinstance(record, dict) or not is_sound(record, agents):
        raise ValueError("this snapshot of a running game is damaged")
    if record["game"] != game:
        raise ValueError(f"this snapshot is of {record['game']}, not of {game}")
    return Snapshot(**record)


def is_sound(record: Mapping[str, Any], agents: tuple[str, str]) -> bool:
    """Whether every field is there and is what it should be."""
    return (
        record.keys() == {field.name for field in fields(Snapshot)}
        and isinstance(record["game"], str)
        and isinstance(record["state"], str)
        and isinstance(record["random"], dict)
        and all(pair(record[name]) for name in ("rewards", "owed", "shaping"))
        and type(record["over"]) is type(record["cut"]) is bool
        and record["left"] in ([*agents], [agents[0]], [agents[1]], [])
        and record["selected"] in agents
        and type(record["plies"]) is int
        and 0 <= record["plies"] <= MOST_PLIES
        and (record["last"] is None or type(record["last"]) is int)
    )


def pair(value: Any) -> bool:
    """Whether it is a number for each player."""
    numbers = isinstance(value, list) and all(type(x) is float and isfinite(x) for x in value)
    return numbers and len(value) == 2
