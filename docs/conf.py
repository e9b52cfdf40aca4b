"""How Sphinx makes the site: `make docs` writes it to build/docs. Nothing is ever fetched."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

from ludus.extras import version as installed

project = "ludus"
version = release = installed()
author = "the ludus maintainers"
copyright = "the ludus maintainers; MIT licence"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "mathml",
    "diagrams",
    "generated",
]
exclude_patterns = ["extensions"]
source_suffix = {".md": "markdown"}

# Markdown: formulas between dollars, `{.wide}` above a table, and an anchor for each heading.
myst_enable_extensions = ["dollarmath", "attrs_block"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"ludus {version}"
html_math_renderer = "mathml"
html_static_path = ["static", "images"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
