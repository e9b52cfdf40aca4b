"""Ask what an agent, or each checkpoint of a run, has really learned: beside what is true."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.checks import check_whole
from ludus.cli._common import (
    add_games,
    add_json,
    add_report,
    answer,
    say,
    workers_of,
    write_page,
)
from ludus.cli._evaluation import result_text, strength_text
from ludus.cli._progress import Progress
from ludus.scale.place import LOCAL

if TYPE_CHECKING:
    from ludus.arena.tasks import Workers

STOPPED = 130
SEARCHES = "32,64,128,256,512,1024"


def options(parser: argparse.ArgumentParser) -> None:
    """Who, on which states, judged by what."""
    parser.add_argument("who", metavar="RUN|AGENT", help="a run's folder, or an agent")
    parser.add_argument(
        "--suite",
        default="truth",
        choices=("truth", "strength"),
        help="truth: beside what is true; strength: games against others (truth)",
    )
    parser.add_argument("--game", metavar="GAME", help="for agents that play more than one")
    parser.add_argument(
        "--checkpoints",
        default="all",
        metavar="WHICH",
        help="of a run: all that are kept, best, last, or steps such as 10,20 (all)",
    )
    parser.add_argument(
        "--truth",
        default="own",
        choices=("own", "full"),
        help="table that judges; full: the full game's, for forward-only Chinese Checkers (own)",
    )
    parser.add_argument(
        "--reference",
        metavar="AGENT",
        help="judge by what this agent thinks, where nothing is true: alphabeta:depth=8",
    )
    parser.add_argument(
        "--simulations",
        default=SEARCHES,
        metavar="LIST",
        help=f"searches of networks, beside none at all; none for no search ({SEARCHES})",
    )
    for name, default, what in (
        ("seen", 0, "seen states; 0 for all"),
        ("neighbouring", 10_000, "neighbouring states; 0 for all"),
        ("random", 10_000, "random states"),
        ("searched", 1_000, "states of each class that are searched from"),
    ):
        parser.add_argument(
            f"--{name}", type=int, default=default, metavar="N", help=f"{what} ({default})"
        )
    parser.add_argument(
        "--seen-by", metavar="RUN", help="training whose states count as seen, if not its own"
    )
    parser.add_argument(
        "--mirrored", action="store_true", help="mirror images of seen states count as seen too"
    )
    parser.add_argument(
        "--draw-band",
        type=float,
        default=0.0,
        metavar="B",
        help="values from -B to B predict a draw; with 0 the sign predicts (0)",
    )
    parser.add_argument(
        "--opponents",
        default="random;uct:simulations=100",
        metavar="AGENTS",
        help="of --suite strength, with ; between them (random;uct:simulations=100)",
    )
    add_games(parser, 100, "of --suite strength: games against each opponent")
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write each answer as it is found; where some are there already, go on after them",
    )
    add_report(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Ask and report; Ctrl-C reports what is done."""
    return run_strength(args) if args.suite == "strength" else run_truth(args)


def run_strength(args: argparse.Namespace) -> int:
    """Play against others."""
    from ludus.lab.strength import StrengthPlan, StrengthSuite  # late: they need numpy
    from ludus.lab.subjects import subjects_of

    if args.report:
        raise ValueError("--report draws the suite truth; `ludus tournament --report` draws games")
    who = subjects_of(args.who, args.game, args.checkpoints)
    opponents = tuple(word.strip() for word in args.opponents.split(";") if word.strip())
    plan = StrengthPlan(who.game.spelling, opponents, args.games, args.openings, args.seed)
    record = Path(args.record) if args.record else None
    code = 0
    with workers_of(args) as workers:
        suite = StrengthSuite(plan, who.agents, workers, record)
        try:
            with Progress("games") as told:
                suite.run(told)
        except KeyboardInterrupt:
            code = STOPPED
    result = suite.result()
    answer(result) if args.json else say(strength_text(result))
    return code


def run_truth(args: argparse.Namespace) -> int:
    """Ask about states."""
    searches = read_searches(args.simulations)
    for name, low in (("seen", 0), ("neighbouring", 0), ("random", 1), ("searched", 1)):
        check_whole(name, getattr(args, name), low, 10**9)
    if args.workers is not None:
        check_whole("workers", args.workers, 1, 1024)
    check_whole("seed", args.seed, 0, 2**63 - 1)
    if not 0 <= args.draw_band < 1:
        raise ValueError(f"draw-band is from 0 to below 1, not {args.draw_band:g}")
    if args.reference and args.truth != "own":
        raise ValueError("either a table judges (--truth) or an agent (--reference), not both")
    with workers_of(args) as workers:
        return ask_truth(args, searches, workers)


