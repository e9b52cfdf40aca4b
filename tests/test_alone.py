"""Native objects are used by one call at a time; another gets a sentence, and nothing breaks."""

import contextlib
import copy
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import ludus
from ludus import _core
from tests import natives
from tests.test_written import Nim

np = pytest.importorskip("numpy", reason="the core needs numpy")

# Classes whose methods read no argument that could call Python are made busy by a thread.
BY_THREAD = {"CathedralEndgame"} | {
    name for name in natives.classes() if name.endswith("_fast_alphabeta")
}
GUARDED = sorted({*natives.classes()} - natives.VALUES)


class Number:
    """An integer that calls back when it is read."""

    def __init__(self, number, called):
        self.number, self.called = number, called

    def __index__(self):
        self.called()
        return self.number


class States(list):
    """A list that calls back when it is read."""

    def __getitem__(self, index):
        self.called()
        return super().__getitem__(index)


class CallingNim(Nim):
    """A game that calls back when a move is made."""

    called = staticmethod(lambda: None)

    @property
    def num_actions(self):
        type(self).called()
        return 3

    @classmethod
    def start(cls, stones=10):
        return cls(stones)


def enter(name, made, called):
    """Use the object in a way that calls back in the middle."""
    if name in ("Truth", "Reachable"):
        states = States([natives.start("tictactoe" if name == "Reachable" else natives.PLACES[0])])
        states.called = called
        made.values(states, np.zeros(1))
    elif name in ("EndgameSolver", "RowSolver"):
        made.work(0.0, Number(1, called))
    elif name == "Connect4Solver":
        made.opening_keys(Number(1, called))
    elif name == "Forest":
        made.result(Number(0, called))
    elif name == "SelfPlay":
        made.row(Number(0, called))
    elif name == "Mcts":
        state = ludus.game(CallingNim).start()
        CallingNim.called = called
        made.seek(state)
    else:
        made.state(Number(0, called))


def busy_by_evaluation(name, called):
    """A search that asks Python what a position is worth."""
    game = Nim if name == "python_alphabeta" else name.removesuffix("_alphabeta")
    return _core.alphabeta(ludus.game(game).start(), evaluate=lambda _: (called(), 0.0)[1])


def refusals(name, made):
    """What a busy object answers, method by method."""
    found = {}
    for member, signature in natives.members(type(made)):
        try:
            natives.ask(made, member, signature)
        except (ValueError, TypeError) as error:
            found[member] = str(error)
        else:
            found[member] = ""
    return found


def all_refused(found):
    assert {m for m, answer in found.items() if natives.BUSY not in answer} <= natives.CONSTANTS
    assert any(natives.BUSY in answer for answer in found.values())


def test_every_bound_class_is_a_value_or_guarded():
    assert set(GUARDED) == {*natives.MAKERS, "python_alphabeta"}
    for name, make in natives.MAKERS.items():
        assert type(make()).__name__ == name


@pytest.mark.parametrize("name", [n for n in GUARDED if n not in BY_THREAD])
def test_a_call_out_of_a_call_is_refused_whatever_is_asked(name):
    seen = []
    if name.endswith("_alphabeta"):
        made = None
        made = busy_by_evaluation(name, lambda: made and seen.append(refusals(name, made)))
        made.run(1)
    else:
        game = ludus.game(CallingNim) if name == "Mcts" else None
        made = _core.mcts(game.start()) if game else natives.MAKERS[name]()
        enter(name, made, lambda: seen or seen.append(refusals(name, made)))
        CallingNim.called = staticmethod(lambda: None)
    all_refused(seen[0])
    found = refusals(name, made)  # and then it is free again
    assert not any(natives.BUSY in answer for answer in found.values())


@pytest.mark.parametrize("name", sorted(BY_THREAD))
def test_a_call_from_another_thread_is_refused_whatever_is_asked(name):
    made = natives.MAKERS[name]()
    budget = (10**9, 0.05) if name == "CathedralEndgame" else (128, None, 0.05)
    stop = threading.Event()

    def work():
        while not stop.is_set():
            with contextlib.suppress(ValueError):  # it may be refused itself, and comes again
                made.run(*budget)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for member, signature in natives.members(type(made)):
            if member not in natives.CONSTANTS:
                assert any(refused(made, member, signature) for _ in range(100_000)), member
    finally:
        stop.set()
        thread.join()


def refused(made, member, signature):
    """Whether the object is at work."""
    try:
        natives.ask(made, member, signature)
    except (ValueError, TypeError) as error:
        return natives.BUSY in str(error)
    return False


