"""English draughts: published numbers, the rules' corners, strict text."""

import json
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

import ludus
from ludus import _core
from tests.conftest import playout

ORACLES = json.loads((Path(__file__).parents[1] / "data/oracles.json").read_text())["checkers"]
SQUARES = range(1, 33)
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.fixture(scope="module")
def draughts():
    return ludus.game("checkers")


def moves(game, state):
    """The legal moves in notation."""
    written = [game.move(state, action) for action in state.legal()]
    assert len(set(written)) == len(written)
    return set(written)


def at(game, text):
    """The moves in a position."""
    return moves(game, game.state(text))


def test_the_start(draughts):
    assert str(draughts.start()) == START
    assert draughts.start().player == 0
    assert draughts.num_actions == 256
    assert at(draughts, START) == {
        "9-13",
        "9-14",
        "10-14",
        "10-15",
        "11-15",
        "11-16",
        "12-16",
    }


def test_perft(draughts):
    assert _core.perft(draughts.start(), 8) == ORACLES["step_perft_1_8"]


def test_perft_in_turns(draughts):
    assert _core.perft_turns(draughts.start(), 10) == ORACLES["turn_perft_all_paths_1_10"]


def test_the_actions_that_some_board_allows(draughts):
    """A lone king makes every step, and every jump where there is a piece to jump over."""
    possible = set()
    for king in SQUARES:
        for other in SQUARES:
            if other != king:
                possible.update(draughts.state(f"W:WK{king}:BK{other}").legal())
    assert len(possible) == ORACLES["usable_actions_of_256"]
    assert sum(action % 2 for action in possible) == 72


def accepted_boards(game, count):
    """How many boards of so many pieces are read, whoever is to move."""
    pieces = [(square, kind) for square in SQUARES for kind in ("W", "WK", "B", "BK")]
    boards = 0
    for chosen in combinations(pieces, count):
        sides = {
            side: ",".join(kind[1:] + str(square) for square, kind in chosen if kind[0] == side)
            for side in "WB"
        }
        boards += any(is_read(game, f"{mover}:W{sides['W']}:B{sides['B']}") for mover in "WB")
    return boards


def is_read(game, text):
    try:
        return str(game.state(text)) == text
    except ValueError:
        return False


@pytest.mark.parametrize("count", [1, 2])
def test_boards_with_few_pieces(draughts, count):
    assert accepted_boards(draughts, count) == ORACLES["boards_by_piece_count_1_4"][count - 1]


@pytest.mark.slow
def test_boards_with_three_pieces(draughts):
    assert accepted_boards(draughts, 3) == ORACLES["boards_by_piece_count_1_4"][2]


def test_boards_counted_by_the_places_of_men():
    """White's men avoid squares 1 to 4 and Black's 29 to 32; kings may stand anywhere."""
    counts = [0] * 5
    for whites in range(5):
        for blacks in range(5 - whites):
            men = sum(  # so many of White's men on 29 to 32, where no Black man may be
                comb(4, home) * comb(24, whites - home) * comb(28 - (whites - home), blacks)
                for home in range(whites + 1)
            )
            empty = 32 - whites - blacks
            for kings in range(5 - whites - blacks):
                counts[whites + blacks + kings] += men * comb(empty, kings) * 2**kings
    assert counts[1:] == ORACLES["boards_by_piece_count_1_4"]


@pytest.fixture(scope="module")
def king_against_king(draughts):
    """Plies to the end of every won or lost position, solved backwards over native positions."""
    after = {}
    for white in SQUARES:
        for black in SQUARES:
            if white != black:
                for mover in "WB":
                    state = draughts.state(f"{mover}:WK{white}:BK{black}")
                    after[state] = [state.play(action) for action in state.legal()]
    ended = {child for children in after.values() for child in children if child.outcome == -1}
    plies = dict.fromkeys(ended, 0)  # an even number is a loss for the player to move, an odd a win
    grown = True
    while grown:
        grown = {}
        for state, children in after.items():
            if state in plies:
                continue
            known = [plies[child] for child in children if child in plies]
            if lost := [n for n in known if n % 2 == 0]:
                grown[state] = min(lost) + 1
            elif len(known) == len(children):
                grown[state] = max(known, default=-1) + 1
        plies.update(grown)
    return after, plies


