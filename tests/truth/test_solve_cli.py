"""`ludus solve`: tables made, listed, deleted; positions explained; mistakes in one sentence."""

import json

import pytest

from ludus.arena.optimal_moves import optimal_moves
from ludus.arena.tournament import Tournament
from ludus.cli import main
from ludus.truth.oracle import oracle
from ludus.truth.oracles import cached_oracle

CC43 = "chinesecheckers:size=4,pieces=3"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    cached_oracle.cache_clear()
    yield tmp_path
    cached_oracle.cache_clear()


def said(capsys, *arguments):
    code = main(["solve", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def asked(capsys, *arguments):
    code, out, _ = said(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_a_solve_says_what_it_needs_and_what_it_found(capsys):
    code, out, _ = said(capsys, CC43)
    assert code == 0
    assert "320,320 positions to solve; needs" in out
    assert "the start is won for the player to move in 21 plies" in out
    assert "to solve" not in said(capsys, CC43)[1]  # it is there now


def test_the_summary_for_programs(capsys):
    found = asked(capsys, CC43)
    assert [found[name] for name in ("states", "wins", "losses", "draws", "illegal")] == [
        320320,
        193750,
        115702,
        0,
        10868,
    ]
    assert found["start"] == {"value": 1, "distance": 21}
    assert found["longest_win"] == 21
    assert found["seconds"] > 0
    assert found["peak_bytes"] > 0


@pytest.mark.parametrize(
    ("spelling", "states", "value"),
    [
        ("tictactoe", 5478, 0),
        ("kingcourtesan:size=3", None, -1),
        ("connect4:rows=4,columns=4", 161029, 0),
    ],
)
def test_small_games_have_a_summary_too(capsys, spelling, states, value):
    found = asked(capsys, spelling)
    assert found["states"] == states or states is None
    assert found["start"]["value"] == value
    assert found["wins"] + found["losses"] + found["draws"] + found["illegal"] == found["states"]


def test_a_position_is_explained(capsys):
    found = asked(capsys, CC43, "--moves", "")
    assert (found["value"], found["distance"]) == (1, 21)
    assert {move for move, value in found["moves"].items() if value == 1} == {
        "0-3",
        "0-5",
        "1-4",
        "2-4",
    }
    assert found["moves"]["1-3"] == found["moves"]["2-5"] == -1
    code, out, _ = said(capsys, CC43, "--moves", "")
    assert code == 0
    assert "won for the player to move, over in 21 plies" in out


def test_connect_four_prints_the_score_of_each_move(capsys):
    moves = "4444416152"
    found = asked(capsys, "connect4", "--moves", moves)
    truth = oracle("connect4")
    state = truth.game.replay(moves)
    scores = {truth.game.move(state, a): s for a, s in truth.scores(state).items()}
    assert found["scores"] == scores
    assert found["score"] == max(scores.values())
    _, out, _ = said(capsys, "connect4", "--moves", moves)
    for move, score in scores.items():
        assert any(
            line.split()[:1] == [move] and line.endswith(f"score {score}")
            for line in out.splitlines()
        )


def test_the_lasker_position(capsys):
    found = asked(capsys, "checkers:pieces=2", "--position", "W:WK32:BK26")
    assert found["value"] == 1
    assert found["distance"] == 9
    assert [move for move, value in found["moves"].items() if value == 1] == ["32-27"]
    found = asked(capsys, "checkers:pieces=2", "--position", "B:WK32:BK26")
    assert found["value"] == 0


def test_tables_are_listed_and_deleted(capsys):
    assert asked(capsys, "--list") == {"tables": {}}
    asked(capsys, CC43)
    assert len(asked(capsys, "--list")["tables"]) == 1
    assert asked(capsys, CC43, "--delete")["bytes"] > 0
    assert asked(capsys, "--list") == {"tables": {}}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "solve which game?"),
        (["chess"], "no game 'chess'"),
        ([CC43, "--delete"], "there is no table of"),
        ([CC43, "--threads", "-1"], "threads is a whole number from 1"),
        ([CC43 + ",distances=3"], "distances is true or false, not 3"),
        (["checkers:pieces=7"], "pieces is a whole number from 2 to 5, not 7"),
        (["connect4"], "position by position: give --position or --moves"),
        (["supertictactoe"], "nobody has solved super tic-tac-toe"),
        (["cathedral"], "cathedral is solved position by position"),
        (["connect4", "--moves", "9"], "no move '9' here"),
        (["connect4", "--position", "x"], ""),
        (["chinesecheckers:size=8,pieces=3"], "boards of size 3 to 7, not 8"),
    ],
)
def test_mistakes_are_one_sentence(capsys, arguments, sentence):
    code, _, err = said(capsys, *arguments)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


def test_a_damaged_table_never_answers(capsys, home):
    asked(capsys, CC43)
    (path,) = (home / "tables").glob("*.table")
    spoiled = bytearray(path.read_bytes())
    spoiled[-1] ^= 1
    path.write_bytes(spoiled)
    for more in ([], ["--moves", ""]):
        code, _, err = said(capsys, CC43, *more)
        assert code == 2
        assert path.name in err
        assert "damaged" in err
    with pytest.raises(ValueError, match="damaged"):
        oracle(CC43)


def test_agreement_with_truth_is_counted_move_by_move():
    spelling = "chinesecheckers:size=3,pieces=3"
    truth = oracle(spelling)
    tournament = Tournament(
        spelling, ["random", "perfect", "uct:simulations=20"], games=6, seed=1, openings="random:2"
    )
    tournament.play()
    table = tournament.table()
    found = table.with_optimal_moves(truth).optimal_moves
    assert found["perfect"].share == 1
    counted = dict.fromkeys(table.agents, 0), dict.fromkeys(table.agents, 0)
    for games in table.played.values():
        for played in games:
            state = truth.game.start()
            for ply, move in enumerate(played.moves):
                action = truth.game.action(state, move)
                if ply >= played.opening:
                    agent = played.agents[state.player]
                    counted[0][agent] += 1
                    counted[1][agent] += action in truth.best(state)
                state = state.play(action)
    assert {name: kept.moves for name, kept in found.items()} == counted[0]
    assert {name: moves.optimal for name, moves in found.items()} == counted[1]
    assert 0 < found["random"].share < 1


def test_agreement_in_a_game_of_chance():
    spelling = "tictactoe:success=0.5"
    tournament = Tournament(spelling, ["random", "perfect"], games=4, seed=2, openings="none")
    tournament.play()
    games = [played for pair in tournament.table().played.values() for played in pair]
    found = optimal_moves(oracle(spelling), games)
    assert found["perfect"].share == 1
    assert found["random"].share < 1
