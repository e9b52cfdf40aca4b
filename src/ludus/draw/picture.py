"""The picture of a state: the game's own board, then what is true of all games laid over it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ludus.draw.svg import THEMES, Canvas, Point, Theme
from ludus.files import write
from ludus.game import drawing

if TYPE_CHECKING:
    from ludus.game import Game, State

STYLES = ("heat", "arrows", "values")


class Board(Protocol):
    """What a game draws: its canvas, and where on it an action happens.

    `place` gives one point (something appears there), two (something goes from the first to the
    second), or `covers` is true and the points are the cells that a building covers. `played` is
    the same for the action that led to this state.
    """

    canvas: Canvas
    cell: float  # the width of a cell
    covers: bool

    def place(self, action: int) -> list[Point]: ...
    def points_of(self, action: int) -> list[Point]: ...


@dataclass
class Scene:
    """The plain Board: a canvas, its cells, and how to find an action on it."""

    canvas: Canvas
    cell: float
    find: Callable[[int], list[Point]] = lambda action: []
    find_played: Callable[[int], list[Point]] | None = None  # where that is not the same
    covers: bool = False
    cells: list[Point] = field(
        default_factory=list
    )  # the centre of each cell, as the text has them

    def place(self, action: int) -> list[Point]:
        return self.find(action)

    def points_of(self, action: int) -> list[Point]:
        return (self.find_played or self.find)(action)


@dataclass(frozen=True)
class Picture:
    """An SVG image; notebooks show it, `save` writes it."""

    svg: str

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        file = Path(path)
        if file.exists() and not file.is_file():
            file.write_text(self.svg, encoding="utf-8")  # a terminal, a pipe
        else:
            write(file.resolve(), self.svg.encode())  # through a link, since a person named it


def picture(
    game: Game,
    state: State,
    *,
    last: int | None = None,
    marks: Mapping[int, float] | None = None,
    style: str = "heat",
    theme: str = "light",
) -> Picture:
    """Draw the state; `marks` puts a number on actions, shown as heat, arrows or values."""
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}; there are {', '.join(THEMES)}")
    if style not in STYLES:
        raise ValueError(f"no style {style!r}; there are {', '.join(STYLES)}")
    for action in [*([] if last is None else [last]), *(marks or {})]:
        if not 0 <= action < game.num_actions:
            raise ValueError(f"action {action} is not below {game.num_actions}")
    board = board_of(game, state, THEMES[theme])
    if last is not None:
        show_last(board, last)
    if marks:
        {"heat": heat, "arrows": arrows, "values": values}[style](board, marks)
    return Picture(board.canvas.svg())


def board_of(game: Game, state: State, theme: Theme) -> Board:
    """The game's own drawing, or its text in a frame if it has none."""
    if own := drawing(game.kind):
        board: Board = own.board(game, state, theme)
        return board
    lines = str(state).replace("/", "\n").split("\n")
    canvas = Canvas(20.0 * max(map(len, lines)) + 20, 28.0 * len(lines) + 20, theme)
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            at = (20 + 20.0 * column, 24 + 28.0 * row)
            with canvas.piece(at, None, character) if character not in " ." else nullcontext():
                canvas.text(at, character, 20)
    return Scene(canvas, 20)


def show_last(board: Board, action: int) -> None:
    """Frame where the last action happened."""
    colour, width = board.canvas.theme.last, board.cell * 0.07
    points = board.points_of(action)
    for x, y in points:
        half = board.cell * 0.47
        board.canvas.rect(
            x - half, y - half, 2 * half, 2 * half, fill="none", stroke=colour, stroke_width=width
        )
    if len(points) == 2 and not board.covers:
        board.canvas.arrow(points[0], points[1], width, fill=colour, fill_opacity=0.8)


def shares(marks: Mapping[int, float]) -> dict[int, float]:
    """Marks scaled so that the largest is 1 and nothing is below 0."""
    most = max(max(marks.values()), 1e-9)
    return {action: max(0.0, value) / most for action, value in marks.items()}


def heat(board: Board, marks: Mapping[int, float]) -> None:
    """Colour each cell by the strongest action that ends on it."""
    strongest: dict[Point, float] = {}
    for action, share in shares(marks).items():
        points = board.place(action)
        for point in points if board.covers else points[-1:]:
            strongest[point] = max(strongest.get(point, 0.0), share)
    side = board.cell * 0.86
    for (x, y), share in strongest.items():
        board.canvas.rect(
            x - side / 2,
            y - side / 2,
            side,
            side,
            rx=side * 0.2,
            fill=board.canvas.theme.mark,
            fill_opacity=0.1 + 0.65 * share,
        )


def arrows(board: Board, marks: Mapping[int, float]) -> None:
    """An arrow for an action that goes somewhere, a disc for one that puts something down."""
    colour = board.canvas.theme.mark
    for action, share in shares(marks).items():
        points = board.place(action)
        if len(points) == 2 and not board.covers:
            width = board.cell * (0.03 + 0.09 * share)
            opacity = 0.25 + 0.65 * share
            board.canvas.arrow(points[0], points[1], width, fill=colour, fill_opacity=opacity)
        else:
            for point in points:
                radius = board.cell * (0.06 + 0.2 * share)
                board.canvas.circle(point, radius, fill=colour, fill_opacity=0.3 + 0.6 * share)


def values(board: Board, marks: Mapping[int, float]) -> None:
    """Each action's number where it ends; the best one if several end there."""
    best: dict[Point, float] = {}
    for action, value in marks.items():
        if points := board.place(action):
            best[points[-1]] = max(best.get(points[-1], value), value)
    for point, value in best.items():
        label = f"{value:.2f}" if isinstance(value, float) else str(value)
        board.canvas.circle(
            point, board.cell * 0.3, fill=board.canvas.theme.paper, fill_opacity=0.8
        )
        board.canvas.text(point, label, board.cell * 0.24, fill=board.canvas.theme.ink)
