"""A chart: curves of one quantity over another, as SVG whose colours are the page's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ludus.draw.svg import number
from ludus.report.page import CURVES, escape

WIDTH, HEIGHT = 440.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 50.0, 12.0, 26.0, 40.0
MOST = 240  # points of a curve; of more, each that is drawn is the mean of several
MARKED = 40  # points up to which each is marked
Point = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """Points by x, and where they have one, the ends of their intervals."""

    name: str
    points: Sequence[Point]
    band: Sequence[tuple[float, float, float]] = ()  # x, low, high
    means: str = ""  # what it says, in a sentence
    dashed: bool = False


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers from low to high."""
    if not high > low:
        return [low]
    raw = (high - low) / wanted
    size = 10.0 ** math.floor(math.log10(raw))
    step = next((size * by for by in (1, 2, 2.5, 5) if size * by >= raw), size * 10)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [at * step for at in range(first, last + 1)]


def axis_text(value: float) -> str:
    """A number beside an axis."""
    if value == 0:
        return "0"
    if abs(value) >= 1e15 or abs(value) < 1e-4:
        return f"{value:.0e}"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.4g}{letter}"
    return f"{value:.4g}"


def thin(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """At most MOST points, each the mean of as many."""
    each = -(-len(points) // MOST)
    if each <= 1:
        return list(points)
    groups = [points[at : at + each] for at in range(0, len(points), each)]
    return [tuple(sum(part) / len(group) for part in zip(*group, strict=True)) for group in groups]


def finite_points(points: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Those that can be drawn; a stranger may have written any number."""
    return [point for point in points if all(abs(part) < 1e100 for part in point)]


def chart(
    curves: Sequence[Curve],
    x: str,
    y: str,
    *,
    bounds: tuple[float, float] | None = None,
    percent: bool = False,
) -> str:
    """The curves over x, both axes labelled; `bounds` are those of y, if it has any."""
    drawn = [
        (one, thin(finite_points(one.points)), thin(finite_points(one.band))) for one in curves
    ]
    xs = [point[0] for _, points, _ in drawn for point in points]
    ys = [value for _, points, band in drawn for p in [*points, *band] for value in p[1:]]
    if not xs:
        return ""
    left, right = min(0.0, *xs), max(xs)  # steps, games and minutes begin at 0
    low, high = bounds or (min(ys), max(ys))
    low, high = min(low, *ys), max(high, *ys)
    if bounds is None:
        room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        low, high = low - room, high + room
    if not right > left:
        left, right = left - 0.5, right + 0.5
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(px: float, py: float) -> str:
        return (
            f"{number(LEFT + across * (px - left) / (right - left))},"
            f"{number(TOP + down * (high - py) / (high - low))}"
        )

    shapes = [*grid(left, right, low, high, percent)]
    for index, (one, points, band) in enumerate(drawn):
        colour = colour_of(index)
        if len(band) > 1:
            edge = [at(p[0], p[2]) for p in band] + [at(p[0], p[1]) for p in reversed(band)]
            shapes.append(f'<polygon class=band fill="{colour}" points="{" ".join(edge)}"/>')
        line = " ".join(at(*p[:2]) for p in points)
        kind = '"curve dashed"' if one.dashed else "curve"
        shapes.append(f'<polyline class={kind} stroke="{colour}" points="{line}"/>')
        if len(points) <= MARKED:
            for px, py in (p[:2] for p in points):
                cx, cy = at(px, py).split(",")
                said = (
                    f"{escape(one.name)}: {curve_value(py, percent)} at {escape(x)} {axis_text(px)}"
                )
                dot = f'<circle r=3 cx="{cx}" cy="{cy}" fill="{colour}">'
                shapes.append(f"{dot}<title>{said}</title></circle>")
    shapes.append(f'<text x="4" y="13">{escape(y)}</text>')
    middle = number(LEFT + across / 2)
    shapes.append(f'<text x="{middle}" y="{HEIGHT - 5:g}" text-anchor=middle>{escape(x)}</text>')
    return (
        f'<svg class=plot role=img aria-label="{escape(y)} by {escape(x)}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}">{"".join(shapes)}</svg>'
    )


def curve_value(value: float, percent: bool) -> str:
    """A value of the curve, in words."""
    return f"{100 * value:.1f} %" if percent else f"{value:.4g}"


def colour_of(index: int) -> str:
    """The colour of a curve."""
    return f"var(--c{index % CURVES + 1})"


def grid(left: float, right: float, low: float, high: float, percent: bool) -> list[str]:
    """The lines of both axes and the numbers beside them."""
    found = []
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    for value in ticks(low, high, 4):
        y = number(TOP + down * (high - value) / (high - low))
        label = f"{100 * value:.4g} %" if percent else axis_text(value)
        found.append(
            f'<line class=grid-line x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y}" y2="{y}"/>'
            f'<text x="{LEFT - 6:g}" y="{y}" dy=".35em" text-anchor=end>{label}</text>'
        )
    for value in ticks(left, right, 5):
        x = number(LEFT + across * (value - left) / (right - left))
        y = f"{HEIGHT - BOTTOM + 16:g}"
        found.append(f'<text x="{x}" y="{y}" text-anchor=middle>{axis_text(value)}</text>')
    return found


def legend(curves: Sequence[Curve]) -> str:
    """The colour of each curve, its name, and what it says."""
    rows = []
    for index, one in enumerate(curves):
        means = f": {escape(one.means)}" if one.means else ""
        colour = f'<i style="background:{colour_of(index)}"></i>'
        rows.append(f"<li>{colour}<b>{escape(one.name)}</b>{means}</li>")
    return f"<ul class=legend>{''.join(rows)}</ul>"


def intervals(rows: Sequence[tuple[str, float, float, float]], x: str) -> str:
    """A dot and a line from low to high for each row: name, value, low, high."""
    tall, left = 26.0, 150.0
    height = TOP + tall * len(rows) + BOTTOM
    low = min(min(row[1:]) for row in rows)
    high = max(max(row[1:]) for row in rows)
    room = 0.04 * (high - low) or 1.0
    low, high = low - room, high + room
    across = WIDTH - left - RIGHT

    def place(value: float) -> str:
        return number(left + across * (value - low) / (high - low))

    shapes = [
        f'<line class=grid-line x1="{place(value)}" x2="{place(value)}" y1="{TOP - 8:g}" '
        f'y2="{height - BOTTOM:g}"/><text x="{place(value)}" y="{height - BOTTOM + 16:g}" '
        f"text-anchor=middle>{axis_text(value)}</text>"
        for value in ticks(low, high, 5)
    ]
    for row, (name, value, least, most) in enumerate(rows):
        y = number(TOP + tall * (row + 0.5))
        cut = name if len(name) <= 24 else name[:23] + "…"
        shapes.append(
            f'<text x="{left - 8:g}" y="{y}" dy=".35em" text-anchor=end>{escape(cut)}</text>'
            f'<line x1="{place(least)}" x2="{place(most)}" y1="{y}" y2="{y}" stroke="var(--c1)" '
            'stroke-width="4" stroke-linecap="round" opacity=".35"/>'
            f'<circle r=5 cx="{place(value)}" cy="{y}" fill="var(--c1)"><title>{escape(name)}: '
            f"{value:.0f} ({least:.0f} to {most:.0f})</title></circle>"
        )
    shapes.append(
        f'<text x="{number(left + across / 2)}" y="{height - 5:g}" text-anchor=middle>'
        f"{escape(x)}</text>"
    )
    return (
        f'<svg class=plot role=img aria-label="{escape(x)}" '
        f'viewBox="0 0 {WIDTH:g} {height:g}">{"".join(shapes)}</svg>'
    )
