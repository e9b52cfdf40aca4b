"""Go on with a run where it was stopped, exactly as if it had not been."""

from __future__ import annotations

import argparse
from typing import Any

from ludus.cli._common import add_json, add_place, check_place_options
from ludus.learn.settings.renamed import COMMON
from ludus_start import importing

# What may change on the way beside the end, since it does not touch what is learned.
CHANGES = {
    "eval_opponents": ("A;B", "measure strength against these agents"),
    "eval_freq": ("N", "steps between two measurements"),
    "eval_freq_games": ("N", "games between two measurements"),
    "n_eval_games": ("N", "games against each of them"),
    "eval_openings": ("O", "openings of those games"),
    "eval_truth_states": ("N", "positions compared with perfect play"),
    "checkpoint_seconds": ("S", "seconds between two checkpoints at most"),
    "keep_every": ("N", "steps between checkpoints that are kept forever"),
    "tensorboard": ("BOOL", "also write metrics for TensorBoard"),
}


class Renamed(argparse.Action):
    """An option under its old name, which is told the new one."""

    def __call__(self, parser: object, space: object, values: object, option: Any = None) -> None:
        new = COMMON[option.removeprefix("--").replace("-", "_")]
        raise ValueError(f"no option {option}; did you mean --{new.replace('_', '-')}?")


def options(parser: argparse.ArgumentParser) -> None:
    """Which run, and for how long."""
    parser.add_argument("folder", metavar="RUN", help="where it is kept")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop, saved, after so long")
    parser.add_argument("--steps", type=int, metavar="N", help="train to this step")
    parser.add_argument("--total-games", type=int, metavar="N", help="train to this game")
    for name, (metavar, told) in CHANGES.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, help=told)
    for old in (old for old, new in COMMON.items() if new in CHANGES):
        option = f"--{old.replace('_', '-')}"
        parser.add_argument(option, action=Renamed, help=argparse.SUPPRESS)
    parser.add_argument(
        "--game", metavar="FILE", help="the Python file of the game, if it is written in Python"
    )
    parser.add_argument(
        "--with",
        dest="files",
        action="append",
        default=[],
        metavar="FILE",
        help="the Python file of an agent that the run meets; may be given several times",
    )
    add_place(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Train on."""
    with importing():
        from ludus.cli._common import check_minutes
        from ludus.cli._training import train_somewhere
        from ludus.learn.runs.run import Run
        from ludus.learn.settings.config import typed_words

    check_minutes(args.minutes)
    check_place_options(args)
    found = Run(args.folder, args.game, files=args.files)
    given = {name: value for name, value in vars(args).items() if value is not None}
    changes: dict[str, Any] = {
        name: given[name] for name in ("steps", "total_games") if name in given
    }
    words = {name: given[name] for name in CHANGES if name in given}
    changes |= typed_words(type(found.asked.config), words)
    last = (found.folder.course() or [{}])[-1]
    done = {"steps": last.get("step", 0), "total_games": last.get("games", 0)}
    for name, behind in done.items():
        if name in changes and 0 < changes[name] < behind:
            option = f"--{name.replace('_', '-')}"
            raise ValueError(
                f"the run in {args.folder} has {behind:,.0f} {name.removeprefix('total_')} behind "
                f"it, and {option} {changes[name]} is below that"
            )
    return train_somewhere(found.with_config(**changes), args)
