"""Progress is told alike everywhere: one bar in a terminal, plain lines elsewhere."""

import ast
import io
import re
import threading
from itertools import pairwise
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


def test_stopping_is_said_whole_in_eighty_columns(monkeypatch):
    from ludus.cli._training import STOPPING

    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    bar = _progress.Bar()
    bar.draw("training", 0.5, STOPPING, [])
    bar.clear()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert f"training {'━' * 12}" in text
    assert STOPPING in text


def test_colour_is_only_where_it_is_wanted(monkeypatch):
    coloured = re.compile(r"\x1b\[[0-9;]*[34]8?[0-9;]*m")
    assert coloured.search(drawn(monkeypatch, Terminal()))
    assert not coloured.search(drawn(monkeypatch, Terminal(), NO_COLOR="1"))


def test_without_a_terminal_there_are_plain_lines(monkeypatch):
    text = drawn(monkeypatch, io.StringIO())
    assert text == f"tournament: 50 %, 0.833 games/s, 60 s left, {LONG}\n"


@pytest.mark.parametrize("file", sorted(CLI.glob("*.py")), ids=lambda file: file.stem)
def test_there_is_one_bar(file):
    """Nobody else draws one, so that all of them fit the terminal and speak alike."""
    tree = ast.parse(file.read_text())
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert file.stem == "_progress" or not {"rich.live", "rich.progress", "tqdm"} & named


@pytest.mark.parametrize("columns", [40, 80, 132])
def test_what_is_found_fills_lines_and_is_never_broken(columns):
    pieces = [f"fact {number} " + "x" * (number % 30) for number in range(40)]
    lines = _progress.pack(["", *pieces], columns)
    assert max(map(len, lines)) <= columns
    assert _progress.BETWEEN.join(lines).split(_progress.BETWEEN) == pieces
    for line, after in pairwise(lines):
        assert len(line) + 3 + len(after.split(_progress.BETWEEN)[0]) > columns


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1313.4, "1,310"),
        (1_234_567, "1,230,000"),
        (999.6, "1,000"),
        (141.2, "141"),
        (8.95, "8.95"),
        (8.0, "8"),
        (0.0632, "0.0632"),
        (0.00001234, "0.0000123"),
        (-0.5, "-0.5"),
        (0, "0"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_are_plain(value, text):
    assert _progress.number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 s"),
        (119.4, "119 s"),
        (150, "2 min"),
        (7199, "120 min"),
        (9000, "2.5 h"),
        (15 * 86400 + 9, "15 days"),
        (4000 * 86400, "4,000 days"),
    ],
)
def test_times_are_plain(seconds, text):
    assert _progress.clock(seconds) == text


def test_plain_lines_come_soon_at_first_and_fewer_later():
    assert _progress.seconds_between_looks(None, 0) < 5
    assert _progress.seconds_between_looks(None, 600) == 10
    assert _progress.seconds_between_looks(None, 10**6) == 60


def test_commands_run_as_they_are_printed(monkeypatch, tmp_path):
    from ludus.cli._common import program

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["pytest"])
    assert program() == "ludus"
    for folder in (".venv", "a b"):
        file = tmp_path / folder / "bin" / "ludus"
        file.parent.mkdir(parents=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
        monkeypatch.setattr("sys.argv", [str(file)])
        monkeypatch.setenv("PATH", "/nowhere")
        assert program() == {".venv": ".venv/bin/ludus", "a b": "'a b/bin/ludus'"}[folder]
        monkeypatch.setenv("PATH", str(file.parent))
        assert program() == "ludus"


def test_nobody_waits_in_silence(monkeypatch):
    out, enough = io.StringIO(), threading.Event()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setattr(_progress, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(_progress, "PLAIN_SECONDS", 0.0)
    write = out.write
    monkeypatch.setattr(out, "write", lambda text: (write(text), enough.set()) and len(text))
    with _progress.Progress("solving", 100, "games") as progress:
        assert enough.wait(60)  # nothing was told yet
        progress(0.5, "3 of 4 points")
        progress.shown, told = 0.0, out.getvalue()
        enough.clear()
        assert enough.wait(60)
    assert told.startswith("solving: 0 s\n")
    assert "3 of 4 points" in out.getvalue()
    assert not progress.ticker.thread.is_alive()


def test_a_clock_that_nobody_holds_ends(monkeypatch):
    monkeypatch.setattr(_progress, "TICK_SECONDS", 0.01)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    progress = _progress.Progress("forgotten")
    thread = progress.ticker.thread
    del progress
    thread.join(60)
    assert not thread.is_alive()
