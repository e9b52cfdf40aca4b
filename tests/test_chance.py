"""Search where chance has a say: expectations, shared landings, and the truth of noisy games."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.conftest import playout
from tests.reference import chance as reference
from tests.test_forest import hashed, think
from tests.test_written import Nim

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def evaluate(state):
    features, mask = np.asarray(state.features(), np.float32), np.asarray(state.mask())
    priors, values = hashed(features[None], mask[None])
    shares = priors[0].astype(np.float32).astype(np.float64)
    return shares / shares.sum(), float(np.float32(values[0]))


def states(game, count, seed):
    """States of random games that go on."""
    rng = random.Random(seed)
    ongoing = [state for _ in range(count) for state in list(playout(game, rng))[:-1]]
    return rng.sample(ongoing, count)


@pytest.mark.parametrize(
    ("rules", "shared"),
    [
        (ludus.game("tictactoe:success=0.5"), True),
        (ludus.game("tictactoe:success=0.7,strays=second,stray_to=open"), True),
        (ludus.game(Nim, stones=20), False),
    ],
    ids=lambda one: getattr(one, "spelling", one),
)
def test_trees_are_those_of_the_reference(rules, shared):
    for state in states(rules, 10, seed=1):
        forest = _core.forest(state, 1, simulations=60)
        think(forest, hashed)
        slow = reference.search(state, evaluate, 60, shared)
        for action, visits, value, proof in forest.result(0):
            there = slow.chances[action]
            assert (visits, proof) == (there.visits, there.proof), str(state)
            assert visits == 0 or value == pytest.approx(float(there.value()), abs=1e-4)


@pytest.fixture
def regret(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import chance

    yield chance
    for name in ("chance", "harness"):
        sys.modules.pop(name, None)


@pytest.mark.slow
@pytest.mark.parametrize("gumbel", [False, True])
@pytest.mark.parametrize("leaves", [1, 8])
def test_a_search_is_as_good_as_its_root_alone_and_better_where_values_are_noisy(
    regret, gumbel, leaves
):
    """Means of 500 positions; by more than an interval means more than chance explains."""
    options = {"gumbel": gumbel, "gumbel_noise": False, "leaves": leaves}
    exact, noisy = regret.Truth(), regret.Truth(regret.NOISE)
    asked = regret.positions(500, exact.oracle)
    for simulations in (25, 100, 400):
        full, root = (
            regret.regrets(asked, exact, simulations, root_only=root_only, **options)
            for root_only in (False, True)
        )
        assert (full - root).mean() <= regret.interval(full - root)
        assert full.mean() < 0.002
        if simulations > 25:
            full, root = (
                regret.regrets(asked, noisy, simulations, root_only=root_only, **options)
                for root_only in (False, True)
            )
            assert (full - root).mean() < -regret.interval(full - root)


def test_sampled_results_come_as_often_as_they_are_probable():
    """As papers have it; an expectation needs no luck."""
    state = ludus.game("tictactoe:success=0.5").start()
    options = {"simulations": 400, "root_only": True}
    values = {}
    for chance in ("sample", "expectation"):
        found = []
        for seed in (1, 2):
            forest = _core.forest(state, 1, seed=seed, chance=chance, **options)
            think(forest, hashed)
            found.append(forest.result(0))
        values[chance] = found
    assert values["sample"][0] != values["sample"][1]
    assert values["expectation"][0] == values["expectation"][1]


def test_what_a_landing_is_worth_is_asked_once():
    """Nine landings, and the root: all that a search of the root alone has to ask about."""
    state = ludus.game("tictactoe:success=0.5").start()
    forest = _core.forest(state, 1, simulations=200, root_only=True)
    assert think(forest, hashed) <= 1 + 10  # and perhaps a turn that is lost
    assert sum(look[1] for look in forest.result(0)) == 200


def test_a_tree_of_shared_landings_is_kept_between_moves():
    state, rng = ludus.game("tictactoe:success=0.5").start(), ludus.rng(1)
    forest = _core.forest(state, 1, simulations=300)
    think(forest, hashed)
    after = state.play(4, rng)
    assert forest.seek(0, after)
    before = sum(look[1] for look in forest.result(0))
    assert before > 20
    think(forest, hashed)
    assert sum(look[1] for look in forest.result(0)) == before + 300
    two_on = after.play(after.legal()[0], rng)
    assert forest.seek(0, two_on)


class Wheel:
    """Three actions; chance leads each to a state that is worth what it is after so many plies."""

    num_actions = 3
    max_plies = 4
    shape = (1, 1, 3)
    WHEELS = (
        ((0.1, 1), (0.5, -1), (0.4, 0)),
        ((0.3, -1), (0.35, 1), (0.35, 0)),
        ((0.7, 0), (0.2, 1), (0.1, -1)),
    )

    def __init__(self, forced=0, worth=None, plies=0):
        self.forced, self.worth, self.plies = forced, worth, plies

    @classmethod
    def start(cls, forced=0):
        return cls(forced)

    @classmethod
    def parse(cls, text, forced=0):
        worth, plies = text.split("@")
        return cls(forced, None if worth == "None" else int(worth), int(plies))

    @property
    def player(self):
        return self.plies % 2

    @property
    def outcome(self):
        """What it is worth to the first player, told to whoever is to move."""
        if self.plies <= self.forced:
            return None
        return self.worth if self.player == 0 else -self.worth

    def legal(self):
        return [0, 1, 2] if self.plies == 0 else [0] if self.outcome is None else []

    def chances(self, action):
        if self.plies:
            return [(0, 1.0)]
        return [(result, share) for result, (share, _) in enumerate(self.WHEELS[action])]

    def play(self, action, result=0):
        worth = self.worth if self.plies else self.WHEELS[action][result][1]
        return Wheel(self.forced, worth, self.plies + 1)

    def features(self):
        return np.array([[[self.plies, self.worth or 0, self.worth is None]]], np.float32)

    def __str__(self):
        return f"{self.worth}@{self.plies}"

    def __eq__(self, other):
        return isinstance(other, Wheel) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


def spin(simulations, c, proven_after):
    """UCT on the wheels, slowly: visits and value by action.

    The result that is the furthest behind p (N + 1) comes next, those that are proven last; an
    action is worth the expectation over the results that were seen.
    """
    seen = [[0, 0, 0] for _ in Wheel.WHEELS]

    def value(action):
        shares = [(p, worth) for (p, worth), n in zip(*of(action), strict=True) if n]
        return sum(p * worth for p, worth in shares) / sum(p for p, _ in shares)

    def of(action):
        return Wheel.WHEELS[action], seen[action]

    def behind(action, result):
        wheel, visits = of(action)
        late = visits[result] >= proven_after
        turn = sum(visits) + 1
        return wheel[result][0] * turn - visits[result] - 2 * turn * late

    for done in range(simulations):
        untried = [action for action in range(3) if not sum(seen[action])]
        action = (
            untried[0]
            if untried
            else max(range(3), key=lambda a: value(a) + c * (np.log(done) / sum(seen[a])) ** 0.5)
        )
        seen[action][max(range(3), key=lambda result: behind(action, result))] += 1
    return [(sum(seen[action]), value(action)) for action in range(3)]


@pytest.mark.parametrize("forced", [0, 1, 2])
@pytest.mark.parametrize("simulations", [3, 4, 5, 7, 10, 20, 50, 150])
def test_uct_is_that_of_a_slow_one(forced, simulations):
    """Every rollout below a result comes to the same, so only what comes first is random."""
    search = _core.mcts(ludus.game(Wheel, forced=forced).start(), seed=simulations, c=0.9)
    search.run(simulations)
    found = [(visits, value) for _, visits, value, _ in search.result()]
    wanted = spin(simulations, 0.9, proven_after=forced + 1)
    assert [visits for visits, _ in found] == [visits for visits, _ in wanted]
    assert [value for _, value in found] == pytest.approx([value for _, value in wanted], abs=1e-6)
