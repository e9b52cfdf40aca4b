"""Every study at its smallest scale, from end to end."""

import json
import re
import warnings
from xml.etree import ElementTree

import pytest

from ludus.cli import main
from ludus.studies import studies, study
from ludus.studies.engine.store import Store
from ludus.studies.engine.working import parts_of, unfinished

OUTSIDE = re.compile(r"""(src|href)=["']?(https?:)?//""")


@pytest.mark.parametrize("name", studies())
def test_a_study_runs_from_end_to_end(name, tmp_path, capsys):
    folder = tmp_path / "study"
    words = ["study", name, "--scale", "smoke", "--folder", str(folder), "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    asked = study(name).ask("smoke")
    assert [one["name"] for one in told["questions"]] == [one.name for one in asked]
    store, parts = Store(folder, name), parts_of(asked)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not unfinished(store, parts)
    check_tables(told, asked)
    check_files(folder / "smoke")
    written = {file: file.stat().st_mtime_ns for file in folder.glob("parts/*/part.json")}
    assert len(written) == len(parts)
    assert main(words) == 0  # all of it is there
    assert json.loads(capsys.readouterr().out) == told
    assert written == {file: file.stat().st_mtime_ns for file in written}


def check_tables(told, asked):
    """Every number that is asked for is there, and lies in its interval."""
    for record, question in zip(told["questions"], asked, strict=True):
        assert bool(record["missing"]) == bool(question.missing)
        if question.missing:
            continue
        for made, grid in zip(record["grids"], question.grids, strict=True):
            for row, (_, cells) in zip(made["rows"], grid.rows, strict=True):
                for cell, given in zip(row["cells"], cells, strict=True):
                    assert (cell["ours"] is None) == (given.ours is None), (grid.title, row)
                    assert (cell["theirs"] is None) == (not given.theirs)
                    if (ours := cell["ours"]) and "low" in ours:
                        assert ours["low"] <= ours["value"] + 1e-9
                        assert ours["value"] <= ours["high"] + 1e-9
        assert all(claim["said"] for claim in record["claims"])


def check_files(folder):
    """The page fetches nothing, pictures are whole and there, and no link is broken."""
    page = (folder / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert not OUTSIDE.search(page)
    text = (folder / "report.md").read_text()
    shown = re.findall(r"!\[.*?\]\((.*?)\)", text)
    assert shown
    for name in shown:
        ElementTree.parse(folder / name)
    assert {f"plots/{file.name}" for file in (folder / "plots").iterdir()} == {*shown}
