"""Run a command and show how it goes: what it builds or installs, and that it is still at it.

`python scripts/show.py WHAT COMMAND...` prints `WHAT`, of the command's lines those that tell how
far it has come, after some seconds of silence how long it takes already, and at the end its time.
A command that fails has everything shown that it said. It needs nothing but Python's own library.
"""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time

SILENT_SECONDS = 4.0  # after which it is told how long it takes already
# Ninja's `[n/m]`; pip's downloads and what it installs in the end.
TELLING = re.compile(r"^\s*(\[\d+/\d+\] .*|Downloading \S+ \(.*|Installing collected packages.*)")
COLUMNS = 79


def shown(line: str) -> str:
    """What of a line tells how far a command has come; "" if it does not."""
    told = TELLING.match(line)
    return told[1].strip()[:COLUMNS] if told else ""


def pump(stream: object, lines: queue.Queue[str | None]) -> None:
    """Hand over each line, then None."""
    for line in stream:  # type: ignore[attr-defined]
        lines.put(line)
    lines.put(None)


def relay(lines: queue.Queue[str | None], said: list[str], started: float) -> None:
    """Show what tells something until there is nothing more; keep all of it."""
    while True:
        try:
            line = lines.get(timeout=SILENT_SECONDS)
        except queue.Empty:
            print(f"  ... {time.monotonic() - started:.0f} s", flush=True)
            continue
        if line is None:
            return
        said.append(line)
        if told := shown(line):
            print(f"  {told}", flush=True)


def main(what: str, command: list[str]) -> int:
    """Run it; its exit code."""
    started, said, lines = time.monotonic(), list[str](), queue.Queue[str | None]()
    print(what, flush=True)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        threading.Thread(target=pump, args=(process.stdout, lines), daemon=True).start()
        try:
            relay(lines, said, started)
            code = process.wait()
        except KeyboardInterrupt:
            process.wait()  # it was interrupted too
            return 130
    if code:
        print("".join(said), end="", file=sys.stderr, flush=True)
    else:
        print(f"  done in {time.monotonic() - started:.0f} s", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
