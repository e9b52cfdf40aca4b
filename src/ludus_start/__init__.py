"""Where the command line begins: Ctrl-C while ludus is still being imported is a sentence too.

It is a package of its own because importing anything of `ludus` imports most of its public names.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

INTERRUPTED = 130


def main() -> int:
    """Import the command line, and run it."""
    with importing():
        from ludus.cli import main as run
    return run()


@contextmanager
def importing() -> Iterator[None]:
    """Ctrl-C ends the process at once: here is nothing to save.

    An exception would not do: raised in a callback or a finaliser, of which imports run many, it
    is printed and forgotten.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = before is signal.default_int_handler  # not ignored, nor somebody else's
    if not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def stop(*_: Any) -> NoReturn:
    """Say so, and end."""
    os.write(2, b"ludus: stopped\n")
    os._exit(INTERRUPTED)
