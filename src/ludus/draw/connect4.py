"""Connect Four: an upright board with holes."""

from __future__ import annotations

from collections.abc import Mapping
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
    fills = {"x": theme.first, "o": theme.second}

    def centre(row: int, column: int) -> tuple[float, float]:
        return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL

    for row in range(height):
        for column in range(width):
            canvas.circle(centre(row, column), CELL * 0.4, fill=theme.cell, stroke=theme.line)
    for row, line in enumerate(rows):
        for column, stone in enumerate(line):
            if stone != ".":
                at = centre(row, column)
                with canvas.piece(at, "xo".index(stone), "stone"):
                    canvas.circle(at, CELL * 0.4, fill=fills[stone], stroke=theme.line)
    for column in range(width):
        name = game.kind.move(state, column)
        canvas.text((centre(0, column)[0], height * CELL + 1.5 * MARGIN), name, 16)

    def top(column: int) -> int:
        return height - sum(line[column] != "." for line in rows)

    return Scene(
        canvas,
        CELL,
        find=lambda column: [centre(top(column) - 1, column)],  # where a stone would land
        find_played=lambda column: [centre(top(column), column)],
        cells=[centre(row, column) for row in range(height) for column in range(width)],
    )


STONES = ("●", "○")


def row_text(
    line: str, symbols: Mapping[str, str], last: int | None = None, ink: Ink | None = None
) -> str:
    """A row with a gap around each stone; brackets hold the last one."""
    gaps = [" "] * (len(line) + 1)
    if last is not None and ink is not None:
        gaps[last], gaps[last + 1] = ink("[", "last"), ink("]", "last")
    return gaps[0] + "".join(
        symbols[stone] + gap for stone, gap in zip(line, gaps[1:], strict=True)
    )


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """Discs between walls, columns numbered below."""
    rows = str(state).split("/")
    symbols = {".": ink("·", "faint"), "x": ink("●", "first"), "o": ink("○", "second")}
    lines = ["│" + row_text(line, symbols) + "│" for line in rows]
    width = len(rows[0])
    if last is not None:
        top = next(row for row, line in enumerate(rows) if line[last] != ".")
        lines[top] = "│" + row_text(rows[top], symbols, last, ink) + "│"
    lines.append("└" + "─" * (2 * width + 1) + "┘")
    names = (game.kind.move(state, column) for column in range(width))
    lines.append(
        "  "
        + " ".join(
            ink(name, "last") if column == last else name for column, name in enumerate(names)
        )
    )
    return "\n".join(lines)
