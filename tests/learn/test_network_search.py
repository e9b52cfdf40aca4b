"""The search of a network agent is a choice: which, how long, with what memory."""

import copy
import math
import random
import sys

import numpy as np
import pytest

import ludus
from ludus.agent import fresh, is_batched, spelling_of, think_many, thinking
from ludus.learn.agents import _trained
from ludus.learn.networks.player import NetworkAgent
from tests.conftest import playout

GAME = ludus.game("tictactoe")
ZOO = "zoo/connect4"


def opinions(rows):
    """A network: each action likes its number, and the mover is better the fewer cells are free."""
    free = rows.reshape(len(rows), -1).sum(1) % 7
    return np.tile(np.arange(9, dtype=np.float32) / 4, (len(rows), 1)), np.sin(free) / 2


class Position:
    """A node of the slow search that the native one is compared with."""

    def __init__(self, state, prior=1.0):
        self.state, self.prior = state, prior
        self.children, self.visits, self.total, self.raw = {}, 0, 0.0, 0.0

    def value(self):
        """For the player to move at the parent."""
        return self.total / self.visits if self.visits else 0.0


def look(state):
    """Prior by action, and the value for the player to move."""
    numbers, value = opinions(state.features("full")[None])
    seen = {action: float(numbers[0, state.seen(action)]) for action in state.legal()}
    total = sum(math.exp(number) for number in seen.values())
    return {action: math.exp(n) / total for action, n in seen.items()}, float(value[0])


def expand(node):
    prior, value = look(node.state)
    node.raw = value
    node.children = {a: Position(node.state.play(a), p) for a, p in prior.items()}
    return value


def by_hand(state, simulations, c_puct=1.25, fpu_reduction=0.25, root_only=False):
    """PUCT without proofs, as the documents say it; turns alternate in tic-tac-toe."""
    root = Position(state)
    root.total, root.visits = -expand(root), 1
    for _ in range(simulations):
        path = [root]
        while path[-1].children:
            path.append(select(path[-1], c_puct, fpu_reduction))
        leaf = path[-1]
        if leaf.state.outcome is not None:
            value = leaf.state.outcome
        elif root_only:
            value = look(leaf.state)[1]
        else:
            value = expand(leaf)
        for node in reversed(path):  # for the player to move below; a node counts for who chose it
            node.visits += 1
            node.total -= value
            value = -value
    return root


def select(node, c_puct, fpu_reduction):
    seen = sum(child.prior for child in node.children.values() if child.visits)
    fresh = -node.value() - fpu_reduction * math.sqrt(seen)

    def score(child):
        value = child.value() if child.visits else fresh
        return value + c_puct * math.sqrt(node.visits) * child.prior / (1 + child.visits)

    return max(node.children.values(), key=score)


def agent(**options):
    return NetworkAgent(opinions, **{"simulations": 40, "plain": True, **options})


@pytest.mark.parametrize("search", ["puct", "root"])
@pytest.mark.parametrize("text", [".../.../... x", "x../.o./... x", "xo./.x./..o x"])
def test_a_thought_says_what_a_slow_search_finds(search, text):
    state = GAME.state(text)
    thought = agent(search=search).think(state)
    root = by_hand(state, 40, root_only=search == "root")
    for action, child in root.children.items():
        assert thought.visits[action] == child.visits
        assert thought.prior[action] == pytest.approx(child.prior, rel=1e-5)
        if child.visits:
            assert thought.values[action] == pytest.approx(child.value(), abs=1e-5)
        else:
            assert action not in thought.values
    assert thought.nodes == 40
    assert thought.prior.sum() == pytest.approx(1)
    line, node = [], root
    while any(child.visits for child in node.children.values()):
        best = max(node.children, key=lambda a: (node.children[a].visits, node.children[a].value()))
        line.append(best)
        node = node.children[best]
    assert list(thought.line) == line
    assert len(line) == 1 or search == "puct"
    assert not thought.proven


@pytest.mark.parametrize("search", ["puct", "gumbel", "root"])
def test_every_search_tells_all_it_knows(search):
    state = GAME.state("xo./.x./..o x")
    for seed in range(3):
        one = agent(search=search, seed=seed, plain=False)
        thought = one.think(state)
        *_, shown = thinking(one, state)
        for found in (thought, shown):
            assert found.policy.sum() == pytest.approx(1)
            assert found.line[0] == found.policy.argmax()
            assert found.prior.sum() == pytest.approx(1)
            assert set(found.values) >= set(np.flatnonzero(found.visits))
        assert np.array_equal(shown.policy, thought.policy)
        assert (shown.line, shown.nodes) == (thought.line, thought.nodes)


