"""How decisions are timed changes how games are played, and never the games."""

import dataclasses

import pytest

import ludus
from ludus.arena.timing import describe_timing
from ludus.cli import main
from tests.test_arena import Lowest, Together


class Asked(Together):
    """Remembers the ply of every state it is asked about, too."""

    def __init__(self):
        super().__init__()
        self.plies = []

    def think_many(self, states):
        self.plies += [state.plies for state in states]
        return super().think_many(states)


def course(score):
    """Everything that a seed decides."""
    return [dataclasses.replace(game, seconds=()) for game in score.played]


def test_alone_asks_for_one_decision_at_a_time_and_plays_the_same_games():
    in_step, alone = Asked(), Asked()
    together = ludus.match("connect4", in_step, "random", games=10, seed=4)
    apart = ludus.match("connect4", alone, "random", games=10, seed=4, timing="alone")
    assert max(in_step.calls) > 2
    assert set(alone.calls) == {1}
    # One game after the other: a ply is followed by a later one, or by the first of a new game.
    begins = sum(later <= ply for ply, later in zip(alone.plies, alone.plies[1:], strict=False))
    assert begins == 9
    assert [
        dataclasses.replace(one, agents=tuple(a.replace("Asked", "X") for a in one.agents))
        for one in course(together)
    ] == [
        dataclasses.replace(one, agents=tuple(a.replace("Asked", "X") for a in one.agents))
        for one in course(apart)
    ]


@pytest.mark.parametrize(
    ("spelling", "agent"),
    [
        ("connect4", "zoo/connect4:temperature=1"),
        ("tictactoe", "zoo/tictactoe:simulations=12"),
        ("supertictactoe", "zoo/supertictactoe:simulations=6"),  # whose search meets chance
    ],
)
def test_network_agents_play_the_same_games_alone(spelling, agent):
    pytest.importorskip("onnxruntime")
    options = {"games": 4, "seed": 2, "openings": "random:4"}
    together = ludus.match(spelling, agent, "random", **options)
    apart = ludus.match(spelling, agent, "random", timing="alone", **options)
    assert course(together) == course(apart)


def test_a_score_says_in_words_how_it_was_timed():
    asked = ludus.match("tictactoe", Together(), "random", games=6, seed=1)
    assert asked.as_dict()["seconds"]["a"]["timing"] == "in step with 6 games"
    assert asked.as_dict()["seconds"]["b"]["timing"] == "one decision at a time"
    alone = ludus.match("tictactoe", Together(), "random", games=6, seed=1, timing="alone")
    assert alone.timing == ("one decision at a time",) * 2
    shared = ludus.match("tictactoe", "random", "random", games=6, seed=1, workers=2)
    assert shared.timing == ("with 2 games at the same time",) * 2
    assert describe_timing([Together(), Lowest()], 1000, 1, "batched") == [
        "in step with 256 games",
        "one decision at a time",
    ]


def test_a_tournament_times_alone_too(tmp_path, capsys):
    alone = Asked()
    table = ludus.tournament(
        "tictactoe", {"a": alone, "b": "random"}, games=4, seed=1, timing="alone"
    )
    assert set(alone.calls) == {1}
    (match,) = table.as_dict()["matches"]
    assert {match["seconds"][key]["timing"] for key in "ab"} == {"one decision at a time"}
    command = ["tournament", "tictactoe", "random", "greedy", "--games", "2", "--run"]
    command.append(str(tmp_path / "t"))
    assert main([*command, "--timing", "alone"]) == 0
    assert "\ntimed one decision at a time\n 1. greedy thinks " in capsys.readouterr().out
    # Times that were measured in two ways are not mixed.
    assert main([*command, "--resume"]) == 2
    assert "has timing alone, not batched" in capsys.readouterr().err
    assert main([*command, "--resume", "--timing", "alone"]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--timing", "nope"], "ludus: no timing 'nope'; there are batched, alone\n"),
        (
            ["--timing", "alone", "--workers", "3"],
            "ludus: timing alone plays one game at a time: workers is 1, not 3\n",
        ),
    ],
)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_what_cannot_be_timed_so_is_one_sentence(command, options, said, tmp_path, capsys):
    kept = "--record" if command == "match" else "--run"
    asked = [command, "tictactoe", "random", "greedy", kept, str(tmp_path / "kept"), *options]
    assert main(asked) == 2
    assert capsys.readouterr().err == said
    assert not (tmp_path / "kept").exists()
