"""The folder of a tournament: whole lines, every game checked, nothing of the user's touched."""

import errno
import json
import os
import random
import resource
import subprocess
import sys
import warnings

import pytest

import ludus
from ludus.arena import record
from ludus.arena.tournament import tournament
from ludus.cli import main
from ludus.files import Notice

AGENTS = ["random", "greedy", "random:epsilon=0.5"]


def play(path, resume=False, games=4, agents=AGENTS):
    return ludus.tournament("tictactoe", agents, games=games, seed=3, run=path, resume=resume)


def course(table):
    return {
        key: [(one.index, one.agents, one.moves, one.winner) for one in games]
        for key, games in table.played.items()
    }


def snapshot(folder):
    """Every file below a folder with its bytes, links as such."""
    return {
        path.relative_to(folder): path.readlink()
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in sorted(folder.rglob("*"))
    }


def old(line):
    """A record as it was before lines had checksums."""
    fields = json.loads(line)
    del fields["crc32"]
    return json.dumps(fields, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", ["games.jsonl", "notes.txt", "config.json", "games"])
def test_a_folder_that_holds_something_else_is_refused_and_stays(tmp_path, name):
    (tmp_path / name).write_text("mine")
    (tmp_path / "lock").write_text("mine too")
    before = snapshot(tmp_path)
    with pytest.raises(ValueError, match=rf"holds ({name}|lock) and no tournament.json"):
        play(tmp_path)
    assert snapshot(tmp_path) == before


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path):
    (tmp_path / "x").write_text("mine")
    with pytest.raises(ValueError, match="x is not a folder"):
        play(tmp_path / "x")


def test_a_folder_with_nothing_but_an_empty_lock_is_free(tmp_path):
    (tmp_path / "lock").touch()
    play(tmp_path)
    assert (tmp_path / "tournament.json").exists()


def test_a_tournament_that_came_to_no_game_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="workers"):
        ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path / "a" / "b", workers=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["lock", "tournament.json", "games.jsonl", "tournament.new"])
def test_links_are_not_followed(tmp_path, name):
    play(tmp_path / "run", games=2)
    target = tmp_path / "target"
    kept = (tmp_path / "run" / name).read_bytes() if (tmp_path / "run" / name).exists() else b"x"
    target.write_bytes(kept + (b"" if kept.endswith(b"\n") else b"mine"))
    before = target.read_bytes()
    (tmp_path / "run" / name).unlink(missing_ok=True)
    (tmp_path / "run" / name).symlink_to(target)
    try:
        play(tmp_path / "run", resume=True)
    except ValueError as error:
        assert "\n" not in str(error)  # noqa: PT017
    assert target.read_bytes() == before


FULL = """
import resource, sys, ludus
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    ludus.tournament("tictactoe", sys.argv[3:], games=8, seed=3, run=sys.argv[1])
except ValueError as error:
    print(error)
"""


def test_a_disk_that_fills_costs_no_game_and_no_tournament(tmp_path):
    """The limit on the size of a file cuts a line in two, as a full disk does."""
    unbroken = play(tmp_path / "unbroken", games=8)
    size = (tmp_path / "unbroken" / "games.jsonl").stat().st_size
    words = [sys.executable, "-c", FULL, tmp_path / "run", str(size // 2), *AGENTS]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "games.jsonl" in told
    assert told.count("\n") == 1
    written = (tmp_path / "run" / "games.jsonl").read_bytes()
    assert written.endswith(b"\n")
    assert size // 2 - 1000 < len(written) <= size // 2
    assert course(play(tmp_path / "run", resume=True, games=8)) == course(unbroken)


def test_a_short_write_is_gone_on_with(tmp_path, monkeypatch):
    unbroken = play(tmp_path / "unbroken")
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:100])))
    assert course(play(tmp_path / "run")) == course(unbroken)
    monkeypatch.undo()
    assert course(play(tmp_path / "run", resume=True)) == course(unbroken)


def test_no_flipped_bit_of_a_game_goes_unseen(tmp_path):
    """Either the tournament is refused in a sentence, or it comes to the same."""
    rng = random.Random(7)
    whole = course(play(tmp_path))
    games = tmp_path / "games.jsonl"
    data = games.read_bytes()
    for old_form in (False, True):
        if old_form:  # those of the first releases have no checksums
            data = "".join(map(old, data.decode().splitlines(keepends=True))).encode()
        for _ in range(200):
            at, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
            games.write_bytes(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", Notice)  # the last end of line
                    again = course(play(tmp_path, resume=True))
            except ValueError as error:
                assert "\n" not in str(error)  # noqa: PT017
            else:
                assert again == whole


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "a\x1cb", "a\rb", "a\nb", "a\udcffb"])
def test_any_name_of_an_agent_can_be_resumed(tmp_path, name):
    agents = {name: "random", "greedy": "greedy"}
    first = course(play(tmp_path, agents=agents, games=2))
    again = course(play(tmp_path, agents=agents, games=4, resume=True))
    assert {key: games[:2] for key, games in again.items()} == first
    assert len(list(record.read_replayed(tmp_path / "games.jsonl"))) == 4


def test_a_name_that_is_no_text_is_refused_before_anything_is_made(tmp_path):
    with pytest.raises(ValueError, match="encode"):
        play(tmp_path / "x", agents={"a\ud800": "random", "b": "greedy"})
    assert not list(tmp_path.iterdir())


