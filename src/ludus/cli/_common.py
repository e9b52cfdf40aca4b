"""What several commands share: a position from options, answers as JSON, a progress line."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any

from ludus.game import Game, State, game


def add_game(parser: argparse.ArgumentParser) -> None:
    """The game, as it is spelled everywhere."""
    parser.add_argument(
        "game", metavar="GAME", help="a game, such as connect4 or chinesecheckers:size=4,pieces=3"
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Which position of the game is meant."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--position", metavar="TEXT", help="a position in its text form")
    which.add_argument("--moves", metavar="LIST", help="moves from the start, such as 4453")
    parser.add_argument("--seed", type=int, default=0, help="for chance in --moves (0)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Every command that answers can answer a program."""
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def position(args: argparse.Namespace) -> tuple[Game, State, int | None]:
    """The game, the state the options ask for, and the last action played to reach it."""
    chosen = game(args.game)
    if args.position is not None:
        return chosen, chosen.state(args.position), None
    state, last = chosen.start(), None
    rng = random.Random(args.seed)
    for move in chosen.kind.split(args.moves or ""):
        last = chosen.action(state, move)
        state = state.play(last, rng)
    return chosen, state, last


def answer(record: dict[str, Any]) -> None:
    """Print one JSON object."""
    print(json.dumps(record, ensure_ascii=False))


class Progress:
    """A line on standard error with the share done, and the time left; silent while it is quick."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.started = time.monotonic()
        self.shown = self.started
        self.live = sys.stderr.isatty()
        self.visible = False

    def __call__(self, share: float) -> None:
        now = time.monotonic()
        if now - self.shown < (0.5 if self.live else 10):
            return
        self.shown, self.visible = now, True
        left = (now - self.started) * (1 - share) / max(share, 1e-9)
        line = f"{self.what}: {100 * share:.0f} %, {left:.0f} s left"
        print(
            f"\r\x1b[K{line}" if self.live else line, end="" if self.live else "\n", file=sys.stderr
        )
        sys.stderr.flush()

    def done(self) -> None:
        if self.live and self.visible:
            print("\r\x1b[K", end="", file=sys.stderr)
