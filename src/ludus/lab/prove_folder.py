"""A proof on disk: whose answers they are, the answers so far, and what came of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.extras import version
from ludus.files import write
from ludus.folders import lock_folder
from ludus.lab.answers import ReplyStore
from ludus.lab.certificate import FORMAT, VERSION, Certificate, Head
from ludus.lab.frozen import Frozen
from ludus.lab.positions import line_text
from ludus.lab.prove import SIDES, WINS, Proof, Verdict

SIGN, ANSWERS, MISTAKES = "proof.json", "answers.bin", "mistakes.txt"


@contextmanager
def proof_folder(folder: Path, frozen: Frozen, truth: str = "own") -> Iterator[ReplyStore]:
    """The answers in a folder, which are of this agent or of none; nobody else works there."""
    busy = f"{folder} is at work: another process has it"
    with lock_folder(folder, SIGN, busy):
        said = identity(frozen, truth)
        if (folder / SIGN).exists():
            check_identity(folder, said)
        else:
            write(folder / SIGN, (json.dumps(said, indent=1) + "\n").encode())
        yield ReplyStore.open(folder / ANSWERS)


def identity(frozen: Frozen, truth: str) -> dict[str, Any]:
    """What answers depend on."""
    return {
        "agent": frozen.spelling,
        "game": frozen.game.spelling,
        "rules": frozen.game.kind.rules,
        "seed": frozen.seed,
        "fingerprint": frozen.fingerprint(),
        "truth": truth,
    }


def check_identity(folder: Path, said: dict[str, Any]) -> None:
    """Refuse answers of another agent, or of the same where its numbers are others."""
    found = reading.load(folder / SIGN)
    if not isinstance(found, dict):
        raise ValueError(f"{folder / SIGN} is not what `ludus prove` writes")
    for name, value in said.items():
        if found.get(name) != value:
            raise ValueError(
                f"{folder} holds the answers of another agent: its {name} is "
                f"{str(found.get(name))[:60]!r}, not {str(value)[:60]!r}; give another folder"
            )


def certificate(proof: Proof, found: Verdict) -> Certificate:
    """The proof as others can check it."""
    frozen = proof.frozen
    names, replies = found.walk.table()
    head = Head(
        FORMAT,
        VERSION,
        full_spelling(frozen),
        frozen.game.kind.rules,
        proof.side,
        found.verdict,
        frozen.canonical,
        len(names),
        found.plies if found.verdict == WINS else None,
        {
            "agent": frozen.spelling,
            "seed": frozen.seed,
            "ludus": version(),
            "side": SIDES[proof.side],
        },
    )
    return Certificate(head, names.tobytes(), replies.astype("<u2").tobytes())


def full_spelling(frozen: Frozen) -> str:
    """The game with all its parameters, defaults too."""
    game = frozen.game
    given = ",".join(f"{name}={value}" for name, value in game.parameters.items())
    return game.name + (":" + given if given else "")


def write_mistakes(file: Path, proof: Proof, found: Verdict) -> None:
    """The lines that end where the agent gives its value away, without that last move."""
    game = proof.game
    lines = []
    for mistake in found.walk.mistakes:
        *line, _ = found.walk.line(mistake)
        lines.append(line_text(game, line))
    write(file, "".join(line + "\n" for line in lines).encode())
