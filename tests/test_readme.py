"""The documents are true: the README runs, the changelog names the version."""

import doctest
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/truth.md"])
def test_the_document_runs(document, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    result = doctest.testfile(
        str(ROOT / document), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert result.failed == 0
    if document == "README.md":
        assert result.attempted > 10


def test_the_changelog_names_the_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
