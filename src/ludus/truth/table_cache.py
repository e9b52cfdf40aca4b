"""Where tables and checkpoints of solvers are kept: `LUDUS_HOME`, or the user's cache folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludus.files import sweep
from ludus.folders import lock
from ludus.resources import amount, check_memory


def home() -> Path:
    """The folder of everything that is made once and kept."""
    if given := os.environ.get("LUDUS_HOME"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("ludus", appauthor=False)


def table_folder() -> Path:
    """The folder of the tables."""
    return home() / "tables"


def table_file(spelling: str, suffix: str = ".table") -> Path:
    """The file of a game's table: its spelling, fit for any file system."""
    return table_folder() / (re.sub(r"[^A-Za-z0-9_=.-]", "_", spelling) + suffix)


def tables() -> list[Path]:
    """All tables and checkpoints, by name."""
    found = table_folder().glob("*") if table_folder().is_dir() else iter(())
    return sorted(path for path in found if path.suffix in (".table", ".part"))


@contextmanager
def lock_table(path: Path, wait: bool = False) -> Iterator[None]:
    """While this process makes a table, no other does: it waits, or is told so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with lock(path.with_suffix(".lock"), f"another process is making {path.name}", wait):
        sweep(path.parent, path.name, path.with_suffix(".part").name)
        yield


def check_space(memory: int, disk: int) -> None:
    """Refuse what will not fit, before anything is begun."""
    check_memory(memory, "this")
    folder = table_folder()
    while not folder.exists():
        folder = folder.parent
    space = shutil.disk_usage(folder).free
    if disk > space:
        raise ValueError(f"this would take {amount(disk)} of disk; {amount(space)} are free there")
