"""Tic-tac-toe, on any board of centred rows: crosses and rings on tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Point, Theme
from ludus.draw.terminal import Ink

if TYPE_CHECKING:
    from ludus.game import Game, State

Place = tuple[int, int]  # row and column, from the top left


def marks(state: State) -> dict[Place, str]:
    """What is on each place of the board."""
    rows = str(state).split(" ")[0].split("/")
    width = max(map(len, rows))
    return {
        (row, column + (width - len(line)) // 2): mark
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
    }


def place_of(game: Game, state: State, action: int, rows: int) -> Place:
    """Where an action is, read from its notation."""
    name = game.kind.move(state, action)
    return rows - int(name[1:]), "abcdefghijkl".index(name[0])


def board(game: Game, state: State, theme: Theme) -> Scene:
    """Tiles with their marks; coordinates stand at the left and below."""
    cells = marks(state)
    size = 1 + max(row for row, _ in cells)
    cell = max(40.0, 240.0 / size)
    margin = 30.0
    canvas = Canvas(size * cell + 2 * margin, size * cell + 2 * margin, theme)

    def centre(place: Place) -> Point:
        row, column = place
        return margin + (column + 0.5) * cell, margin + (row + 0.5) * cell

    for place in cells:
        x, y = centre(place)
        canvas.rect(x - cell / 2, y - cell / 2, cell, cell, fill=theme.cell, stroke=theme.line)
    for place, mark in cells.items():
        if mark != ".":
            with canvas.piece(centre(place), "xo".index(mark), "mark"):
                show_mark(canvas, centre(place), mark, cell)
    for index in range(size):
        along = margin + (index + 0.5) * cell
        canvas.text((along, canvas.height - margin / 2), "abcdefghijkl"[index], 14)
        canvas.text((margin / 2, along), str(size - index), 14)
    return Scene(
        canvas,
        cell,
        find=lambda action: [centre(place_of(game, state, action, size))],
        cells=[centre(place) for place in cells],
    )


def show_mark(canvas: Canvas, at: Point, mark: str, cell: float) -> None:
    """A cross in the first player's colour or a ring in the second's."""
    (x, y), pen = at, cell * 0.13
    if mark == "o":
        canvas.circle(at, cell * 0.28, fill="none", stroke=canvas.theme.second, stroke_width=pen)
        return
    reach = cell * 0.26
    for turn in (1, -1):
        ends = (x - reach, y - reach * turn), (x + reach, y + reach * turn)
        canvas.line(*ends, stroke=canvas.theme.first, stroke_width=pen, stroke_linecap="round")


STONES = ("×", "○")


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """Crosses and rings, the last action in brackets, coordinates beside."""
    cells = marks(state)
    size = 1 + max(row for row, _ in cells)
    symbols = {".": ink("·", "faint"), "x": ink("×", "first"), "o": ink("○", "second")}
    played = None if last is None else place_of(game, state, last, size)

    def cell_text(place: Place) -> str:
        symbol = symbols.get(cells.get(place, ""), " ")
        return ink("[", "last") + symbol + ink("]", "last") if place == played else f" {symbol} "

    lines = [
        f"{size - row:2} " + "".join(cell_text((row, column)) for column in range(size))
        for row in range(size)
    ]
    lines.append("   " + "".join(f" {letter} " for letter in "abcdefghijkl"[:size]))
    return "\n".join(line.rstrip() for line in lines)
