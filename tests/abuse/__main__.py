"""Attack the borders for some minutes: `python -m tests.abuse --minutes 10 [NAME...]`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.abuse.attacks import names, played


def main() -> int:
    """Take the attacks in turn with ever new seeds; 1 if a border broke."""
    parser = argparse.ArgumentParser(description=str(__doc__).split(":")[0])
    parser.add_argument("attacks", nargs="*", metavar="NAME", help=f"of {', '.join(names())}")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first round (0)")
    args = parser.parse_args()
    if unknown := set(args.attacks) - set(names()):
        parser.error(f"no attack {min(unknown)!r}; there are {', '.join(names())}")
    ends, seed, broken = time.monotonic() + 60 * args.minutes, args.seed, 0
    while time.monotonic() < ends:
        for name in args.attacks or names():
            try:
                print(f"{name} {seed}: {played(name, seed)}", flush=True)
            except AssertionError as error:
                broken += 1
                print(f"{name} {seed}: BROKEN: {error}", flush=True)
        seed += 1
    print(f"{seed - args.seed} rounds, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
