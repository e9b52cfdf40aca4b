"""A chart as a picture of its own: colours and names in it, for pages that are not ours."""

from __future__ import annotations

import re

from ludus.report.chart import HEIGHT, WIDTH, chart, colour_of
from ludus.report.page import LIGHT, SHADES, escape, variables
from ludus.studies.engine.blocks import Drawing

LINE = 16.0  # height of a name
TAG = re.compile(r"<[^>]*>")
ATTRIBUTE = re.compile(r'"[^"]*"|=([^\s"\'>/]+)')
STYLE = (
    ".plot text{font:12px system-ui,sans-serif;fill:var(--dim)}.plot .grid-line{stroke:var(--rule)}"
    ".plot .curve{fill:none;stroke-width:2;stroke-linejoin:round}.plot .band{opacity:.15;"
    "stroke:none}"
)


def chart_of(one: Drawing) -> str:
    """The chart for our own page."""
    bounds = (0.0, 1.0) if one.share else None
    return chart(one.curves, one.x, one.y, bounds=bounds, percent=one.share)


def standalone(one: Drawing) -> str:
    """The same as an SVG file."""
    inside = quote_attributes(chart_of(one))
    inside = inside[inside.index(">") + 1 : -len("</svg>")]
    names = "".join(
        f'<rect x="50" y="{HEIGHT + LINE * row + 6:g}" width="14" height="3" '
        f'fill="{colour_of(row)}"/>'
        f'<text x="70" y="{HEIGHT + LINE * row + 12:g}">{escape(curve.name)}</text>'
        for row, curve in enumerate(one.curves)
    )
    height = HEIGHT + LINE * len(one.curves) + 8
    colours = variables(LIGHT, SHADES[0])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH:g} {height:g}" '
        f'width="{1.5 * WIDTH:g}" style="{escape(colours)}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="{LIGHT["card"]}"/>{inside}{names}</svg>\n'
    )


def quote_attributes(svg: str) -> str:
    """With quotes around all attributes, as XML has them."""

    def quoted(found: re.Match[str]) -> str:
        return found[0] if found[1] is None else f'="{found[1]}"'

    return TAG.sub(lambda tag: ATTRIBUTE.sub(quoted, tag[0]), svg)
