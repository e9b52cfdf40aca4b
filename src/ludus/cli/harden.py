"""Cure an agent of its mistakes: exploit it, train it from what was found, prove it, and again."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.checks import check_whole
from ludus.cli._common import add_json, answer, check_minutes, say, wrap
from ludus.cli._progress import Progress
from ludus.cli.evaluate import judge_of
from ludus.plain import plain
from ludus_start import importing

if TYPE_CHECKING:
    from ludus.learn.runs.run import Run

SIDES = ("first", "second")
AIMS = {"unbeaten": "cannot be beaten", "wins": "always wins"}
STOPPED = 130
VERDICTS = {
    "open": "not proven",
    "beaten": "can be beaten",
    "drawn": "cannot be beaten, but does not always win",
}


def options(parser: argparse.ArgumentParser) -> None:
    """Whom, for how long, and how mistakes are looked for."""
    parser.add_argument("who", metavar="RUN", help="a run, such as runs/x@best, or zoo/NAME")
    parser.add_argument("--minutes", type=float, required=True, metavar="N", help="of all training")
    parser.add_argument("--rounds", type=int, default=3, help="of exploit, train, prove (3)")
    parser.add_argument(
        "--into", metavar="DIR", help="where the rounds are kept (the run's path and -hardened)"
    )
    parser.add_argument("--side", choices=(*SIDES, "both"), default="first", help="(first)")
    parser.add_argument("--aim", choices=tuple(AIMS), default="unbeaten", help="(unbeaten)")
    parser.add_argument(
        "--agent-options",
        default="",
        metavar="LIST",
        help="of the agent that is cured, such as simulations=32,canonical=true",
    )
    parser.add_argument("--games", type=int, default=100, help="against the adversary (100)")
    parser.add_argument(
        "--positions", type=int, default=50_000, help="that a round looks at, at most (50000)"
    )
    parser.add_argument(
        "--settings",
        default="",
        metavar="LIST",
        help="settings of the training, such as learning_rate=0.0005,simulations=64",
    )
    parser.add_argument(
        "--oracle-start",
        action="store_true",
        help="begin each round with supervised learning from exact values of the found positions; "
        "without it no exact value enters a training target",
    )
    parser.add_argument(
        "--seen", metavar="FILE", help="positions that this start learns from too, a line each"
    )
    parser.add_argument(
        "--anew",
        action="store_true",
        help="with --oracle-start: rounds begin with new weights, not with the agent's, and go on "
        "as the agent was trained",
    )
    parser.add_argument(
        "--truth", choices=("own", "full"), default="own", help="table that judges (own)"
    )
    parser.add_argument(
        "--reference", metavar="AGENT", help="judge by what this agent thinks, which is not truth"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="(as many as there are cores)")
    parser.add_argument("--seed", type=int, default=0, help="(0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Rounds, then before and after; 0 if the aim is proven, 1 if not."""
    check_minutes(args.minutes)
    check_whole("rounds", args.rounds, 1, 1000)
    check_whole("games", args.games, 1, 100_000)
    check_whole("positions", args.positions, 1, 10**9)
    check_whole("seed", args.seed, 0, 2**63 - 1)
    if args.seen and not args.oracle_start:
        raise ValueError("--seen has no effect without --oracle-start")
    if args.anew and not args.oracle_start:
        raise ValueError("--anew has no effect without --oracle-start")
    cores = os.cpu_count() or 1
    args.workers = check_whole("threads", args.threads or cores, 1, 1024)
    with importing():
        from ludus.lab.harden import PLAN, Harden
        from ludus.lab.hardening import harden_folder, settings_of

    weights, game, method, config = settings_of(args.who, args.settings)
    judge, oracle, exact = judge_of(args, game, args.workers)
    folder = Path(args.into or weights.partition("@")[0].replace("zoo/", "") + "-hardened")
    asked = Harden(
        game,
        weights,
        args.agent_options,
        method,
        config,
        folder,
        (0, 1) if args.side == "both" else (SIDES.index(args.side),),
        AIMS[args.aim],
        args.minutes / args.rounds,
        args.rounds,
        args.games,
        args.positions,
        oracle,
        args.truth,
        args.oracle_start,
        args.seen or "",
        args.seed,
        args.workers,
        args.anew,
    )
    with harden_folder(folder, PLAN, asked), Progress("harden") as progress:
        try:
            rows = asked.run(progress, lambda run, minutes: train(run, minutes, args.json))
        except KeyboardInterrupt:
            progress.close()
            say("ludus: stopped; the same command goes on", file=sys.stderr)
            return STOPPED
    record = {
        "game": game.spelling,
        "judge": judge,
        "exact": exact,
        "aim": asked.aim,
        "exact_values_in_training": asked.oracle_start,
        "self_play_from_mistakes": method == "alphazero",
        "rounds": rows,
    }
    answer(record) if args.json else say(result_text(record))
    return 0 if all(one["proven"] for one in rows[-1]["sides"]) else 1


def train(run: Run, minutes: float, quiet: bool) -> None:
    """A part of a round, shown as any training."""
    from ludus.cli._training import TrainingProgress

    line = TrainingProgress(run, minutes, quiet)
    try:
        for step in run.steps(minutes, line.stopping):
            line(step)
    finally:
        line.close()


def result_text(record: dict[str, Any]) -> str:
    """Before and after, side by side."""
    lines = [f"{record['game']}, judged by {record['judge']}; the aim: {record['aim']}"]
    if not record["exact"]:
        lines.append("this is a reference and not truth")
    lines.append(
        "exact values of the oracle were learned from"
        if record["exact_values_in_training"]
        else "no exact value entered a training target; self-play began from refuted lines"
        if record["self_play_from_mistakes"]
        else "no exact value entered a training target; the adversary was the opponent"
    )
    for place, side in enumerate(one["side"] for one in record["rounds"][0]["sides"]):
        lines += ["", f"{side} player {'':6}{'won':>5}{'drawn':>7}{'lost':>6}  all lines"]
        for number, row in enumerate(record["rounds"]):
            one = row["sides"][place]
            name = "before" if number == 0 else f"round {number}"
            what = VERDICTS.get(one["verdict"], one["verdict"])
            what += "" if one["complete"] else ", not all were followed"
            lines.append(
                f"{name:19}{one['wins']:>5}{one['draws']:>7}{one['losses']:>6}  {what}; "
                f"{one['mistakes']:,} mistakes in {one['positions']:,} positions"
            )
    return "\n".join(wrap(map(plain, lines)))