def test_king_against_king(king_against_king):
    after, plies = king_against_king
    whites = [state for state in after if state.player == 1]
    results = [plies.get(state) for state in whites]
    oracle = ORACLES["KvK_white_to_move"]
    assert len(whites) == oracle["positions"]
    assert results.count(None) == oracle["draw"]
    wins = [n for n in results if n is not None and n % 2 == 1]
    losses = [n for n in results if n is not None and n % 2 == 0]
    assert (len(wins), len(losses)) == (oracle["win"], oracle["loss"])
    assert max(wins) == oracle["longest_win_plies"]


def test_laskers_diagram(draughts, king_against_king):
    _, plies = king_against_king
    state = draughts.state("W:WK32:BK26")
    assert str(state) == "W:WK32:BK26"
    assert plies[state] == 9
    good = [a for a in state.legal() if plies.get(state.play(a), 1) % 2 == 0]
    assert [draughts.move(state, action) for action in good] == ["32-27"]
    assert draughts.state("B:WK32:BK26") not in plies


def test_who_can_capture_must(draughts):
    assert at(draughts, "B:W18,32:B1,14") == {"14x23"}
    assert at(draughts, "B:W19,32:B1,14") == {"1-5", "1-6", "14-17", "14-18"}


def test_men_go_forward_only_and_kings_both_ways(draughts):
    assert at(draughts, "B:W14:B18") == {"18-22", "18-23"}
    assert at(draughts, "B:W14:BK18") == {"18x9"}
    assert at(draughts, "W:W18:B23") == {"18-14", "18-15"}
    assert at(draughts, "W:WK18:B23") == {"18x27"}
    assert at(draughts, "B:W5:BK18") == {"18-14", "18-15", "18-22", "18-23"}


def test_any_capture_may_be_chosen_and_must_be_finished(draughts):
    state = draughts.state("B:W14,16,22:B9,11")  # two pieces one way, one the other
    assert moves(draughts, state) == {"9x18", "11x20"}
    assert str(draughts.replay("11x20", state)) == "W:W14,22:B9,20"
    middle = draughts.replay("9x18", state)
    assert str(middle) == "B:W16,22:B11,18 18x"
    assert middle.player == 0
    assert moves(draughts, middle) == {"18x25"}  # and not 11x20
    assert str(draughts.replay("18x25", middle)) == "W:W16:B11,25"


def test_the_same_board_before_and_in_the_middle_of_a_capture_differs(draughts):
    middle = draughts.state("B:W16,22:B11,18 18x")
    before = draughts.state("B:W16,22:B11,18")
    assert middle != before
    assert middle.key != before.key
    assert middle.legal() != before.legal()
    assert (middle.features() != before.features()).sum() == 1


def test_a_capture_may_fork(draughts):
    state = draughts.replay("9x18", draughts.state("B:W14,22,23:B9"))
    assert moves(draughts, state) == {"18x25", "18x27"}


def test_a_king_may_capture_in_a_circle(draughts):
    state = draughts.state("B:W6,7,14,15,K32:BK2")
    assert str(draughts.replay("2x11x18x9x2", state)) == "W:WK32:BK2"
    assert str(draughts.replay("2x9x18x11x2", state)) == "W:WK32:BK2"