def test_games_from_before_checksums_are_played_again_by_the_rules(tmp_path):
    whole = course(play(tmp_path))
    games = tmp_path / "games.jsonl"
    lines = [old(line) for line in games.read_text().split("\n")[:-1]]
    games.write_text("".join(lines))
    assert course(play(tmp_path, resume=True)) == whole
    fields = json.loads(lines[0])
    fields["winner"] = None if fields["winner"] is not None else 0
    games.write_text("".join([json.dumps(fields) + "\n", *lines[1:]]))
    with pytest.raises(ValueError, match=r"games.jsonl, line 1: the winner is"):
        play(tmp_path, resume=True)


@pytest.mark.parametrize(
    "changes", [{"index": 1}, {"index": 400}, {"first": 1}, {"agents": ["greedy", "random"]}]
)
def test_a_game_in_a_place_that_is_not_its_own_is_refused(tmp_path, changes):
    """Also where the rules allow all of it: the plan says which opening a game has, and whose."""
    play(tmp_path)
    games = tmp_path / "games.jsonl"
    lines = games.read_text().split("\n")[:-1]
    fields = json.loads(old(lines[0]))
    assert fields["index"] == 0
    assert fields["agents"] == ["random", "greedy"]
    games.write_text("".join([json.dumps(fields | changes) + "\n", *map(old, lines[1:])]))
    with pytest.raises(ValueError, match=r"not of this tournament|player 0 began this game, not 1"):
        play(tmp_path, resume=True)


def test_openings_that_have_changed_since_are_refused(tmp_path):
    file = tmp_path / "openings.txt"
    for text in ("a1\n", "b2\n"):
        file.write_text(text)
        options = {"games": 2, "openings": str(file), "run": tmp_path / "run"}
        if text == "a1\n":
            ludus.tournament("tictactoe", AGENTS, **options)
    with pytest.raises(ValueError, match="not of this tournament"):
        ludus.tournament("tictactoe", AGENTS, **options, resume=True)


def test_lines_of_an_openings_file_end_at_newlines_only(tmp_path):
    (tmp_path / "openings.txt").write_bytes("a1\r\n\r\nb2\u2028\n".encode())
    words = ["match", "tictactoe", "random", "greedy", "--games", "4"]
    assert main([*words, "--openings", str(tmp_path / "openings.txt")]) == 0


def test_a_match_that_fails_leaves_no_empty_record(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    words = ["match", "tictactoe", "random", "greedy", "--games", "2", "--record", str(file)]
    assert main([*words, "--workers", "0"]) == 2
    assert not file.exists()
    assert main(words) == 0
    assert len(list(record.read_replayed(file))) == 2


def test_a_record_is_not_written_through_a_link(tmp_path, capsys):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    words = ["match", "tictactoe", "random", "greedy", "--games", "2"]
    assert main([*words, "--record", str(tmp_path / "link")]) == 2
    assert not (tmp_path / "target").exists()


def test_a_record_on_a_disk_that_fills_has_whole_lines(tmp_path):
    file = tmp_path / "games.jsonl"
    words = [sys.executable, "-m", "ludus", "match", "tictactoe", "random", "greedy"]
    words += ["--games", "20", "--record", str(file)]

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))

    found = subprocess.run(words, preexec_fn=limited, capture_output=True, text=True)
    assert found.returncode == 2
    assert found.stderr == f"ludus: {file}: {os.strerror(errno.EFBIG)}\n"
    assert list(record.read_replayed(file))


def test_a_game_of_a_million_plies_reads_back(tmp_path):
    """Every game that can be written can be read; what is cut off may be as long."""
    on, two = "tictactoe:success=1e-320,max_plies=600000", ["random", "random:epsilon=0.5"]
    folder = tmp_path / "t"
    tournament(on, two, games=1, seed=1, run=folder)
    assert (folder / "games.jsonl").stat().st_size > 2**23
    with (folder / "games.jsonl").open("ab") as file:
        file.write(bytes(2**26))
    with pytest.warns(Notice, match="was cut off"):
        again = tournament(on, two, games=1, seed=1, run=folder, resume=True)
    assert again.games == 1


@pytest.mark.parametrize("name", ["", "\udce2\udc80\udca8", 3])
def test_a_name_that_cannot_be_read_back_is_refused(name):
    with pytest.raises(ValueError, match="an agent cannot be named"):
        tournament("tictactoe", {name: "random", "b": "greedy"}, games=2, seed=1)


def test_a_name_is_of_one_agent(tmp_path):
    asked = {"games": 2, "seed": 1, "run": tmp_path / "t"}
    tournament("tictactoe", {"a": "random", "o": "greedy"}, **asked)
    with pytest.raises(ValueError, match="has spellings random, greedy, not greedy, greedy"):
        tournament("tictactoe", {"a": "greedy", "o": "greedy"}, resume=True, **asked)


def test_a_game_that_is_there_twice_is_refused(tmp_path):
    asked = {"games": 2, "seed": 1, "run": tmp_path / "t"}
    tournament("tictactoe", ["random", "greedy"], **asked)
    file = tmp_path / "t" / "games.jsonl"
    file.write_bytes(file.read_bytes() + file.read_bytes().split(b"\n")[0] + b"\n")
    with pytest.raises(ValueError, match="is there twice"):
        tournament("tictactoe", ["random", "greedy"], resume=True, **asked)
