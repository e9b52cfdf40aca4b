"""Run the Python tests of games and core on the sanitized native module."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

TESTS = ["tests/games", "tests/test_laws.py", "tests/test_reference.py", "tests/test_border.py"]
TESTS += ["tests/truth"]
TESTS += [f"tests/test_{name}.py" for name in ("mcts", "forest", "selfplay", "alphabeta", "judges")]
TESTS += [f"tests/test_{name}.py" for name in ("home", "alone", "claims", "written")]
TESTS += ["tests/envs/test_versus.py", "tests/test_batched_opponents.py", "tests/test_draws.py"]


def library(name: str) -> str:
    """Where the compiler keeps one of its runtime libraries."""
    found = subprocess.run(
        ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


def main() -> int:
    """Lay the package out with the sanitized module, away from the editable install, and test."""
    build = Path(sys.argv[1])
    site = build / "site"
    shutil.rmtree(site, ignore_errors=True)
    for package in Path("src").iterdir():
        shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    for module in build.glob("_core*.so"):
        shutil.copy(module, site / "ludus")
    packages = sysconfig.get_path("purelib")  # as a path only: no editable hook is run
    environment = os.environ | {
        "PYTHONPATH": f"{site}:{packages}",
        "LD_PRELOAD": f"{library('libasan.so')}:{library('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter keeps what it likes until it ends
        "LUDUS_REFERENCE_GAMES": "5",
    }
    python = Path(sys.base_prefix) / "bin" / "python3"
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        *TESTS,
    ]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
