"""What is released: its parts, its size, what an import loads, and versions in step.

`make package` builds and installs; here is what can be told without a compiler.
"""

import importlib.util
import json
import subprocess
import sys
import tarfile
import tomllib
import zlib
from pathlib import Path

import pytest

import ludus
from ludus import _core

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
BUILD, WHEELS = PYPROJECT["tool"]["scikit-build"], PYPROJECT["tool"]["cibuildwheel"]
# Each takes as long to import as a good part of ludus, and is imported where it is needed.
HEAVY = {
    "asyncio", "concurrent.futures.process", "email", "importlib.metadata", "multiprocessing",
    "numpy", "onnxruntime", "psutil", "rich", "scipy", "socket", "subprocess", "torch",
    "ludus.learn.runs.run",
}  # fmt: skip
MOST_MODULES = 140


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


package, tag = script("package"), script("tag")


def test_importing_ludus_imports_little():
    """What starts with Python itself, as an editable install does, is not counted."""
    code = (
        "import json, sys; before = set(sys.modules); import ludus;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "ludus.arena.match" in loaded
    assert not HEAVY & set(loaded)
    assert len(loaded) <= MOST_MODULES, loaded


def test_what_is_imported_late_is_there():
    for name in ludus.__all__:
        assert getattr(ludus, name).__module__.startswith("ludus."), name
    with pytest.raises(AttributeError, match="module 'ludus' has no attribute 'Runs'"):
        _ = ludus.Runs


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The source distribution, as the build backend makes it of this clone."""
    backend = pytest.importorskip("scikit_build_core.build")
    folder = tmp_path_factory.mktemp("sdist")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return folder / backend.build_sdist(str(folder))


def test_the_source_distribution_has_what_a_wheel_is_built_from(sdist):
    package.look_at_sdist(sdist)
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    listed = subprocess.run(
        ["git", "ls-files", "src", "core"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("the files of a clone are listed by git")
    kept = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    assert len(kept) > 400
    assert kept <= names
    assert {name.split("/")[0] for name in names} == package.IN_SDIST


@pytest.mark.parametrize(
    "name",
    ["tests/data/cc.txt", "ludus/tests/data.txt", "ludus/golden/a", "ludus/a.pyc", "other/a.py"],
)
def test_what_does_not_belong_into_a_wheel_is_found(name):
    assert package.findings(["ludus/game.py", name], package.IN_WHEEL) == [name]


def test_the_wheel_is_small():
    """Its files one by one, as a wheel packs them."""
    names = [file for packed in BUILD["wheel"]["packages"] for file in (ROOT / packed).rglob("*")]
    names = [file for file in names if file.is_file() and file.suffix not in (".pyc", ".so")]
    size = sum(len(zlib.compress(file.read_bytes(), 6)) for file in [*names, Path(_core.__file__)])
    assert 1_000_000 < size < package.MOST_BYTES


def test_a_wheel_for_every_python_that_is_promised():
    assert PYPROJECT["project"]["requires-python"] == ">=3.11"
    assert BUILD["wheel"]["py-api"] == "cp312"  # the stable ABI: 3.12 and all later ones
    assert [name.split("-")[0] for name in WHEELS["build"]] == ["cp311", BUILD["wheel"]["py-api"]]
    assert WHEELS["linux"]["archs"] == ["x86_64", "aarch64"]
    assert WHEELS["macos"]["archs"] == ["arm64"]
    tried = WHEELS["test-command"].removeprefix("python {project}/")
    assert (ROOT / tried).is_file()


def test_version_and_changelog_are_in_step():
    version = PYPROJECT["project"]["version"]
    assert tag.out_of_step(version, (ROOT / "CHANGELOG.md").read_text()) == []


def test_every_tag_is_of_the_version_that_it_names():
    listed = subprocess.run(
        ["git", "tag", "--list", "v[0-9]*"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("the tags of a clone are listed by git")
    for name in listed.stdout.split():
        for file, line in (("pyproject.toml", 'version = "{}"'), ("CHANGELOG.md", "## {}")):
            text = subprocess.run(
                ["git", "show", f"{name}:{file}"], cwd=ROOT, capture_output=True, text=True
            ).stdout
            assert line.format(name[1:]) in text.splitlines(), f"{name}: {file}"


GOOD = "# Changelog\n\n## 0.2.0\n\nNew.\n\n## 0.1.0\n\nOld.\n"


def test_a_release_in_step_may_be_tagged():
    assert tag.problems("0.2.0", GOOD, ["v0.1.0"], changed=False) == []


@pytest.mark.parametrize(
    ("version", "changelog", "tags", "changed", "said"),
    [
        ("0.3.0", GOOD, [], False, "newest version is not 0.3.0"),
        ("0.2.0", GOOD.replace("## 0.2", "## Unreleased\n\n## 0.2"), [], False, "still has a part"),
        ("0.2.0", GOOD + "\n## Unreleased\n", [], False, "not the changelog's first part"),
        ("0.2.0", GOOD + "\n## 0.1.5\n", [], False, "do not fall"),
        ("0.2.0", GOOD + "\n## 0.1.0\n", [], False, "do not fall"),
        ("0.2.0", GOOD, ["v0.2.0"], False, "a tag v0.2.0 already"),
        ("0.2.0", GOOD, ["v0.10.0"], False, "tags of later versions"),
        ("0.2.0", GOOD, [], True, "not everything is committed"),
    ],
)
def test_what_is_out_of_step_is_not_tagged(version, changelog, tags, changed, said):
    assert said in " ".join(tag.problems(version, changelog, tags, changed))
