"""Forged files of every kind: each loader answers with a sentence or a right result.

A sound file is forged: values of other types, deep nesting, huge numbers, bytes turned, a pipe, a
device or a folder in its place, and everywhere the name of a Python file that must never run.
"""

from __future__ import annotations

import os
import resource
import signal
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import process_time
from warnings import catch_warnings, simplefilter

from tests.abuse._forging import forged_bytes, forged_json, put_in_place
from tests.abuse._loaders import LOADERS

FORGERIES = 12  # of one file, a round
MEMORY = 500 << 20
SECONDS = 30  # until a loader is said to hang
WORK = 2.0  # seconds of the processor that a loader may take


def attack(rng, folder):
    """Forge one kind of file a few times."""
    mark, poison = folder / "mark", folder / "notes.py"
    poison.write_text(f"open({str(mark)!r}, 'w').close()\n")
    name = rng.choice(sorted(LOADERS))
    loader = LOADERS[name](folder / "work", rng)
    answers = {"right": 0, "refused": 0}
    for _ in range(FORGERIES):
        loader.make()
        how = forge(rng, loader, str(poison))
        answer = asked(loader, f"{name}: {how}")
        answers[answer] += 1
        assert not mark.exists(), f"{name}: {how}: a Python file was run"
    return f"{name}: {answers['right']} read, {answers['refused']} refused"


def forge(rng, loader, poison):
    """Change one file of a loader, by its content or its kind."""
    path = rng.choice(loader.files())
    if rng.random() < 0.2:
        return put_in_place(rng, path)
    sound = path.read_bytes()
    head, text, sign = loader.opened(path, sound)
    if text is None or rng.random() < 0.2:
        path.write_bytes(forged_bytes(rng, sound))
        return "bytes"
    new, how = forged_json(rng, text, poison)
    path.write_bytes(sign(head, new))
    return how


def asked(loader, what):
    """Let it load, within bounds; whatever it says is a sentence."""
    out, began, answer = StringIO(), process_time(), "right"
    try:
        with bounded(), redirect_stdout(out), redirect_stderr(out), catch_warnings():
            simplefilter("ignore")  # what is put right is warned of
            loader.load()
    except (ValueError, OSError) as error:
        answer = "refused" if str(error) else ""
    except (Hang, MemoryError) as error:
        raise AssertionError(f"{what}: {type(error).__name__}") from error
    except Exception as error:
        said = f"{type(error).__name__}: {error} {out.getvalue()[-200:]}"
        raise AssertionError(f"{what}: {said}") from error
    spent = process_time() - began
    assert answer, f"{what}: refused without a word"
    assert spent < WORK, f"{what}: {spent:.1f} s"
    assert all(line.isprintable() for line in out.getvalue().split("\n")), f"{what}: raw output"
    return answer


class Hang(BaseException):
    """A loader that does not come back."""


@contextmanager
def bounded():
    """So much memory and so much time, and no more."""

    def stop(number, frame):
        raise Hang

    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    room = pages * os.sysconf("SC_PAGESIZE") + MEMORY
    handler = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (room, before[1]))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)
