"""Games against others are those of `ludus match`, whoever plays them and whatever kills them."""

import json

import pytest

from ludus.arena.match import match
from ludus.cli import main
from ludus.lab.strength import StrengthPlan, StrengthSuite

OPPONENTS = ("random", "uct:simulations=20")
PLAN = StrengthPlan("tictactoe", OPPONENTS, games=10, seed=3)


def test_games_are_those_of_a_match():
    agents = ["perfect", "greedy"]
    suites = [StrengthSuite(PLAN, agents, workers) for workers in (1, 2)]
    for suite in suites:
        suite.run()
    assert suites[0].result() == suites[1].result()
    for one in suites[0].result()["agents"]:
        for told in one["matches"]:
            score = match("tictactoe", one["agent"], told["b"], games=10, seed=3)
            assert told["points"] == score.points
            assert told["as_first"] == score.as_first.as_dict()
            assert told["as_second"] == score.as_second.as_dict()


def test_a_killed_suite_goes_on(tmp_path):
    record = tmp_path / "record"
    whole = StrengthSuite(PLAN, ["perfect"], record=record)
    whole.run()
    lines = record.read_bytes().splitlines(keepends=True)
    for kept in range(len(lines)):
        record.write_bytes(b"".join(lines[:kept]) + lines[kept][:20])
        again = StrengthSuite(PLAN, ["perfect"], record=record)
        again.run()
        assert again.result() == whole.result()
    record.write_text("a letter")
    with pytest.raises(ValueError, match="something else"):
        StrengthSuite(PLAN, ["perfect"], record=record)
    assert record.read_text() == "a letter"


def test_the_command_answers(capsys):
    words = ["evaluate", "greedy", "--game", "tictactoe", "--suite", "strength", "--games", "4"]
    assert main([*words, "--opponents", "random;perfect", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["b"] for one in found["agents"][0]["matches"]] == ["random", "perfect"]
    assert main([*words, "--opponents", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
