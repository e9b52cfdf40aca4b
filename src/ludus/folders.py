"""Folders that one process works in: locked, checked to be free, and left as they were found."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ludus.files import is_half_written, name_file_in_errors, refuse_link, sweep, sync

LOCK = "lock"
ROOMS = ("checkpoints",)  # made empty, before the sign of a run is written
BESIDE = ".writing-"
HALF = rf"{re.escape(BESIDE)}(\d+|[0-9a-f]{{32}})"  # the first releases wrote a number there


@contextmanager
def lock_folder(folder: Path, sign: str, busy: str) -> Iterator[None]:
    """Work in a folder that is new, empty, or ours by this sign: a file that we alone write.

    Nobody else works there meanwhile. Where no sign was written in the end, what was made for
    nothing is taken back: the lock and the folders, if they are empty.
    """
    check_free(folder, sign)
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with lock(folder / LOCK, busy) as new:
            try:
                check_free(folder, sign)  # again, now that nobody else can begin
                sweep(folder, sign)
                yield
            finally:
                if new and not (folder / sign).exists():
                    (folder / LOCK).unlink(missing_ok=True)
    finally:
        for place in made:
            with suppress(OSError):  # something is in there
                place.rmdir()


def check_free(folder: Path, sign: str) -> None:
    """Refuse a folder with things that we have not made."""
    refuse_link(folder / sign)
    if (folder / sign).exists() or not folder.exists():
        return
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder")
    foreign = sorted(place.name for place in folder.iterdir() if not is_left_over(place, sign))
    if foreign:
        raise ValueError(
            f"{folder} holds {foreign[0]} and no {sign}; give a folder that is new or empty"
        )


def is_left_over(place: Path, sign: str) -> bool:
    """Whether this is what is left when a process is killed before it comes to anything."""
    status = place.lstat()
    lock = place.name == LOCK and stat.S_ISREG(status.st_mode) and status.st_size == 0
    rooms = place.name in ROOMS and stat.S_ISDIR(status.st_mode) and not any(place.iterdir())
    return lock or rooms or is_half_written(place, sign)


@contextmanager
def lock(file: Path, busy: str, wait: bool = False) -> Iterator[bool]:
    """This process alone goes on in here; gives whether the file of the lock is new.

    The file is never written to, no link is followed, and a process that is killed frees it.
    """
    from filelock import FileLock, Timeout

    new = not os.path.lexists(file)
    if file.is_dir() and not file.is_symlink():
        raise ValueError(f"{file} is not a plain file")
    # Never the substitute of file systems without locks: a file that a kill would leave there.
    one = FileLock(file, timeout=-1 if wait else 0, fallback_to_soft=False)
    try:
        with name_file_in_errors(file):
            one.acquire()
    except Timeout:
        raise ValueError(busy) from None
    try:
        yield new
    finally:
        one.release()


@contextmanager
def atomic_folder(place: Path, names: Collection[str], what: str) -> Iterator[Path]:
    """A folder to be filled with files of these names, that appears whole in its place, or not.

    It takes the place of a folder that holds nothing but such files, and of nothing else.
    """
    beside = place.with_name(f"{BESIDE}{os.urandom(16).hex()}")
    beside.mkdir()
    try:
        yield beside
        sync(beside)
        drop_folder(place, names)
        if os.path.lexists(place):
            raise ValueError(f"{place} holds what is not a {what}'s: move that away")
        beside.rename(place)
        sync(place.parent)
    except BaseException:
        drop_folder(beside, names)
        raise


def drop_folder(place: Path, names: Collection[str]) -> None:
    """Delete a folder of files of these names; one that holds anything else is not ours alone."""
    if place.is_symlink() or not place.is_dir():
        return
    inside = list(place.iterdir())
    if all(file.name in names and not file.is_dir() for file in inside):
        for file in inside:
            file.unlink()
        place.rmdir()


def drop_half_written(folder: Path, names: Collection[str]) -> None:
    """Drop folders of such files that a killed process left half filled."""
    for place in folder.iterdir():
        if re.fullmatch(HALF, place.name):
            drop_folder(place, names)
