"""The scene of every position says what the game says."""

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

import ludus
from ludus.draw.picture import board_of
from ludus.draw.svg import THEMES
from ludus.serve.lines import begin
from ludus.serve.scene import facts_of, players, scene
from ludus.serve.setup import position_text
from tests.reference.cathedral import PICTURES
from tests.reference.chinesecheckers import DIRECTIONS, Reference

SVG = "{http://www.w3.org/2000/svg}"
BREAKTHROUGH = "examples/breakthrough.py"


def played(game, plies, seed=1):
    """A line of random plies."""
    rng = random.Random(seed)
    line = begin(game)
    while line.state.outcome is None and len(line.actions) < plies:
        action = rng.choice(line.state.legal())
        chance = None
        if line.state.chancy:
            results, weights = zip(*line.state.chances(action), strict=True)
            chance = rng.choices(results, weights)[0]
        line = line.play(action, chance)
    return line


def check(line):
    state, game = line.state, line.game
    shown = scene(line)
    assert json.loads(json.dumps(shown))["text"] == str(state)
    legal = shown["legal"]
    assert [entry["action"] for entry in legal] == state.legal()
    assert [entry["move"] for entry in legal] == [game.move(state, a) for a in state.legal()]
    assert ElementTree.fromstring(shown["svg"]).tag == f"{SVG}svg"
    for entry in legal:
        for x, y in entry["points"]:
            assert 0 < x < shown["width"]
            assert 0 < y < shown["height"]
    assert shown["over"] == (state.outcome is not None) == (shown["result"] is not None)
    assert (shown["last"] is None) == (not line.actions)
    assert len(shown["moves"]) == len(line.actions)
    if line.actions:
        before, action = line.states[-2], line.actions[-1]
        assert shown["last"]["move"] == game.move(before, action) == shown["moves"][-1]["move"]
        assert shown["last"]["player"] == before.player == shown["moves"][-1]["player"]
    return shown


@pytest.mark.parametrize("plies", [0, 9, 10**6])
def test_a_scene_of_every_game(game, plies):
    shown = check(played(game, plies))
    assert all(entry["points"] for entry in shown["legal"])


@pytest.mark.parametrize("plies", [0, 9, 10**6])
def test_a_scene_of_a_game_written_in_python(plies):
    shown = check(played(ludus.game(BREAKTHROUGH), plies))
    assert shown["players"] == ["first player", "second player"]
    assert shown["setup"] is None
    assert "Breakthrough" in shown["no_setup"]


def test_the_last_action_is_where_it_was_before_it_was_played(game):
    line = played(game, 8)
    before = begin(game)
    for action, result in zip(line.actions[:-1], line.results[:-1], strict=True):
        before = before.play(action, result)
    (was,) = [e for e in scene(before)["legal"] if e["action"] == line.actions[-1]]
    assert sorted(scene(line)["last"]["points"]) == sorted(was["points"])


def test_turns_are_counted_by_player():
    game = ludus.game("checkers")
    line = begin(game)
    for move in ["9-13", "22-18", "13-17", "21x14", "10x17"]:
        line = line.play(game.action(line.state, move))
    turns = [(entry["player"], entry["turn"], entry["ply"]) for entry in scene(line)["moves"]]
    assert turns == [(0, 1, 1), (1, 2, 2), (0, 3, 3), (1, 4, 4), (0, 5, 5)]


def test_a_piece_that_captures_on_is_shown():
    game = ludus.game("checkers")
    line = begin(game, "B:W14,22:B9")
    first = scene(line)
    assert first["continues"] is None
    assert [entry["how"] for entry in first["legal"]] == ["jump"]
    line = line.play(game.action(line.state, "9x18"))
    shown = scene(line)
    assert shown["player"] == 0
    assert tuple(shown["continues"]) == tuple(first["legal"][0]["points"][-1])
    line = line.play(game.action(line.state, "18x25"))
    assert {entry["turn"] for entry in scene(line)["moves"]} == {1}


def hop_path_is_legal(reference, cells, path):
    """Each leg hops over one piece, not the one that moves, into an empty cell."""
    taken = {cell for cell, mark in zip(reference.cells, cells, strict=True) if mark != "."}
    taken -= {path[0]}
    for (i, j), (k, m) in pairwise(path):
        step = ((k - i) / 2, (m - j) / 2)
        assert step in DIRECTIONS
        assert (i + step[0], j + step[1]) in taken
        assert (k, m) in reference.id
        assert (k, m) not in taken


