"""King and Courtesan: a checkered board with the two homes in opposite corners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Point, Theme
from ludus.draw.terminal import Ink

if TYPE_CHECKING:
    from ludus.game import Game, State

CELL = 60.0
MARGIN = 34.0
GOLD = "#ffe9a8"
LETTERS = "abcdefgh"
# A crown of unit width around the origin; y grows downwards.
CROWN_TOP = [(-0.5, -0.32), (-0.25, 0.0), (0.0, -0.46), (0.25, 0.0), (0.5, -0.32)]
CROWN = [*CROWN_TOP, (0.38, 0.36), (-0.38, 0.36)]


def rows_of(state: State) -> list[str]:
    """The rows of the board from the first to the last, as the coordinates count them."""
    return str(state).split(" ")[0].split("/")[::-1]


def board(game: Game, state: State, theme: Theme) -> Scene:
    """Red's home a1 is at the lower left; kings wear a crown."""
    rows = rows_of(state)
    size = len(rows)
    side = size * CELL
    canvas = Canvas(side + 2 * MARGIN, side + 2 * MARGIN, theme)

    def centre(row: int, column: int) -> Point:
        return MARGIN + (column + 0.5) * CELL, MARGIN + (size - row - 0.5) * CELL

    for row in range(size):
        along, up = centre(row, row)
        canvas.text((along, side + MARGIN * 1.5), LETTERS[row], 16)
        canvas.text((MARGIN * 0.5, up), str(row + 1), 16)
        for column in range(size):
            x, y = centre(row, column)
            fill = theme.board if (row + column) % 2 else theme.cell
            canvas.rect(x - CELL / 2, y - CELL / 2, CELL, CELL, fill=fill)
    for home, colour in ((0, theme.first), (size - 1, theme.second)):
        show_home(canvas, centre(home, home), colour)
    canvas.rect(MARGIN, MARGIN, side, side, fill="none", stroke=theme.line, stroke_width=2)
    for row, line in enumerate(rows):
        for column, piece in enumerate(line):
            if piece != ".":
                player, kind = "rb".index(piece.lower()), ["courtesan", "king"][piece.isupper()]
                with canvas.piece(centre(row, column), player, kind):
                    show_piece(canvas, centre(row, column), piece)

    def ends(action: int) -> list[Point]:
        return [centre(*divmod(cell, size)) for cell in divmod(action, size * size)]

    cells = [centre(row, column) for row in reversed(range(size)) for column in range(size)]
    return Scene(canvas, CELL, find=ends, cells=cells)


def show_home(canvas: Canvas, at: Point, colour: str) -> None:
    """Tint a corner and frame it in its owner's colour."""
    x, y = at[0] - CELL / 2, at[1] - CELL / 2
    canvas.rect(x, y, CELL, CELL, fill=colour, fill_opacity=0.3)
    canvas.rect(x + 2, y + 2, CELL - 4, CELL - 4, fill="none", stroke=colour, stroke_width=3)


def show_piece(canvas: Canvas, at: Point, piece: str) -> None:
    """A disc in its owner's colour, with a crown on it for the king."""
    theme = canvas.theme
    fill = theme.first if piece in "Rr" else theme.second
    canvas.circle(at, CELL * 0.36, fill=fill, stroke=theme.edge, stroke_width=1.5)
    if piece in "RB":
        width = CELL * 0.46
        points = [(at[0] + width * x, at[1] + width * y) for x, y in CROWN]
        canvas.polygon(points, fill=GOLD, stroke=theme.edge, stroke_width=1.2)


STONES = ("● ♚", "○ ♔")


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """Red's pieces are filled, Blue's are not; brackets hold the cells of the last action."""
    rows = rows_of(state)
    size = len(rows)
    symbols = {
        ".": ink("·", "faint"),
        "R": ink("♚", "first", "bold"),
        "r": ink("●", "first"),
        "B": ink("♔", "second", "bold"),
        "b": ink("○", "second"),
    }
    empty_homes = {0: ink("⌂", "first"), size * size - 1: ink("⌂", "second")}
    touched = () if last is None else divmod(last, size * size)
    lines = []
    for row in reversed(range(size)):
        line = f"{row + 1} "
        for column, piece in enumerate(rows[row]):
            cell = row * size + column
            symbol = empty_homes.get(cell, symbols["."]) if piece == "." else symbols[piece]
            framed = cell in touched
            line += ink("[", "last") + symbol + ink("]", "last") if framed else f" {symbol} "
        lines.append(line.rstrip())
    lines.append("  " + "".join(f" {letter} " for letter in LETTERS[:size]).rstrip())
    return "\n".join(lines)
