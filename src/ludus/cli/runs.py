"""List the runs: what they learn, how far they are, how strong they were."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

from ludus.cli._common import add_json, answer, say
from ludus.files import Notice
from ludus.plain import sentence


def options(parser: argparse.ArgumentParser) -> None:
    """Where to look."""
    parser.add_argument("folder", metavar="DIR", nargs="?", default="runs", help="(runs)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """A line a run."""
    found = sorted(path.parent for path in Path(args.folder).glob("**/config.json"))
    records = [describe_run(path) for path in found]
    if args.json:
        answer({"runs": records})
        return 0
    if not records:
        say(f"no runs in {args.folder}; `ludus train dqn connect4` makes one")
    for record in records:
        if "damage" in record:
            say(sentence(f"{record['run']}: {record['damage']}"))
            continue
        strength = record["strength"]
        said = "not measured" if strength is None else f"strength {100 * strength:.1f} %"
        line = (
            f"{record['run']:30} {record['algorithm']:10} {record['game']:24} "
            f"{progress_text(record)}  {said}"
        )
        say(sentence(line))
    return 0


def progress_text(record: dict[str, Any]) -> str:
    """How far it has come, in the unit that ends it."""
    if total := record["total_games"]:
        return f"game {record['games']:,} of {total:,}"
    return f"step {record['step']} of {record['steps']}"


def describe_run(path: Path) -> dict[str, Any]:
    """What a run's folder says of it; of one that says nonsense, what is wrong with it."""
    try:
        return summary(path)
    except (ValueError, OSError) as error:
        return {"run": str(path), "damage": str(error)}


def summary(path: Path) -> dict[str, Any]:
    """What a whole folder says of its run."""
    from ludus.learn.runs.folder import RunFolder
    from ludus.learn.runs.metrics import games_of
    from ludus.learn.store.forms import describe_value
    from ludus.learn.store.selection import check_legible, strength

    folder = RunFolder(path)
    record, course = folder.record(), folder.course()
    for flaw in folder.flaws():
        warnings.warn(flaw, Notice, stacklevel=2)
    counts = {
        "step": course[-1]["step"] if course else 0,
        "steps": record["config"].get("steps"),
        "games": games_of(course[-1]) if course else 0,
        "total_games": record["config"].get("total_games", 0),
    }
    for name, count in counts.items():
        if type(count) is not int or count < 0:
            raise ValueError(f"{path} is damaged: its {name} is {describe_value(count)}")
    check_legible(folder.checkpoints)
    return {
        "run": str(path),
        "algorithm": record["algorithm"],
        "game": record["game"],
        **counts,
        "strength": strength(folder.checkpoints),
    }
