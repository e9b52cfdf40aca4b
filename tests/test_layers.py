"""Imports look left: each layer knows only those before it."""

import ast
from pathlib import Path

import pytest

import ludus

SOURCE = Path(ludus.__file__).parent
ORDER = [
    "checks",
    "extras",
    "options",
    "reading",
    "locks",
    "plain",
    "markup",
    "_core",
    "resources",
    "device",
]
ORDER += ["files", "folders", "lines"]
ORDER += ["game", "claims", "written", "stored", "games", "draw"]
ORDER += ["play", "laws", "agent", "agents"]
ORDER += ["truth", "arena", "scale", "learn", "report", "lab", "envs", "studies", "serve", "cli"]
# Inside `learn`, by room; a method is a file of its own, and `learn` itself knows only their names.
ROOMS = ["learn", "settings", "store", "networks", "collecting", "training", "selfplay"]
ROOMS += ["methods", "runs", "agents"]
LEARN = SOURCE / "learn"
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


def room(parts):
    """The room of a file or module of `learn`, by the parts of its name below it."""
    if not parts or parts == ["__init__"]:
        return "learn"
    return "methods" if (LEARN / f"{parts[0]}.py").exists() else parts[0]


def parts_of(path):
    return list(path.relative_to(LEARN).with_suffix("").parts)


def learn_imports(path):
    """The modules of `learn` that a file names, late or not."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ludus.learn"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}".split(".")[2:]
                there = LEARN.joinpath(*name).with_suffix(".py").exists()
                yield name if there else node.module.split(".")[2:]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("ludus.learn."):
                    yield alias.name.split(".")[2:]


@pytest.mark.parametrize(
    "path", sorted(LEARN.rglob("*.py")), ids=lambda path: str(path.relative_to(LEARN))
)
def test_rooms_of_learning_look_left(path):
    own = room(parts_of(path))
    assert own in ROOMS, f"{own} has no place in the order of rooms"
    for name in learn_imports(path):
        other = room(name)
        assert ROOMS.index(other) <= ROOMS.index(own), f"{own} imports {other}"
        assert other != own or own != "methods", (
            "methods share rooms, and know nothing of each other"
        )


def test_both_ways_of_importing_are_seen(tmp_path):
    for line in ("from ludus.learn.runs.run import Run", "import ludus.learn.runs.run as run"):
        file = tmp_path / "file.py"
        file.write_text(f"def late():\n    {line}\n")
        assert [name[0] for name in learn_imports(file)] == ["runs"]


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_are_absolute(path):
    tree = ast.parse(path.read_text())
    assert not [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.level]


def test_no_files_of_learning_import_each_other_in_a_circle():
    graph = {
        tuple(parts_of(path)): {*map(tuple, learn_imports(path))} for path in LEARN.rglob("*.py")
    }
    while leaves := [name for name, needs in graph.items() if not needs & graph.keys()]:
        for name in leaves:
            del graph[name]
    assert not graph


def test_the_core_knows_nothing_of_python():
    core = SOURCE.parents[1] / "core"
    for header in core.rglob("*.hpp"):
        if "bind" not in header.parts:
            assert "nanobind" not in header.read_text(), header
            assert "Python.h" not in header.read_text(), header
