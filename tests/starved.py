"""Code in a process of its own that may have only so much more memory than it has."""

import os
import subprocess
import sys
import textwrap

import pytest

LIMIT = """
import resource


def starve(more):
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


def feed():
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)


"""


def starved(code, *arguments, timeout=120):
    """What the code printed, line by line; a crash is an error.

    In it `starve(more)` leaves so many bytes more, and `feed()` any number.
    """
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("a sanitizer takes more addresses than any limit leaves")
    run = subprocess.run(
        [sys.executable, "-c", LIMIT + textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert run.returncode == 0, f"it ended with {run.returncode}: {run.stderr[-2000:]}"
    return run.stdout.splitlines()
