"""Ask a paper's questions again: trainings, games and pictures, beside what it prints."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.cli._common import add_json, add_workers, answer, say, workers_of
from ludus.cli._progress import Progress, clock
from ludus_start import importing

if TYPE_CHECKING:
    from ludus.arena.tasks import Workers
    from ludus.studies.engine.part import Part
    from ludus.studies.engine.store import Store
    from ludus.studies.engine.study import Study

SCALES = "smoke (seconds), laptop (about an hour) or paper (its own numbers of games)"


def options(parser: argparse.ArgumentParser) -> None:
    """Which study, how much of it, and where."""
    parser.add_argument("study", nargs="?", metavar="STUDY", help="without it: which there are")
    parser.add_argument("--scale", default="laptop", help=f"{SCALES} (laptop)")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TABLE",
        help="a table or figure, such as table-1; more than once for several",
    )
    parser.add_argument(
        "--folder", metavar="DIR", help="parts and reports; goes on there (studies/STUDY)"
    )
    add_workers(parser, "games at the same time (1; on a cluster its processors)")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what is to be done and how long it takes"
    )
    parser.add_argument(
        "--report", action="store_true", help="only write the report of what is done"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Do what is not done yet, and write the report."""
    from ludus.checks import check_whole

    if args.study is None:
        return list_studies(args.json)
    with importing():
        from ludus.studies import study
        from ludus.studies.engine.report import tables, write_report
        from ludus.studies.engine.store import Store
        from ludus.studies.engine.working import parts_of, unfinished

        found = study(args.study)
    if args.workers is not None:
        check_whole("workers", args.workers, 1, 1024)
    asked = found.ask(args.scale, args.only)
    store = Store(Path(args.folder or f"studies/{found.name}"), found.name)
    store.check()
    parts = parts_of(asked)
    left = unfinished(store, parts)
    if args.dry_run:
        return tell_plan(store, parts, left, args.json)
    working = not args.report and left
    with workers_of(args) if working else nullcontext(1) as workers, store.lock():
        if working:
            work(store, parts, left, args, workers)
        page = write_report(found, args.scale, store)
    if args.json:
        answer(tables(found, args.scale, asked, store))
    else:
        say_results(found, args, store)
        say(f"{page} and report.md beside it")
    return 0


def list_studies(json: bool) -> int:
    """Which there are, and what each asks."""
    from ludus.studies import studies, study

    found = {name: study(name) for name in studies()}
    if json:
        answer({"studies": {name: names_of(one) for name, one in found.items()}})
        return 0
    for name, one in found.items():
        say(f"ludus study {name}: {one.title}")
        for question, title in names_of(one).items():
            say(f"  --only {question:22} {title}")
    return 0


def names_of(one: Study) -> dict[str, str]:
    """The questions of a study."""
    return {question.name: question.title for question in one.ask("smoke")}


def work(
    store: Store,
    parts: Mapping[str, Part],
    left: Mapping[str, Part],
    args: argparse.Namespace,
    workers: int | Workers,
) -> None:
    """Do what is left, with a line of progress over all parts."""
    from ludus.studies.engine.guessing import guesses
    from ludus.studies.engine.working import do

    if args.scale != "smoke":
        with Progress("looking at what is to be done") as progress:
            known = guesses(store, left, trying=True, tell=progress)
        if not args.json:
            say(plan_text(parts, left, known))
    else:
        known = guesses(store, left, trying=False)
    with Progress(f"study {args.study}") as progress:
        do(store, parts, guesses=known, workers=workers, tell=progress)


def tell_plan(store: Store, parts: Mapping[str, Part], left: Mapping[str, Part], json: bool) -> int:
    """What is to be done, and about how long each part takes."""
    from ludus.studies.engine.guessing import guesses

    with Progress("looking at what is to be done") as progress:
        known = guesses(store, left, trying=True, tell=progress)
    if json:
        told: list[Any] = [{"part": part.title, "seconds": known[at]} for at, part in left.items()]
        made = {"finished": len(parts) - len(left), "brought": brought_by(parts)}
        answer({"parts": told, **made, "seconds": sum(known.values())})
        return 0
    for at, part in left.items():
        say(f"{clock(known[at]):>9}  {part.title}")
    say(plan_text(parts, left, known))
    return 0


def plan_text(
    parts: Mapping[str, Part], left: Mapping[str, Part], known: Mapping[str, float]
) -> str:
    """How much is to be done, in a sentence, and what was done before."""
    said = (
        f"{len(parts) - len(left)} of {len(parts)} parts are finished; the others take about "
        f"{clock(sum(known.values()))} here on one core, by their first steps"
    )
    if brought := brought_by(parts):
        trained = (f"{name} ({minutes:g} minutes)" for name, minutes in brought.items())
        said += f"; trained before: {', '.join(trained)}"
    return said


def brought_by(parts: Mapping[str, Part]) -> dict[str, float]:
    """The networks of the zoo that some parts rest on, and the minutes of their trainings."""
    from ludus.learn.store import zoo
    from ludus.studies.engine.part import zoo_names

    return {f"zoo/{name}": zoo.card(name)["minutes"] for name in zoo_names(parts.values())}


def say_results(found: Study, args: argparse.Namespace, store: Store) -> None:
    """The tables and claims of what was asked, in the terminal."""
    from ludus.studies.engine.quotes import papers
    from ludus.studies.engine.wording import claim_text, summary

    paper = papers()[found.name]
    for one in found.ask(args.scale, args.only):
        say(f"{one.name}: {one.title}")
        if one.missing:
            say(f"  left out: {one.missing}")
            continue
        for grid in one.grids:
            if told := summary(grid, store, paper):
                say(f"  {grid.title}: {told}")
        for claim in one.claims:
            say(f"  {claim_text(claim, store)}")
