"""Where the command line begins: Ctrl-C while ludus is still being imported is a sentence too.

It is a package of its own because importing anything of `ludus` imports all of its public names.
"""

import sys

INTERRUPTED = 130


def main() -> int:
    """Import the command line, and run it."""
    try:
        from ludus.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("ludus: stopped", file=sys.stderr)
        return INTERRUPTED
