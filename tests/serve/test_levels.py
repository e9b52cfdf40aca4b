"""Levels are measured, complete and playable."""

import json

import pytest

import ludus
from ludus.agent import agent
from ludus.serve import levels as module
from ludus.serve.levels import FILE, check_levels, levels

MEASURED = sorted(json.loads(FILE.read_text()))


@pytest.mark.parametrize("spelling", MEASURED)
def test_levels_rise_from_random_play(spelling):
    game = ludus.game(spelling)
    assert game.spelling == spelling
    found = levels(game)
    assert 6 <= len(found) <= 8
    assert [level["level"] for level in found] == list(range(1, len(found) + 1))
    assert found[0]["agent"] == "random"
    assert found[0]["elo"] == 0
    assert [level["elo"] for level in found] == sorted(level["elo"] for level in found)
    assert len({level["agent"] for level in found}) == len(found)
    assert len({level["name"] for level in found}) == len(found)
    for level in found:
        assert level["low"] <= level["elo"] <= level["high"]
        assert level["games"] > 0
        assert agent(level["agent"])


def test_only_counted_budgets_were_measured():
    told = json.loads(FILE.read_text())
    for one in told.values():
        assert {"seed", "ladder", "apart", "games_a_pair", "openings", "date"} <= set(one)
        assert sorted(one["ladder"]) == sorted(level["agent"] for level in one["levels"])
        assert all("seconds" not in level["agent"] for level in one["levels"])


def test_other_parameters_have_the_agents_without_the_ratings():
    found = levels(ludus.game("connect4:rows=5"))
    assert len(found) > 4
    assert all(level["elo"] is None and level["games"] == 0 for level in found)
    assert not [level for level in found if level["agent"].startswith("zoo/")]
    assert [level["level"] for level in found] == list(range(1, len(found) + 1))


def test_a_game_that_nobody_measured_has_three():
    found = levels(ludus.game("examples/breakthrough.py"))
    assert found[0]["agent"] == "random"
    assert all(level["elo"] is None for level in found)


def test_networks_are_left_out_where_they_cannot_play(monkeypatch):
    game = ludus.game("connect4")
    with_them = [level["agent"] for level in levels(game)]
    monkeypatch.setattr(module, "networks_play", lambda: False)
    without = [level["agent"] for level in levels(game)]
    assert without == [one for one in with_them if not one.startswith("zoo/")]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"elo": None}, "not complete"),
        ({"agent": 3}, "not complete"),
        ({"low": 9999}, "outside its interval"),
        ({"elo": 9000, "high": 9999}, "do not rise"),
    ],
)
def test_a_wrong_file_is_refused(change, sentence):
    one = json.loads(FILE.read_text())["connect4"]
    check_levels("connect4", one)
    one["levels"][0] |= change
    with pytest.raises(ValueError, match=sentence):
        check_levels("connect4", one)


def test_every_game_has_levels():
    assert {ludus.game(spelling).name for spelling in MEASURED} == set(ludus.game_names())
