"""Run every benchmark of speed and print one table; `--quick` for a look in a few minutes."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from harness import Row, table

HERE = Path(__file__).parent
PARTS = ("all", "harness", "peers")
# These answer one question each, with agents or minutes that a person chooses.
BY_HAND = ("architectures", "heads", "learning", "openings", "pons", "presets")
BY_HAND += ("strength", "targets")


def main() -> None:
    """One script after the other, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round each")
    quick = ["--quick"] if parser.parse_args().quick else []
    rows = []
    for script in scripts():
        print(f"running {script.name}", file=sys.stderr)
        command = [sys.executable, str(script), "--json", *quick]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        rows += [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])["rows"]]
    print(table(rows))


def scripts() -> list[Path]:
    """Those that measure speed."""
    return [one for one in sorted(HERE.glob("*.py")) if one.stem not in PARTS + BY_HAND]


if __name__ == "__main__":
    main()
