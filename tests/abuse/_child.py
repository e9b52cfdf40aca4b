"""A round in a process of its own: what kills it is seen, and kills nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def survived(module: str, seed: int, seconds: float = 120) -> str:
    """What `hammer(seed)` of an attack says; AssertionError if it was killed, hung or failed."""
    code = f"from tests.abuse.{module} import hammer; print(hammer({seed}))"
    command = [sys.executable, "-X", "faulthandler", "-W", "error", "-c", code]
    try:
        ended = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"seed {seed} hung") from None
    told = "\n".join(ended.stderr.splitlines()[-40:])
    assert ended.returncode == 0, f"seed {seed} ended with {ended.returncode}:\n{told}"
    return ended.stdout.splitlines()[-1]
