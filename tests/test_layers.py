"""Imports look left: each layer knows only those before it."""

import ast
from pathlib import Path

import pytest

import ludus

SOURCE = Path(ludus.__file__).parent
ORDER = ["options", "reading", "locks", "plain", "_core", "resources", "files", "folders", "lines"]
ORDER += ["game", "claims", "written", "stored", "games", "draw"]
ORDER += ["play", "laws", "agent", "agents"]
ORDER += ["truth", "arena", "learn", "report", "envs", "serve", "cli"]
# A function may reach right, late, where a value is asked to show or wrap itself.
LATE = {"game": {"draw", "written"}}


def layer(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(tree):
    """The layers a file names, and whether it does so at its top level."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ludus"):
            parts = node.module.split(".")
            if parts[0] != "ludus":
                continue  # where everything begins: it imports nothing but Python's own
            names = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
            yield from ((name, node.col_offset == 0) for name in names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("ludus."):
                    yield alias.name.split(".")[1], node.col_offset == 0


def files():
    return [p for p in SOURCE.rglob("*.py") if layer(p) not in ("__init__", "__main__")]


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_look_left(path):
    own = layer(path)
    assert own in ORDER, f"{own} has no place in the order of layers"
    for name, at_top in imported(ast.parse(path.read_text())):
        if name == own or (not at_top and name in LATE.get(own, ())):
            continue
        assert ORDER.index(name) < ORDER.index(own), f"{own} imports {name}"


def test_the_core_knows_nothing_of_python():
    core = SOURCE.parents[1] / "core"
    for header in core.rglob("*.hpp"):
        if "bind" not in header.parts:
            assert "nanobind" not in header.read_text(), header
            assert "Python.h" not in header.read_text(), header
