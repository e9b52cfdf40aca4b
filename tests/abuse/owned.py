"""Let commands loose on a folder of the user's: whatever fails, its files stay as they are."""

from __future__ import annotations

import errno
import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ludus.cli import main
from tests.abuse._small import GAME, copy

# What ludus itself calls its files, now or in earlier releases, and what people call theirs.
NAMES = ["lock", "config.json", "metrics.jsonl", "report.html", "games.jsonl", "tournament.json"]
NAMES += ["config.new", "metrics.new", "report.new", ".writing-3", "notes.txt", "games"]
NAMES += ["checkpoints", "tensorboard", ".config.json.new", "checkpoints/step-000000001/state.json"]
NAMES += ["checkpoints/.writing-7/mine", "games/step-1.jsonl", "games/step-9.jsonl"]
OF_A_RUN = ["report.html", "games/step-1.jsonl", "games/step-9.jsonl"]  # it writes these itself
SMALL = [
    "--network",
    "mlp",
    "--width",
    "8",
    "--blocks",
    "1",
    "--learning-starts",
    "8",
    "--batch-size",
    "8",
]
SMALL += ["--eval-freq", "1", "--n-eval-games", "2", "--eval-opponents", "random"]
FAILING = [
    ["--opponent", "nobody"],
    ["--planes", "none"],
    ["--eval-opponents", "nobody"],
    ["--init", "x"],
]


def attack(rng: random.Random, folder: Path) -> str:
    """Fill a folder, begin or go on with something in it while the disk fails, and compare."""
    home, elsewhere = folder / "proj", folder / "elsewhere"
    elsewhere.mkdir()
    ours = rng.choice(["", "", "training", "tournament"])
    if ours:
        copy(ours, home)
    home.mkdir(exist_ok=True)
    made = set(home.rglob("*"))
    theirs = [
        fill(rng, home, elsewhere, ours == "training")
        for _ in range(rng.randint(0 if ours else 1, 3))
    ]
    before = {place: content(place) for place in folder.rglob("*") if place not in made}
    words = command(rng, home)
    said = io.StringIO()
    with failing(rng) as how, redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = main(words)
    assert code in (0, 1, 2), f"{words[0]} ended with {code}: {said.getvalue()}"
    assert "Traceback" not in said.getvalue(), said.getvalue()
    for place, then in before.items():
        assert content(place) == then, f"{place.relative_to(folder)} after {words[:2]}, {how}"
    told = said.getvalue().strip().replace(str(folder), "")[-100:]
    return f"{ours or 'foreign'} with {theirs}; {words[0]}, {how}: {code} {told}"


def fill(rng: random.Random, home: Path, elsewhere: Path, run: bool) -> str:
    """Put something of the user's there: a file, or a link to one."""
    name = rng.choice([name for name in NAMES if not run or name not in OF_A_RUN])
    place = home / name
    if os.path.lexists(place) or any(
        os.path.lexists(above) and not above.is_dir() for above in place.parents
    ):
        return "nothing"
    place.parent.mkdir(parents=True, exist_ok=True)
    how = rng.choice(["file", "file", "link", "folder link", "dangling link"])
    target = elsewhere / f"{len(list(elsewhere.iterdir()))}"
    if how == "file":
        place.write_bytes(rng.choice([b"", b"{}", b"mine\n", rng.randbytes(99)]))
    elif how == "link":
        target.write_bytes(rng.choice([b"", b'{"step": 9}\n', b"mine\n"]))
        place.symlink_to(target)
    elif how == "folder link":
        (target / "step-000000001").mkdir(parents=True)
        (target / "step-000000001" / "state.json").write_text("mine")
        (target / "step-9.jsonl").write_text("mine")
        place.symlink_to(target)
    else:
        place.symlink_to(target)
    return f"{how} {name}"


def command(rng: random.Random, home: Path) -> list[str]:
    """What a person may type."""
    fails = rng.choice([[], [], *FAILING])
    inside = home / rng.choice([*NAMES, "new.jsonl"])
    words: list[list[str]] = [
        ["train", "dqn", GAME, *SMALL, "--steps", "2", "--run", str(home), *fails],
        ["resume", str(home), "--steps", "6"],
        ["tournament", "tictactoe", "random", "greedy", "--games", "4", "--run", str(home)],
        ["tournament", "tictactoe", *TOURNAMENT, "--run", str(home), "--resume"],
        ["match", "tictactoe", "random", "greedy", "--games", "4", "--record", str(inside)],
    ]
    return rng.choice(words)


TOURNAMENT = ["random", "greedy", "random:epsilon=0.5", "--games", "14", "--seed", "3"]


@contextmanager
def failing(rng: random.Random) -> Iterator[str]:
    """The disk may be full at any moment, and some of what is written may be written then."""
    where = rng.choice(["nowhere", "nowhere", "write", "fsync"])
    left = rng.randint(0, 12)
    real: Callable[..., Any] = getattr(os, where, os.write)

    def broken(handle: int, *data: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0 or handle < 3:
            return real(handle, *data)
        if data and left == -1 and len(data[0]) > 1:
            return real(handle, data[0][: len(data[0]) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if where == "nowhere":
        yield "sound disk"
        return
    how = f"disk full after {left} calls of {where}"
    with patch(f"os.{where}", broken):
        yield how


def content(place: Path) -> Any:
    """What must stay: bytes, where a link leads, that a folder is there."""
    if place.is_symlink():
        return place.readlink()
    if place.is_file():
        return place.read_bytes()
    return "folder" if place.is_dir() else None
