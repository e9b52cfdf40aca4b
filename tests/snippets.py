"""What documents show: their fenced blocks, and the commands in those of the shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.M | re.S)


def blocks(document: Path, language: str) -> list[str]:
    """The blocks of a language, in order, without the indentation of their lists."""
    found = []
    for indent, name, body in FENCE.findall(document.read_text(encoding="utf-8")):
        if name == language:
            found.append(re.sub(rf"^{indent}", "", body, flags=re.M))
    return found


def commands(document: Path) -> Iterator[list[str]]:
    """The words of each command, without comments, variables before it and what it is piped to."""
    for block in blocks(document, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            lexer = shlex.shlex(line, posix=True, punctuation_chars="|&<>")
            lexer.whitespace_split = True
            yield from parts(list(lexer))


def parts(words: list[str]) -> Iterator[list[str]]:
    """The single commands of a line, without the files that they read and write."""
    command: list[str] = []
    for before, word in zip(["", *words], [*words, "&&"], strict=True):
        if word in ("<", ">") or before in ("<", ">"):
            continue
        if word in ("|", "&&", "&"):
            if command:
                yield command
            command = []
        elif command or not re.fullmatch(r"[A-Z_]+=.*", word):
            command.append(word)


def name(document: Path) -> str:
    """A document as a test is called."""
    return str(document.relative_to(ROOT))