def fewest_hops(reference, cells, start, end):
    """By trying all chains of one hop, two, three, ..."""
    taken = {cell for cell, mark in zip(reference.cells, cells, strict=True) if mark != "."}
    taken -= {start}
    reached, count = {start}, 0
    while end not in reached:
        count += 1
        reached |= {
            (i + 2 * di, j + 2 * dj)
            for i, j in reached
            for di, dj in DIRECTIONS
            if (i + di, j + dj) in taken
            and (i + 2 * di, j + 2 * dj) in reference.id
            and (i + 2 * di, j + 2 * dj) not in taken
        }
        assert count < 99
    return count


@pytest.mark.parametrize(
    "spelling", ["chinesecheckers", "chinesecheckers:pieces=10", "chinesecheckers:size=4,pieces=3"]
)
def test_hop_paths_are_legal_and_shortest(spelling):
    game = ludus.game(spelling)
    size, pieces = game.parameters["size"], game.parameters["pieces"]
    reference, chains = Reference(size, pieces), 0
    for seed in range(3):
        line = played(game, 30, seed)
        for plies in range(0, len(line.actions), 5):
            state = line.states[plies]
            shown = scene(type(line)(game, str(state), (state,)))
            cells = str(state).split(" ")[0]
            points = [(c["x"], c["y"]) for c in shown["setup"]["cells"]]
            for entry in shown["legal"]:
                ids = [points.index(tuple(p)) for p in entry["points"]]
                start, end = (reference.cells[i] for i in ids)
                apart = (end[0] - start[0], end[1] - start[1])
                assert (entry["how"] == "step") == (apart in DIRECTIONS)
                if entry["how"] == "step":
                    assert "via" not in entry
                    continue
                via = [reference.cells[points.index(tuple(p))] for p in entry.get("via", [])]
                path = [start, *via, end]
                hop_path_is_legal(reference, cells, path)
                assert len(path) - 1 == fewest_hops(reference, cells, start, end)
                chains += len(path) > 2
    assert chains >= (10 if size > 4 else 1)


def test_the_exchange_of_the_king_is_told():
    game = ludus.game("kingcourtesan:size=4")
    hows = {entry["move"]: entry["how"] for entry in scene(begin(game))["legal"]}
    assert hows["a1/b2"] == "exchange"
    assert set(hows.values()) == {"step", "capture", "exchange"}


@pytest.mark.parametrize("spelling", ["cathedral", "cathedral:size=8,rules=seed"])
@pytest.mark.parametrize("plies", [0, 1, 8, 20, 10**6])
def test_the_tray_holds_what_is_left(spelling, plies):
    line = played(ludus.game(spelling), plies, seed=plies)
    shown = check(line)
    cells = str(line.state).split(" ")[0].replace("/", "")
    sizes = [sum(mark != "." for mark in picture if mark != "/") for picture in PICTURES]
    left = {0: 0, 1: 0}
    for entry in shown["tray"]:
        (size,) = {len(rotation["cells"]) for rotation in entry["rotations"]}
        assert size == entry["size"] in sizes
        if entry["neutral"]:
            assert entry["count"] == (not line.actions)
        else:
            left[entry["player"]] += entry["count"] * size
    for player, letters in ((0, str.islower), (1, str.isupper)):
        placed = sum(letters(mark) for mark in cells)
        assert left[player] + placed == 47
    # Every legal action is a building of the tray, turned, about the cell that it names.
    by_name = {(e["piece"], e["player"]): e for e in shown["tray"]}
    offered = set()
    for entry in shown["legal"]:
        piece = by_name[entry["piece"], shown["player"]]
        offered.add(entry["piece"])
        assert piece["count"] > 0
        (rotation,) = [r for r in piece["rotations"] if r["turn"] == entry["turn"]]
        x, y = entry["points"][-1]
        moved = {(x + 48 * dx, y + 48 * dy) for dx, dy in rotation["cells"]}
        assert moved == set(map(tuple, entry["points"]))
    if plies in (1, 8):
        assert offered == {
            e["piece"]
            for (_, who), e in by_name.items()
            if who == shown["player"] and e["count"] and not e["neutral"]
        }
    claimed = sum(mark in "-=" for mark in cells)
    assert sum(len(entry["cells"]) for entry in shown["territory"]) == claimed


