"""Who moved first: in fact, and where a coin decided it."""

import dataclasses
import json

import pytest

import ludus
from ludus.arena.opening import read_openings, who_began
from ludus.arena.record import Record, parse
from ludus.arena.table import TournamentTable
from ludus.cli import main

FAIR = "cathedral:size=8,rules=seed,fair_start=true"


@pytest.fixture
def positions(tmp_path):
    """Positions of games that player 0 and player 1 began, with either to move."""
    game, file, lines = ludus.game(FAIR), tmp_path / "positions.txt", []
    for seed in range(8):
        rng = ludus.rng(seed)
        state = game.start(rng)
        for _ in range(seed % 4):
            legal = state.legal()
            state = state.play(legal[rng.integers(len(legal))])
        lines.append(str(state))
    file.write_text("\n".join(lines) + "\n")
    return file


def starter(position):
    """By the text: the player who is Light, and Light begins."""
    return int(position.split(" ")[-2])


def test_a_position_tells_who_began_its_game(positions):
    game = ludus.game(FAIR)
    openings = read_openings(str(positions), game)
    begun = [openings.opening(game, pair, seed=1) for pair in range(8)]
    assert [one.first for one in begun] == [starter(one.position) for one in begun]
    assert {one.first for one in begun} == {0, 1}


def test_by_side_means_who_began_also_from_positions(positions):
    score = ludus.match(FAIR, "greedy", "random", games=16, seed=1, openings=str(positions))
    for game in score.played:
        assert game.first == starter(game.position)
        assert game.agents[game.first] == ("greedy", "random")[game.index % 2]
    began = [game for game in score.played if game.agents[starter(game.position)] == "greedy"]
    won = sum(game.winner is not None and game.agents[game.winner] == "greedy" for game in began)
    assert (score.as_first.games, score.as_first.wins) == (len(began), won)


@pytest.mark.parametrize("openings", ["none", "random:3"])
def test_wins_are_told_by_who_moved_first_and_by_player(openings):
    score = ludus.match(FAIR, "random", "random", games=30, seed=4, openings=openings)
    first = zero = drawn = 0
    for game in score.played:
        began = game.players[0]  # who made the first move, in fact
        assert game.first == began
        first += game.winner == began
        zero += game.winner == 0
        drawn += game.winner is None
    assert score.first_mover.wins == first
    assert score.player_0.wins == zero
    assert score.first_mover.losses == 30 - first - drawn
    assert score.coin
    found = score.as_dict()
    assert found["first_mover"]["wins"] == first
    assert found["player_0"]["wins"] == zero
    assert first != zero  # or these games would not tell the two apart


def test_without_a_coin_player_0_is_who_moves_first():
    score = ludus.match("connect4", "random", "random", games=10, seed=4)
    assert score.first_mover == score.player_0
    assert not score.coin


def test_the_first_player_term_is_of_who_began(positions):
    """The same games with the players' numbers exchanged rate the same."""
    score = ludus.match(FAIR, "greedy", "random", games=16, seed=1, openings=str(positions))

    def exchanged(game):
        return dataclasses.replace(
            game,
            first=1 - game.first,
            agents=game.agents[::-1],
            players=tuple(1 - player for player in game.players),
            winner=None if game.winner is None else 1 - game.winner,
        )

    def rated(games):
        return TournamentTable(FAIR, ["greedy", "random"], 1, "none", {(0, 1): games}).ratings

    one, other = rated(list(score.played)), rated([exchanged(game) for game in score.played])
    assert one.first == other.first
    assert one.ratings == other.ratings


def test_a_record_that_names_the_wrong_beginner_is_refused(positions):
    game = ludus.game(FAIR)
    for openings in ("none", str(positions)):
        score = ludus.match(game, "random", "random", games=4, seed=2, openings=openings)
        for played in score.played:
            assert parse(Record(game, 2, played).line()).states
            assert who_began(game, Record(game, 2, played).states[-1]) == played.first
            forged = dataclasses.replace(played, first=1 - played.first)
            with pytest.raises(ValueError, match=f"player {played.first} began this game"):
                Record(game, 2, forged).states  # noqa: B018


def test_match_and_tournament_say_both(capsys):
    assert main(["match", FAIR, "random", "random:epsilon=0.5", "--games", "8"]) == 0
    out = capsys.readouterr().out
    assert "who begins " in out
    assert "player 0   " in out
    assert " a coin let it begin " in out
    command = ["tournament", FAIR, "random", "greedy", "--games", "8"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "who begins: " in out
    assert "player 0: " in out
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["first_mover"]["games"] == found["player_0"]["games"] == 8
    assert main(["match", "connect4", "random", "random", "--games", "2"]) == 0
    assert "player 0 " not in capsys.readouterr().out


def test_a_replay_says_how_the_winner_moved(tmp_path, capsys):
    file = str(tmp_path / "games.jsonl")
    command = ["match", FAIR, "random", "greedy", "--games", "6", "--openings", "none"]
    assert main([*command, "--record", file, "--reward", "dense"]) == 0
    capsys.readouterr()
    for number in range(1, 7):
        assert main(["replay", file, "--game", str(number), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["reward"]["name"] == "dense"
        assert main(["replay", file, "--game", str(number), "--ply", "0"]) == 0
        side = "first" if found["winner"] == found["first"] else "second"
        assert f"won as player {found['winner'] + 1}, who moved {side}" in capsys.readouterr().out
