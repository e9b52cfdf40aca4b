"""The files of a report: a page, Markdown with pictures, and the tables for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.files import refuse_link, write
from ludus.studies.engine.as_html import as_html
from ludus.studies.engine.as_markdown import as_markdown, pictures
from ludus.studies.engine.measured import compare
from ludus.studies.engine.quotes import Paper, papers
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import Claim, Grid, Study, StudyQuestion
from ludus.studies.engine.telling import tell
from ludus.studies.engine.wording import both, verdict


def write_report(study: Study, scale: str, store: Store) -> Path:
    """Everything that is known by now, questions that are not done included."""
    asked, paper = study.ask(scale), papers()[study.name]
    folder = store.path / scale
    for place in (folder, folder / "plots"):
        refuse_link(place)
        place.mkdir(exist_ok=True)
    blocks = list(tell(study, scale, asked, paper, store))
    write(folder / "report.html", as_html(study.title, blocks).encode("utf-8", "replace"))
    for name, picture in pictures(blocks):
        write(folder / "plots" / name, picture.encode("utf-8", "replace"))
    write(folder / "report.md", as_markdown(blocks).encode("utf-8", "replace"))
    told = json.dumps(tables(study, scale, asked, store), indent=1)
    write(folder / "tables.json", f"{told}\n".encode())
    return folder / "report.html"


def tables(
    study: Study, scale: str, asked: Sequence[StudyQuestion], store: Store
) -> dict[str, Any]:
    """All numbers, ours and theirs, and what is said of them."""
    paper = papers()[study.name]
    return {
        "study": study.name,
        "scale": scale,
        "questions": [
            {
                "name": one.name,
                "missing": one.missing,
                "grids": [grid_record(grid, store, paper) for grid in one.grids],
                "claims": [claim_record(claim, store) for claim in one.claims],
            }
            for one in asked
        ],
    }


def grid_record(grid: Grid, store: Store, paper: Paper) -> dict[str, Any]:
    """A table for programs."""
    rows = []
    for name, cells in grid.rows:
        told = []
        for cell in cells:
            ours, theirs = both(cell, store, paper)
            told.append(
                {
                    "ours": ours.as_dict() if ours else None,
                    "theirs": theirs.as_dict() if theirs else None,
                    "said": compare(ours, theirs) if ours and theirs else "",
                }
            )
        rows.append({"name": name, "cells": told})
    return {"title": grid.title, "columns": list(grid.columns), "rows": rows}


def claim_record(claim: Claim, store: Store) -> dict[str, Any]:
    """A claim for programs."""
    return {"says": claim.says, "said": verdict(claim, store)}
