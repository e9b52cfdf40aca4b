"""Run every benchmark of speed and print one table; `--quick` for a look in a few minutes."""

import json
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from harness import Row, parse, parser, table

HERE = Path(__file__).parent
PARTS = ("all", "harness", "peers")
# These answer one question each, with agents or minutes that a person chooses.
BY_HAND = ("architectures", "heads", "learning", "openings", "pons", "presets")
BY_HAND += ("chance", "ideas", "leaves", "luck", "profile_selfplay", "reuse", "strength", "targets")
BY_HAND += ("scale_check", "scale_overhead", "scale_simulation")


def main() -> None:
    """One script after the other, each in a process of its own."""
    args = parse(parser(__doc__))
    rows, failed = [], []
    for script in scripts():
        started = time.monotonic()
        command = [sys.executable, str(script), "--json", *(["--quick"] if args.quick else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        print(f"{script.name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        if done.returncode:
            failed.append(script.name)
        else:
            rows += [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])["rows"]]
    print(json.dumps({"rows": [asdict(row) for row in rows]}) if args.json else table(rows))
    if failed:
        sys.exit(f"these failed: {', '.join(failed)}")


def scripts() -> list[Path]:
    """Those that measure speed."""
    return [one for one in sorted(HERE.glob("*.py")) if one.stem not in PARTS + BY_HAND]


if __name__ == "__main__":
    main()