def ask_truth(args: argparse.Namespace, searches: tuple[int, ...], workers: int | Workers) -> int:
    """Ask, by threads here or workers elsewhere, and report."""
    from ludus.agent import agent  # late: they need numpy and more
    from ludus.lab.plan import SuitePlan, build_datasets
    from ludus.lab.seen import SeenStates
    from ludus.lab.subjects import subjects_of
    from ludus.lab.suite import Suite
    from ludus.lab.targets import target_accuracy
    from ludus.learn.agents._trained import Trained
    from ludus.learn.runs.run import Run

    who = subjects_of(args.who, args.game, args.checkpoints)
    threads = (args.workers or 1) if args.on == LOCAL else 1
    judge, oracle, exact = judge_of(args, who.game, threads)
    source = Run(args.seen_by) if args.seen_by else who.run
    seen = load_seen(source, SeenStates, args.mirrored, bool(args.seen_by))
    trained = all(isinstance(agent(one), Trained) for one in who.agents)
    plan = SuitePlan(
        who.game.spelling,
        judge,
        exact,
        searches if trained else (),
        args.seen,
        args.neighbouring,
        args.random,
        args.searched,
        args.draw_band,
        args.mirrored,
        args.seed,
    )
    suite, targets, code = None, None, 0
    try:
        with Progress("states") as told:
            datasets = build_datasets(plan, oracle, seen, lambda what, share: told(share, what))
            if seen is not None and seen.record is not None:
                targets = target_accuracy(
                    oracle, seen, plan.draw_band, lambda what, share: told(share, what)
                )
        record = Path(args.record) if args.record else None
        suite = Suite(plan, datasets, who.agents, workers, record)
        with Progress("evaluate") as told:
            suite.run(told)
    except KeyboardInterrupt:
        code = STOPPED
    if suite is None:
        return code
    result = {**suite.result(), "targets": targets}
    for one, step in zip(result["agents"], who.steps, strict=True):
        one["step"] = step
    if args.report:
        from ludus.lab.pictures import page

        write_page(args.report, page(result, who.run.folder.course() if who.run else ()))
    answer(result) if args.json else say(result_text(result))
    return code


def read_searches(text: str) -> tuple[int, ...]:
    """The list of simulations: increasing whole numbers, or none."""
    if text in ("none", "0", ""):
        return ()
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and len(word) < 10 for word in words):
        raise ValueError(f"simulations are whole numbers with commas between, not {text!r:.60}")
    return tuple(sorted({int(word) for word in words} - {0}))


def judge_of(args: argparse.Namespace, game: Any, threads: int) -> tuple[str, Any, bool]:
    """What is said of who judges, who does, and whether it is the truth."""
    from ludus.truth.oracle import NoTruth, module_of, oracle

    if args.reference:
        from ludus.agent import agent
        from ludus.lab.reference import Reference

        known = Reference(game, agent(args.reference), seed=args.seed, workers=threads)
        return f"{args.reference}, a reference and not truth", known, False
    if args.truth == "own":
        try:
            return "the game's own truth", oracle(game), True
        except NoTruth as why:
            raise NoTruth(f"{why}; --reference AGENT judges by what an agent thinks") from None
    if "truth" not in module_of(game).OPTIONS:
        raise ValueError(f"truth=full has no effect in {game.name}: it has only one truth")
    return "the truth of the full game", oracle(game, truth=args.truth), True


def load_seen(source: Any, kind: Any, mirrored: bool, asked: bool) -> Any:
    """The states that count as seen; without a record only random ones are asked about."""
    if source is None:
        return None
    try:
        seen = kind.load(source, mirrored=mirrored)
    except ValueError as why:
        if asked or "has no record" not in str(why):
            raise
        say(f"ludus: {why}; only random states are asked about", file=sys.stderr)
        return None
    if seen.full:
        say(
            f"ludus: the record of {source.path} was full: states that came later are not told "
            "from unseen ones",
            file=sys.stderr,
        )
    return seen
