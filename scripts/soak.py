"""Run the native soak program over every game and variant, with the plies shared among them.

`python scripts/soak.py PLIES PROGRAM...`: the program may be an emulator's words and the program.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import ludus
from ludus.game import kind, make_game


def spellings() -> list[str]:
    """Every registered game with all its parameters spelled out."""
    games = (make_game(k, **v) for k in map(kind, ludus.game_names()) for v in ({}, *k.variants))
    return [game.start().spelling for game in games]  # type: ignore[attr-defined]


def main() -> int:
    """Soak each spelling; two at a time."""
    plies, program = int(sys.argv[1]), sys.argv[2:]
    todo = spellings()
    share = str(-(-plies // len(todo)))
    with ThreadPoolExecutor(2) as pool:
        codes = pool.map(
            lambda s: subprocess.run([*program, share, s], check=False).returncode, todo
        )
        return max(codes)


if __name__ == "__main__":
    sys.exit(main())
