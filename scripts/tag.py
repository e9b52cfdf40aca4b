"""Tag the commit that is checked out with its version, if changelog and tags allow it: `make tag`.

A release renames the changelog's `## Unreleased` to the version that `pyproject.toml` has.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
UNRELEASED = "Unreleased"


def parts(version: str) -> tuple[int, ...]:
    """A version for comparisons."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"a version has the form 1.2.3, not {version}")
    return tuple(int(part) for part in version.split("."))


def out_of_step(version: str, changelog: str) -> list[str]:
    """What is wrong with the changelog's headings, also between releases."""
    names = HEADING.findall(changelog)
    told = [name for name in names if name != UNRELEASED]
    wrong = []
    if UNRELEASED in names[1:]:
        wrong.append(f"'## {UNRELEASED}' is not the changelog's first part")
    if told[:1] != [version]:
        wrong.append(f"the changelog's newest version is not {version}, as in pyproject.toml")
    if [parts(name) for name in told] != sorted({parts(name) for name in told}, reverse=True):
        wrong.append("the changelog's versions do not fall from part to part")
    return wrong


def problems(version: str, changelog: str, tags: list[str], changed: bool) -> list[str]:
    """Why this commit cannot be tagged with its version."""
    wrong = out_of_step(version, changelog)
    if UNRELEASED in HEADING.findall(changelog):
        wrong.append(f"the changelog still has a part '## {UNRELEASED}'")
    if f"v{version}" in tags:
        wrong.append(f"there is a tag v{version} already")
    if any(parts(tag[1:]) > parts(version) for tag in tags):
        wrong.append(f"there are tags of later versions than {version}")
    if changed:
        wrong.append("not everything is committed")
    return wrong


def git(*words: str) -> str:
    """What git says."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def main() -> int:
    """Tag, or say why not."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    tags = git("tag", "--list", "v[0-9]*").split()
    wrong = problems(version, changelog, tags, bool(git("status", "--porcelain").strip()))
    if wrong:
        print("\n".join(f"tag: {sentence}" for sentence in wrong), file=sys.stderr)
        return 1
    git("tag", "--annotate", f"v{version}", "--message", f"ludus {version}")
    print(f"tagged v{version}; `git push origin v{version}` publishes it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
