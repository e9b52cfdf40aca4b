"""`{position}`: a board drawn by `ludus.draw` while the site is built, in the colours of the page.

    ```{position} connect4
    :after: 1223433447
    :show: 4
    A caption.
    ```

`board` is a position's text (the start by default), `after` moves from there, `show` moves as
arrows. What is not legal ends the build.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from ludus.draw.svg import THEMES
from ludus.game import game
from ludus.serve.rules.diagram import diagram


class Position(SphinxDirective):
    """A figure with its caption, which a screen reader reads as its name."""

    required_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(("board", "after", "show"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        shown = game(self.arguments[0])
        wanted = {"board": "start", "game": shown.spelling} | self.options
        picture = nodes.raw("", diagram(shown.name, wanted).svg, format="html")
        words, messages = self.parse_inline(" ".join(self.content))
        figure = nodes.figure("", picture, classes=["diagram"])
        if words:
            figure += nodes.caption("", "", *words)
        return [figure, *messages]


def colours(theme: str) -> str:
    """The colours of a theme as CSS variables."""
    pairs = asdict(THEMES[theme]).items()
    return " ".join(f"--{name.replace('_', '-')}: {colour};" for name, colour in pairs)


def write_colours(app: Sphinx, config: Config) -> None:
    """A style sheet with the colours of diagrams, light and dark."""
    folder = Path(tempfile.mkdtemp(prefix="ludus-docs-"))
    light, dark = colours("light"), colours("dark")
    (folder / "diagrams.css").write_text(
        f"figure.diagram {{ {light} }}\n"
        f'body[data-theme="dark"] figure.diagram {{ {dark} }}\n'
        "@media (prefers-color-scheme: dark) {\n"
        f'  body:not([data-theme="light"]) figure.diagram {{ {dark} }}\n'
        "}\n"
    )
    config.html_static_path.append(str(folder))
    config.html_css_files.append("diagrams.css")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive and its colours."""
    app.add_directive("position", Position)
    app.connect("config-inited", write_colours, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
