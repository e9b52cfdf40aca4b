"""The command line, as a person and as a program use it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.cli import _progress, commands, main

EXAMPLE = "examples/breakthrough.py"


def run(capsys, *arguments):
    try:
        code = main(list(arguments))
    except SystemExit as stop:  # argparse ends the program by itself
        code = stop.code
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys, *arguments):
    code, out, _ = run(capsys, *arguments, "--json")
    assert out.count("\n") == 1
    return code, json.loads(out)


def test_without_a_command_it_says_what_to_do_next(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    assert "ludus games" in out


def test_every_command_explains_itself(capsys):
    for command in commands():
        code, out, _ = run(capsys, command, "--help")
        assert code == 0
        assert f"usage: ludus {command}" in out


def test_every_game_is_listed_and_explained(capsys):
    _, listed = answer(capsys, "games")
    assert [record["game"] for record in listed["games"]] == ludus.game_names()
    for name in ludus.game_names():
        code, record = answer(capsys, "games", name)
        assert code == 0
        assert record["actions"] == ludus.game(name).num_actions
        assert all(p["meaning"] for p in record["parameters"].values())
        _, out, _ = run(capsys, "games", name)
        assert record["title"] in out


def test_perft_counts_and_splits(capsys):
    code, record = answer(capsys, "perft", "connect4", "4", "--split")
    assert code == 0
    assert record["game"] == "connect4"
    assert record["nodes"] == [7, 49, 343, 2401]
    assert sum(record["split"].values()) == 2401
    _, after = answer(capsys, "perft", "connect4:rows=4", "1", "--moves", "4444")
    assert after["nodes"] == [6]


def test_show_reaches_the_same_state_by_moves_and_by_position(capsys, tmp_path):
    _, moved = answer(capsys, "show", "connect4", "--moves", "4453")
    _, placed = answer(capsys, "show", "connect4", "--position", moved["position"])
    assert moved["position"] == placed["position"]
    file = tmp_path / "board.svg"
    code, _, _ = run(capsys, "show", "connect4", "--moves", "44", "--svg", str(file))
    assert code == 0
    assert file.read_text().startswith("<svg")


def test_check_game_says_yes_and_no(capsys, tmp_path):
    code, record = answer(capsys, "check-game", EXAMPLE, "--games", "2")
    assert code == 0
    assert record["kept"]
    broken = tmp_path / "broken.py"
    broken.write_text(Path(EXAMPLE).read_text().replace("2 - step if symmetry else step", "step"))
    code, record = answer(capsys, "check-game", str(broken), "--games", "2")
    assert code == 1
    assert not record["laws"]["symmetry"]["holds"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["perft", "chess", "3"], "no game 'chess'; there are"),
        (["perft", "connect4:rows=x", "3"], "rows is an integer, not 'x'"),
        (["perft", "connect4:rows=99", "3"], "(rows + 1) * columns <= 64"),
        (
            ["perft", "connect4:height=6", "3"],
            "no parameter 'height'; there are rows, columns, line",
        ),
        (["perft", "connect4:rows", "3"], "key=value"),
        (["perft", "connect4", "0"], "depth is a whole number from 1"),
        (["perft", "connect4", "three"], "invalid int value"),
        (["show", "connect4", "--moves", "449"], "no move '9' here"),
        (["show", "connect4", "--position", "nonsense"], "6 rows of 7 cells"),
        (["show", "connect4", "--svg", "no/such/folder/x.svg"], "No such file or directory"),
        (["check-game", "no_such_file.py"], "no file 'no_such_file.py'"),
        (["check-game", "tests/conftest.py"], "not 0 (none)"),
        (["dance"], "invalid choice"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, arguments, sentence):
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err


def test_doctor_finds_everything_in_order(capsys):
    code, record = answer(capsys, "doctor")
    assert code == 0
    assert record["healthy"]
    assert set(record["games"]) == set(ludus.game_names())


def test_the_demo_shows_every_game(capsys, tmp_path):
    code, out, _ = run(capsys, "demo", "--minutes", "0.05", "--folder", str(tmp_path / "demo"))
    assert code == 0
    for name in ludus.game_names():
        assert ludus.game(name).kind.title in out
    assert out.count("random games a second on one thread") == len(ludus.game_names())


def test_python_dash_m_is_the_command_line():
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "perft", "tictactoe", "3", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["nodes"] == [9, 72, 504]


def test_help_imports_nothing_heavy():
    program = (
        "import sys, ludus.cli; ludus.cli.parser();"
        "sys.exit(','.join({'numpy', 'scipy', 'torch', 'tyro', 'rich'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_done_tells_no_time(capsys, monkeypatch):
    line = _progress.Progress("match", 100, "games")
    monkeypatch.setattr(_progress.time, "monotonic", lambda: line.started + 60)
    line(0.0, "0 of 0 points")
    assert capsys.readouterr().err == "match: 0 %, 0 games/s, 0 of 0 points\n"
    monkeypatch.setattr(_progress.time, "monotonic", lambda: line.started + 120)
    line(0.5)
    assert capsys.readouterr().err == "match: 50 %, 0.417 games/s, 2 min left\n"