def test_a_man_that_is_crowned_ends_its_turn(draughts):
    assert str(draughts.replay("22x31", draughts.state("B:W26,27:B22"))) == "W:W27:BK31"
    assert str(draughts.replay("22x31", draughts.state("B:W26,27:BK22"))) == "B:W27:BK31 31x"
    assert str(draughts.replay("11x2", draughts.state("W:W11:B6,7"))) == "B:WK2:B6"
    assert str(draughts.replay("27-31", draughts.state("B:W12:B27"))) == "W:W12:BK31"


@pytest.mark.parametrize(
    ("text", "winner"), [("B:W25,30:B21", 1), ("W:W:B1", 0), ("B:WK32:B", 1), ("W:W5:B1", 0)]
)
def test_who_cannot_move_loses(draughts, text, winner):
    state = draughts.state(text)
    assert state.outcome == -1
    assert state.winner == winner
    assert state.legal() == []


def test_the_third_occurrence_is_a_draw(draughts):
    state = draughts.state("B:WK32:BK1")
    circle = "1-5 32-28 5-1 28-32 "
    almost = draughts.replay(circle + "1-5 32-28 5-1", state)
    assert almost.outcome is None
    drawn = draughts.replay("28-32", almost)
    assert (drawn.outcome, drawn.winner, drawn.legal()) == (0, None, [])
    twice = ludus.game("checkers", repetition=2)
    assert twice.replay(circle, twice.state("B:WK32:BK1")).outcome == 0
    never = ludus.game("checkers", repetition=0)
    assert never.replay(circle * 3, never.state("B:WK32:BK1")).outcome is None


def test_turns_without_progress_are_a_draw():
    game = ludus.game("checkers", no_progress=4, repetition=0)
    state = game.replay("1-5 32-28 5-1 30-26", game.state("B:W30,K32:BK1"))  # a man moved
    state = game.replay("1-5 28-32 5-1", state)
    assert state.outcome is None
    assert game.replay("32-28", state).outcome == 0


def test_a_capture_of_several_pieces_is_one_turn():
    game = ludus.game("checkers", no_progress=2, repetition=0)
    state = game.replay("32-28 9x18x25 28-32", game.state("W:W14,22,K32:BK4,5,9"))
    assert state.plies == 4
    assert state.outcome is None
    assert game.replay("4-8", state).outcome == 0


def test_a_win_comes_before_a_draw():
    game = ludus.game("checkers", no_progress=1)
    assert game.replay("29-25", game.state("W:WK29,30:B21")).winner == 1
    assert game.replay("29-25", game.state("W:WK29:B21")).outcome == 0


