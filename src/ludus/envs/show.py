"""A state in each of the render modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.game import Game, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODES = ("human", "ansi", "rgb_array", "svg")


def check_mode(mode: str | None) -> str | None:
    """A render mode, or None for none."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"no render mode {mode!r}; there are {', '.join(MODES)}")
    return mode


def render(
    game: Game, state: State, last: int | None, mode: str | None
) -> str | NDArray[np.uint8] | None:
    """Print the board, or return it as text, as pixels or as SVG."""
    if mode is None:
        raise ValueError("nothing is rendered without a render_mode: human, ansi, rgb_array or svg")
    if mode == "human":
        print(game.text(state, last=last))
        return None
    if mode == "ansi":
        return game.text(state, last=last, colour=False)
    svg = game.draw(state, last=last).svg
    if mode == "svg":
        return svg
    from ludus.envs.pixels import pixels

    return pixels(svg)
