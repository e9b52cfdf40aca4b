"""Installs and builds show how far they have come, and fail with all that was said."""

import importlib.util
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("show", ROOT / "scripts" / "show.py")
show = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(show)


def python(code):
    return [sys.executable, "-u", "-c", code]


def test_lines_that_tell_are_shown_and_others_are_not(capfd):
    code = (
        "print('   [3/31] Building CXX object bind_connect4.cpp.o');"
        "print('Requirement already satisfied: numpy');"
        "print('Downloading torch-2.13.0-cp311.whl (182 MB)');"
        "print('  Installing collected packages: torch, sympy')"
    )
    assert show.main("building", python(code)) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[:4] == [
        "building",
        "  [3/31] Building CXX object bind_connect4.cpp.o",
        "  Downloading torch-2.13.0-cp311.whl (182 MB)",
        "  Installing collected packages: torch, sympy",
    ]
    assert lines[4].startswith("  done in ")
    assert len(lines) == 5


def test_a_long_silence_is_broken(capfd, monkeypatch):
    monkeypatch.setattr(show, "SILENT_SECONDS", 0.01)
    assert show.main("waiting", python("import time; time.sleep(1)")) == 0
    assert "  ... 0 s" in capfd.readouterr().out


def test_a_failure_tells_everything_and_keeps_its_code(capfd):
    code = "print('error: no such thing'); raise SystemExit(3)"
    assert show.main("building", python(code)) == 3
    said = capfd.readouterr()
    assert said.err == "error: no such thing\n"
    assert "done" not in said.out


def test_long_names_are_cut_at_eighty_columns():
    assert len(show.shown("[1/2] " + "x" * 200)) == show.COLUMNS
    assert show.shown("In file included from here:") == ""


@pytest.mark.parametrize("target", ["demo", "build"])
def test_what_the_demo_installs_is_what_it_needs(target):
    made = (ROOT / "Makefile").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "$(call EXTRA,learn report serve)" in made
    needed = {
        name
        for extra in ("learn", "report", "serve")
        for name in extras["optional-dependencies"][extra]
    }
    assert not needed & {"ruff", "mypy", "pytest", "playwright", "open_spiel"}
    recipe = made.partition(f"\n{target}:")[2].partition("\n\n")[0]
    assert "tools" not in recipe
    assert "adapters" not in recipe
