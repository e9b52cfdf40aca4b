"""Games for other programs: Portable Draughts Notation, read back by a reader of its grammar."""

import re
from itertools import pairwise

import pytest

import ludus
from ludus.arena.export import export
from ludus.arena.record import Record, read_replayed
from ludus.cli import main

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
WORD = re.compile(
    r"(?P<comment>\{[^}]*\})|(?P<number>\d+\.(?:\.\.)?)(?=\s|$)|(?P<result>1-0|0-1|1/2-1/2|\*)"
    r"|(?P<move>\d+(?:-\d+|(?:x\d+)+))"
)


def read_pdn(text):
    """Tags and moves of each game: an independent reader, after the published grammar."""
    games, at = [], 0
    while at < len(text):
        tags, moves, ended = {}, [], None
        while match := TAG.match(text, at):
            tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
            at = match.end() + 1
        while ended is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            match = WORD.match(text, at)
            assert match, text[at : at + 40]
            # `0-1` and `1-0` are results: there is no square 0.
            if match.lastgroup == "result":
                ended = match[0]
            elif match.lastgroup == "move":
                moves.append(match[0])
            at = match.end()
        assert ended == tags["Result"]
        games.append((tags, moves))
        at += len(text[at:]) - len(text[at:].lstrip())
    return games


def records_of(spelling, games=6, **how):
    game = ludus.game(spelling)
    score = ludus.match(game, "random", "greedy", games=games, seed=3, **how)
    return [Record(game, 3, played) for played in score.played]


def squares(cell):
    """Row and column by the published diagram: 1 to 4 on top, dark squares from the left."""
    rows = [[2, 4, 6, 8], [1, 3, 5, 7]] * 4
    return (cell - 1) // 4, rows[(cell - 1) // 4][(cell - 1) % 4] - 1


def spiel_name(row, column):
    """The square as open_spiel names it: a1 is below at the left."""
    return f"{'abcdefgh'[column]}{8 - row}"


def test_draughts_games_read_back_and_replay_in_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    records = records_of("checkers", openings="random:4")
    games = read_pdn(export(records))
    assert len(games) == len(records)
    jumped = 0
    for (tags, moves), record in zip(games, records, strict=True):
        assert (tags["Black"], tags["White"]) == record.played.agents
        assert tags["GameType"] == "21"
        # PDN 2.0 and 3.0 of this game: 1-0 is won by Black, who moves first.
        won = {None: "1/2-1/2", 0: "1-0", 1: "0-1"}[record.played.winner]
        assert tags["Result"] == won
        state = pyspiel.load_game("checkers").new_initial_state()
        played = []
        for move in moves:
            path = [int(cell) for cell in re.split("[-x]", move)]
            jumped += len(path) > 2
            played += pairwise(path)
        assert len(played) == len(record.played.moves)
        for one, two in played:
            if state.is_terminal():
                break  # its own limit of moves without progress is shorter than ours
            legal = {state.action_to_string(action): action for action in state.legal_actions()}
            # open_spiel's first player sits below, where ours sits on top.
            name = "".join(spiel_name(7 - row, 7 - col) for row, col in map(squares, (one, two)))
            assert name in legal, (name, sorted(legal))
            state.apply_action(legal[name])
    assert jumped


def test_a_position_is_written_as_pdn_has_it(tmp_path):
    game = ludus.game("checkers")
    state = game.replay("11-15 24-19 15x24 28x19")
    file = tmp_path / "openings"
    file.write_text(f"{state}\n")
    (tags, moves), *_ = read_pdn(export(records_of("checkers", 2, openings=str(file))))
    assert tags["SetUp"] == "1"
    assert tags["FEN"] == ("B:W19,21,22,23,25,26,27,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12")
    assert moves


def test_a_name_cannot_end_its_tag():
    game = ludus.game("checkers")
    agents = {'a"]\n[x': "random", "b\\": "random"}
    table = ludus.tournament(game, agents, games=2, seed=1)
    record = Record(game, 1, table.played[0, 1][0])
    ((tags, _),) = read_pdn(export([record]))
    assert {tags["White"], tags["Black"]} == {'a"]\\n[x', "b\\"}


@pytest.mark.parametrize("spelling", ["connect4", "kingcourtesan", "cathedral:size=8"])
def test_other_games_have_tags_and_all_their_moves(spelling):
    for record in records_of(spelling, 2):
        head, _, body = export([record]).partition("\n\n")
        assert f'[Game "{record.game.spelling}"]' in head
        words = [word for word in body.split() if not re.fullmatch(r"\d+\.(\.\.)?", word)]
        assert tuple(words[:-1]) == record.played.moves


def test_chance_is_a_comment():
    record = records_of("tictactoe:success=0.4", 1)[0]
    body = export([record]).partition("\n\n")[2].replace("\n", " ")
    assert body.count("{") == len(record.played.moves)
    assert "{the mark" in body


def test_replay_exports_a_file(tmp_path, capsys):
    file, out = tmp_path / "games.jsonl", tmp_path / "games.pdn"
    words = ["match", "checkers", "random", "greedy", "--games", "4", "--record", str(file)]
    assert main(words) == 0
    assert main(["replay", str(file), "--export", str(out)]) == 0
    assert "wrote 4 games" in capsys.readouterr().out
    assert out.read_text() == export(list(read_replayed(file)))
    assert main(["replay", str(file), "--export", str(out), "--game", "2"]) == 0
    assert len(read_pdn(out.read_text())) == 1
    assert main(["replay", str(file), "--export", str(out), "--game", "9"]) == 2