@pytest.mark.parametrize("name", ["connect4", "supertictactoe", "kingcourtesan"])
def test_guests_wait_for_nobody_at_a_batch_in_use(name):
    batch = natives.batch(name)
    rows, seeds = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    policies, refused = np.zeros((1, batch.num_actions)), []

    def use():
        for think in (
            lambda: _core.think_uct(batch, rows, seeds, policies, 1, 5, ""),
            lambda: _core.think_alphabeta(batch, rows, policies, 1, 1, None, {}, 0, True, False),
        ):
            with pytest.raises(ValueError, match=natives.BUSY):
                think()
            refused.append(think)

    batch.state(Number(0, use))
    assert len(refused) == 2
    for think in refused:
        think()


def test_threads_at_one_batch_step_it_or_are_told(game):
    batch = ludus.batch(game, 8)
    features = np.zeros((8, *batch.shape), np.float32)
    masks = np.zeros((8, batch.num_actions), np.bool_)
    actions = np.zeros(8, np.int32)

    def step(_):
        own, answers = actions.copy(), set()
        for _ in range(60):
            try:
                batch.sample(own)
                batch.step(own, features=features, masks=masks)
                answers.add("stepped")
            except ValueError as error:
                busy = natives.BUSY in str(error)
                answers.add("busy" if busy else "illegal" if "not legal" in str(error) else error)
        return answers

    with ThreadPoolExecutor(3) as pool:
        answers = set().union(*pool.map(step, range(3)))
    assert "stepped" in answers
    assert answers <= {"stepped", "busy", "illegal"}  # another thread stepped what was sampled
    for row in range(8):
        assert batch.state(row).legal()


@pytest.mark.parametrize("spelling", ["uct:simulations=50", "alphabeta:nodes=200", "greedy"])
def test_an_agent_that_threads_share_answers_each_of_them(spelling):
    game, agent = ludus.game("connect4"), ludus.agent(spelling)
    states = [game.start(), game.replay("1"), game.replay("1111112"), game.replay("4444442222226")]

    def think(number):
        for turn in range(15):
            state = states[(number + turn) % len(states)]
            policy = agent.think(state).policy
            assert set(np.flatnonzero(policy)) <= set(state.legal())
            assert policy.sum() == pytest.approx(1)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(think, range(4)))


@pytest.mark.parametrize("spelling", ["perfect", "adversary", "network"])
def test_an_agent_of_two_games_that_threads_share_answers_each_of_them(spelling):
    agent = network() if spelling == "network" else ludus.agent(spelling)
    states = [ludus.game(name).start() for name in ("tictactoe", "tictactoe:success=0.5")]

    def think(number):
        for turn in range(8):
            state = states[(number + turn) % 2]
            policy = agent.think(state).policy
            assert set(np.flatnonzero(policy)) <= set(state.legal())
            assert policy.sum() == pytest.approx(1)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(think, range(4)))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize(
    "spelling", ["uct:simulations=50", "alphabeta:nodes=200", "greedy", "perfect", "adversary"]
)
def test_a_copy_of_an_agent_has_its_options_and_begins_anew(spelling, copied):
    state, agent = ludus.game("tictactoe").replay("a1"), ludus.agent(spelling, seed=3)
    if spelling == "greedy":
        state = ludus.game("connect4").start()
    first = agent.think(state)
    twin = copied(agent)
    assert twin == agent
    again = twin.think(state)
    assert (again.policy == first.policy).all()
    assert again.nodes == first.nodes  # what it knew is not counted in
    assert vars(twin).get("_search") is None or twin._search is not agent._search


def network():
    """A network that has no opinion, and a search that it guides."""
    from ludus.learn.networks.player import NetworkAgent

    return NetworkAgent(
        lambda rows: (np.zeros((len(rows), 9), np.float32), np.zeros(len(rows), np.float32)),
        simulations=20,
    )


def test_an_oracle_that_threads_share_answers_each_of_them():
    game = ludus.game(Nim)
    oracle = ludus.oracle(game)
    states = [game.start(), game.state("3 0"), game.state("1 1")]
    right = [(oracle.value(state), oracle.values(state)) for state in states]

    def look(number):
        for turn in range(10):
            at = (number + turn) % len(states)
            assert (oracle.value(states[at]), oracle.values(states[at])) == right[at]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(look, range(4)))


def test_an_agent_that_its_own_game_asks_does_not_lock_up():
    agent, told = ludus.agent("uct:simulations=20"), []

    def ask():
        CallingNim.called = staticmethod(lambda: None)
        try:
            agent.think(ludus.game(Nim).start())
        except ValueError as error:
            told.append(str(error))

    state = ludus.game(CallingNim).start()
    agent.think(state)
    CallingNim.called = ask
    try:
        agent.think(ludus.game(CallingNim, stones=9).start())
    finally:
        CallingNim.called = staticmethod(lambda: None)
    assert agent.think(state).policy.sum() == pytest.approx(1)
