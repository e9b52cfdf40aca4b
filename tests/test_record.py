"""Records: what is written reads back and replays; whatever else is one sentence with its place."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.arena.record import FIELDS, Record, parse, read, read_replayed
from ludus.cli import main
from tests.conftest import examples


def records(game, games=6, **options):
    game = ludus.game(game) if isinstance(game, str) else game
    score = ludus.match(game, "random", "random:epsilon=0.5", games=games, seed=8, **options)
    return [Record(game, 8, played) for played in score.played]


def test_every_game_reads_back_and_replays(game):
    for record in records(game):
        back = parse(record.line())
        assert back.game.spelling == game.spelling
        assert dataclasses.replace(back.played, seconds=()) == dataclasses.replace(
            record.played, seconds=()
        )
        assert back.played.seconds == pytest.approx(record.played.seconds, abs=1e-6)
        states = back.states
        assert len(states) == len(back.played.moves) + 1
        assert states[-1].winner == record.played.winner
        assert states[-1].outcome is not None
        assert len(back.played.chances) in (0, len(back.played.moves))
        assert bool(back.played.chances) == game.start().chancy


def test_a_coin_at_the_start_is_in_the_record():
    game = ludus.game("cathedral", size=8, fair_start=True)
    firsts = set()
    for record in records(game, games=12, openings="none"):
        back = parse(record.line())
        firsts.add(back.played.first)
        assert back.states[0].player == back.played.first
        assert back.played.agents[back.played.a] == "random"
    assert firsts == {0, 1}


def test_limits_are_a_reason_of_their_own():
    reasons = {record.played.reason for record in records("tictactoe:max_plies=6", games=20)}
    assert reasons == {"rules", "limit"}


def test_a_game_written_in_python_needs_its_file():
    source = ludus.game("examples/breakthrough.py", size=5)
    line = records(source, games=1)[0].line()
    with pytest.raises(ValueError, match=r"no game 'breakthrough'; there are .* give its file"):
        parse(line)
    assert parse(line, ludus.game("examples/breakthrough.py")).states[-1].outcome is not None


def test_a_record_never_names_code_to_run(tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    line = changed(records("connect4")[0], game=str(trap))
    with pytest.raises(ValueError, match=r"no game '.*trap.py'"):
        parse(line)
    assert not (tmp_path / "sprung").exists()


def changed(record, **fields):
    """Written by somebody who makes no checksums."""
    whole = json.loads(record.line())
    del whole["crc32"]
    return json.dumps({**whole, **fields}) + "\n"


def test_a_line_that_says_something_else_than_was_written_is_refused():
    record = records("connect4")[0]
    for name, value in (("index", 2), ("first", 1), ("seconds", [0.0] * 99), ("ludus", "9")):
        fields = json.loads(record.line())
        fields[name] = value[: len(fields[name])] if name == "seconds" else value
        with pytest.raises(ValueError, match="its checksum is wrong"):
            parse(json.dumps(fields))
    again = json.dumps(json.loads(record.line()), indent=1)  # only written in another way
    assert parse(again) == parse(record.line())


WRONG = {
    "format": [2, None, "1", True],
    "ludus": [1, None],
    "game": ["chess", 4, None],
    "parameters": [{"height": 6}, {"rows": "x"}, {"rows": 99}, [], None],
    "rules": [2, "1", 1.0, None],
    "seed": [-1, 1.5, True, None],
    "index": [-1, "0", None],
    "agents": [["random"], "random", [1, 2], None],
    "first": [2, True, "0", None],
    "position": [7, "nonsense", []],
    "opening": [-1, 1000, 0, None],
    "moves": [["4"], "44", [4, 4], None],
    "players": ["01", "012", [0, 1], None],
    "chances": [[1], ["1"], None, [True]],
    "winner": [2, "0", True],
    "reason": ["tired", "limit", "resigned", 1, None],
    "seconds": [[1], [-1.0], "fast", None, [float("nan")]],
}


def test_every_field_is_tried():
    assert set(WRONG) == set(FIELDS)


@pytest.mark.parametrize(
    ("field", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_wrong_field_is_one_sentence_with_file_and_line(tmp_path, field, value):
    good = records("connect4")
    file = tmp_path / "games.jsonl"
    if field == "reason" and value == "resigned":  # said of a game that is over
        assert good[1].played.winner is not None
    file.write_text(good[0].line() + changed(good[1], **{field: value}))
    with pytest.raises(ValueError, match=r"games\.jsonl, line 2: ") as error:
        list(read_replayed(file))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", FIELDS)
def test_a_missing_field_is_one_sentence(field):
    fields = json.loads(records("connect4")[0].line())
    del fields[field]
    with pytest.raises(ValueError, match=f"no {field}|has format 1, not None"):
        parse(json.dumps(fields))


def test_play_that_the_rules_do_not_allow_is_refused():
    record = records("connect4")[0]
    moves, winner = list(record.played.moves), record.played.winner
    swapped = "".join(str(1 - player) for player in record.played.players)
    for fields, sentence in (
        ({"moves": ["9", *moves[1:]]}, "at ply 1, no move '9' here"),
        ({"winner": 1 - winner}, f"the winner is {winner}, not {1 - winner}"),
        ({"winner": None}, f"the winner is {winner}, not None"),
        ({"players": swapped}, "ply 1 is said to be of player 1, who is not to move"),
        ({"players": swapped[1:]}, "there is one player for each move"),
        ({"chances": [0]}, "more results of chance"),
        ({"extra": 1}, "a record has no field 'extra'"),
        ({"rules": 7}, "version 7 of the rules of connect4, and these are version 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            parse(changed(record, **fields)).states  # noqa: B018
    short = changed(
        record,
        moves=moves[:-1],
        players="".join(map(str, record.played.players[:-1])),
        seconds=[0.0] * (len(moves) - 3),
    )
    with pytest.raises(ValueError, match="the game is not over after its"):
        parse(short).states  # noqa: B018


def test_chance_that_cannot_be_is_refused():
    record = records("tictactoe:success=0.5")[0]
    chances = list(record.played.chances)
    with pytest.raises(ValueError, match="at ply 1, chance cannot bring 77"):
        parse(changed(record, chances=[77, *chances[1:]])).states  # noqa: B018
    with pytest.raises(ValueError, match=r"chance at ply \d+ is missing"):
        parse(changed(record, chances=chances[:-1])).states  # noqa: B018


@pytest.mark.parametrize("end", [b"", b"{", b"[]\n", b"\xff\xfe\n", b"null\n", b"[" * 100_000])
def test_damaged_files_are_one_sentence(tmp_path, end):
    file = tmp_path / "games.jsonl"
    data = records("connect4")[0].line().encode()
    file.write_bytes(data + (end or data[:-30]))
    with pytest.raises(ValueError, match="line 2: ") as error:
        list(read(file))
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def line():
    return records("connect4")[0].line()


@examples(150)
@given(at=st.floats(0, 1), cut=st.integers(0, 5), new=st.text(max_size=4))
def test_no_damage_to_a_line_is_a_traceback(line, at, cut, new):
    place = int(at * len(line))
    damaged = line[:place] + new + line[place + cut :]
    try:
        record = parse(damaged)
        states = record.states
    except ValueError as error:
        said = str(error)
    else:
        said = ""
        assert states[-1].winner == record.played.winner or record.played.reason == "resigned"
    assert "\n" not in said


def test_a_match_can_be_recorded_and_shown(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    arguments = ["match", "connect4", "random", "random:epsilon=0.5", "--games", "6"]
    assert main([*arguments, "--record", str(file), "--workers", "3", "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    written = list(read_replayed(file))
    assert [record.played.index for record in written] == list(range(6))
    assert sum(record.played.points == 1 for record in written) == score["wins"]

    assert main(["replay", str(file)]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 6
    assert "random - random:epsilon=0.5" in listed[0]

    assert main(["replay", str(file), "--game", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("└───────────────┘") == len(written[1].states)
    assert f"1. {written[1].played.moves[0]}  (player 1, opening)" in shown
    assert "(player 1, random:epsilon=0.5)" in shown

    assert main(["replay", str(file), "--game", "2", "--ply", "3", "--json"]) == 0
    at = json.loads(capsys.readouterr().out)
    assert at["position"] == str(written[1].states[3])
    assert main(["replay", str(file), "--game", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == [
        str(state) for state in written[1].states
    ]
    assert main(["replay", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["games"]) == 6


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "7"], "has games 1 to 6, not 7"),
        (["--game", "0"], "has games 1 to 6, not 0"),
        (["--game", "1", "--ply", "99"], "has plies 0 to"),
        (["--game", "1", "--ply", "-1"], "has plies 0 to"),
        (["--ply", "1"], "give --game N too"),
        (["--source", "nothing.py"], "no file 'nothing.py'"),
    ],
)
def test_bad_input_to_replay_is_one_sentence(tmp_path, capsys, arguments, sentence):
    file = tmp_path / "games.jsonl"
    file.write_text("".join(record.line() for record in records("connect4")))
    assert main(["replay", str(file), *arguments]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_no_file_to_replay(capsys):
    assert main(["replay", "no.jsonl"]) == 2
    assert "no.jsonl: No such file or directory" in capsys.readouterr().err
