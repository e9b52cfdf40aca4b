"""Foreign text steers no terminal: whatever a file or a path says is printed as text."""

import ast
import json
from contextlib import suppress
from pathlib import Path

import pytest

import ludus
from ludus import lines
from ludus.arena.record import Record
from ludus.cli import main
from ludus.plain import plain, plain_json, plain_lines, sentence

EVIL = "\x1b]0;owned\x07\x1b[2J\r\n\x9b31m\u202eevil\u2028\x7f\udc9b"
CLI = Path(ludus.__file__).parent / "cli"


def printable(text):
    return all(line.isprintable() for line in text.split("\n"))


def test_what_does_not_print_is_escaped():
    assert plain("a b ü 将 …") == "a b ü 将 …"
    assert plain("\x1b[1m\n") == "\\x1b[1m\\n"
    assert plain("\u202e\udc80\U000e0001") == "\\u202e\\udc80\\U000e0001"
    assert plain_lines("a\n\tb") == "a\n\\tb"
    assert len(sentence("a" * 10**6)) == 2000


def test_json_with_escapes_is_the_same_json():
    record = {EVIL: [EVIL, "\U000e0001", 'quote " and \\']}
    text = plain_json(json.dumps(record, ensure_ascii=False))
    assert text.isprintable()
    assert json.loads(text) == record


def test_only_boards_are_printed_as_they_are():
    """Commands speak through `say`, `answer` and `draw`."""
    for path in CLI.glob("*.py"):
        if path.name in ("__init__.py", "_common.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            name = isinstance(node, ast.Name) and node.id
            assert name != "print", f"{path.name}, line {node.lineno}: say() it"


@pytest.fixture
def record(tmp_path):
    score = ludus.match("tictactoe", "random", "random:epsilon=0.5", games=1, seed=1)
    line = json.loads(Record(ludus.game("tictactoe"), 1, score.played[0]).line())
    del line[lines.SEAL]
    file = tmp_path / "games.jsonl"

    def write(**fields):
        file.write_text(lines.dump({**line, **fields}), errors="surrogateescape")
        return str(file)

    return write


@pytest.mark.parametrize("more", [[], ["--json"], ["--game", "1"], ["--game", "1", "--json"]])
def test_agents_of_a_record(record, more, capsys):
    assert main(["replay", record(agents=[EVIL, EVIL + "2"]), *more]) == 0
    out, _ = capsys.readouterr()
    assert printable(out)
    assert "owned" in out


@pytest.mark.parametrize("field", ["game", "reason", "moves", "ludus", "players", "position", EVIL])
def test_every_field_of_a_record(record, field, capsys):
    value = [EVIL] if field == "moves" else EVIL
    main(["replay", record(**{field: value})])
    out, err = capsys.readouterr()
    assert printable(out)
    assert printable(err)


def test_runs_and_their_damages(tmp_path, capsys):
    sound = {"format": 1, "rules": 1, "algorithm": EVIL, "game": EVIL, "seed": 1}
    for name, text in {
        "one": json.dumps({**sound, "config": {"steps": EVIL}, "command": EVIL}),
        "two\x1b[2J": "{",
        "three\n": json.dumps({**sound, "config": EVIL, "command": EVIL}),
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(text)
    for more in ([], ["--json"]):
        assert main(["runs", str(tmp_path), *more]) == 0
        assert printable(capsys.readouterr().out)
    for name in ("one", "two\x1b[2J", "three\n"):
        assert main(["resume", str(tmp_path / name)]) == 2
        assert printable(capsys.readouterr().err)


def test_cards_of_the_zoo(tmp_path, monkeypatch, capsys):
    from ludus.learn.store import zoo

    card = json.loads((zoo.FOLDER / "tictactoe.json").read_text())
    card |= {"command": EVIL, "measured": [EVIL, 5], "game": EVIL, "algorithm": EVIL}
    (tmp_path / "x.json").write_text(json.dumps(card))
    monkeypatch.setattr(zoo, "FOLDER", tmp_path)
    assert main(["zoo"]) == 0
    assert printable(capsys.readouterr().out)


def test_tables_of_a_shelf(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a\x1b[2J.table").write_bytes(b"")
    assert main(["solve", "--list"]) == 0
    assert printable(capsys.readouterr().out)


def test_agents_of_a_tournament_and_its_folder(tmp_path, capsys):
    folder = tmp_path / "cup\x1b[2J"
    words = ["tournament", "tictactoe", "random", "random:epsilon=0.5", "--games", "2"]
    assert main([*words, "--run", str(folder)]) == 0
    assert main([*words, "--run", str(folder)]) == 2
    asked = json.loads((folder / "tournament.json").read_text())
    (folder / "tournament.json").write_text(json.dumps({**asked, "agents": [EVIL, EVIL]}))
    assert main([*words, "--run", str(folder), "--resume"]) == 2
    assert printable(capsys.readouterr().err)


def test_words_of_a_command(capsys):
    for words in (
        ["games", EVIL],
        [EVIL],
        ["games", "connect4", "--" + EVIL],
        ["perft", "x", EVIL],
    ):
        with suppress(SystemExit):
            assert main(words) == 2
        assert printable(capsys.readouterr().err)
