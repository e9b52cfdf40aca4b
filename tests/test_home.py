"""A native object is of one game, parameters included; a state of another one is refused."""

import random

import pytest

import ludus
from ludus import _core
from tests import natives
from tests.test_written import Nim

np = pytest.importorskip("numpy", reason="the core needs numpy")

# An object of the first is handed a state of the second, which would not fit into its memory, or
# would be read as what it is not.
STRANGERS = [
    ("kingcourtesan:size=3", "kingcourtesan:size=8"),
    ("kingcourtesan:size=8", "kingcourtesan:size=3"),
    ("connect4", "connect4:rows=5"),
    ("connect4:rows=5", "connect4"),
    ("chinesecheckers:size=3,pieces=3", "chinesecheckers:size=9,pieces=10"),
    ("chinesecheckers", "chinesecheckers:forward_only=true"),
    ("cathedral:size=8", "cathedral"),
    ("checkers", "checkers:no_progress=3"),
    ("supertictactoe", "supertictactoe:success=0.25"),
    ("tictactoe", "tictactoe:max_plies=9"),
    ("connect4", "tictactoe"),
]
REFUSED = "of the game with other parameters|of another game"

# How each method that takes a state is called with one, and how its object is asked to work on.
TAKERS = {
    "mcts": (_core.mcts, lambda made, state: made.seek(state), lambda made: made.run(50)),
    "rave": (
        lambda state: _core.mcts(state, rave=100.0),
        lambda made, state: made.seek(state),
        lambda made: made.run(50),
    ),
    "forest": (
        lambda state: _core.forest(state, 2, simulations=4),
        lambda made, state: made.seek(1, state),
        lambda made: made.gather(
            np.zeros((2, *made.shape), np.float32), np.zeros((2, made.num_actions), np.bool_)
        ),
    ),
    "selfplay": (
        lambda state: _core.selfplay(state, 2, simulations=4),
        lambda made, state: made.put(1, state, 1, 1, made.row(0)[3]),
        lambda made: made.gather(np.zeros((2, *made.shape), np.float32)),
    ),
    "batch": (
        lambda state: _core.batch(state, 2, 0, "full", True),
        lambda made, state: made.put(1, state),
        lambda made: made.sample(np.zeros(2, np.int32)),
    ),
}
# Methods that the tests below this table look at one by one.
TRUTH = {"Truth.look", "Truth.actions", "Truth.values", "Connect4Solver.ask"}
TRUTH |= {"Reachable.look", "Reachable.actions", "Reachable.values"}
TRUTH |= {"RowTable.value", "RowTable.distance", "RowTable.moves"}
TRUTH |= {"RowTable.values_of", "RowTable.distances_of"}


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize(("home", "stranger"), STRANGERS)
def test_a_state_of_other_parameters_is_refused_and_changes_nothing(taker, home, stranger):
    make, take, work = TAKERS[taker]
    made = make(natives.start(home))
    with pytest.raises(ValueError, match=REFUSED):
        take(made, natives.start(stranger))
    take(made, natives.start(home))
    work(made)


@pytest.mark.parametrize("taker", [taker for taker in TAKERS if taker != "batch"])
def test_a_state_written_in_python_is_of_the_game_that_it_was_made_for(taker):
    make, take, work = TAKERS[taker]

    class Wide(Nim):
        num_actions = 60_000

    made = make(ludus.game(Nim).start())
    with pytest.raises(ValueError, match="num_actions is the same in every state"):
        take(made, ludus.game(Wide).start())
    with pytest.raises(ValueError, match="a state has num_actions; 3 has none"):
        take(made, 3)
    take(made, ludus.game(Nim).state("4 1"))
    work(made)


def refusals(calls):
    for call in calls:
        with pytest.raises(ValueError, match=REFUSED):
            call()


def looks(truth, state):
    return [
        lambda: truth.look(state),
        lambda: truth.actions(state),
        lambda: truth.values([state], np.zeros(1)),
    ]


