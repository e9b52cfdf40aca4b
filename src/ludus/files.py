"""Files: written whole or not at all, and never through a link."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ludus import reading

DIRECT = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # no link, and no waiting for a pipe
NEW = os.O_CREAT | os.O_EXCL | DIRECT
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NAMED = 50  # characters of a file's name in the name of what is written beside it


class Notice(UserWarning):
    """Something on disk is damaged, and was passed over or put right."""


@contextmanager
def new_file(file: Path) -> Iterator[BinaryIO]:
    """A new file, on the disk when this is over; gone again if anything fails."""
    handle = os.open(file, NEW | os.O_WRONLY, 0o666)
    try:
        with name_file_in_errors(file), os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        file.unlink(missing_ok=True)
        raise


@contextmanager
def atomic_writer(file: Path) -> Iterator[BinaryIO]:
    """What is written here becomes the file once it is whole: the old or the new, never half."""
    new = file.with_name(f".{file.name[:NAMED]}.{os.urandom(16).hex()}.new")
    try:
        with name_file_in_errors(file), new_file(new) as out:
            yield out
        try:
            new.replace(file)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        if error.filename != str(new):
            raise
        # Nobody has asked for that name.
        raise OSError(error.errno, error.strerror, str(file)) from None
    sync(file.parent)


def write(file: Path, data: bytes) -> None:
    """Put these bytes in the place of a file."""
    with atomic_writer(file) as out:
        out.write(data)


def create(file: Path, data: bytes) -> None:
    """Write a file that is not there yet."""
    with new_file(file) as out:
        out.write(data)


def append(file: Path, line: bytes) -> None:
    """Write a line at the end, down to the disk: all of it, or none and an error."""
    with name_file_in_errors(file):
        handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND | DIRECT, 0o666)
        try:
            before = os.fstat(handle).st_size
            try:
                write_all(handle, line)
                os.fsync(handle)
            except BaseException:
                os.ftruncate(handle, before)
                raise
        finally:
            os.close(handle)
        if before == 0:
            sync(file.parent)  # the name may be new


def write_all(handle: int, data: bytes) -> None:
    """A system may write less than it is given, and says so."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


@contextmanager
def line_writer(file: Path) -> Iterator[Callable[[bytes], None]]:
    """A new file that gets line after line; if it gets none there is none."""
    with new_file(file):
        made = file.lstat()
    try:
        yield lambda line: append(file, line)
    finally:
        with suppress(FileNotFoundError):
            now = file.lstat()
            if os.path.samestat(now, made) and now.st_size == 0:
                file.unlink()


def read_lines(file: Path) -> tuple[list[bytes], bytes]:
    """The lines, which end at newlines and at nothing else, and what is left after the last.

    All of them are kept in memory, so a file with too many is refused.
    """
    *whole, torn = [*reading.bounded_lines(file), b""]
    if whole and not whole[-1].endswith(b"\n"):
        torn = whole.pop()
    return [line[:-1] for line in whole], torn


def truncate(file: Path, size: int) -> None:
    """Drop what comes after so many bytes."""
    with name_file_in_errors(file):
        handle = os.open(file, os.O_WRONLY | DIRECT)
        try:
            os.ftruncate(handle, size)
            os.fsync(handle)
        finally:
            os.close(handle)


def refuse_link(place: Path) -> None:
    """Refuse a link where a file or folder of ours belongs: it leads to what is not ours."""
    if place.is_symlink():
        raise ValueError(f"{place} is a link, and links are not written through")


def sync(folder: Path) -> None:
    """Write the names in a folder down to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, *names: str) -> None:
    """Drop what a killed process left half written of these files, which we alone may write."""
    for place in list(folder.iterdir()) if folder.is_dir() else []:
        if any(is_half_written(place, name) for name in names):
            place.unlink()


def is_half_written(place: Path, name: str) -> bool:
    """Whether this was to become a file of that name: of whoever drew 32 digits for it."""
    pattern = rf"\.{re.escape(name[:NAMED])}\.[0-9a-f]{{32}}\.new"
    return bool(re.fullmatch(pattern, place.name)) and stat.S_ISREG(place.lstat().st_mode)


@contextmanager
def name_file_in_errors(file: Path) -> Iterator[None]:
    """An error of the system says which file it is about; a link in its way is named as such."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ValueError(f"{file} is a link, and links are not written through") from None
        if error.filename is None:
            error.filename = str(file)
        raise
