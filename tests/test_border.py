"""Bad input at the border: one clear sentence, nothing changed, nothing crashes."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from tests.conftest import examples

np = pytest.importorskip("numpy", reason="the core needs numpy")

FUZZ = examples(60)


def one_sentence(error):
    message = str(getattr(error, "value", error))
    assert message
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize("action", [-1, -(2**63), 2**16, 2**31, 2**63, 10**40])
def test_actions_out_of_range_are_refused(game, action):
    state = game.start()
    with pytest.raises(ValueError, match="not legal") as error:
        state.play(action, random.Random(0))
    one_sentence(error)
    assert state == game.start()


@pytest.mark.parametrize("action", [None, "4", 1.5, [0], object()])
def test_things_that_are_no_action_are_refused(game, action):
    with pytest.raises(TypeError, match="an action is an integer") as error:
        game.start().play(action)
    one_sentence(error)


def test_numpy_integers_are_actions(game):
    state = game.start()
    action = state.legal()[0]
    first = state.play(np.int64(action), random.Random(0))
    assert first == state.play(action, random.Random(0))


def test_a_finished_game_takes_no_action(game):
    rng = random.Random(3)
    state = game.start(rng)
    while state.outcome is None:
        state = state.play(rng.choice(state.legal()), rng)
    with pytest.raises(ValueError, match="the game is over"):
        state.play(0)


@FUZZ
@given(text=st.text(max_size=200))
def test_garbage_is_no_position(game, text):
    try:
        state = game.state(text)
    except ValueError as error:
        one_sentence(error)
    else:
        assert str(state) == text


@FUZZ
@given(data=st.data())
def test_spoiled_positions_are_refused_or_canonical(game, data):
    rng = random.Random(data.draw(st.integers(0, 99)))
    state = game.start(rng)
    for _ in range(rng.randrange(12)):
        if state.outcome is None:
            state = state.play(rng.choice(state.legal()), rng)
    text = str(state)
    at = data.draw(st.integers(0, len(text)))
    middle = data.draw(st.text(alphabet=sorted({*text, "x", "7", "\0", "é", " "}), max_size=3))
    cut = data.draw(st.integers(0, 3))
    spoiled = text[:at] + middle + text[at + cut :]
    try:
        assert str(game.state(spoiled)) == spoiled
    except ValueError as error:
        one_sentence(error)


@FUZZ
@given(data=st.binary(max_size=300))
def test_garbage_is_no_snapshot(game, data):
    with pytest.raises(ValueError, match="snapshot"):
        game.state(data)


@FUZZ
@given(data=st.data())
def test_spoiled_snapshots_never_crash(game, data):
    good = bytes(game.start().play(game.start().legal()[0], random.Random(1)))
    at = data.draw(st.integers(0, len(good) - 1))
    spoiled = good[:at] + data.draw(st.binary(max_size=9)) + good[at + 1 :]
    try:
        state = game.state(spoiled)
    except ValueError as error:
        one_sentence(error)
    else:
        assert isinstance(state.legal(), list)


def test_a_snapshot_of_another_game_is_refused_by_name(game):
    other = ludus.game("connect4", rows=5, columns=6)
    with pytest.raises(ValueError, match="this snapshot is of connect4:rows=5,columns=6"):
        game.state(bytes(other.start()))


def test_unknown_parameters_are_refused_with_what_there_is(game):
    with pytest.raises(ValueError, match="no parameter 'flavour'; there are") as error:
        ludus.game(game.name, flavour=3)
    one_sentence(error)


@pytest.mark.parametrize("value", [-1, 0, 10**12, 10**40, "nonsense", None, 1.5, [], float("nan")])
def test_parameters_are_checked_one_by_one(game, value):
    for name in game.parameters:
        try:
            made = ludus.game(game.name, **{name: value})
        except (ValueError, TypeError) as error:
            one_sentence(error)
        else:
            assert made.start().legal()


def test_moves_that_are_not_there_name_some_that_are(game):
    with pytest.raises(ValueError, match="legal are") as error:
        game.action(game.start(), "no such move")
    one_sentence(error)


@pytest.mark.parametrize("value", [-1, 99, 10**30])
def test_symmetries_and_cells_are_checked(game, value):
    state = game.start()
    for call in (
        lambda: state.transformed(value),
        lambda: state.transformed_action(value, 0),
        lambda: state.transformed_action(0, -1),
        lambda: state.transformed_cell(0, -1),
        lambda: state.seen(-1),
        lambda: state.seen(10**6),
        lambda: state.features("plain"),
    ):
        with pytest.raises(ValueError, match=r"not|no planes") as error:
            call()
        one_sentence(error)


@pytest.mark.parametrize("form", [None, 7, ["x"], "\ud800"])
def test_what_is_no_text_is_no_position(game, form):
    with pytest.raises((ValueError, TypeError), match="text") as error:
        game.state(form)
    one_sentence(error)


def test_the_registry_names_what_exists():
    with pytest.raises(ValueError, match=r"no game 'chess'; there are .*connect4"):
        ludus.game("chess")
    with pytest.raises(ValueError, match="no game"):
        ludus.game("../connect4")
    with pytest.raises(ValueError, match="given twice"):
        ludus.game("connect4:rows=5", rows=6)


def test_copies_and_processes_get_the_same_state(game):
    import copy

    rng = random.Random(5)
    state = game.start(rng)
    for _ in range(5):
        state = state.play(rng.choice(state.legal()), rng) if state.outcome is None else state
    assert copy.copy(state) is state
    assert copy.deepcopy([state]) == [state]
    rebuild, arguments = state.__reduce__()
    again = rebuild(*arguments)
    assert again == state
    assert bytes(again) == bytes(state)


def test_game_spelling_reads_back(game):
    again = ludus.game(game.spelling)
    assert again.start() == game.start()
    assert dict(again.parameters) == dict(game.parameters)
    assert json.dumps(dict(game.parameters))
