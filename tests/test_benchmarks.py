"""Every benchmark is run by `make bench`, or named as one that a person runs by hand."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.learn.settings.presets import TABLES

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def everything(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import all as found

    yield found
    for name in ("all", "harness"):
        sys.modules.pop(name, None)


def imports_main(script: Path) -> bool:
    """Whether it takes its options from the harness: --json, --quick and --games."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "harness"
        and "main" in {name.name for name in node.names}
        for node in ast.walk(ast.parse(script.read_text()))
    )


def test_what_make_bench_runs_takes_its_options(everything):
    scripts = everything.scripts()
    assert len(scripts) > 8
    assert [one.name for one in scripts if not imports_main(one)] == []


def test_what_is_run_by_hand_is_there(everything):
    assert [name for name in everything.BY_HAND if not (FOLDER / f"{name}.py").exists()] == []


@pytest.fixture
def guard(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import learning as found

    yield found
    sys.modules.pop("learning", None)


def test_the_guard_trains_anew_for_other_minutes(guard, tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(guard.subprocess, "run", lambda words, **_: begun.append(words))
    what = guard.GUARDED[0]
    short = guard.train(what, 1, 0.5, tmp_path)
    assert guard.train(what, 1, 0.5, tmp_path) == short
    assert len(begun) == 1
    assert guard.train(what, 1, 10, tmp_path) != short
    assert len(begun) == 2


def test_the_guard_tells_uncommitted_changes_apart(guard, tmp_path, monkeypatch):
    """Trainings are kept by what was trained: another change of the same commit is another."""

    def git(*words):
        who = ["-c", "user.name=x", "-c", "user.email=x@x"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(guard, "ROOT", tmp_path)
    source = tmp_path / "source"
    source.write_text("one")
    git("init")
    git("add", "source")
    git("commit", "-m", "one")
    found = [guard.folder_name()]
    for text in ("two", "three"):
        source.write_text(text)
        found.append(guard.folder_name())
    assert len(set(found)) == 3
    source.write_text("two")
    assert guard.folder_name() == found[1]
    source.write_text("one")
    assert guard.folder_name() == found[0]


def test_every_preset_is_in_the_documents():
    """In the list, and in the table that tells whether it learns."""
    said = (FOLDER.parent / "docs" / "results" / "presets.md").read_text()
    for method, table in TABLES.items():
        for name in table:
            assert f"| `{method} --preset {name}` |" in said


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*.py")), ids=lambda script: script.stem)
def test_every_benchmark_understands_json_and_quick(script):
    """One harness: whoever runs a script need not know which it is."""
    if script.stem in ("harness", "peers"):  # what the others share
        return
    words = [sys.executable, str(script), "--help"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "--json" in said
    assert "--quick" in said
