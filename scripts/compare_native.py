"""Whether two builds of the native test programs print the same: `make check-aarch64`.

`python scripts/compare_native.py HERE THERE EMULATOR...` runs `signature` on every game and
variant, and `truths`, from both folders, those of the second by the emulator.
"""

from __future__ import annotations

import subprocess
import sys

from soak import spellings

ROOM = 40  # differences that are printed


def told(words: list[str]) -> list[str]:
    """The lines of a program, each under the last one that is not indented."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"compare_native: {words[0]} failed: {done.stderr[-500:]}")
    heading, lines = "", []
    for line in done.stdout.splitlines():
        if line.startswith(" "):
            lines.append(f"{heading}: {line.strip()}")
        else:
            heading = line
    return lines


def main(here: str, there: list[str]) -> int:
    """Print what differs; 1 if anything does."""
    *emulator, other = there
    count, different = 0, 0
    asked = [["truths"], *(["signature", spelling] for spelling in spellings())]
    for program, *words in asked:
        ours = told([f"{here}/{program}", *words])
        theirs = told([*emulator, f"{other}/{program}", *words])
        count += len(ours)
        for one, two in zip(ours, theirs, strict=True):
            if one != two:
                different += 1
                if different <= ROOM:
                    print(f"here:  {one}\nthere: {two}")
    print(f"{count} results of {len(asked)} runs compared, {different} differ")
    return 1 if different or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [*sys.argv[3:], sys.argv[2]]))
