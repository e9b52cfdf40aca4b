"""The page of a report: one file that fetches nothing, in light and dark, at any width."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from ludus.draw.svg import THEMES

CURVES = 6  # colours of curves, which begin again after so many
LIGHT = {
    **asdict(THEMES["light"]),
    "back": "#f6f7f8",
    "card": "#ffffff",
    "text": "#1d2329",
    "dim": "#5c6770",
    "rule": "#dde2e6",
    "good": "46, 158, 79",
    "bad": "216, 67, 67",
}
DARK = {
    **asdict(THEMES["dark"]),
    "back": "#101316",
    "card": "#181c20",
    "text": "#e4e8eb",
    "dim": "#98a3ac",
    "rule": "#2c333a",
    "good": "79, 208, 122",
    "bad": "239, 106, 106",
}
SHADES = (
    ("#0b69c7", "#c2410c", "#15803d", "#a21caf", "#b45309", "#475569"),
    ("#6cb2ff", "#ff9b6a", "#5fd38a", "#e38bf0", "#f2c14e", "#a8b3bf"),
)
STYLE = """
*{box-sizing:border-box}
body{accent-color:var(--c1);font:15px/1.5 system-ui,sans-serif;margin:0;color:var(--text);
background:var(--back)}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 .25rem}
h2{font-size:1.2rem;margin:2.2rem 0 .7rem}h3{font-size:1rem;margin:0 0 .2rem}
p{margin:.3rem 0;max-width:46rem}.dim,small,figcaption{color:var(--dim)}small,
figcaption{font-size:.85rem}
code{font:.88em ui-monospace,monospace;overflow-wrap:anywhere}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr))}
.card,figure{background:var(--card);border:1px solid var(--rule);border-radius:.6rem;padding:1rem;
margin:0;min-width:0}
.facts{display:grid;gap:.7rem;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));
margin:1rem 0}
.facts div{background:var(--card);border:1px solid var(--rule);border-radius:.6rem;
padding:.6rem .9rem}.facts b{display:block;font-size:1.35rem;line-height:1.3;
font-variant-numeric:tabular-nums}
.facts span{color:var(--dim);font-size:.85rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.3rem .9rem .3rem 0;text-align:left;vertical-align:top;
border-top:1px solid var(--rule)}
thead th{color:var(--dim);font-weight:500;font-size:.85rem;border-top:0}
td.n,th.n{text-align:right}
table.cross td{padding:.35rem .6rem;text-align:center;border:2px solid var(--card);
border-radius:.3rem;white-space:nowrap}table.cross small{display:block}
table.cross th{overflow-wrap:anywhere;min-width:7rem}table.cross thead th{text-align:center;
min-width:0}
.changed{font-weight:600}details{background:var(--card);border:1px solid var(--rule);
border-radius:.6rem;padding:.2rem 1rem;margin:.5rem 0}summary{cursor:pointer;padding:.4rem 0}
.settings{display:grid;grid-template-columns:minmax(9rem,max-content) minmax(4rem,max-content) 1fr;
gap:.3rem 1.2rem;padding:.4rem 0 .8rem}.settings>*{min-width:0;overflow-wrap:anywhere}
@media(max-width:40rem){.settings{grid-template-columns:1fr auto}
.settings span{grid-column:1/-1;margin-bottom:.5rem}}
svg{display:block;max-width:100%;height:auto}.plot{width:100%}
.plot text{font:12px system-ui,sans-serif;fill:var(--dim)}.plot .grid-line{stroke:var(--rule)}
.plot .curve{fill:none;stroke-width:2;stroke-linejoin:round}.plot .dashed{stroke-dasharray:6 4}
.plot .band{opacity:.15;stroke:none}
.legend{display:flex;flex-direction:column;gap:.15rem;font-size:.85rem;padding:0;margin:.4rem 0 0;
list-style:none}.legend li{padding-left:1.4rem;position:relative;overflow-wrap:anywhere}
.legend b{font-weight:600;color:var(--text)}.legend i{position:absolute;left:0;top:.5em;
width:1rem;height:3px;border-radius:2px}
.along{display:none}.choose{position:absolute;opacity:0}
.axes label{display:inline-block;padding:.2rem .8rem;border:1px solid var(--rule);cursor:pointer;
border-radius:1rem;margin:0 .3rem .3rem 0;background:var(--card)}
.board svg{margin:0 auto;max-height:22rem;border-radius:.4rem}
.steps{display:flex;gap:.4rem;align-items:center;justify-content:center;margin:.5rem 0;
flex-wrap:wrap}.steps button{font:inherit;min-width:2.6rem;padding:.25rem .6rem;cursor:pointer;
border:1px solid var(--rule);border-radius:.4rem;background:var(--back);color:var(--text)}
.steps input{flex:1 1 6rem;min-width:5rem}.moves{font-size:.85rem;max-height:5.2rem;overflow-y:auto;
overflow-wrap:anywhere}.said{min-height:1.5em;text-align:center;font-size:.9rem}
.dot{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin-right:.35em}
h3 span+span{margin-left:1rem}
.bar{display:flex;height:1.6rem;border-radius:.4rem;overflow:hidden;margin:.8rem 0 .3rem}
.bar span{display:block;min-width:0}
"""
AXES = ("step", "games", "minutes")
# Which of the pictures is seen: the buttons stand before them, so that this needs no script.
CHOICE = "".join(
    f"#x-{name}:checked~.pictures .along.{name}{{display:block}}"
    f"#x-{name}:checked~.axes label[for=x-{name}]{{border-color:var(--c1);color:var(--c1)}}"
    f"#x-{name}:focus-visible~.axes label[for=x-{name}]{{outline:2px solid var(--c1)}}"
    for name in AXES
)


def variables(colours: Mapping[str, str], curves: Sequence[str]) -> str:
    """Colours by name, for the page and for the boards in it."""
    named = {**colours, **{f"c{n}": colour for n, colour in enumerate(curves, 1)}}
    return "".join(f"--{name.replace('_', '-')}:{colour};" for name, colour in named.items())


def document(title: str, *parts: str) -> str:
    """The whole page; its parts are HTML, its title is text."""
    light, dark = (variables(*both) for both in zip((LIGHT, DARK), SHADES, strict=True))
    style = (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{STYLE}{CHOICE}"
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{style}</style>"
        f"<main>{''.join(parts)}</main></html>\n"
    )


def escape(text: object) -> str:
    """Text as HTML; whatever stands in a file is only text."""
    said = str(text).encode("utf-8", "replace").decode()
    return html.escape(said)


def section(title: str, *parts: str) -> str:
    """A part of the page with its heading; nothing if it is empty."""
    inside = "".join(parts)
    return f"<h2>{escape(title)}</h2>{inside}" if inside else ""


def paragraph(text: str) -> str:
    """A sentence or two."""
    return f"<p>{escape(text)}</p>"


def remark(text: str) -> str:
    """A remark."""
    return f"<p class=dim>{escape(text)}</p>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """What is to be seen first: a number, and below it what it is."""
    cells = "".join(f"<div><b>{escape(a)}</b><span>{escape(b)}</span></div>" for a, b in pairs)
    return f"<div class=facts>{cells}</div>"


def table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """Rows of text; all but the first column are numbers if there is a head."""
    kind = " class=n" if head else ""

    def row(cells: Sequence[object], tag: str = "td") -> str:
        first, *rest = cells
        others = "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell in rest)
        return f"<tr><th>{escape(first)}</th>{others}</tr>"

    top = f"<thead>{row(head, 'th')}</thead>" if head else ""
    return f"<div class=wide><table>{top}{''.join(map(row, rows))}</table></div>"
