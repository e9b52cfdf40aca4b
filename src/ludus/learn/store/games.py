"""Running games in a stored training: their bytes in one row, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.game import Game, State
from ludus.learn.store.forms import Array


def pack_states(states: Sequence[Any]) -> dict[str, Any]:
    """Every game that goes on, with its history."""
    forms = [bytes(state) for state in states]
    return {
        "states": np.frombuffer(b"".join(forms), np.uint8),
        "lengths": np.array([len(form) for form in forms], np.int64),
    }


def states_form(count: int) -> dict[str, Any]:
    """What that is of so many games."""
    return {"states": Array("uint8", (None,)), "lengths": Array("int64", (count,), least=1)}


def unpack_states(game: Game, state: dict[str, Any], name: str) -> list[State]:
    """The games, each of which goes on."""
    data, found, start = state["states"].tobytes(), [], 0
    lengths = state["lengths"].tolist()
    if sum(lengths) != len(data):
        raise ValueError(f"{name}/states is {len(data)} bytes long, not {sum(lengths)}")
    for row, length in enumerate(lengths):
        try:
            one = game.state(data[start : start + length])
        except (ValueError, TypeError, OverflowError) as wrong:
            raise ValueError(f"{name}/states of game {row} is none: {wrong}") from None
        if one.outcome is not None:
            raise ValueError(f"{name}/states of game {row} is over")
        found.append(one)
        start += length
    return found
