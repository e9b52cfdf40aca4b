"""Whose marks stray and where they go, in both games that have strays."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus import _core
from ludus.learn.collecting.batched_opponents import choose_actions
from ludus.learn.collecting.vector_games import VectorGames
from tests.conftest import examples
from tests.games.test_tictactoe import reachable, solved
from tests.test_reference import compare

OPTIONS = [
    {"strays": strays, "stray_to": stray_to}
    for strays, stray_to in itertools.product(("both", "first", "second"), ("around", "open"))
]
NAMES = st.sampled_from(["tictactoe", "supertictactoe"])


def spelled(options):
    return ",".join(f"{name}={value}" for name, value in options.items())


@pytest.mark.parametrize(
    ("text", "cell", "expected"),
    [
        ("x../.../..o x", 4, {1: 1 / 12, 2: 1 / 12, 3: 1 / 12, 5: 1 / 12, 6: 1 / 12, 7: 1 / 12}),
        ("x../.../..o x", 2, {1: 1 / 6, 4: 1 / 6, 5: 1 / 6}),
        (".o./.x./..x o", 0, {3: 1 / 2}),
        (".xo/xo./... x", 0, {9: 1 / 2}),  # enclosed: the mark is lost
    ],
)
def test_a_mark_strays_to_an_open_cell_if_there_is_one(text, cell, expected):
    state = ludus.game("tictactoe:success=0.5,stray_to=open").state(text)
    assert dict(state.chances(cell)) == pytest.approx({cell: 0.5, **expected})


def test_on_the_empty_cross_no_mark_is_lost():
    """By the rule of the eight cells around, 44 of the 80 cells lose some."""
    start = ludus.game("supertictactoe:stray_to=open").start()
    assert all(80 not in dict(start.chances(action)) for action in start.legal())


@pytest.mark.parametrize(("strays", "steady"), [("first", 1), ("second", 0)])
@pytest.mark.parametrize("name", ["supertictactoe", "tictactoe:success=0.5"])
def test_the_marks_of_one_player_land_where_they_should(name, strays, steady):
    game = ludus.game(name, strays=strays)
    state = game.start().play(4, chance=4)
    states = [game.start(), state]
    assert states[steady].chances(0) == [(0, 1.0)]
    assert len(states[1 - steady].chances(0)) > 1
    with pytest.raises(ValueError, match="chance cannot bring 1 after action 0"):
        states[steady].play(0, chance=1)
    assert all(state.chancy for state in states)  # of the whole game: whoever plays brings a rng


@examples(60)
@given(
    name=NAMES,
    success=st.floats(0.01, 0.99),
    options=st.sampled_from(OPTIONS),
    seed=st.integers(0, 2**32),
)
def test_any_options_play_as_the_reference_does(name, success, options, seed):
    compare(ludus.game(name, success=success, **options), games=1, seed=seed)


@pytest.mark.parametrize("options", OPTIONS, ids=spelled)
def test_the_solver_says_what_value_iteration_does(options):
    game = ludus.game("tictactoe", success=0.5, **options)
    space = _core.reachable(game.start(), 1_000_000)
    while not space.done:
        space.work(1.0)
    worth = [value for _, (value, _) in space.actions(game.start())]
    assert worth == pytest.approx(solved(game), abs=1e-9)


def worth(**options):
    space = _core.reachable(ludus.game("tictactoe", success=0.5, **options).start(), 1_000_000)
    while not space.done:
        space.work(1.0)
    return space.look(ludus.game("tictactoe", success=0.5, **options).start())[0]


def test_who_never_strays_is_better_off():
    for stray_to in ("around", "open"):
        alone, both, other = (
            worth(strays=strays, stray_to=stray_to) for strays in ("first", "both", "second")
        )
        assert alone < both < other


@pytest.mark.parametrize("options", OPTIONS, ids=spelled)
def test_every_position_of_play_is_read_and_few_others(options):
    """Exactly those of play where marks stray around; where they stray to open cells, no fewer."""
    game = ludus.game("tictactoe", success=0.5, **options)
    played, read = set(reachable(game)), set()
    for cells in itertools.product(".xo", repeat=9):
        rows = ["".join(cells[i : i + 3]) for i in (0, 3, 6)]
        for mover in "xo":
            text = "/".join(rows) + f" {mover}"
            try:
                read.add(str(game.state(text)))
            except ValueError:
                continue
    assert played <= read
    if options["stray_to"] == "around":
        assert played == read


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"strays": "first"}, "xx./.../... o"),  # o has missed a turn
        ({"strays": "second"}, "oo./.../... x"),
        ({"stray_to": "open"}, "o../.../... x"),  # nothing encloses a cell
        ({"stray_to": "open", "strays": "second"}, ".xo/xo./... o"),
    ],
)
def test_text_that_needs_a_turn_nobody_can_have_missed_is_refused(options, text):
    with pytest.raises(ValueError, match="x and o alternate, but for turns that were lost"):
        ludus.game("tictactoe", success=0.5, **options).state(text)
    assert ludus.game("tictactoe", success=0.5).state(text)


@pytest.mark.parametrize("name", ["tictactoe", "supertictactoe"])
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"strays": "third"}, "strays is one of both, first, second, not 'third'"),
        ({"strays": None}, "strays is one of both, first, second, not None"),
        ({"strays": 1}, "strays is one of both, first, second, not 1"),
        ({"stray_to": "adjacent"}, "stray_to is one of around, open, not 'adjacent'"),
        ({"stray_to": "Open"}, "stray_to is one of around, open, not 'Open'"),
        ({"stray_to": "op\udcefn"}, "stray_to is one of around, open, not "),
        ({"success": 1, "strays": "first"}, "with success=1 no mark strays"),
        ({"success": 1, "stray_to": "open"}, "with success=1 no mark strays"),
    ],
)
def test_other_values_are_told_what_there_is(name, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.game(name, **{"success": 0.5, **options})


def test_a_snapshot_knows_its_rule():
    plain, other = ludus.game("supertictactoe"), ludus.game("supertictactoe:strays=first")
    assert plain.spelling == "supertictactoe"
    assert other.spelling == "supertictactoe:strays=first"
    assert other.state(bytes(other.start())) == other.start() != plain.start()
    with pytest.raises(ValueError, match=r"this snapshot is of .*strays=first, not of"):
        plain.state(bytes(other.start()))


def test_a_snapshot_older_than_the_options_is_read():
    """Trainings that were stored before hold such bytes, and go on."""
    old = (
        b"ludus-state-1\n\x24\0\0\0\0\0\0\0tictactoe:success=0.5,max_plies=1000"
        b"\x0d\0\0\0\0\0\0\0.../.x./... o\x01\0\0\0\0\0\0\0"
    )
    game = ludus.game("tictactoe:success=0.5")
    assert bytes(game.state(old)) == old == bytes(game.start().play(4, chance=4))


def test_full_planes_tell_whose_marks_stray():
    """Else the two players of one board would look alike, though it is worth more to one."""
    game = ludus.game("supertictactoe:strays=first")
    strays = game.start()
    steady = strays.play(0, chance=80)
    cross = ludus.game("supertictactoe").start().features()[2]
    assert (strays.features()[2] == cross).all()
    assert (steady.features()[2] == -cross).all()
    assert (steady.features(player=0)[2] == cross).all()
    assert (steady.features("paper") == strays.features("paper")).all()


@pytest.mark.parametrize("guest", ["uct:simulations=8", "alphabeta:depth=1", "greedy", "random"])
@pytest.mark.parametrize("options", OPTIONS[1:], ids=spelled)
def test_agents_answer_in_many_games_at_once(guest, options):
    table = VectorGames(ludus.game("supertictactoe", **options), 4, seed=1)
    for _ in range(6):
        rows = np.arange(4)
        actions = choose_actions(ludus.agent(guest), table, rows, rows, np.full(4, 0.5))
        assert table.masks[rows, actions].all()
        table.step(actions)


def test_perfect_play_knows_the_options():
    game = ludus.game("tictactoe:success=0.5,strays=second,stray_to=open")
    thought = ludus.agent("perfect").think(game.start())
    assert thought.value == pytest.approx(worth(strays="second", stray_to="open"))
    with pytest.raises(ValueError, match="nobody has solved super tic-tac-toe"):
        ludus.agent("perfect").think(ludus.game("supertictactoe:stray_to=open").start())
