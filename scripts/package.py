"""Build what strangers get, and try it where there is nothing: `make package`.

`python scripts/package.py PYTHON...` makes the source distribution, from it alone the wheel of each
interpreter (one serves all from 3.12 on), looks at what is in them, and installs each wheel in a
new environment whose PATH has no compiler.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "package"
MOST_BYTES = 10_000_000  # of a wheel
COMPILERS = ("cc", "gcc", "c++", "g++", "clang", "clang++", "cmake", "ninja", "make", "ccache")
IN_SDIST = {"CHANGELOG.md", "CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "core",
            "pyproject.toml", "src"}  # fmt: skip
IN_WHEEL = {"ludus", "ludus_start"}  # and what the format asks for
NEVER = {"tests", "test", "golden", "benchmarks", "__pycache__", "conftest.py"}
NEEDED = ("/py.typed", "/_core.pyi", ".so", "/entry_points.txt", "/LICENSE", "/index.html")


def findings(names: list[str], tops: set[str]) -> list[str]:
    """What of the names in an archive should not be there."""
    wrong = []
    for name in names:
        parts = PurePosixPath(name).parts
        if parts[0] not in tops or NEVER & set(parts) or name.endswith((".pyc", ".swp")):
            wrong.append(name)
    return wrong


def look_at_sdist(file: Path) -> None:
    """Only what a wheel is built from."""
    with tarfile.open(file) as archive:
        names = [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]
    wrong = findings(names, IN_SDIST)
    wrong += [name for name in names if name.endswith((".so", "_core.pyi"))]
    refuse(wrong, file)
    print(f"{file.name}: {len(names)} files, {file.stat().st_size / 1e6:.1f} MB")


def look_at_wheel(file: Path) -> None:
    """Nothing of the tests, nothing missing, and not large."""
    names = zipfile.ZipFile(file).namelist()
    about = {name.split("/")[0] for name in names if ".dist-info/" in name}
    wrong = findings(names, IN_WHEEL | about)
    wrong += [f"no {end}" for end in NEEDED if not any(name.endswith(end) for name in names)]
    size = file.stat().st_size
    if size >= MOST_BYTES:
        wrong.append(f"{size} bytes, of at most {MOST_BYTES}")
    refuse(wrong, file)
    print(f"{file.name}: {len(names)} files, {size / 1e6:.1f} MB")


def refuse(wrong: list[str], file: Path) -> None:
    """End where there are findings."""
    if wrong:
        sys.exit(f"package: {file.name}: {', '.join(wrong[:10])}")


def build_sdist() -> Path:
    """By the build backend of this environment, as it is in the clone."""
    code = "import sys, scikit_build_core.build as b; b.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, PLACE], cwd=ROOT, check=True)
    return next(PLACE.glob("*.tar.gz"))


def wheel_for(python: str, sdist: Path) -> Path:
    """That of this interpreter, built by nothing but what the distribution asks for."""
    asked = "import sys; print('cp%d%d' % sys.version_info[:2], sys.version_info >= (3, 12))"
    said = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    tag, stable = said.stdout.split()
    pattern = "*-abi3-*.whl" if stable == "True" else f"*-{tag}-{tag}-*.whl"
    if not any(PLACE.glob(pattern)):
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", PLACE, sdist], check=True)
        look_at_wheel(next(PLACE.glob(pattern)))
    return next(PLACE.glob(pattern))


def try_wheel(python: str, wheel: Path) -> None:
    """Install it where nothing else is, and try it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        path = f"{folder}/bin"
        found = [name for name in COMPILERS if shutil.which(name, path=path)]
        assert not found, found
        bare = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        bare |= {"PATH": path, "HOME": folder}
        pip = [f"{path}/python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
        subprocess.run([*pip, "--only-binary=:all:", wheel], check=True, env=bare, cwd=folder)
        script = ROOT / "scripts" / "try_installed.py"
        subprocess.run([f"{path}/python", script], check=True, env=bare, cwd=folder)


def main(pythons: list[str]) -> None:
    """Build, look, try."""
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    sdist = build_sdist()
    look_at_sdist(sdist)
    for python in pythons:
        try_wheel(python, wheel_for(python, sdist))


if __name__ == "__main__":
    main(sys.argv[1:])
