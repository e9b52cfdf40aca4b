"""Chinese Checkers: a diamond of round cells, the first player's home on top as in the thesis."""

from __future__ import annotations

from itertools import combinations
from math import dist, isqrt, sqrt
from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Point, Theme
from ludus.draw.terminal import Ink

if TYPE_CHECKING:
    from ludus.game import Game, State

CELL = 60.0
ROW = CELL * sqrt(3) / 2
MARGIN = 16.0


def rows(cells: str) -> list[range]:
    """The ids in each row of the diamond, from the top."""
    size = isqrt(len(cells))
    lengths = [*range(1, size + 1), *range(size - 1, 0, -1)]
    ends = [sum(lengths[: row + 1]) for row in range(len(lengths))]
    return [range(end - length, end) for end, length in zip(ends, lengths, strict=True)]


def board(game: Game, state: State, theme: Theme) -> Scene:
    """Pieces on a net of lines; the cells of a goal wear the colour of who has to get there."""
    cells, starts = (str(position).split()[0] for position in (state, game.start()))
    diamond = rows(cells)
    canvas = Canvas(
        isqrt(len(cells)) * CELL + 2 * MARGIN, (len(diamond) - 1) * ROW + CELL + 2 * MARGIN, theme
    )
    at: list[Point] = [
        (
            round(canvas.width / 2 + (place - (len(row) - 1) / 2) * CELL, 2),
            round(MARGIN + CELL / 2 + number * ROW, 2),  # as finely as it is written
        )
        for number, row in enumerate(diamond)
        for place in range(len(row))
    ]
    widest = max(diamond, key=len)
    canvas.polygon(
        [at[0], at[widest[-1]], at[-1], at[widest[0]]],
        fill=theme.board,
        stroke=theme.board,
        stroke_width=CELL * 1.25,
        stroke_linejoin="round",
    )
    for one, other in combinations(at, 2):
        if dist(one, other) < 1.1 * CELL:
            canvas.line(one, other, stroke=theme.line, stroke_width=1.5, stroke_opacity=0.6)
    colours = {"1": theme.first, "2": theme.second}
    goals = {"1": theme.second, "2": theme.first}
    for cell, (piece, start) in enumerate(zip(cells, starts, strict=True)):
        canvas.circle(at[cell], CELL * 0.4, fill=theme.cell, stroke=theme.line)
        if goal := goals.get(start):
            tint = {"fill": goal, "fill_opacity": 0.18, "stroke": goal, "stroke_width": 2}
            canvas.circle(at[cell], CELL * 0.4, **tint)
        if piece == ".":
            canvas.text(at[cell], str(cell), 13, fill=theme.line)
    for cell, piece in enumerate(cells):
        if colour := colours.get(piece):
            with canvas.piece(at[cell], int(piece) - 1, "piece"):
                circle = {"fill": colour, "stroke": theme.edge, "stroke_width": 1.5}
                canvas.circle(at[cell], CELL * 0.32, **circle)
                canvas.text(at[cell], str(cell), 13, fill=theme.paper)
    return Scene(
        canvas, CELL, find=lambda action: [at[cell] for cell in divmod(action, len(at))], cells=at
    )


STONES = ("●", "○")


def text(game: Game, state: State, ink: Ink, last: int | None) -> str:
    """The same diamond; the first and the last id of each row stand beside it."""
    cells, starts = (str(position).split()[0] for position in (state, game.start()))
    played = () if last is None else divmod(last, len(cells))
    symbols = {".": "·", "1": "●", "2": "○"}
    arrived = {".": "·", "1": "◉", "2": "◎"}
    styles = {"1": "first", "2": "second"}
    goals = {".": "faint", "1": "second", "2": "first"}

    def symbol(cell: int) -> str:
        style = "last" if cell in played else styles.get(cells[cell], goals[starts[cell]])
        if cell in played:
            return ink("×" if cell in played[:1] else arrived[cells[cell]], style)
        return ink(symbols[cells[cell]], style)

    lines = []
    for row in rows(cells):
        begin = " " * (2 * (isqrt(len(cells)) - len(row))) + ink(f"{row[0]:>2}", "faint")
        end = ink(f"  {row[-1]}", "faint") if len(row) > 1 else ""
        lines.append(f"{begin}  {'   '.join(map(symbol, row))}{end}")
    return "\n".join(lines)