def test_the_usual_default_is_a_hundred_turns():
    game = ludus.game("checkers", repetition=0)
    circle = "1-5 32-28 5-1 28-32 "
    state = game.state("B:WK32:BK1")
    assert game.replay(circle * 24 + "1-5 32-28 5-1", state).outcome is None
    assert game.replay(circle * 25, state).outcome == 0


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"no_progress": -1}, "up to 10000"),
        ({"no_progress": 10_001}, "up to 10000"),
        ({"repetition": 1}, "from 2 to 100"),
        ({"repetition": -3}, "from 2 to 100"),
        ({"repetition": 101}, "from 2 to 100"),
        ({"repetition": 0, "no_progress": 0}, "may never end"),
    ],
)
def test_parameters_that_make_no_game(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.game("checkers", **parameters)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "side to move"),
        ("B", "side to move"),
        ("b:W21:B1", "side to move"),
        ("B:B1:W21", "side to move"),
        ("W21:B1", "side to move"),
        ("B:W21", "side to move"),
        ("B:W21:B1:", "side to move"),
        ("B:W21:B1.", "side to move"),
        ("B:W21:B1 ", "side to move"),
        (" B:W21:B1", "side to move"),
        ("B:W21,:B1", "side to move"),
        ("B:W,21:B1", "side to move"),
        ("B:W21:B01", "side to move"),
        ("B:W21:B0", "side to move"),
        ("B:W21:B-1", "side to move"),
        ("B:W21:BK", "side to move"),
        ("B:W21:BKK1", "side to move"),
        ("B:W21:Bk1", "side to move"),
        ("B:W21:B1\0", "side to move"),
        ("B:W21:B١", "side to move"),
        ("B:W21-23:B1", "side to move"),
        ("B:W33:B1", "1 to 32"),
        ("B:W21:B4294967297", "1 to 32"),
        ("B:W22,21:B1", "in order"),
        ("B:W21,21:B1", "in order"),
        ("B:W21,K21:B1", "in order"),
        ("B:W21:B21", "one square"),
        ("B:W21:BK21", "one square"),
        ("B:W4:B1", "crowned"),
        ("B:W21:B29", "crowned"),
        ("B:W13,14,15,16,17,18,19,20,21,22,23,24,25:B1", "at most 12"),
        ("B:W:B1", "not to move has a piece"),
        ("W:W21:B", "not to move has a piece"),
        ("B:W14,22:B18 18", "side to move"),
        ("B:W14,22:B18  18x", "side to move"),
        ("B:W14,22:B18 18x ", "side to move"),
        ("B:W14,22:BK18 K18x", "side to move"),
        ("B:W22:B9 18x", "before 'x'"),  # nothing is there
        ("W:W22:B18 18x", "before 'x'"),  # not the mover's
        ("B:W27:B18 18x", "before 'x'"),  # nothing to capture
        ("B:W14,15,22:B18 18x", "before 'x'"),  # it cannot have come by a jump
        ("B:W22,23:B1,2,3,4,9,11,18 18x", "before 'x'"),
        ("B:W17:B13 13x", None),
        ("B:W10:B1 1x", "before 'x'"),
        ("B:W14,22:B18 18x", None),
        ("W:WK32:BK26", None),
        ("B:WK32:BK26", None),
        ("W:W:B1", None),
        ("W:W:BK1,2,K3", None),
        ("B:W1,K2:BK31,K32", "crowned"),
    ],
)
def test_strict_text(draughts, text, sentence):
    if sentence is None:
        assert str(draughts.state(text)) == text
    else:
        with pytest.raises(ValueError, match=sentence):
            draughts.state(text)


def test_a_game_as_players_write_it(draughts):
    line = "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x18x11 7x16"
    state = draughts.replay(line)
    assert state.plies == 10
    assert str(state) == ("W:W17,20,21,25,26,28,29,30,31,32:B1,2,3,4,5,6,9,10,12,16")
    assert draughts.kind.split(line)[6:] == ["16x23", "27x18", "18x11", "7x16"]
    with pytest.raises(ValueError, match="no move '16x7'"):
        draughts.action(state, "16x7")


def test_the_movers_home_is_the_first_row(draughts):
    for state in (draughts.start(), draughts.replay("11-15")):
        (plane,) = state.features("paper")
        assert (plane[:2] >= 0).all()
        assert plane[:2].sum() == 8
        assert plane[6:].sum() == -8
        assert state.features().shape == (5, 8, 8)
    (plane,) = draughts.state("W:WK32:BK26,27").features("paper")
    assert {(int(r), int(c)): plane[r, c] for r, c in np.argwhere(plane)} == {
        (0, 1): 3,
        (1, 4): -3,
        (1, 2): -1,
    }
    planes = draughts.state("B:WK32:BK26,27").features()
    assert np.argwhere(planes).tolist() == [[0, 6, 5], [1, 6, 3], [3, 7, 6]]


def test_planes_and_seen_actions_share_a_frame(draughts, rng):
    """The cell that a seen action starts from holds one of the mover's pieces."""
    for state in playout(draughts, rng):
        planes = state.features()
        for action in state.legal():
            square = state.seen(action) // 8
            row = square // 4
            column = 2 * (square % 4) + 1 - row % 2
            assert planes[0, row, column] + planes[1, row, column] == 1