@pytest.mark.parametrize("stranger", ["kingcourtesan:size=8", "kingcourtesan:size=4", "connect4"])
def test_a_table_knows_no_state_of_another_board(stranger):
    oracle = natives.endgame_oracle()
    refusals(looks(oracle, natives.start(stranger)))
    assert oracle.look(natives.start("kingcourtesan:size=3")) is not None


@pytest.mark.parametrize("stranger", ["tictactoe:success=0.5", "connect4"])
def test_a_reachable_space_knows_no_state_of_another_game(stranger):
    space = natives.reachable(natives.start("tictactoe"))
    refusals(looks(space, natives.start(stranger)))
    assert space.look(natives.start("tictactoe")) == (0.0, None)


def test_clocks_are_no_part_of_what_a_table_knows():
    space = natives.reachable(natives.start("tictactoe"))
    assert space.look(natives.start("tictactoe:max_plies=30")) == (0.0, None)


@pytest.mark.parametrize("stranger", ["connect4:rows=5", "connect4:line=3", "tictactoe"])
def test_a_connect_four_solver_is_asked_about_its_own_board(stranger):
    solver = _core.connect4_solver(natives.start("connect4"), table_bits=12)
    refusals([lambda: solver.ask([natives.start(stranger)])])
    assert solver.total == 0


@pytest.mark.parametrize(
    "stranger", ["chinesecheckers:size=9,pieces=10", "chinesecheckers:size=3,pieces=1"]
)
def test_a_table_of_rows_knows_no_state_of_another_board(stranger):
    table, state = natives.row_table(), natives.start(stranger)
    refusals(
        [
            lambda: table.value(state),
            lambda: table.distance(state),
            lambda: table.moves(state),
            lambda: table.values_of([state]),
            lambda: table.distances_of([state]),
        ]
    )


def test_shaping_compares_states_of_one_game():
    state = natives.start("supertictactoe")
    other = natives.start("supertictactoe:success=0.25")
    with pytest.raises(ValueError, match="other parameters"):
        state.shaping(0, other, "designed")


def test_every_method_that_takes_a_state_is_tested_here():
    taking = {
        f"{cls}.{name}"
        for cls in natives.classes()
        for name, signature in natives.members(getattr(_core, cls))
        if any(f"{word}: " in signature for word in ("state", "states", "after"))
    }
    batches = {f"{cls}.put" for cls in natives.classes() if cls.endswith("_batch")}
    shaped = {f"{cls}.shaping" for cls in _core.games}
    assert taking <= {"Mcts.seek", "Forest.seek", "SelfPlay.put"} | TRUTH | batches | shaped


BEGUN = {
    "batch": lambda state: _core.batch(state, 2, 0, "full", True),
    "versus": lambda state: _core.versus(
        state, 2, 0, "full", (False, True, 0.0), opponent="random"
    ),
    "mcts": _core.mcts,
    "alphabeta": _core.alphabeta,
    "selfplay": lambda state: _core.selfplay(state, 2, simulations=4),
}


def finished(name):
    state, rng = natives.start(name), random.Random(1)
    while state.outcome is None:
        state = state.play(rng.choice(state.legal()), rng)
    return state


@pytest.mark.parametrize("begin", BEGUN)
@pytest.mark.parametrize("name", [*_core.games, "connect4:rows=5"])
def test_nothing_is_begun_from_a_finished_game(begin, name):
    with pytest.raises(ValueError, match=r"a game that goes on|the game is over"):
        BEGUN[begin](finished(name))


@pytest.mark.parametrize("name", _core.games)
def test_a_forest_of_finished_games_has_nothing_to_evaluate(name):
    over = finished(name)
    for gumbel in (False, True):
        forest = _core.forest(over, 2, simulations=4, gumbel=gumbel)
        forest.allow(0, 10)
        masks = np.zeros((2, forest.num_actions), np.bool_)
        assert forest.gather(np.zeros((2, *forest.shape), np.float32), masks) == 0
        assert forest.result(0) == forest.policy(0) == []
        with pytest.raises(ValueError, match="the game is over"):
            forest.action(0)
        with pytest.raises(ValueError, match="the game is over"):
            forest.advance(0, 0)