def test_equal_buildings_share_a_group_under_seed_rules():
    line = played(ludus.game("cathedral:size=8,rules=seed"), 1)
    legal = {entry["action"]: entry for entry in scene(line)["legal"]}
    grouped = [entry for entry in legal.values() if "group" in entry]
    assert {entry["piece"] for entry in grouped} == {"tavern", "stable", "inn"}
    for entry in grouped:
        assert legal[entry["group"]]["points"] == entry["points"]


def test_strays_are_told_where_they_land():
    line = begin(ludus.game("supertictactoe"))
    assert dict(line.state.chances(0))[1] > 0
    shown = scene(line.play(0, 1))
    at = {entry["action"]: entry["points"][0] for entry in scene(line)["legal"]}
    assert shown["last"]["points"] == [at[0]]
    assert shown["last"]["landed"] == at[1]
    assert shown["last"]["chance"] == "the mark strays to f12"
    lost = scene(line.play(0, 80))
    assert lost["last"]["landed"] is None
    assert "lost" in lost["last"]["chance"]
    assert lost["moves"][0]["chance"] == lost["last"]["chance"]


@pytest.mark.parametrize("plies", [0, 6, 25])
def test_a_position_set_up_by_hand_reads_as_it_is_shown(game, plies):
    line = played(game, plies)
    shown = scene(line)
    if game.name == "cathedral":
        assert shown["setup"] is None
        assert "by hand" in shown["no_setup"]
        return
    board = shown["setup"]["board"]
    assert len(board) == len(shown["setup"]["cells"])
    if game.name == "checkers" and shown["continues"]:
        return  # a capture that goes on is not set up
    assert position_text(game, board, line.state.player) == str(line.state)
    pieces = {
        (piece.get("data-x"), piece.get("data-y")): piece.get("data-player")
        for piece in ElementTree.fromstring(shown["svg"]).iter(f"{SVG}g")
        if piece.get("class") == "piece"
    }
    owner = {piece["char"]: str(piece["player"]) for piece in shown["setup"]["pieces"]}
    for cell, mark in zip(shown["setup"]["cells"], board, strict=True):
        place = tuple(f"{cell[axis]:.2f}".rstrip("0").rstrip(".") for axis in "xy")
        assert pieces.get(place) == owner.get(mark)


@pytest.mark.parametrize(
    ("board", "player", "sentence"),
    [
        ("x", 0, "9 marks"),
        ("z........", 0, "9 marks"),
        ("x........", 2, "0 or 1"),
    ],
)
def test_what_cannot_be_set_up_is_refused(board, player, sentence):
    with pytest.raises(ValueError, match=sentence):
        position_text(ludus.game("tictactoe"), board, player)
    with pytest.raises(ValueError, match="by hand"):
        position_text(ludus.game("cathedral"), board, player)


def test_a_stone_in_the_air_is_refused():
    with pytest.raises(ValueError, match=r"empty|fall|below|hang"):
        position_text(ludus.game("connect4"), "x" + "." * 41, 1)


def test_players_are_named_as_they_are_drawn():
    assert players(ludus.game("connect4")) == ["red", "blue"]
    game = ludus.game("cathedral:fair_start=True")
    dark_first = next(
        state for seed in range(20) if (state := game.start(random.Random(seed))).player == 1
    )
    assert players(game, dark_first) == ["Dark", "Light"]
    line = played(ludus.game("connect4"), 10**6, seed=4)
    assert scene(line)["result"] == f"{['red', 'blue'][line.state.winner]} wins"
    assert re.fullmatch(r"\d+", line.game.move(line.states[0], line.actions[0]))


def test_what_is_kept_of_buildings_holds_in_every_position():
    for spelling in ("cathedral", "cathedral:size=8"):
        game = ludus.game(spelling)
        for seed in range(6):
            line = played(game, 3 + 2 * seed, seed)
            board = board_of(game, line.state, THEMES["page"])
            fresh = [facts_of(game, line.state, board, one) for one in line.state.legal()]
            told = json.loads(json.dumps(scene(line)["legal"]))
            there = {one["action"] for one in told}
            for one in fresh:
                if one.get("group", one["action"]) not in there:
                    del one["group"]
            assert told == json.loads(json.dumps(fresh))
