"""Try the ludus that this Python has installed, far from its sources: packages are tested by it.

It needs nothing but ludus: no compiler, no clone, none of the optional libraries.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def check(condition: bool, sentence: str) -> None:
    """End with the sentence, unless the condition holds."""
    if not condition:
        sys.exit(f"try_installed: {sentence}")


def run(*words: str) -> str:
    """What the command line that was installed prints."""
    program = Path(sysconfig.get_path("scripts")) / "ludus"
    done = subprocess.run([program, *words], capture_output=True, text=True)
    check(done.returncode == 0, f"ludus {' '.join(words)} failed: {done.stderr}")
    return done.stdout


def main() -> None:
    """Import, count, play, draw, and read what is kept beside the code."""
    import ludus

    home = Path(ludus.__file__).resolve().parent
    check(not home.is_relative_to(ROOT / "src"), f"{home} is a clone, not what was installed")
    for name in ("py.typed", "_core.pyi", "serve/page/index.html", "studies/papers.json"):
        check((home / name).is_file(), f"{name} was not installed")
    check(any((home / "zoo").glob("*.safetensors")), "no network of the zoo was installed")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["LUDUS_HOME"] = folder
        run("doctor")  # counts lines of play of every game, and compares them with known ones
        run("match", "tictactoe", "uct:simulations=50", "random", "--games", "4")
        check("<svg" in ludus.game("cathedral").start()._repr_svg_(), "no picture")
    version = ludus.extras.version()
    check(run("--version").strip() == version, f"the command line is not of version {version}")
    print(f"ludus {version} works on Python {sys.version.split()[0]}, from {home}")


if __name__ == "__main__":
    main()
