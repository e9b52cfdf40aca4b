"""Follow all lines of play against an agent: does it always win, can it be beaten?"""

from __future__ import annotations

import argparse
import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.checks import check_whole
from ludus.cli._common import add_json, answer, say, wrap
from ludus.cli._progress import Progress
from ludus.plain import plain

if TYPE_CHECKING:
    from ludus.lab.prove import Proof, Verdict

SIDES = ("first", "second")
WINS, UNBEATEN = "always wins", "cannot be beaten"
AIMS = {"unbeaten": UNBEATEN, "wins": WINS}
MISTAKES = "mistakes.txt"


def options(parser: argparse.ArgumentParser) -> None:
    """Whose lines of play, how far, and where answers are kept."""
    parser.add_argument("agent", metavar="AGENT", help="such as zoo/tictactoe or runs/x@best")
    parser.add_argument("--game", metavar="GAME", help="the game, where the agent does not name it")
    parser.add_argument("--side", choices=SIDES, required=True, help="the side that it plays")
    parser.add_argument(
        "--aim",
        choices=tuple(AIMS),
        default="unbeaten",
        help="end at the first line that beats it, or at the first that it does not win (unbeaten)",
    )
    parser.add_argument(
        "--folder", metavar="DIR", help="keep its answers there; the same command then resumes"
    )
    parser.add_argument("--certificate", metavar="FILE", help="write what is proven there")
    parser.add_argument(
        "--mistakes",
        action="store_true",
        help="ask the oracle: end a line where the agent gives its aim away, go on with the "
        f"others, and list such lines in {MISTAKES} of the folder",
    )
    parser.add_argument(
        "--truth",
        choices=("own", "full"),
        default="own",
        help="table that judges; full: the full game's",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="(as many as there are cores)")
    parser.add_argument("--seed", type=int, default=0, help="of the agent (0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Answer with 0 if the aim is proven, 1 if not."""
    cores = os.cpu_count() or 1
    threads = check_whole("threads", cores if args.threads is None else args.threads, 1, 1024)

    from ludus.agent import agent  # late: they need numpy and more
    from ludus.lab.answers import ReplyStore
    from ludus.lab.certificate import write_certificate
    from ludus.lab.frozen import freeze, game_for
    from ludus.lab.prove import Proof
    from ludus.lab.prove_folder import certificate, proof_folder, write_mistakes
    from ludus.truth.oracles import oracle_of

    made = agent(args.agent, seed=check_whole("seed", args.seed, 0, 2**64 - 1))
    on = game_for(made, args.game)
    frozen = freeze(made, on, seed=args.seed, threads=threads)
    if args.mistakes and args.folder is None:
        raise ValueError("--mistakes lists lines in a folder: give --folder")
    judge = oracle_of(on.start(), None, args.truth) if args.mistakes else None
    aim = AIMS[args.aim]
    with ExitStack() as stack:
        answers = ReplyStore()
        if args.folder is not None:
            folder = Path(args.folder)
            answers = stack.enter_context(proof_folder(folder, frozen, args.truth))
        progress = stack.enter_context(Progress("proving"))
        wanted = 1 if aim == WINS else 0
        told = PlyProgress(progress)
        proof = Proof(frozen, SIDES.index(args.side), aim, answers, judge, wanted, told)
        found = proof.run()
        if judge is not None:
            write_mistakes(folder / MISTAKES, proof, found)
        if args.certificate and found.proven and found.complete:
            write_certificate(Path(args.certificate), certificate(proof, found))
    record = facts(proof, found)
    answer(record) if args.json else say(verdict_text(record))
    return 0 if found.verdict == WINS or found.verdict == aim else 1


class PlyProgress:
    """How far a ply is: nobody knows how many positions all plies have."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.ply = progress, ""

    def __call__(self, share: float, found: str) -> None:
        ply, _, rest = found.partition(", ")
        if ply != self.ply:
            self.ply, self.progress.what = ply, f"proving, {ply}"
            self.progress.started = time.monotonic()  # rates and times are of this ply
        self.progress(share, rest)


def facts(proof: Proof, found: Verdict) -> dict[str, Any]:
    """What was found, for a program."""
    from ludus.lab.positions import line_text

    walk, game = found.walk, proof.game
    mine = sum(len(level.replies) for level in walk.levels)
    return {
        "agent": proof.frozen.spelling,
        "game": game.spelling,
        "side": SIDES[proof.side],
        "seed": proof.frozen.seed,
        "verdict": found.verdict,
        "complete": found.complete,
        "line": line_text(game, found.line) if found.line else "",
        "line_plies": len(found.line),
        "line_ends": found.why,
        "positions": len(walk.seen),
        "replies": mine,
        "asked": walk.asked,
        "ends": {"won": walk.ends[1], "drawn": walk.ends[0], "lost": walk.ends[-1]},
        "mistakes": len(walk.mistakes),
        "longest": found.plies,
        "plies_met": len(walk.levels),
        "canonical": proof.frozen.canonical,
    }


def verdict_text(record: dict[str, Any]) -> str:
    """The same for a person."""
    who = f"{record['agent']} as {record['side']} player of {record['game']}"
    if record["verdict"] == "open":
        what = (
            f"not proven: {record['mistakes']:,} of its replies give away what it had"
            if record["mistakes"]
            else "not decided"
        )
    else:
        drawn = "does not always win"
        if record["complete"]:  # no line is lost
            drawn = f"cannot be beaten, but {drawn}"
        what = {"beaten": "can be beaten", "drawn": drawn}.get(record["verdict"], record["verdict"])
    lines = [f"{who}: {what}"]
    if record["line"]:
        lines.append(
            f"a line of {record['line_plies']} plies: {record['line']}; {record['line_ends']}"
        )
    if record["longest"]:
        lines.append(f"every line ends, the longest after {record['longest']} plies")
    ends = record["ends"]
    lines.append(
        f"{record['positions']:,} positions, in {record['replies']:,} of which it moves; lines end "
        f"{ends['won']:,} times won, {ends['drawn']:,} drawn, {ends['lost']:,} lost"
        + ("; images of a position are one" if record["canonical"] else "")
    )
    return "\n".join(wrap(map(plain, lines)))
