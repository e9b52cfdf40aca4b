"""Solve a game, and say what is true of a position; tables are made once and kept."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ludus.checks import check_whole
from ludus.cli._common import add_json, add_position, answer, draw, reach_position, say
from ludus.cli._progress import Progress
from ludus.game import Game, State
from ludus.resources import amount
from ludus.truth.oracle import Oracle, oracle, parse_spelling
from ludus.truth.solving import COUNTS, Job, find_table, result_of, solve
from ludus.truth.table_cache import tables

WORDS = {1.0: "won", 0.0: "drawn", -1.0: "lost"}


def options(parser: argparse.ArgumentParser) -> None:
    """What to solve, which position, and what to do with the tables there are."""
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="a game, such as chinesecheckers:size=4,pieces=3"
    )
    add_position(parser)
    parser.add_argument("--threads", type=int, metavar="N", help="(as many as there are cores)")
    parser.add_argument("--list", action="store_true", help="which tables there are")
    parser.add_argument("--delete", action="store_true", help="delete the table of this game")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Make the table if there must be one, then answer."""
    if args.list:
        return list_tables(args.json)
    if args.game is None:
        raise ValueError("solve which game? `ludus solve --list` shows the tables there are")
    cores = os.cpu_count() or 1
    threads = check_whole("threads", cores if args.threads is None else args.threads, 1, 1024)
    game, module, chosen = parse_spelling(args.game)
    job: Job | None = module.job(game, threads=threads, **chosen)
    if args.delete:
        return delete_table(args.game, job, args.json)
    asked = args.position is not None or args.moves is not None
    if job:
        summary = find_or_solve(job, args.json)
    elif not asked:
        if not hasattr(module, "summary"):
            raise ValueError(f"{args.game} is solved position by position: give one, or --moves")
        summary = module.summary(game, **chosen)
    if not asked:
        answer(summary) if args.json else say(summary_text(summary))
        return 0
    state, _ = reach_position(game, args)
    truth = position_facts(oracle(game, **chosen), state)
    answer(truth) if args.json else draw(explain_position(game, state, truth))
    return 0


def list_tables(json: bool) -> int:
    """The tables, with their sizes."""
    found = {path.name: path.stat().st_size for path in tables()}
    if json:
        answer({"tables": found})
    elif not found:
        say("no tables yet; `ludus solve GAME` makes one")
    for name, size in () if json else found.items():
        say(f"{amount(size):>12}  {name}")
    return 0


def delete_table(spelling: str, job: Job | None, json: bool) -> int:
    """Delete what was kept of a game, and say how much that was."""
    files = [job.file, job.file.with_suffix(".part")] if job else []
    there = [path for path in files if path.exists()]
    if not there:
        raise ValueError(f"there is no table of {spelling}")
    freed = sum(path.stat().st_size for path in there)
    for path in there:
        path.unlink()
    names = [path.name for path in there]
    answer({"deleted": names, "bytes": freed}) if json else say(
        f"deleted {', '.join(names)}: {amount(freed)}"
    )
    return 0


def find_or_solve(job: Job, quiet: bool) -> dict[str, Any]:
    """The summary of the table, which is made now if it is not there."""
    found = find_table(job)
    if found is None:
        if not quiet:
            say(
                f"{job.spelling}: {job.states:,} positions to solve; needs {amount(job.memory)} of "
                f"memory and {amount(job.disk)} of disk",
                flush=True,
            )
        with Progress("solving", job.states, "positions") as progress:
            found = solve(job, progress=progress)
    return result_of(found)


def summary_text(summary: dict[str, Any]) -> str:
    """What a solve found, for a person."""
    lines = [f"{name:12}{summary[name]:>20,}" for name in COUNTS if name in summary]
    start = summary["start"]
    if start["value"] is not None:
        plies = "" if start.get("distance") is None else f" in {start['distance']} plies"
        lines.append(f"the start is {value_text(start['value'])} for the player to move{plies}")
    if summary.get("longest_win") is not None:
        lines.append(f"the longest win takes {summary['longest_win']} plies")
    lines.append(f"solved in {summary['seconds']:.1f} s, {amount(summary['peak_bytes'])} at most")
    return "\n".join(lines)


def value_text(value: float) -> str:
    """A value as people say it."""
    return WORDS.get(value, f"worth {value:+.10f}")


def position_facts(truth: Oracle, state: State) -> dict[str, Any]:
    """All that the oracle knows of a position."""
    record: dict[str, Any] = {"value": truth.value(state)}
    over = not state.legal()
    score = None if over else truth.score(state)
    if score is not None:
        record["score"] = score
    record["distance"] = truth.distance(state)
    move = truth.game.move
    values = {} if over else truth.values(state)
    record["moves"] = {move(state, action): value for action, value in values.items()}
    extra: dict[int, Any] = {}
    if not over:
        extra = {**(truth.scores(state) or truth.distances(state))}
    if any(value is not None for value in extra.values()):
        name = "distances" if score is None else "scores"
        record[name] = {move(state, action): extra[action] for action in values}
    return record


def explain_position(game: Game, state: State, record: dict[str, Any]) -> str:
    """The truth of a position, best moves first."""
    lines = [game.text(state), ""]
    plies = record.get("distance")
    after = "" if plies is None else f", over in {plies} plies"
    if "score" in record:
        after += f", score {record['score']}"
    lines.append(f"{value_text(record['value'])} for the player to move{after}")
    extra = record.get("scores") or record.get("distances") or {}
    name = "score" if "scores" in record else "over in"
    for move, value in sorted(record["moves"].items(), key=lambda item: -item[1]):
        more = f"  {name} {extra[move]}" if extra.get(move) is not None else ""
        lines.append(f"  {move:12} {value_text(value)}{more}")
    return "\n".join(lines)