def turned(text):
    """The same position with the players' roles exchanged."""
    board, space, piece = text.partition(" ")
    mover, white, black = board.split(":")

    def side(names):
        numbers = [(33 - int(n.removeprefix("K")), "K" * n.startswith("K")) for n in names]
        return ",".join(f"{king}{number}" for number, king in sorted(numbers))

    white, black = (list(filter(None, names[1:].split(","))) for names in (white, black))
    piece = f"{33 - int(piece.removesuffix('x'))}x" if piece else ""
    return f"{'BW'[mover == 'B']}:W{side(black)}:B{side(white)}{space}{piece}"


def test_both_players_see_the_same(draughts, rng):
    chains = 0
    for _ in range(20):
        for state in playout(draughts, rng):
            other = draughts.state(turned(str(state)))
            assert other.player == 1 - state.player
            for planes in draughts.kind.planes:
                assert np.array_equal(other.features(planes), state.features(planes))
            seen = sorted(map(state.seen, draughts.state(str(state)).legal()))
            assert sorted(map(other.seen, other.legal())) == seen
            assert all(state.seen(state.seen(action)) == action for action in range(256))
            chains += " " in str(state)
    assert chains > 20


@pytest.mark.parametrize(
    ("text", "move", "pays"),  # player 0 is Black
    [
        (START, "11-15", (0, 0)),
        ("B:W22,30:B1,18", "18x25", (1, -1)),  # a man
        ("W:W21,30:B6,K17", "21x14", (-1.5, 1.5)),  # a king
        ("W:W6,30:B12", "6-1", (-0.5, 0.5)),  # a man becomes a king
        ("B:W22:B18", "18x25", (13, -13)),  # the last man, and the game
        ("W:W22,32:B12,18,28", "22x15", (-1, 1)),  # others are left
    ],
)
def test_material_shaping(draughts, text, move, pays):
    state = draughts.state(text)
    action = draughts.action(state, move)
    assert state.shaping(action, state.play(action), "material") == pytest.approx(pays)


def worth(text):
    """Black's material less White's, from the text."""
    _, white, black = text.partition(" ")[0].split(":")
    sides = ([name for name in names[1:].split(",") if name] for names in (white, black))
    men, kings = zip(*((len(one), sum("K" in name for name in one)) for one in sides), strict=True)
    return men[1] - men[0] + (kings[1] - kings[0]) / 2


def test_material_adds_up_over_a_game(draughts, rng):
    """What a game pays is what is left at its end, and 12 for a victory on the board."""
    victories = 0
    for _ in range(30):
        paid, before = np.zeros(2), None
        for state in playout(draughts, rng):
            if before is not None:
                action = next(a for a in before.legal() if before.play(a) == state)
                paid += before.shaping(action, state, "material")
            before = state
        won = 0 if before.winner is None else 12 * (1 - 2 * before.winner)
        assert paid == pytest.approx([worth(str(before)) + won, -worth(str(before)) - won])
        victories += won != 0
    assert victories > 5


FEW_AND_MANY = [
    START,
    "B:W22,K30:B1,K11",
    "B:W14,22,23:B9,10",
    "B:W14,22,23:B18 18x",  # in the middle of a capture that forks
    "W:WK1,K5,K18,K22,K30:B13,K29",
]


@pytest.mark.parametrize("text", FEW_AND_MANY)
def test_random_play_takes_each_legal_action_equally_often(draughts, text):
    """A thousand draws or more for each, by chi-square; the list itself is checked elsewhere."""
    games = 50_000
    state, actions = draughts.state(text), np.zeros(games, np.int32)
    _core.batch(state, games, 5, "full", False).sample(actions)
    frequencies = dict(zip(*np.unique(actions, return_counts=True), strict=True))
    assert set(frequencies) == set(state.legal())
    assert len(state.legal()) == len(frequencies) > 1
    assert chisquare(list(frequencies.values())).pvalue > 1e-4
