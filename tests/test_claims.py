"""What a game written in Python says of itself is checked, in every search and by its own face."""

import itertools
import math

import pytest

import ludus
from ludus import _core
from tests.test_written import Nim

np = pytest.importorskip("numpy", reason="the core needs numpy")


class Plain(Nim):
    """Nim without chance, with symmetries that change nothing and an opinion."""

    max_plies = None
    chances = property()  # there is no such attribute
    num_symmetries = 2

    def __init__(self, stones, player=0):
        self.stones, self.side = stones, player

    @property
    def player(self):
        return self.side

    @classmethod
    def start(cls, stones=10):
        return cls(stones)

    @classmethod
    def parse(cls, text, stones=10):
        left, player = text.split()
        return cls(int(left), int(player))

    def play(self, action):
        return type(self)(self.stones - action - 1, 1 - self.side)

    def transformed(self, symmetry):
        return self

    def transformed_action(self, symmetry, action):
        return action

    def transformed_cell(self, symmetry, cell):
        return cell

    def seen(self, action):
        return action

    def judge(self):
        return 0.25


class Lucky(Nim):
    """Nim with chance."""

    @classmethod
    def start(cls, stones=10):
        return cls(stones)

    def play(self, action, result):
        return type(self)(self.stones - action - 1 - result, 1 - self.player)


def liar(noun, lie, base=Plain, stones=8):
    """The game, of which every state from so few stones on answers one thing wrongly."""
    honest = getattr(base, noun, None)

    def answer(self):
        if self.stones > stones:
            return honest.__get__(self) if hasattr(honest, "__get__") else honest
        return lie if not callable(honest) else lambda *_: lie

    return ludus.game(type("Liar", (base,), {noun: property(answer)}))


def forest(state):
    made = _core.forest(state, 2, simulations=20, dirichlet_fraction=0.1)
    evaluate(made)
    return made


def gumbel(state):
    made = _core.forest(state, 2, simulations=20, gumbel=True)
    evaluate(made)
    return made


def evaluate(made):
    features = np.zeros((len(made), *made.shape), np.float32)
    masks = np.zeros((len(made), made.num_actions), np.bool_)
    while rows := made.gather(features, masks):
        made.scatter(masks[:rows].astype(np.float32), np.zeros(rows, np.float32))


def selfplay(state):
    made = _core.selfplay(state, 2, simulations=8, symmetric_cache=True)
    features = np.zeros((2, *made.shape), np.float32)
    while made.finished < 3:
        rows = made.gather(features)
        made.scatter(np.zeros((rows, made.num_actions), np.float32), np.zeros(rows, np.float32))


def reachable(state):
    made = _core.reachable(state, 10_000)
    while not made.done:
        made.work(1.0)


def alphabeta(state):
    _core.alphabeta(state).run(12)


def line(state):
    """Play to the end with everything looked at, as no native code does."""
    while state.outcome is None:
        for symmetry in range(state.num_symmetries):
            state.transformed(symmetry).legal()
            state.transformed_action(symmetry, 0)
            state.transformed_cell(symmetry, 0)
        assert state.mask().any()
        assert state.features().shape == state.shape()
        assert state.judge() in (None, 0.25)
        assert state.player in (0, 1)
        for action in state.legal():
            state.chances(action)
        chance = state.chances(0)[0][0] if state.chancy else None
        state = state.play(state.legal()[0], chance=chance)


