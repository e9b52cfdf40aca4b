"""Every benchmark is run by `make bench`, or named as one that a person runs by hand."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

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
