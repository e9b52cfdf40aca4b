"""Cathedral: counted numbers, and each way to claim, capture and be skipped, by hand."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.draw.cathedral import City, placed_cells
from tests.conftest import playout
from tests.reference.cathedral import PICTURES, Reference, offsets

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())["cathedral"]
KINDS = [
    *("Tavern", "Stable", "Inn", "Bridge", "Square", "Manor", "Abbey"),
    *("Academy", "Infirmary", "Castle", "Tower", "Cathedral"),
]
OFFICIAL = ludus.game("cathedral", size=8)
SEED = ludus.game("cathedral", size=8, rules="seed")


def rows(picture):
    return "/".join(picture.split())


def at(picture, turn, game=OFFICIAL):
    return game.state(f"{rows(picture)} {turn}")


def after(line, start=None, game=OFFICIAL):
    """The board after these moves."""
    return str(game.replay(line, start)).split(" ")[0]


def moves(state, game=OFFICIAL):
    return [game.move(state, action) for action in state.legal()]


def buildings(state):
    """How many stand, the Cathedral among them."""
    return len(set(str(state).split(" ")[0]) - set("./-="))


# Numbers.


@pytest.mark.parametrize("size", [8, 10])
def test_actions_of_each_building(size):
    game = ludus.game("cathedral", size=size, rules="seed")
    names = [game.move(game.start(), action) for action in range(game.num_actions)]
    assert len(names) == len(set(names)) == ORACLES["actions"][str(size)]
    counts = Counter(name.partition("@")[0] for name in names)
    in_order = [name for kind in KINDS for name in (kind, f"{kind}2") if name in counts]
    assert [counts[name] for name in in_order] == ORACLES[f"per_piece_{size}"]


@pytest.mark.parametrize("rules", ["official", "seed"])
@pytest.mark.parametrize("size", [8, 10])
def test_number_notation_and_cells_of_each_action(size, rules):
    game = ludus.game("cathedral", size=size, rules=rules)
    slow = Reference(size=size, rules=rules)
    light = game.start()
    for side, state in enumerate((light, light.play(light.legal()[0]))):
        for action, (building, place) in enumerate(slow.actions):
            squares = slow.cells(side, building, place)
            footprint = state.footprint(action)
            assert len(footprint) == len(squares)
            assert {(cell % size, size - 1 - cell // size) for cell in footprint} == squares
            name, column, row, turn = re.fullmatch(
                r"([A-Z][a-z]+)2?@([a-j])(\d+)\+(0|90|180|270)", game.move(state, action)
            ).groups()
            mirrored = side == 1 and rules == "official" and name in ("Abbey", "Academy")
            steps = offsets(PICTURES[KINDS.index(name)], mirrored)
            for _ in range(int(turn) // 90):
                steps = [(dy, -dx) for dx, dy in steps]
            x, y = "abcdefghij".index(column), int(row) - 1
            assert {(x + dx, y + dy) for dx, dy in steps} == squares


def test_dark_mirrors_abbey_and_academy_under_official_rules_only():
    line = "Cathedral@d5+0 Abbey@b2+0 Abbey@f2+0 Academy@b7+0 Academy@g7+0"
    assert after(line) == rows(
        "K......k KKK+.kkk .K+++.k. ...+.... ...+.... JJ...jj. .JJ.jj.. ........"
    )
    assert after(line, game=SEED) == rows(
        "==K....k KKK+.kkk .K+++.k. ...+.... ...+.... .JJ..jj. JJ..jj.. ........"
    )


def test_perft():
    assert _core.perft(OFFICIAL.start(), 3) == ORACLES["perft_official_types"]["8"]
    assert _core.perft(SEED.start(), 2) == ORACLES["perft_seed_labelled_8"]


def test_perft_with_every_copy_offered():
    copies = {"Tavern": 2, "Stable": 2, "Inn": 2}
    start = OFFICIAL.start()
    total = 0
    for opening in start.legal():
        names = (move.partition("@")[0] for move in moves(start.play(opening)))
        total += sum(copies.get(name, 1) for name in names)
    assert [len(start.legal()), total] == ORACLES["perft_official_labelled"]["8"]


def test_first_buildings_that_claim_under_seed_rules():
    start = SEED.start()
    claims = Counter()
    for opening in start.legal():
        dark = start.play(opening)
        claims.update(str(dark.play(action)).count("=") for action in dark.legal())
    assert claims.total() - claims[0] == 6808
    assert max(claims) == 3  # a Tower across a corner; that play ends rests on it


@pytest.mark.parametrize(
    ("rules", "light", "dark", "draw"),
    [("seed", 0.338, 0.582, 0.080), ("official", 0.330, 0.582, 0.088)],
)
def test_random_play(rules, light, dark, draw):
    """The counted shares are from 600 games each, three standard errors are about 0.06."""
    start = ludus.game("cathedral", size=8, rules=rules).start()
    games = 20_000
    wins0, wins1, draws, plies = _core.playouts(start, 1, 0, games, 2)
    assert wins0 / games == pytest.approx(light, abs=0.06)
    assert wins1 / games == pytest.approx(dark, abs=0.06)
    assert draws / games == pytest.approx(draw, abs=0.035)
    assert plies / games == pytest.approx(18.6, abs=0.3)
    # The paper: who places the Cathedral wins 37.5 % of the games.
    assert (wins0 + draws / 2) / games == pytest.approx(0.375, abs=0.03)


def test_captures_in_random_play(rng):
    games, captures = 400, 0
    for _ in range(games):
        *states, last = playout(SEED, rng)
        captures += len(states) - buildings(last)
    assert captures / games == pytest.approx(0.43, abs=0.11)


# Claims. In CORNER Dark closes the corner with a Stable; what stands in it each test says.

CORNER = """........
            ....+...
            ...+++..
            ....+...
            ....+..c
            .......c
            {}C......
            {}C....{}."""


def test_corner_contact_does_not_close():
    line = "Cathedral@e5+0 Stable@b1+0 Tavern@h1+0"
    assert "=" not in after(f"{line} Tavern@a3+0")  # a3 and b2 meet at a corner
    assert after(f"{line} Stable@a3+90").endswith("/CC....../=D....../=D.....a")


def test_the_owner_builds_on_his_ground_and_nobody_else():
    state = OFFICIAL.replay("Cathedral@e5+0 Tavern@h8+0 Tavern@h1+0 Inn@b2+180")
    assert str(state).endswith("/EE....../=E.....a l 0 ld")
    assert "Tavern@a1+0" not in moves(state)
    assert after("Bridge@h4+0 Tavern@a1+0", state).endswith("/EE....../AE.....a")


def test_the_cathedral_is_no_wall():
    # Its cells b3, c3, c2, c1 and the building on a3 surround the corner.
    assert "=" not in after("Cathedral@c2+0 Tavern@h8+0 Tavern@h1+0 Tavern@a3+0")
    assert "=" not in after("Cathedral@c2+0 Tavern@h8+0 Tavern@h1+0 Tavern2@a3+0", game=SEED)


def test_a_single_foreign_building_is_captured():
    state = at(CORNER.format(".", "a", "b"), "d 0 ld")
    board = after("Stable@a3+90", state)
    assert board.endswith("/CC.....c/=D....../=D....a.")  # the Tavern that stands is the first


def test_two_foreign_buildings_are_safe():
    board = after("Stable@a3+90", at(CORNER.format("b", "a", "."), "d 0 ld"))
    assert board.endswith("/CC.....c/bD....../aD......")


def test_own_buildings_inside_do_not_matter():
    board = after("Stable@a3+90", at(CORNER.format("a", "A", "b"), "d 0 ld"))
    assert board.endswith("/CC.....c/=D....../AD....a.")


def test_the_cathedral_is_captured_for_good():
    walls = "........ ......a. ........ {}CCD.... {} {} {} {}"
    inside = [".+.D....", "+++G....", ".+.G...c", ".+.G...c"]
    light = OFFICIAL.replay("Tavern@a5+0", at(walls.format(".", *inside), "d 0 ld"))
    claimed = ["===D....", "===G....", "===G...c", "===G...c"]
    assert str(light) == f"{rows(walls.format('A', *claimed))} l 0 ld"
    assert {move.partition("@")[0] for move in moves(light)} == set(KINDS[:-1])


def test_the_cathedral_and_a_foreign_building_are_two():
    picture = "........ ......b. ........ {}CCD.... .+.D.... +++G.... .+.G...c a+.G...c"
    assert after("Tavern@a5+0", at(picture.format("."), "d 0 ld")) == rows(picture.format("A"))


POCKET = ".......A ....+... ...+++.. ....+... ....+... {}g..... {}g..... {}g....."


def test_ground_is_lost_with_the_building_that_walled_it():
    state = at(POCKET.format("..", "EE", "=E"), "l 0 ld")
    assert after("Stable@a3+90", state) == rows(POCKET.format("cc", "--", "--"))


def test_a_captured_building_is_placed_again():
    state = at(POCKET.format("..", "EE", "=E"), "l 0 ld")
    assert state.margin == 3 - 4
    dark = OFFICIAL.replay("Stable@a3+90", state)
    assert dark.margin == 1 - 5
    assert after("Inn@g7+0 Tavern@h1+0 Inn@g3+0", dark).count("E") == 3
    assert after("Inn@g7+0 Tavern@h1+0 Inn@g3+0", dark).count("F") == 3


def test_nobody_claims_with_the_first_building():
    state = OFFICIAL.replay("Cathedral@e5+0 Inn@b2+180")
    assert str(state).endswith("/EE....../.E...... l 0 d")
    # What it closed is claimed with the second building,
    assert after("Manor@e2+0 Tavern@h8+0", state).endswith("/EE.iii../=E......")
    # and under seed rules at once.
    assert after("Cathedral@e5+0 Inn@b2+180", game=SEED).endswith("/EE....../=E......")


def test_a_building_that_was_captured_counts_as_the_first():
    game = ludus.game("cathedral", size=8, claim_limit=8)
    state = game.replay("Cathedral@e5+0 Inn@b2+180 Tavern@a1+0 Tavern@h8+0")
    assert str(state).endswith("/EE....../=E...... l 0 ld")
    assert after("Inn@g2+90", state, game).endswith("/EE....ee/=E....e-")


def test_capturing_the_only_building_claims_the_whole_city():
    state = OFFICIAL.replay("Cathedral@e5+0 Inn@b2+180 Tavern@a1+0 Tavern@h8+0")
    ground = "======== " * 5
    assert str(state) == f"{rows(f'=======A {ground} EE====== =E======')} d 0 ld"
    movers = set()
    while state.outcome is None:
        movers.add(state.player)
        state = state.play(state.legal()[-1])
    assert movers == {1}
    assert (state.player, state.outcome, state.winner) == (0, -1, 1)


@pytest.mark.parametrize(
    ("parameters", "claims"),
    [
        ({}, True),
        ({"claim_limit": 40}, True),
        ({"claim_limit": 39}, False),
        ({"rules": "seed"}, False),
        ({"rules": "seed", "claim_limit": 40}, True),
    ],
)
def test_claims_have_a_limit_where_the_rules_say_so(parameters, claims):
    game = ludus.game("cathedral", size=8, **parameters)
    picture = "{0} {0} {0} {0} {0} gggccdd{1} ........ A..CC..B"
    board = after("Tavern@h3+0", at(picture.format("........", "."), "l 0 ld", game), game)
    assert board == rows(picture.format("--------" if claims else "........", "a"))


def test_cells_that_only_the_cathedral_encloses_are_nobodys_and_harmless():
    # It cuts off a1 and a2; in cathedral-rl that stops all captures.
    board = after("Cathedral@b2+0 Tavern@a8+0 Tavern@h1+0 Inn@g2+90", game=SEED)
    assert board.endswith("/.+....EE/.+....E=")


# Turns and the end.


def test_who_has_no_room_is_skipped():
    state = OFFICIAL.state(
        "m-m.Ebf-/mmm.EEff/-c.I..DD/-cIII+../ggg.+++./ee.d.+CC/-eMdM+A./-aMMM... d 0 ld"
    )
    assert OFFICIAL.replay("Tavern@d7+0", state).player == state.player


def test_a_captured_building_ends_being_skipped():
    board = "-fEEdd../ffEGmmmD/ee.Gm+mD/ea.G.+b./.MM.+++./AM..c+i./CMMFciii/C==FF..B"
    with pytest.raises(ValueError, match="no room, so it is skipped"):
        OFFICIAL.state(f"{board} d 0 ld")
    light = OFFICIAL.state(f"{board} l 0 ld")
    dark = OFFICIAL.replay("Bridge@h4+0", light)
    assert (light.player, dark.player) == (0, 1)
    assert {move.partition("@")[0] for move in moves(dark)} == {"Stable"}


def test_the_fewest_unplaced_squares_win(rng):
    seen = set()
    for _ in range(100):
        *states, last = playout(OFFICIAL, rng)
        board = str(last).split(" ")[0]
        lead = sum(mark.islower() for mark in board) - sum(mark.isupper() for mark in board)
        assert last.winner == (None if lead == 0 else int(lead < 0))
        assert last.player == 1 - states[-1].player
        assert last.margin == (lead if last.player == 0 else -lead)
        assert last.outcome == np.sign(last.margin)
        seen.add(last.winner)
    assert seen == {0, 1, None}


def test_equal_buildings_are_told_apart_under_seed_rules_only():
    line = "Cathedral@e5+0 Tavern@a1+0 Bridge@h4+0 {}@c3+0"
    other = "Cathedral@e5+0 Tavern@c3+0 Bridge@h4+0 {}@a1+0"
    assert OFFICIAL.replay(line.format("Tavern")) == OFFICIAL.replay(other.format("Tavern"))
    assert SEED.replay(line.format("Tavern2")) != SEED.replay(other.format("Tavern2"))
    dark = OFFICIAL.replay("Cathedral@e5+0").legal()
    assert len(SEED.replay("Cathedral@e5+0").legal()) > len(dark)


def test_equal_buildings_turn_with_the_board():
    state = OFFICIAL.replay("Cathedral@e5+0 Tavern@a1+0 Tavern@a2+0 Tavern@h8+0 Stable@b7+0")
    pictures = (
        ".c.....B .c..+... ...+++.. ....+... ....+... ........ a....... A.......",
        "Aa...... ......cc ........ .....+.. ...++++. .....+.. ........ .......B",
        ".......B .......a ........ ...+.... ...+.... ..+++... ...+..c. A.....c.",
        "A....... ........ ..+..... .++++... ..+..... ........ cc...... ......aB",
    )
    for quarters, picture in enumerate(pictures):
        assert state.transformed(quarters) == at(picture, "d 0 ld")


def test_a_coin_says_who_is_light(rng):
    fair = ludus.game("cathedral", size=8, fair_start=True)
    assert {fair.start(rng).player for _ in range(40)} == {0, 1}
    assert fair.start().player == 0
    assert {OFFICIAL.start(rng).player for _ in range(40)} == {0}
    wins0, wins1, _, _ = _core.playouts(fair.start(), 1, 0, 20_000, 2)
    assert wins0 / 20_000 == pytest.approx(wins1 / 20_000, abs=0.02)


def test_no_coin_is_tossed_in_the_middle():
    fair = ludus.game("cathedral", size=8, fair_start=True)
    over = fair.state(
        "G.eed-hh/GCCedbhh/G.ggg.FF/.ccJJNNF/.+..JJNN/++++.ffN/A+.D.fEE/..aDB..E l 1 ld"
    )
    assert over.winner == 0  # who is Dark
    assert _core.playouts(over, 1, 0, 100, 1) == (100, 0, 0, 0)


# What is seen.


def test_planes():
    state = OFFICIAL.replay("Cathedral@e5+0 Inn@b2+180 Tavern@h1+0 Tavern@h8+0 Tavern@h3+0")
    assert str(state).endswith(" d 0 ld")
    paper, full = state.features("paper"), state.features()
    assert paper.shape == (5, 8, 8)
    assert full.shape == (28, 8, 8)
    assert (full[:5] == paper).all()
    assert [int(plane.sum()) for plane in paper] == [4, 2, 6, 1, 0]
    assert paper[0, 7, 1] == paper[1, 7, 7] == paper[2, 1, 4] == paper[3, 7, 0] == 1
    left = full[5:, 0, 0]
    assert (full[5:] == left[:, None, None]).all()
    assert left.tolist() == [0.5, 1, 0.5, *[1] * 8, 0, *[1] * 10, 0]  # Dark is to move


def test_dense_shaping():
    def dense(state, move):
        action = OFFICIAL.action(state, move)
        return state.shaping(action, state.play(action), "dense")

    start = OFFICIAL.start()
    assert dense(start, "Cathedral@e5+0") == (0, 0)
    assert dense(OFFICIAL.replay("Cathedral@e5+0"), "Tavern@a1+0") == (0, 1 - 5)
    corner = at(CORNER.format(".", "a", "b"), "d 0 ld")
    assert dense(corner, "Stable@a3+90") == (-1, 2 + (2 - 5) + 1)
    pocket = at(POCKET.format("..", "EE", "=E"), "l 0 ld")
    assert dense(pocket, "Stable@a3+90") == (4 + (2 - 5) + 3, -3)


def test_dense_shaping_at_the_end(rng):
    for _ in range(30):
        *_, before, last = playout(OFFICIAL, rng)
        (action,) = [a for a in before.legal() if before.play(a) == last]
        signal = before.shaping(action, last, "dense")
        end = {0: 10, 1: -10, None: 0}[last.winner]
        own, other = signal if before.player == 0 else signal[::-1]
        end = end if before.player == 0 else -end
        assert other <= -end
        assert own - end > -5


def test_a_picture_finds_the_building_that_was_placed(rng):
    game = ludus.game("cathedral")
    for _ in range(5):
        state = game.start()
        while state.outcome is None:
            action = rng.choice(state.legal())
            cells = state.footprint(action)
            state = state.play(action)
            assert placed_cells(game, City(state), action) == cells
            assert game.draw(state, last=action).svg.count('stroke-width="3.36"') == len(cells)


# Text.

START = f"{rows('........ ' * 8)}"
PLAIN = rows("........ " * 5 + ".+...... ++++.... .+......")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{START} l 0 -", None),
        (f"{PLAIN} d 0 -", None),
        (f"A{PLAIN[1:]} l 0 d", None),
        (f"A.a{PLAIN[3:]} d 0 ld", None),
        ("", "a cathedral position is the board"),
        (START, "a cathedral position is the board"),
        (f"{START} l 0 - ", "a cathedral position is the board"),
        (f"{START} L 0 -", "a cathedral position is the board"),
        (f"{START} l 2 -", "a cathedral position is the board"),
        (f"{START} l 0 dl", "a cathedral position is the board"),
        (f"{START[:-1]}  l 0 -", "a cathedral board is rows"),
        (f"{START.replace('/', '.')} l 0 -", "a cathedral board is rows"),
        (f"/{START[1:]} l 0 -", "a cathedral board is rows"),
        (f"o{PLAIN[1:]} l 0 ld", "a cathedral board is rows"),
        (f"\0{PLAIN[1:]} l 0 ld", "a cathedral board is rows"),
        (f"é{PLAIN[1:]} l 0 ld", "a cathedral board is rows"),
        (f"{START} l 1 -", "player 0 is Light"),
        (f"{START} d 0 -", "Light begins with the Cathedral"),
        (f"{PLAIN} l 0 -", "Light begins with the Cathedral"),
        (f"{START} l 0 ld", "may claim once it has built"),
        (f"{PLAIN} d 0 d", "may claim once it has built"),
        (f"A{PLAIN[1:]} l 0 ld", None),  # Light's only building was captured
        (f"A{PLAIN[1:]} l 0 -", "may claim once it has built"),
        (f"A{PLAIN[1:]} d 0 d", "may claim once it has built"),
        (f"a{PLAIN[1:]} d 0 l", "may claim once it has built"),
        (f"A.a{PLAIN[3:]} d 0 d", "may claim once it has built"),
        (f"AA{PLAIN[2:]} l 0 ld", "'A' do not have the shape"),
        (f"m.mm{PLAIN[4:]} l 0 ld", "'m' do not have the shape"),
        (f"{PLAIN[:-7]}.......  d 0 -".replace("  ", " "), "shape of the Cathedral"),
        (f"B.a{PLAIN[3:]} d 0 ld", "of two equal buildings"),
        (f"A.B.a{PLAIN[5:]} d 0 ld", None),
        (f"B.A.a{PLAIN[5:]} d 0 ld", "of two equal buildings"),
        (f"A=a{PLAIN[3:]} d 0 ld", "ground is a whole enclosed part"),
        (f"A.a{PLAIN[3:]} d 0 ld".replace(".", "="), "ground is a whole enclosed part"),
        (f"=Ea{PLAIN[3:9]}EE{PLAIN[11:]} d 0 ld", None),
        (f"-Ea{PLAIN[3:9]}EE{PLAIN[11:]} d 0 ld", "ground is a whole enclosed part"),
    ],
)
def test_strict_text(text, sentence):
    if sentence is None:
        assert str(OFFICIAL.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            OFFICIAL.state(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{START} l 0 ld", None),
        (f"B.a{PLAIN[3:]} d 0 ld", None),
        (f"{START} l 0 -", "under seed rules both sides may always claim"),
        (f"=Ea{PLAIN[3:9]}EE{PLAIN[11:]} d 0 ld", None),
        (f".Ea{PLAIN[3:9]}EE{PLAIN[11:]} d 0 ld", "under seed rules enclosed empty parts"),
    ],
)
def test_strict_text_under_seed_rules(text, sentence):
    if sentence is None:
        assert str(SEED.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            SEED.state(text)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 9}, "size 8 or 10, not 9"),
        ({"rules": "house"}, "rules is one of official, seed"),
        ({"fair_start": 1}, "fair_start is True or False"),
        ({"claim_limit": -1}, "claim_limit is between 0 and 100 cells, not -1"),
        ({"size": 8, "claim_limit": 65}, "claim_limit is between 0 and 64 cells, not 65"),
    ],
)
def test_parameters_are_checked(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.game("cathedral", **parameters)