PLAYERS = {
    "uct": lambda state: _core.mcts(state).run(300),
    "rave": lambda state: _core.mcts(state, rave=50.0).run(300),
    "forest": forest,
    "gumbel": gumbel,
    "selfplay": selfplay,
    "alphabeta": alphabeta,
    "reachable": reachable,
    "playouts": lambda state: _core.playouts(state, 0, 0, 30, 1),
    "line": line,
}
THINKERS = {
    "greedy": lambda state: ludus.agent("greedy").think(state.play(0)),
    "greedy, bare": lambda state: _core.judge(state.play(1).inner),
}
LIES = [
    ("num_actions", 4, "num_actions is the same in every state of a game: 3 before, now 4"),
    ("num_actions", None, "num_actions is an integer, not None"),
    ("num_actions", True, "num_actions is an integer, not True"),
    ("num_actions", 0, "num_actions is between 1 and 65535, not 0"),
    ("num_actions", 70_000, "num_actions is between 1 and 65535, not 70000"),
    ("player", 2, "a player is 0 or 1, not 2"),
    ("player", -1, "a player is 0 or 1, not -1"),
    ("player", None, "a player is 0 or 1, not None"),
    ("player", True, "a player is 0 or 1, not True"),
    ("player", "0", "a player is 0 or 1, not '0'"),
    ("outcome", 2, "an outcome is -1, 0, 1 or None, not 2"),
    ("outcome", 0.5, "an outcome is -1, 0, 1 or None, not 0.5"),
    ("outcome", False, "an outcome is -1, 0, 1 or None, not False"),
    ("outcome", "draw", "an outcome is -1, 0, 1 or None, not 'draw'"),
    ("outcome", 1, "a state has legal actions exactly while its outcome is None"),
    ("legal", [], "a state has legal actions exactly while its outcome is None"),
    ("legal", [3], "an action is between 0 and 2, not 3"),
    ("legal", [60_000], "an action is between 0 and 2, not 60000"),
    ("legal", [-1], "an action is between 0 and 2, not -1"),
    ("legal", [2**70], "an action is between 0 and 2, not 1180591620717411303424"),
    ("legal", [True], "an action is an integer, not True"),
    ("legal", [None], "an action is an integer, not None"),
    ("legal", ["1"], "an action is an integer, not '1'"),
    ("legal", [1.0], "an action is an integer, not 1.0"),
    ("legal", [0, 1, 0], "legal() has each action once, and 0 twice"),
    ("legal", 7, "legal() lists actions, unlike 7"),
    ("legal", itertools.repeat(0), "legal() has each action once, and 0 twice"),
    ("legal", itertools.count(), "an action is between 0 and 2, not "),
    ("play", None, "a state has num_actions; None has none"),
]
SEEN = [
    ("shape", (1, 1), "shape is planes, rows and columns, not (1, 1)"),
    ("shape", None, "shape is planes, rows and columns, not None"),
    ("shape", itertools.repeat(1), "shape is planes, rows and columns, not repeat(1)"),
    ("shape", (1, 1, 0), "an extent of shape is between 1 and 1000, not 0"),
    ("features", [[1.0]], "features() have the shape (1, 1, 1) that shape says, not (1, 1)"),
    ("features", [[["x"]]], "features() are numbers, unlike [[['x']]]"),
    ("features", [[[math.nan]]], "features() are finite numbers"),
    ("features", None, "features() are numbers, unlike None"),
    ("seen", 3, "seen(action) is between 0 and 2, not 3"),
    ("seen", None, "seen(action) is an integer, not None"),
]
CHANCES = [
    ([(0, math.nan)], "a probability is above 0 and at most 1, not nan"),
    ([(0, -0.5), (1, 1.5)], "a probability is above 0 and at most 1, not -0.5"),
    ([(0, 0.5)], "the probabilities of chances(action) add up to 1, not to 0.500000"),
    ([], "the probabilities of chances(action) add up to 1, not to 0.000000"),
    ([(0, 0.5), (0, 0.5)], "chances(action) has each result once, and 0 twice"),
    ([(0.5, 1.0)], "a result of chance is an integer, not 0.5"),
    ([0, 1], "chances(action) are pairs of a result and its probability, unlike [0, 1]"),
    ([(0, "1")], "a probability is above 0 and at most 1, not '1'"),
    ([(0, True)], "a probability is above 0 and at most 1, not True"),
    ([(0, 10**400)], "a probability is above 0 and at most 1, not 1000"),
    (None, "chances(action) are pairs of a result and its probability, unlike None"),
    ([itertools.repeat(0)], "chances(action) are pairs of a result and its probability, unlike ["),
    (itertools.repeat((0, 1e-9)), "chances(action) has at most 65535 results"),
    ([(n, 1 / 70_000) for n in range(70_000)], "chances(action) has at most 65535 results"),
    ([(n // 2, 1 / 60_000) for n in range(60_000)], "chances(action) has each result once, and 0"),
]


def told(player, game, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        {**PLAYERS, **THINKERS}[player](game.start())
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("player", PLAYERS)
def test_whoever_tells_the_truth_is_believed(player):
    PLAYERS[player](ludus.game(Plain).start())
    PLAYERS[player](ludus.game(Nim).start())


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("noun", "lie", "sentence"), LIES)
def test_a_lie_is_one_sentence(player, noun, lie, sentence):
    told(player, liar(noun, lie), sentence)


@pytest.mark.parametrize("player", ["forest", "selfplay", "line"])
@pytest.mark.parametrize(("noun", "lie", "sentence"), SEEN)
def test_a_lie_about_what_is_seen_is_one_sentence(player, noun, lie, sentence):
    told(player, liar(noun, lie, stones=10), sentence)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("lie", "sentence"), CHANCES)
def test_a_lie_about_chance_is_one_sentence(player, lie, sentence):
    told(player, liar("chances", lie, base=Lucky), sentence)


@pytest.mark.parametrize("lie", [2, -1.5, math.nan, "x", True, 10**400])
def test_an_opinion_is_between_minus_one_and_one(lie):
    told("greedy", liar("judge", lie), "an evaluation is between -1 and 1, not")
    told("greedy, bare", liar("judge", lie), "an evaluation is between -1 and 1, not")
    told("alphabeta", liar("judge", lie), "an evaluation is between -1 and 1, not")
    told("line", liar("judge", lie), "an evaluation is between -1 and 1, not")


@pytest.mark.parametrize("noun", ["transformed_action", "num_symmetries", "transformed"])
@pytest.mark.parametrize("player", ["line"])
def test_a_lie_about_symmetries_is_one_sentence(player, noun):
    told(player, liar(noun, -1, stones=10), {"transformed": "a state has"}.get(noun, noun))


def test_a_search_goes_on_after_a_lie():
    game = liar("legal", [7], stones=4)
    search = _core.mcts(game.start())
    with pytest.raises(ValueError, match="an action is between 0 and 2, not 7"):
        search.run(10_000)
    assert sum(share for _, share in search.policy()) == pytest.approx(1)
    search.seek(ludus.game(Plain).start())
    assert search.run(100) > 0


def test_states_at_the_door_are_checked_too():
    class Empty(Plain):
        @classmethod
        def parse(cls, text, stones=10):
            return None

    with pytest.raises(ValueError, match="a state has num_actions; None has none"):
        ludus.game(Empty).state("3 0")
    damaged = b"ludus-written-1\n" + b'{"text": "3 0", "plies": %s}'
    for plies in (b"true", b"-1", b"1e3", b"9" * 30, b"[" * 100_000):
        with pytest.raises(ValueError, match="snapshot"):
            ludus.game(Plain).state(damaged % plies)


class Counted(Plain):
    """A game that counts what it is asked."""

    made: list[object]  # all of them are kept, so that each has an id of its own
    asked: list[str]

    def __init__(self, stones, player=0):
        super().__init__(stones, player)
        self.made.append(self)

    @property
    def num_actions(self):
        self.asked.append(f"num_actions of {id(self)}")
        return 3

    def legal(self):
        self.asked.append(f"legal of {id(self)}")
        return super().legal()


@pytest.mark.parametrize("player", ["uct", "playouts", "reachable"])
def test_a_state_that_a_search_made_is_asked_each_thing_once(player):
    Counted.made, Counted.asked = [], []
    state = ludus.game(Counted).start()
    first = {str(id(one)) for one in Counted.made}
    PLAYERS[player](state)
    later = [noun for noun in Counted.asked if noun.split()[-1] not in first]
    assert len(later) > 20
    assert len(later) == len(set(later))


def test_a_search_counts_plies_as_the_wrapper_does():
    class Short(Plain):
        max_plies = 4

    state = ludus.game(Short).start()
    assert _core.perft(state, 6) == [3, 9, 27, 76, 0, 0]  # ten stones, so not 81
    assert _core.perft(state.play(0), 6) == [3, 9, 27, 0, 0, 0]
    seen = []
    search = _core.alphabeta(state.play(0), evaluate=lambda at: (seen.append(at), 0.5)[1])
    search.run(2)
    assert {at.plies for at in seen} == {1, 2, 3}
    assert all(type(at) is type(state) and at.player == at.plies % 2 for at in seen)
