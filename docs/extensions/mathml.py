"""Formulas as MathML, which browsers draw by themselves: no script and no picture of a formula."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)


def inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(node, "inline"))
    raise nodes.SkipNode


def block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{mathml(node, "block")}</div>')
    raise nodes.SkipNode


def mathml(node: nodes.Element, display: str) -> str:
    """The formula; what the converter does not know it leaves as it is, and that is told."""
    made = convert(node.astext(), display=display)
    if "\\" in made or "&amp;" in made or "&#x00026;" in made:
        logger.warning(
            "a formula has what latex2mathml does not know: %s", node.astext(), location=node
        )
    return made


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
