"""A small canvas that writes SVG, and the themes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from html import escape

Point = tuple[float, float]


@dataclass(frozen=True)
class Theme:
    """The colours of a picture."""

    paper: str
    ink: str  # coordinates and labels
    board: str
    cell: str  # an empty cell
    other_cell: str  # the other colour of a checkered board
    line: str
    first: str  # the first player's pieces
    second: str
    neutral: str
    edge: str  # around pieces
    last: str
    mark: str


THEMES = {
    "light": Theme(
        paper="#ffffff",
        ink="#444444",
        board="#cfd8dc",
        cell="#f5f5f0",
        other_cell="#b0bec5",
        line="#78909c",
        first="#d84343",
        second="#2f6fb0",
        neutral="#9e9e9e",
        edge="#263238",
        last="#f9a825",
        mark="#2e9e4f",
    ),
    "dark": Theme(
        paper="#16191d",
        ink="#b8c0c8",
        board="#2b333b",
        cell="#1d2227",
        other_cell="#39434d",
        line="#5b6873",
        first="#ef6a6a",
        second="#5ea3e6",
        neutral="#8a8f94",
        edge="#0b0d0f",
        last="#ffca4f",
        mark="#4fd07a",
    ),
}
# A page that holds the picture decides its colours: CSS variables, those of "light" unless set.
THEMES["page"] = Theme(
    **{
        name: f"var(--{name.replace('_', '-')}, {colour})"
        for name, colour in asdict(THEMES["light"]).items()
    }
)


def number(value: float) -> str:
    """A coordinate, short and the same everywhere."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass
class Canvas:
    """Shapes in drawing order; y grows downwards."""

    width: float
    height: float
    theme: Theme
    shapes: list[str] = field(default_factory=list)

    def _add(self, tag: str, attributes: dict[str, object], body: str = "") -> None:
        pairs = (
            (name.replace("_", "-"), number(value) if isinstance(value, float) else str(value))
            for name, value in attributes.items()
            if value is not None
        )
        written = " ".join(f'{name}="{escape(value)}"' for name, value in pairs)
        self.shapes.append(f"<{tag} {written}>{body}</{tag}>" if body else f"<{tag} {written}/>")

    @contextmanager
    def group(self, name: str, **data: object) -> Iterator[None]:
        """Shapes that belong together: a class, and facts about them for who reads the SVG."""
        facts = "".join(
            f' data-{key}="{number(value) if isinstance(value, float) else escape(str(value))}"'
            for key, value in data.items()
            if value is not None
        )
        self.shapes.append(f'<g class="{escape(name)}"{facts}>')
        yield
        self.shapes.append("</g>")

    @contextmanager
    def piece(self, at: Point, player: int | None, kind: str) -> Iterator[None]:
        """One piece, of a player or of nobody, which a page may move as a whole."""
        with self.group("piece", x=float(at[0]), y=float(at[1]), player=player, kind=kind):
            yield

    def rect(self, x: float, y: float, width: float, height: float, **style: object) -> None:
        size = {"x": float(x), "y": float(y), "width": float(width), "height": float(height)}
        self._add("rect", size | style)

    def circle(self, at: Point, radius: float, **style: object) -> None:
        self._add("circle", {"cx": float(at[0]), "cy": float(at[1]), "r": float(radius)} | style)

    def polygon(self, points: list[Point], **style: object) -> None:
        joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._add("polygon", {"points": joined} | style)

    def line(self, start: Point, end: Point, **style: object) -> None:
        names = ("x1", "y1", "x2", "y2")
        self._add("line", dict(zip(names, map(float, start + end), strict=True)) | style)

    def text(self, at: Point, text: str, size: float, **style: object) -> None:
        placed: dict[str, object] = {
            "x": float(at[0]),
            "y": float(at[1]),
            "font_size": float(size),
            "text_anchor": "middle",
            "dominant_baseline": "central",
            "font_family": "sans-serif",
            "fill": self.theme.ink,
        }
        self._add("text", placed | style, escape(text))

    def arrow(self, start: Point, end: Point, width: float, **style: object) -> None:
        """An arrow whose tip touches `end`."""
        (x1, y1), (x2, y2) = start, end
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        neck = (x2 - ux * 3 * width, y2 - uy * 3 * width)
        half = width / 2
        self.polygon(
            [
                (x1 - uy * half, y1 + ux * half),
                (neck[0] - uy * half, neck[1] + ux * half),
                (neck[0] - uy * 3 * half, neck[1] + ux * 3 * half),
                (x2, y2),
                (neck[0] + uy * 3 * half, neck[1] - ux * 3 * half),
                (neck[0] + uy * half, neck[1] - ux * half),
                (x1 + uy * half, y1 - ux * half),
            ],
            **style,
        )

    def svg(self) -> str:
        size = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        background = f'<rect width="100%" height="100%" fill="{self.theme.paper}"/>'
        body = "\n".join([background, *self.shapes])
        pixels = f'width="{number(self.width)}" height="{number(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {pixels}>\n{body}\n</svg>\n'
