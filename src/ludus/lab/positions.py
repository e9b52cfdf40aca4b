"""Positions by names that do not collide: what the proofs and their certificates go by."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from ludus.game import Game, State, canonical_image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Names = NDArray[np.bytes_]  # [positions] of 16 bytes each

NAME_BYTES = 16
NAMES = f"S{NAME_BYTES}"


def name_of(state: State) -> bytes:
    """The first 16 bytes of BLAKE2b of its text: equal only for equal positions."""
    return blake2b(str(state).encode(), digest_size=NAME_BYTES).digest()


def position_of(state: State, canonical: bool) -> State:
    """The position alone, without its past; by choice the image that stands for all images."""
    return canonical_image(state)[1] if canonical else state.transformed(0)


def names_array(names: list[bytes]) -> Names:
    """Many names, to be sorted and looked up."""
    return np.frombuffer(b"".join(names), NAMES)


def places_among(names: Names, known: Names) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where names would stand among those that are sorted, and whether they do."""
    if not len(known):
        return np.zeros(len(names), np.int64), np.zeros(len(names), np.bool_)
    at = np.minimum(np.searchsorted(known, names), len(known) - 1)
    return at, np.asarray(known[at] == names)


def action_in(state: State, symmetry: int, image_action: int) -> int:
    """The legal action of a state that a symmetry turns into the other."""
    for action in state.legal():
        if state.transformed_action(symmetry, action) == image_action:
            return action
    raise AssertionError("symmetries commute with legal actions")


def line_from(state: State, images: list[int], canonical: bool) -> list[int]:
    """The actions of a line that is given by those of the positions it goes through.

    What the rules make of its past is left out.
    """
    line = []
    for image_action in images:
        symmetry = canonical_image(state)[0] if canonical else 0
        line.append(action_in(state, symmetry, image_action))
        state = state.play(line[-1]).transformed(0)
    return line


def moves_of(game: Game, line: Sequence[int]) -> list[str]:
    """The moves of a line from the start, as they are written."""
    state, moves = game.start(), []
    for action in line:
        moves.append(game.move(state, action))
        state = state.play(action)
    return moves


def line_text(game: Game, line: Sequence[int]) -> str:
    """A line as a file of openings has it; at the start of the game, the position."""
    moves = moves_of(game, line)
    if not moves:
        return str(game.start())
    text = "".join(moves)
    return text if game.kind.split(text) == moves else " ".join(moves)
