"""What tells the version tells the same one, and the README stays what a newcomer needs."""

import re
import tomllib

from tests.snippets import ROOT, blocks

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_changelog_names_the_version():
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_citation_names_the_version_and_the_licence():
    citation = (ROOT / "CITATION.cff").read_text()
    fields = dict(re.findall(r"^([\w-]+): *(.*)$", citation, re.M))
    assert fields["version"] == VERSION
    assert fields["license"] == "MIT"
    assert {"cff-version", "message", "title", "type"} <= fields.keys()
    assert re.search(r'^authors:\n  - name: ".+"$', citation, re.M)


def test_the_readme_shows_both_commands_and_a_few_lines_of_python():
    readme = ROOT / "README.md"
    assert [
        line.split("#")[0].strip() for block in blocks(readme, "sh") for line in block.splitlines()
    ] == [
        "make demo",
        "make test",
    ]
    (python,) = blocks(readme, "python")
    assert 5 <= python.count(">>> ") <= 12
    assert len(readme.read_text().splitlines()) < 100
