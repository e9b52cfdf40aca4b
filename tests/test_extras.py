"""Every text that says how to install something says what works."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from ludus import extras

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Distributions of others that texts name.
OTHERS = {"pillow", "tensorboard", "sb3-contrib", "onnxruntime-gpu"}
WRITTEN = (".py", ".md", ".html", ".js", ".toml", "Makefile")
EXTRAS = re.compile(r"'(?:\.|ludus-lab)\[([a-z,]+)\]'")


def texts():
    """The files that people read or that speak to them, as they are kept."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("the files of a clone are listed by git")
    names = [ROOT / name for name in listed.stdout.splitlines() if name.endswith(WRITTEN)]
    return [name for name in names if name.exists() and name != Path(__file__)]


def test_every_text_installs_what_there_is():
    found = 0
    for file in texts():
        text = file.read_text()
        if file.name != "CHANGELOG.md":  # it tells what texts said before
            assert not re.search(r"\bludus\[", text), f"{file} names a stranger's package"
        for match in re.finditer(r"pip install (?!')(\S+)", text):
            word = match[1].strip("`\".,;:)'")
            assert word in OTHERS or word.startswith("{") or "-" in word[:1], f"{file}: {match[0]}"
        for match in re.finditer(r"pip install ('[^']*')", text):
            if match[1] == "'.'":  # without any
                continue
            named = EXTRAS.fullmatch(match[1])
            if "{" in match[1]:  # made by `install`, tested below
                assert file.name == "extras.py", f"{file}: {match[0]}"
                continue
            assert named, f"{file}: {match[0]}"
            assert set(named[1].split(",")) <= set(PROJECT["optional-dependencies"]), file
            found += 1
    assert found >= 5


def test_the_distribution_is_ours_and_has_a_version():
    assert PROJECT["name"] == extras.DISTRIBUTION == "ludus-lab"
    assert extras.version() == PROJECT["version"]


def test_an_extra_is_installed_from_a_clone_today_and_by_its_name_once_published():
    assert extras.install("learn", "report") == (
        "pip install '.[learn,report]' in a clone of ludus "
        "(once published: pip install 'ludus-lab[learn,report]')"
    )


def test_source_that_asks_for_an_extra_asks_for_one_there_is():
    asked = re.compile(r"""\binstall\(((?:["'][a-z]+["'](?:, )?)+)\)""")
    names = [
        name
        for file in (ROOT / "src").rglob("*.py")
        for match in asked.finditer(file.read_text())
        for name in re.findall(r"[a-z]+", match[1])
    ]
    assert {"learn", "play", "serve"} <= set(names)
    assert set(names) <= set(PROJECT["optional-dependencies"])


def test_sources_nobody_has_installed_have_no_version(monkeypatch):
    extras.version.cache_clear()
    monkeypatch.setattr(extras, "DISTRIBUTION", "no-such-distribution")
    assert extras.version() == "not installed"
    extras.version.cache_clear()