def test_what_is_proven_is_said():
    won = GAME.state("xx./oo./... x")
    thought = agent(plain=False).think(won)
    assert (thought.proven, thought.value, thought.line) == (True, 1, (2,))
    lost = GAME.state("xx./xo./..o o")  # two ways to win: the second player stops but one
    thought = agent(plain=False, simulations=400).think(lost)
    assert (thought.proven, thought.value) == (True, -1)


def test_gumbel_plays_what_its_rounds_decide():
    """Its policy is the improved one, but its best action is the decision."""
    state, differ = GAME.start(), 0
    for simulations in range(2, 60, 3):
        for considered in (2, 4, 16):
            one = agent(
                search="gumbel", simulations=simulations, max_num_considered_actions=considered
            )
            forest = one._start_forest([state])
            forest.allow(0, simulations)
            for _ in one._simulate(forest):
                pass
            policy = one.think(state).policy
            assert policy.argmax() == forest.action(0)
            assert (policy == policy.max()).sum() == 1
            improved = dict(forest.policy(0))
            differ += max(improved, key=improved.get) != forest.action(0)
            kept = np.flatnonzero(policy)
            shares = np.array([improved[a] for a in kept])
            assert policy[kept] == pytest.approx(shares / shares.sum())
    assert differ


def play(one, state, plies):
    """Think and play, and say what was thought of each state."""
    found = []
    for _ in range(plies):
        found.append(one.think(state))
        state = state.play(int(found[-1].policy.argmax()))
    return found


def test_a_tree_is_kept_between_moves_if_asked_for():
    state = GAME.start()
    forgetting, keeping = agent(), agent(plain=False, reuse=True)
    assert [thought.visits.sum() for thought in play(forgetting, state, 3)] == [40] * 3
    first, second, third = play(keeping, state, 3)
    assert first.visits.sum() == 40
    below = first.visits[first.policy.argmax()]
    assert second.visits.sum() == 40 + below - 1  # its own first visit was no action's
    assert second.nodes == third.nodes == 40
    assert second.line[0] == second.policy.argmax()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: fresh(one, 0)])
def test_a_copy_forgets_the_tree(copied):
    state = GAME.start()
    one = agent(plain=False, reuse=True)
    first = one.think(state).policy
    assert np.array_equal(copied(one).think(state).policy, first)
    assert not np.array_equal(one.think(state).policy, first)


def test_a_search_goes_on_after_its_network_failed():
    failing = []

    def evaluate(rows):
        if failing:
            raise KeyboardInterrupt
        return opinions(rows)

    one = NetworkAgent(evaluate, simulations=30, reuse=True)
    first = one.think(GAME.start()).policy
    failing.append(1)
    with pytest.raises(KeyboardInterrupt):
        one.think(GAME.start())
    failing.clear()
    assert np.array_equal(one.think(GAME.start()).policy, first)


def test_seconds_end_a_search_and_so_do_simulations():
    state = GAME.start()
    none = agent(seconds=0.0, simulations=0).think(state)
    assert none.policy == pytest.approx([look(state)[0][action] for action in range(9)])
    both = agent(seconds=100.0).think(state)
    assert np.array_equal(both.visits, agent().think(state).visits)
    long = agent(seconds=0.2, simulations=0, plain=True).think(state)
    assert long.nodes > 100
    assert long.seconds >= 0.2
    proven = agent(seconds=100.0, simulations=0, plain=False).think(GAME.state("xx./oo./... x"))
    assert proven.proven


def test_thoughts_are_shown_while_the_clock_runs():
    shown = list(thinking(agent(seconds=0.3, simulations=0), GAME.start()))
    assert len(shown) > 1
    assert [one.nodes for one in shown] == sorted(one.nodes for one in shown)


def test_slices_change_nothing(monkeypatch):
    state = GAME.start()
    whole = agent().think(state)
    monkeypatch.setattr("ludus.learn.networks.player.SLICE", 7)
    *_, sliced = thinking(agent(), state)
    assert np.array_equal(sliced.visits, whole.visits)


