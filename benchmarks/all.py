"""Run every benchmark script and print one table."""

import json
import subprocess
import sys
from pathlib import Path

from harness import Row, table

HERE = Path(__file__).parent


def main() -> None:
    """One script after the other, each in a process of its own."""
    rows = []
    for script in sorted(HERE.glob("*.py")):
        if script.name in ("all.py", "harness.py", "peers.py"):
            continue
        print(f"running {script.name}", file=sys.stderr)
        command = [sys.executable, str(script), "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        rows += [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])["rows"]]
    print(table(rows))


if __name__ == "__main__":
    main()
