"""What several commands share: a position from options, answers as JSON."""

from __future__ import annotations

import argparse
import json
import math
import random
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ludus.arena.standings import COLUMNS
from ludus.arena.tasks import Workers
from ludus.device import CPU, DEVICES, on_device
from ludus.files import write
from ludus.game import Game, State, game
from ludus.plain import plain_json, plain_lines

GAME_HELP = "a game, such as connect4 or chinesecheckers:size=4,pieces=3"


def add_game(parser: argparse.ArgumentParser) -> None:
    """The game, as it is spelled everywhere."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)


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
    return chosen, *reach_position(chosen, args)


def reach_position(chosen: Game, args: argparse.Namespace) -> tuple[State, int | None]:
    """The state the options ask for, and the last action played to reach it."""
    if args.position is not None:
        return chosen.state(args.position), None
    state, last = chosen.start(), None
    rng = random.Random(args.seed)
    for move in chosen.kind.split(args.moves or ""):
        last = chosen.action(state, move)
        state = state.play(last, rng)
    return state, last


def answer(record: dict[str, Any]) -> None:
    """Print one JSON object."""
    print(plain_json(json.dumps(record, ensure_ascii=False)))


def program() -> str:
    """How this program was called, for commands that run as they are printed."""
    called = Path(sys.argv[0])
    if called.name != "ludus" or shutil.which("ludus") == str(called.absolute()):
        return "ludus"
    here = Path.cwd()
    return shlex.quote(str(called.relative_to(here) if called.is_relative_to(here) else called))


def say(text: object = "", *, file: TextIO | None = None, flush: bool = False) -> None:
    """Print lines; whatever is in them, from whichever file, it is text and steers no terminal."""
    print(plain_lines(text), file=file, flush=flush)


def draw(board: str) -> None:
    """Print a board, with its colours."""
    print(board)


def add_report(parser: argparse.ArgumentParser) -> None:
    """A page to look at, or to send to somebody."""
    parser.add_argument("--report", metavar="FILE", help="write a report with boards, as HTML")


def write_page(file: str, page: str) -> None:
    """Write a report where it was asked for, and say so."""
    write(Path(file).resolve(), page.encode("utf-8", "replace"))
    say(f"ludus: wrote {file}", file=sys.stderr)


def add_games(parser: argparse.ArgumentParser, games: int, what: str) -> None:
    """How many games, from where, and who plays them."""
    parser.add_argument("--games", type=int, default=games, metavar="N", help=f"{what} ({games})")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (0)")
    parser.add_argument(
        "--openings",
        default="random:2",
        metavar="HOW",
        help="random:PLIES, a file with a line of moves or a position each, or none (random:2)",
    )
    add_workers(parser, "games at the same time (1; on a cluster its processors)")


def add_workers(parser: argparse.ArgumentParser, what: str) -> None:
    """How many work, and where."""
    parser.add_argument("--workers", type=int, metavar="N", help=what)
    parser.add_argument(
        "--on",
        default="local",
        metavar="WHERE",
        help="local, ray (a cluster on this machine), ray:HOST:PORT or ray:auto (local)",
    )
    parser.add_argument(
        "--device",
        choices=DEVICES,
        default=CPU,
        help="what networks compute on; auto is a GPU where there is one (cpu)",
    )


def add_place(parser: argparse.ArgumentParser) -> None:
    """Where a training hands out its games."""
    add_workers(parser, "workers of a cluster (its processors); here that is --threads")
    parser.add_argument(
        "--max-staleness",
        type=int,
        metavar="N",
        help="workers do not wait for the learner; what they play is at most N steps old",
    )


def check_place_options(args: argparse.Namespace) -> None:
    """Refuse options of workers where there are none."""
    for name in ("workers", "max_staleness"):
        if args.on == "local" and getattr(args, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} has no effect here; choose --on ray")


def least_workers(args: argparse.Namespace) -> int:
    """How many work at least: elsewhere several may, whose decisions share a machine."""
    least = 1 if args.on == "local" else 2
    if args.workers is None or 0 < args.workers < least:
        return least
    return int(args.workers)


@contextmanager
def workers_of(args: argparse.Namespace) -> Iterator[int | Workers]:
    """How many work here, or who works elsewhere, as the options ask."""
    with on_device(args.device):
        if args.on == "local":
            yield 1 if args.workers is None else args.workers
            return
        from ludus.scale import connect  # late: nobody else needs it

        with connect(args.on, args.workers, device=args.device) as workers:
            yield workers


def add_measures(parser: argparse.ArgumentParser) -> None:
    """What else is measured, and how."""
    parser.add_argument(
        "--reward",
        metavar="NAME",
        help="average reward per game and move: outcome, or a shaping of the game such as dense",
    )
    parser.add_argument(
        "--timing",
        default="batched",
        metavar="HOW",
        help="batched, or alone: one game, one decision at a time (batched)",
    )


def wrap(lines: Iterable[str], indent: int = 11) -> list[str]:
    """The same at 80 columns; only names longer than that are beyond them."""
    return [
        part
        for line in lines
        for part in textwrap.wrap(
            line,
            COLUMNS,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
            replace_whitespace=False,
        )
        or [""]
    ]


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def interval_text(interval: tuple[float, float]) -> str:
    """An interval of shares."""
    return f"({100 * interval[0]:.1f}-{100 * interval[1]:.1f})"


def check_minutes(minutes: float | None) -> None:
    """Refuse a time that never is; None is as long as it takes."""
    if minutes is not None and not 0 < minutes < math.inf:
        raise ValueError(f"minutes is a number above 0, not {minutes:g}")
