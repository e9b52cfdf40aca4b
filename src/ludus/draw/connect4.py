"""Connect Four: an upright board with holes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Theme
from ludus.draw.terminal import Ink

if TYPE_CHECKING:
    from ludus.game import Game, State

CELL = 60.0
MARGIN = 30.0


def board(game: Game, state: State, theme: Theme) -> Scene:
    """Stones in their holes, columns numbered below as the notation does."""
    rows = str(state).split("/")
    height, width = len(rows), len(rows[0])
    canvas = Canvas(width * CELL + 2 * MARGIN, height * CELL + 2 * MARGIN, theme)
    canvas.rect(MARGIN, MARGIN, width * CELL, height * CELL, rx=10, fill=theme.board)
    fills = {".": theme.cell, "x": theme.first, "o": theme.second}

    def centre(row: int, column: int) -> tuple[float, float]:
        return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL

    for row, line in enumerate(rows):
        for column, stone in enumerate(line):
            canvas.circle(centre(row, column), CELL * 0.4, fill=fills[stone], stroke=theme.line)
    landing = {}
    for column in range(width):
        stones = sum(line[column] != "." for line in rows)
        landing[column] = stones
        name = game.kind.move(state, column)
        canvas.text((centre(0, column)[0], height * CELL + 1.5 * MARGIN), name, 16)
    # A stone that can still fall is placed where it would land; one just played lies on top.
    legal = set(state.legal())
    places = {
        column: [centre(height - 1 - stones if column in legal else height - stones, column)]
        for column, stones in landing.items()
    }
    return Scene(canvas, CELL, places)


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """Discs between walls, columns numbered below."""
    rows = str(state).split("/")
    symbols = {".": ink("·", "faint"), "x": ink("●", "first"), "o": ink("○", "second")}
    lines = ["│ " + " ".join(symbols[stone] for stone in line) + " │" for line in rows]
    width = len(rows[0])
    lines.append("└" + "─" * (2 * width + 1) + "┘")
    names = (game.kind.move(state, column) for column in range(width))
    lines.append(
        "  "
        + " ".join(ink(name, "last") if column == last else name for column, name in enumerate(names))
    )
    return "\n".join(lines)
