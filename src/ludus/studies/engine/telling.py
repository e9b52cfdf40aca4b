"""A study as blocks: what was asked, what came out, how it compares, and how it was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ludus.arena.record import Record
from ludus.learn.runs.folder import rename_agent
from ludus.learn.store import zoo
from ludus.report.training import versions
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.blocks import (
    Block,
    Boards,
    Commands,
    Drawing,
    Heading,
    Listing,
    Paragraph,
    Sheet,
)
from ludus.studies.engine.drawing import curves
from ludus.studies.engine.games import A, B, Games
from ludus.studies.engine.part import Part, in_order, zoo_names
from ludus.studies.engine.players import title_of
from ludus.studies.engine.quotes import Paper
from ludus.studies.engine.reduction import is_reduced, reductions
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import Study, StudyQuestion
from ludus.studies.engine.wording import cell_text, claim_text, first_lines, summary
from ludus.studies.engine.working import parts_of

SHOWN = 2  # games of a part
HOW = (
    "Ours stands first, with its 95 % interval over pairs of games; then the paper's number, and a "
    "mark where ours is higher (▲) or lower (▼) than theirs by more than both intervals explain. A "
    "training has one seed, so intervals do not say how another seed would do; and of twenty such "
    "comparisons one differs by chance."
)
REDUCED = (
    "Trainings here are smaller than the paper's, as said above: a difference from the paper's "
    "numbers need not be one of the methods."
)


def tell(
    study: Study, scale: str, asked: Sequence[StudyQuestion], paper: Paper, store: Store
) -> Iterator[Block]:
    """The whole report."""
    yield Heading(1, study.title)
    yield Paragraph(f"{paper.title}; asked again by ludus at the scale {scale}.")
    yield Paragraph(HOW, dim=True)
    for one in asked:
        yield from tell_question(one, paper, store)
    if study.left_out:
        yield Heading(2, "What is not asked")
        yield Listing([f"{one.what}: {one.why}" for one in study.left_out])
    if paper.misprints:
        yield Heading(2, "Misprints of the paper")
        yield Listing([f"{one['where']}: {one['wrong']}" for one in paper.misprints])
    yield from how_it_was_done(study, scale, asked, store)


def tell_question(one: StudyQuestion, paper: Paper, store: Store) -> Iterator[Block]:
    """One question: tables, pictures, claims, boards, and what was reduced."""
    yield Heading(2, one.title)
    yield Paragraph(one.asks)
    if one.missing:
        yield Paragraph(f"Left out: {one.missing}")
        return
    for grid in one.grids:
        yield Heading(3, grid.title)
        rows = [
            [
                name,
                *(
                    cell_text(cell, store, paper, grid.is_share(column))
                    for column, cell in enumerate(cells)
                ),
            ]
            for name, cells in grid.rows
        ]
        yield Sheet(["", *grid.columns], rows)
        if said := summary(grid, store, paper):
            yield Paragraph(said)
    for number, figure in enumerate(one.figures, 1):
        if drawn := curves(figure, store, paper):
            name = f"{one.name}-{number}"
            yield Drawing(name, figure.title, drawn, figure.x, figure.y, figure.share)
    if one.claims:
        yield Listing([claim_text(claim, store) for claim in one.claims])
    yield from ([Listing(list(one.notes))] if one.notes else [])
    parts = list(one.parts())
    if told := reductions(parts, store):
        yield Listing(told)
    if is_reduced(parts) and (one.grids or one.claims):
        yield Paragraph(REDUCED)
    yield from boards(one, store)
    yield Commands(first_lines(commands(parts, store)))


def boards(one: StudyQuestion, store: Store) -> Iterator[Block]:
    """A few of its games."""
    for number, part in enumerate(one.boards, 1):
        if isinstance(part, Games) and store.read(part):
            records = [
                with_titles(part, record) for record in part.records(Bench(store, part), SHOWN)
            ]
            yield Boards(f"{one.name}-game-{number}", records)


def with_titles(part: Games, record: Record) -> Record:
    """A game with its players' titles."""
    played = rename_agent(record.played, A, title_of(part.a))
    return replace(record, played=rename_agent(played, B, title_of(part.b)))


def commands(parts: Iterable[Part], store: Store) -> list[str]:
    """What was run for these parts."""
    done = (store.result(part).get("command", "") for part in in_order(parts).values())
    return [command for command in done if command]


def how_it_was_done(
    study: Study, scale: str, asked: Sequence[StudyQuestion], store: Store
) -> Iterator[Block]:
    """How long each part took, with what, and what was there before."""
    parts = parts_of(asked)
    kept = {at: store.read(part) for at, part in parts.items()}
    done = [one for one in kept.values() if one]
    yield Heading(2, "How it was done")
    whole = sum(one["seconds"] for one in done)
    yield Paragraph(
        f"{len(done)} of {len(parts)} parts are done; they took {whole / 60:.1f} minutes. Seeds "
        "stand in the commands."
    )
    yield Commands([f"ludus study {study.name} --scale {scale} --folder {store.path}"])
    if brought := networks_of_the_zoo(parts.values()):
        yield Paragraph("Networks that were there before:")
        yield Listing(brought)
    yield Sheet(["part", "seconds"], [[one["title"], f"{one['seconds']:,.1f}"] for one in done])
    yield Sheet(["package", "version"], list(versions().items()))


def networks_of_the_zoo(parts: Iterable[Part]) -> list[str]:
    """Those that are met in some parts, and how long their trainings took."""
    return [
        f"zoo/{name}: {card['algorithm']}, {card['minutes']:g} minutes of training; "
        f"{card['command']}"
        for name in zoo_names(parts)
        for card in (zoo.card(name),)
    ]
