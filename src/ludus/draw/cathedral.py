"""Cathedral: the city from above, buildings as blocks with a roof ridge, ground in its colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.draw.picture import Scene
from ludus.draw.svg import Canvas, Point, Theme
from ludus.draw.terminal import Ink
from ludus.games.cathedral import BUILDINGS

if TYPE_CHECKING:
    from ludus._core import cathedral
    from ludus.game import Game

CELL = 48.0
WALL = 12.0
MARGIN = 34.0
SQUARES = 47  # of all buildings of one side

LINES = {  # arms up, right, down, left
    0b0000: " ",
    0b1010: "│",
    0b0101: "─",
    0b0110: "┌",
    0b0011: "┐",
    0b1100: "└",
    0b1001: "┘",
    0b1110: "├",
    0b1011: "┤",
    0b0111: "┬",
    0b1101: "┴",
    0b1111: "┼",
}


class City:
    """The text of a state, taken apart: a mark for each cell, and who is who."""

    def __init__(self, state: cathedral) -> None:
        board, self.turn, light, _ = str(state).split(" ")
        self.rows = board.split("/")
        self.size = len(self.rows)
        self.players = (int(light), 1 - int(light))  # of Light, of Dark

    def mark(self, row: int, column: int) -> str:
        inside = 0 <= row < self.size and 0 <= column < self.size
        return self.rows[row][column] if inside else ""

    def buildings(self) -> dict[str, list[int]]:
        """The cells of each building, by its mark."""
        found: dict[str, list[int]] = {}
        for cell in range(self.size * self.size):
            mark = self.mark(*divmod(cell, self.size))
            if mark.isalpha() or mark == "+":
                found.setdefault(mark, []).append(cell)
        return found

    def side(self, mark: str) -> int | None:
        """0 for what is Light's, 1 for what is Dark's."""
        if mark in "-=":
            return "-=".index(mark)
        return int(mark.isupper()) if mark.isalpha() else None

    def squares_left(self, side: int) -> int:
        cells = "".join(self.rows)
        return SQUARES - sum(mark.isalpha() and self.side(mark) == side for mark in cells)


def board(game: Game, state: cathedral, theme: Theme) -> Scene:
    """Squares named as the notation does; below, what each side has left to place."""
    city = City(state)
    span = city.size * CELL
    canvas = Canvas(span + 2 * MARGIN, span + 2 * MARGIN + 24, theme)
    canvas.rect(
        MARGIN - WALL, MARGIN - WALL, span + 2 * WALL, span + 2 * WALL, rx=6, fill=theme.line
    )
    canvas.rect(MARGIN, MARGIN, span, span, fill=theme.cell)

    def centre(cell: int) -> Point:
        row, column = divmod(cell, city.size)
        return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL

    colours = [(theme.first, theme.second)[player] for player in city.players]
    for line in range(1, city.size):
        at = MARGIN + line * CELL
        canvas.line((MARGIN, at), (MARGIN + span, at), stroke=theme.board, stroke_width=1)
        canvas.line((at, MARGIN), (at, MARGIN + span), stroke=theme.board, stroke_width=1)
    for cell in range(city.size * city.size):
        mark = city.mark(*divmod(cell, city.size))
        if mark in "-=":
            owner = "-=".index(mark)
            with canvas.group("ground", player=city.players[owner]):
                draw_ground(canvas, centre(cell), colours[owner])
    for mark, cells in city.buildings().items():
        side = city.side(mark)
        fill = theme.neutral if side is None else colours[side]
        ridge = "#ffffff" if side in (0, None) else "#000000"
        player = None if side is None else city.players[side]
        with canvas.piece(centre(cells[0]), player, kind_of(mark)):
            draw_building(canvas, [centre(cell) for cell in cells], fill, ridge)
    for i in range(city.size):
        at = MARGIN + (i + 0.5) * CELL
        canvas.text((at, MARGIN + span + WALL + 11), "abcdefghij"[i], 14)
        canvas.text((MARGIN - WALL - 11, at), str(city.size - i), 14)
    for side, name in enumerate(("Light", "Dark")):
        at = MARGIN + span * (0.25 + 0.5 * side)
        label = f"{name}: {city.squares_left(side)} left"
        canvas.rect(at - 66, MARGIN + span + 34, 14, 14, rx=3, fill=colours[side])
        ridge = "#000000" if side else "#ffffff"
        canvas.rect(at - 62, MARGIN + span + 39, 6, 4, fill=ridge, fill_opacity=0.7)
        canvas.text((at, MARGIN + span + 41), label, 14)

    def centres(cells: list[int]) -> list[Point]:
        return [centre(cell) for cell in reversed(cells)]  # the named one last

    return Scene(
        canvas,
        CELL,
        find=lambda action: centres(state.footprint(action)),
        find_played=lambda action: centres(placed_cells(game, city, action)),
        covers=True,
        cells=[centre(cell) for cell in range(city.size * city.size)],
    )


def kind_of(mark: str) -> str:
    """The building's name; its letter counts the buildings of a side, copies one by one."""
    names = [name for name, copies, *_ in BUILDINGS for _ in range(copies)]
    return names[-1 if mark == "+" else ord(mark.lower()) - ord("a")].lower()


