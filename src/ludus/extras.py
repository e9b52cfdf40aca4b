"""The distribution, its version, and how its optional parts are installed.

The import is `ludus`; a distribution of that name is a stranger's, so that ours has another.
"""

from __future__ import annotations

from functools import cache

DISTRIBUTION = "ludus-lab"


def install(*extras: str) -> str:
    """How to install extras: what works in a clone, and what works once ludus is published."""
    names = ",".join(extras)
    clone, published = f"pip install '.[{names}]'", f"pip install '{DISTRIBUTION}[{names}]'"
    return f"{clone} in a clone of ludus (once published: {published})"


@cache
def version() -> str:
    """The version of ludus; sources that nobody has installed have none."""
    from importlib.metadata import PackageNotFoundError  # late: it takes long to import
    from importlib.metadata import version as version_of

    try:
        return version_of(DISTRIBUTION)
    except PackageNotFoundError:
        return "not installed"
