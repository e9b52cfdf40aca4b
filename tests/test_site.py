"""The documentation as a site: it is made without a warning, is whole, and fetches nothing."""

import re
import subprocess
import sys
from html import unescape

import pytest

import ludus
from ludus.agent import agent_names
from ludus.cli import commands
from ludus.game import game_names
from ludus.learn import algorithm, algorithms
from ludus.options import describe
from tests.snippets import ROOT

pytestmark = pytest.mark.slow
# What a page would fetch when it is opened; links that a person follows are not among them.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)[^>]*\ssrc=["'](?:https?:)?//|@import|
    <link(?![^>]*rel="(?:canonical|next|prev|index|search)")[^>]*\shref=["'](?:https?:)?//|
    url\(["']?(?:https?:)?//""",
    re.X,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx", reason="the extra `docs` makes the site")
    out = tmp_path_factory.mktemp("site")
    words = ["-m", "sphinx", "--fail-on-warning", "--keep-going", "-q", "-d", str(out / "cache")]
    made = subprocess.run(
        [sys.executable, *words, str(ROOT / "docs"), str(out / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    assert not made.stderr
    return out / "html"


def page(site, name):
    return unescape((site / f"{name}.html").read_text())


def test_every_document_is_a_page_that_can_be_reached(site):
    index = page(site, "index")
    for document in (ROOT / "docs").rglob("*.md"):
        name = str(document.relative_to(ROOT / "docs").with_suffix(""))
        assert (site / f"{name}.html").exists()
        assert name == "index" or f'href="{name}.html"' in index, f"{name} is in no toctree"


def test_nothing_is_fetched(site):
    files = [one for kind in ("html", "css") for one in site.rglob(f"*.{kind}")]
    assert len(files) > 50
    assert not [one.name for one in files if FETCHED.search(one.read_text())]


def test_what_would_be_fetched_is_noticed():
    for bad in (
        '<script src="https://a.b/c.js">',
        '<link rel="stylesheet" href="//a.b/c.css">',
        '<img alt="" src="http://a.b/c.png">',
        "src: url(https://a.b/c.woff)",
    ):
        assert FETCHED.search(bad)
    assert not FETCHED.search('<a href="https://a.b">')
    assert not FETCHED.search('<link rel="canonical" href="https://a.b">')


def test_formulas_are_drawn(site):
    for method in algorithms():
        text = page(site, "alphazero" if method == "alphazero" else f"how/{method}")
        assert text.count("<math ") > 1
        assert "$$" not in text


def test_rules_have_boards(site):
    for game in game_names():
        text = page(site, f"games/{game}")
        assert text.count('<figure class="diagram') > 1
        assert "<svg" in text
        assert "<!-- generated" not in text
        for parameter in ludus.game(game).parameters:
            assert f'<span class="pre">{parameter}</span>' in text


def test_the_reference_is_whole(site):
    options, api, lines = (
        page(site, one) for one in ("options", "reference/python", "reference/commands")
    )
    for method in algorithms():
        for one in describe(algorithm(method).Config):
            assert f'<span class="pre">{one.name}</span>' in options
    assert all(f">{name}<" in options for name in agent_names())
    assert all(f'id="ludus.{name}"' in api for name in ludus.__all__)
    assert all(f">ludus {name}<" in lines for name in commands())