def placed_cells(game: Game, city: City, action: int) -> list[int]:
    """The cells of the building that the action has put on the board."""
    light: cathedral = game.start()  # type: ignore[assignment]
    dark = light.play(light.legal()[0])
    by_side = [light.footprint(action), dark.footprint(action)]
    last_mover = "dl".index(city.turn)  # unless the other was skipped
    buildings = city.buildings()
    for side in (last_mover, 1 - last_mover):
        mark = city.mark(*divmod(by_side[side][0], city.size))
        if city.side(mark) in (side, None) and set(buildings.get(mark, ())) == set(by_side[side]):
            return list(by_side[side])
    return []


def draw_ground(canvas: Canvas, at: Point, colour: str) -> None:
    """A tinted cell with three furrows."""
    x, y = at
    half = CELL / 2
    canvas.rect(x - half, y - half, CELL, CELL, fill=colour, fill_opacity=0.18)
    for shift in (-0.6, 0.0, 0.6):
        canvas.line(
            (x - half * 0.3 + half * shift, y + half * 0.3),
            (x + half * 0.3 + half * shift, y - half * 0.3),
            stroke=colour,
            stroke_width=2,
            stroke_opacity=0.55,
        )


def draw_building(canvas: Canvas, cells: list[Point], fill: str, ridge: str) -> None:
    """One block over all the cells, edged, with a ridge along its roof."""
    for inset, colour in ((2.0, canvas.theme.edge), (4.0, fill)):
        for x, y in cells:
            # Reach over the border to a neighbour to the right, below, or both.
            right, below = (x + CELL, y) in cells, (x, y + CELL) in cells
            side = CELL - 2 * inset
            left, top = x - side / 2, y - side / 2
            canvas.rect(left, top, side + right * 2 * inset, side, fill=colour)
            canvas.rect(left, top, side, side + below * 2 * inset, fill=colour)
            if right and below and (x + CELL, y + CELL) in cells:
                canvas.rect(left, top, CELL, CELL, fill=colour)
    for x, y in cells:
        for end in ((x + CELL, y), (x, y + CELL)):
            if end in cells:
                canvas.line((x, y), end, stroke=ridge, stroke_width=5, stroke_opacity=0.35)
        canvas.circle((x, y), 6, fill=ridge, fill_opacity=0.45)


def stones(state: cathedral) -> tuple[str, str]:
    """Which shade each player has: a coin may decide who is Light."""
    names = ("Light ░", "Dark ▓")
    players = City(state).players
    return names[players.index(0)], names[players.index(1)]


def text(game: Game, state: cathedral, ink: Ink, last: int | None) -> str:
    """Buildings outlined and shaded, Light's lightly; ground has a single shade mark.

    The last one is shaded more heavily, and the Cathedral by number signs.
    """
    city = City(state)
    placed = set() if last is None else set(placed_cells(game, city, last))
    styles = ["first" if player == 0 else "second" for player in city.players]

    def filling(mark: str, cell: int, width: int) -> str:
        side = city.side(mark)
        if side is not None:
            style = "last" if cell in placed else styles[side]
            shade = ("▒█" if cell in placed else "░▓")[side]
            return ink(shade * width if mark.isalpha() else f" {shade} "[:width], style)
        if mark == "+":
            return ink(
                ("#" if cell in placed else "+") * width, "last" if cell in placed else "bold"
            )
        return ink(" · "[:width], "faint")

    lines = []
    for row in range(city.size + 1):
        border, inside = "   ", f"{city.size - row:2} "
        for column in range(city.size + 1):
            corner = arms(city, row, column)
            here = city.mark(row, column)
            cell = row * city.size + column
            # Within a building nothing divides its cells.
            merged = corner == 0 and (here.isalpha() or here == "+")
            border += filling(here, cell, 1) if merged else LINES[corner]
            if column < city.size:
                above = corner & 0b0100 == 0 and (here.isalpha() or here == "+")
                border += filling(here, cell, 3) if above else LINES[5 * (corner >> 2 & 1)] * 3
            left = corner & 0b0010 == 0 and (here.isalpha() or here == "+")
            inside += filling(here, cell, 1) if left else LINES[10 * (corner >> 1 & 1)]
            if column < city.size and row < city.size:
                inside += filling(here, cell, 3)
        lines += [border, inside]
    lines[-1] = "     " + "   ".join("abcdefghij"[: city.size])
    names = (ink("Light ░", styles[0]), ink("Dark ▓", styles[1]))
    left_over = (f"{names[side]} {city.squares_left(side)} squares left" for side in (0, 1))
    return "\n".join([*lines, "   " + " · ".join(left_over)])


def arms(city: City, row: int, column: int) -> int:
    """Which lines meet at the corner above and left of a cell: bits up, right, down, left."""
    around = [
        (city.mark(row - 1, column - 1), city.mark(row - 1, column)),  # what an arm lies between
        (city.mark(row - 1, column), city.mark(row, column)),
        (city.mark(row, column - 1), city.mark(row, column)),
        (city.mark(row - 1, column - 1), city.mark(row, column - 1)),
    ]
    bits = 0
    for one, two in around:
        wall = one != two and any(not m or m.isalpha() or m == "+" for m in (one, two))
        bits = bits << 1 | wall
    return bits
