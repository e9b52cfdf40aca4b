"""Draughts: a checkered board with numbered squares, discs for men, crowned discs for kings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Point, Theme
from ludus.draw.terminal import Ink
from ludus.games.checkers import ends, place

if TYPE_CHECKING:
    from ludus.game import Game, State

CELL = 60.0
MARGIN = 20.0


def pieces(state: State) -> dict[int, str]:
    """The piece on each square: b and w are men, B and W kings."""
    board, _, _ = str(state).partition(" ")
    found = {}
    for side in board.split(":")[1:]:
        for name in filter(None, side[1:].split(",")):
            square = int(name.removeprefix("K"))
            found[square] = side[0] if name.startswith("K") else side[0].lower()
    return found


def capturing_square(state: State) -> int | None:
    """The square of a piece in the middle of a capture."""
    _, _, piece = str(state).partition(" ")
    return int(piece.removesuffix("x")) if piece else None


def centre(square: int) -> Point:
    """The middle of a square on the canvas."""
    row, column = place(square)
    return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL


def board(game: Game, state: State, theme: Theme) -> Scene:
    """Black's home row at the top, as diagrams in books."""
    side = 8 * CELL + 2 * MARGIN
    canvas = Canvas(side, side, theme)
    edge = MARGIN / 2
    canvas.rect(edge, edge, side - 2 * edge, side - 2 * edge, rx=8, fill=theme.board)
    canvas.rect(MARGIN, MARGIN, 8 * CELL, 8 * CELL, fill=theme.cell)
    for square in range(1, 33):
        x, y = centre(square)
        canvas.rect(x - CELL / 2, y - CELL / 2, CELL, CELL, fill=theme.other_cell)
        canvas.text((x - CELL * 0.34, y - CELL * 0.36), str(square), 10)
    for square, piece in pieces(state).items():
        player = "bw".index(piece.lower())
        with canvas.piece(centre(square), player, "king" if piece.isupper() else "man"):
            disc(canvas, centre(square), (theme.first, theme.second)[player])
            if piece.isupper():
                crown(canvas, centre(square))
    if busy := capturing_square(state):
        canvas.circle(centre(busy), CELL * 0.44, fill="none", stroke=theme.last, stroke_width=3)

    return Scene(canvas, CELL, find=path, cells=[centre(square) for square in range(1, 33)])


def path(action: int) -> list[Point]:
    """From where to where; nowhere for the actions that would leave the board."""
    start, end = ends(action)
    (row, column), (end_row, end_column) = place(start), place(end)
    distance = 1 + action % 2
    inside = 0 <= end_row < 8 and abs(end_row - row) == abs(end_column - column) == distance
    return [centre(start), centre(end)] if inside else []


def disc(canvas: Canvas, at: Point, fill: str) -> None:
    """A man: a disc with a groove."""
    canvas.circle(at, CELL * 0.37, fill=fill, stroke=canvas.theme.edge, stroke_width=1.5)
    canvas.circle(
        at,
        CELL * 0.29,
        fill="none",
        stroke=canvas.theme.edge,
        stroke_opacity=0.35,
        stroke_width=1.5,
    )


def crown(canvas: Canvas, at: Point) -> None:
    """Three points over a band, in the colour of paper."""
    x, y = at
    outline = [(-10, -9), (-5, -1), (0, -12), (5, -1), (10, -9), (8, 9), (-8, 9)]
    canvas.polygon(
        [(x + dx, y + dy) for dx, dy in outline],
        fill="#ffffff",
        stroke=canvas.theme.edge,
        stroke_width=1.5,
        stroke_linejoin="round",
    )


STONES = ("●", "○")


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """Empty squares show their number; kings wear a crown of brackets.

    What moved last stands in square brackets, a king in curly ones, and left a cross.
    """
    standing = pieces(state)
    shown = {"b": " ● ", "B": "(●)", "w": " ○ ", "W": "(○)"}
    moved = {"b": "[●]", "B": "{●}", "w": "[○]", "W": "{○}"}
    touched = ends(last) if last is not None else ()
    lines = []
    for row in range(8):
        cells = ["   "] * 8
        for square in range(4 * row + 1, 4 * row + 5):
            column = place(square)[1]
            if square in standing:
                piece = standing[square]
                style = "last" if square in touched else "first" if piece in "bB" else "second"
                cells[column] = ink((moved if square in touched else shown)[piece], style)
            elif square in touched:
                cells[column] = ink(" × ", "last")
            else:
                cells[column] = ink(f"{square:^3}", "faint")
        lines.append(f"{4 * row + 1:>2} │{''.join(cells)}│ {4 * row + 4}")
    lines = ["   ┌" + "─" * 24 + "┐", *lines, "   └" + "─" * 24 + "┘"]
    if busy := capturing_square(state):
        lines.append(f"   {busy} captures on")
    return "\n".join(lines)
