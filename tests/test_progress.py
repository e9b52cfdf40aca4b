"""Progress is told alike everywhere: one bar in a terminal, plain lines elsewhere."""

import ast
import io
import re
from pathlib import Path

import pytest

import ludus
from ludus.cli import _progress

CLI = Path(ludus.__file__).parent / "cli"
LONG = "found: " + ", ".join(f"agent-{number} 50 % (40-60)" for number in range(9))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(monkeypatch, out, **environment):
    """What a bar that is half done writes there."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stderr", out)
    progress = _progress.Progress("tournament", 100, "games")
    with progress:
        monkeypatch.setattr(_progress.time, "monotonic", lambda: progress.started + 60)
        progress(0.5, LONG)
        return out.getvalue()


def test_a_bar_fits_eighty_columns(monkeypatch):
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn(monkeypatch, Terminal()))
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
    assert "0.833 games/s, 60 s left" in text
    assert "━" in text
    assert max(map(len, lines)) <= 80


def test_colour_is_only_where_it_is_wanted(monkeypatch):
    coloured = re.compile(r"\x1b\[[0-9;]*[34]8?[0-9;]*m")
    assert coloured.search(drawn(monkeypatch, Terminal()))
    assert not coloured.search(drawn(monkeypatch, Terminal(), NO_COLOR="1"))


def test_without_a_terminal_there_are_plain_lines(monkeypatch):
    text = drawn(monkeypatch, io.StringIO())
    assert text == f"tournament: 50 %, 0.833 games/s, 60 s left, {LONG}\n"


@pytest.mark.parametrize("file", sorted(CLI.glob("*.py")), ids=lambda file: file.stem)
def test_there_is_one_bar(file):
    """Nobody else draws one: rich's own would start threads, beside which nothing may fork."""
    tree = ast.parse(file.read_text())
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert file.stem == "_progress" or not {"rich.live", "rich.progress", "tqdm"} & named