@pytest.fixture
def zoo():
    pytest.importorskip("onnxruntime")
    return ZOO


@pytest.mark.parametrize(
    "options",
    [
        "simulations=20,search=gumbel,max_num_considered_actions=4",
        "simulations=20,search=root",
        "simulations=20,proofs=false",
        "simulations=20,reuse=true",
        "seconds=0.05",
        "simulations=20,seconds=0.5,reuse=true,symmetric=true",
    ],
)
def test_spellings(zoo, options):
    one = ludus.agent(f"{zoo}:{options}", seed=1)
    same = ludus.agent(spelling_of(one), seed=1)
    assert same == one
    state = ludus.game("connect4").replay("44")
    assert one.think(state).policy.sum() == pytest.approx(1)
    assert is_batched(one) == ("reuse" not in options and "seconds" not in options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("search=gumbel", "search has no effect without a search: give simulations"),
        ("proofs=false", "proofs has no effect without a search"),
        ("reuse=true", "reuse has no effect without a search"),
        ("simulations=9,search=gumbel,c_puct=2", "c_puct has no effect with search=gumbel; choose"),
        ("simulations=9,max_num_considered_actions=2", "choose search=gumbel"),
        ("simulations=9,search=gumbel,reuse=true", "reuse has no effect with search=gumbel"),
        ("simulations=9,search=root,reuse=true", "reuse has no effect with search=root"),
        ("simulations=9,proofs=false,reuse=true", "reuse has no effect with proofs=false"),
        ("seconds=1,search=gumbel", "search=gumbel plans its rounds by simulations"),
        ("simulations=9,search=uct", "search is one of puct, gumbel, root, not 'uct'"),
        ("seconds=-1", "seconds is a number from 0"),
    ],
)
def test_what_has_no_effect_is_refused(zoo, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.agent(f"{zoo}:{options}")


def test_int8_says_nearly_what_float32_says(zoo):
    pytest.importorskip("torch")
    game, rng = ludus.game("connect4"), random.Random(5)
    states = [s for _ in range(12) for s in playout(game, rng) if s.outcome is None]
    exact, rough = ludus.agent(zoo), ludus.agent(f"{zoo}:int8=true")
    pairs = list(zip(think_many(exact, states), think_many(rough, states), strict=True))
    assert any(one.value != two.value for one, two in pairs)
    assert np.mean([abs(one.value - two.value) for one, two in pairs]) < 0.03
    assert np.mean([one.policy.argmax() == two.policy.argmax() for one, two in pairs]) > 0.9
    searched = ludus.agent(f"{zoo}:simulations=40,int8=true")
    assert spelling_of(searched) == f"{zoo}:simulations=40,int8=True"
    thought = searched.think(states[0])
    assert thought.visits.sum() == 40
    assert np.array_equal(
        ludus.agent(spelling_of(searched)).think(states[0]).policy, thought.policy
    )


def test_int8_is_refused_where_it_cannot_be(zoo, monkeypatch):
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match="int8=true is for towers of convolutions"):
        ludus.agent("zoo/connect4-dqn:int8=true")
    monkeypatch.setattr("ludus.learn.networks.rough.MOST_OFF", 1e-9)
    _trained.zoo_evaluator.cache_clear()
    with pytest.raises(ValueError, match=r"int8=true is off by 0\.\d+ in probabilities"):
        ludus.agent(f"{zoo}:int8=true")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"int8=true needs torch.*pip install"):
        ludus.agent(f"{zoo}:int8=true")
    assert ludus.agent(zoo).think(ludus.game("connect4").start()).nodes == 1


def test_many_states_are_thought_of_as_one_is(zoo):
    game = ludus.game("connect4")
    states = [game.replay(line) for line in ("", "1", "44", "123")]
    for options in ("simulations=12,search=gumbel", "simulations=12,search=root"):
        one = ludus.agent(f"{zoo}:{options}")
        for thought, state in zip(think_many(one, states), states, strict=True):
            assert np.array_equal(thought.visits, one.think(state).visits)


def test_a_game_of_an_agent_that_remembers_depends_on_no_other(zoo):
    spelling = f"{zoo}:simulations=8,reuse=true"
    scores = [
        ludus.match("connect4", spelling, "random", games=count, seed=3).played for count in (4, 2)
    ]
    assert [game.moves for game in scores[0][:2]] == [game.moves for game in scores[1]]
