"""Judges: finite, fair to both sides, blind to the board's orientation, better than chance."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.conftest import playout

JUDGED = [
    "cathedral",
    "cathedral:size=8,rules=seed",
    "checkers",
    "chinesecheckers",
    "chinesecheckers:forward_only=true",
    "connect4",
    "connect4:rows=5,columns=8,line=3",
    "kingcourtesan",
    "kingcourtesan:size=8",
    "supertictactoe",
    "tictactoe:success=0.5",
]


def states_of(spelling, games, seed):
    rng = random.Random(seed)
    for _ in range(games):
        for state in playout(ludus.game(spelling), rng):
            if state.outcome is None:
                yield state


def test_every_judge_is_asked():
    """A game may have none; one that has a header is judged by it."""
    judges = {file.stem for file in (Path(__file__).parents[1] / "core" / "judges").glob("*.hpp")}
    assert judges <= set(ludus.game_names())
    for name in ludus.game_names():
        start = ludus.game(name).start()
        if name not in judges:
            assert _core.judge(start) is None
            continue
        assert _core.weights(start), name
        assert isinstance(_core.judge(start), float)


@pytest.mark.parametrize("spelling", JUDGED)
@pytest.mark.parametrize("factor", [1, -1000, 1e6])
def test_a_judgement_is_within_bounds(spelling, factor):
    seen = set()
    for state in states_of(spelling, 3, 1):
        weights = {
            name: max(-1e6, min(1e6, factor * weight))
            for name, weight in _core.weights(state).items()
        }
        value = _core.judge(state, weights)
        assert math.isfinite(value)
        assert -1 < value < 1
        seen.add(value)
    assert len(seen) > 5


# How a position is written with the other side to move.
PASSED = {
    "checkers": lambda text: {"B": "W", "W": "B"}[text[0]] + text[1:],
    "kingcourtesan": lambda text: text[:-1] + {"r": "b", "b": "r"}[text[-1]],
    "chinesecheckers": lambda text: text[:-1] + {"1": "2", "2": "1"}[text[-1]],
    "tictactoe:success=0.5": lambda text: text[:-1] + {"x": "o", "o": "x"}[text[-1]],
    "supertictactoe": lambda text: text[:-1] + {"x": "o", "o": "x"}[text[-1]],
    "cathedral": lambda text: text.replace(" l ", " ? ").replace(" d ", " l ").replace("?", "d"),
}


@pytest.mark.parametrize("spelling", PASSED)
def test_what_is_good_for_one_is_bad_for_the_other(spelling):
    game, compared = ludus.game(spelling), 0
    for state in states_of(spelling, 8, 2):
        try:
            passed = game.state(PASSED[spelling](str(state)))
        except ValueError:
            continue  # a capture under way, or nobody could have got here
        if passed.outcome is None:
            assert passed.player != state.player
            assert _core.judge(passed) == pytest.approx(-_core.judge(state), abs=1e-6)
            compared += 1
    assert compared > 30


def test_a_start_that_is_its_own_image_is_even():
    for spelling in ("checkers", "kingcourtesan", "chinesecheckers", "tictactoe", "cathedral"):
        assert _core.judge(ludus.game(spelling).start()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("spelling", JUDGED)
def test_turning_the_board_changes_nothing(spelling):
    for state in list(states_of(spelling, 3, 3))[::3]:
        for symmetry in range(state.num_symmetries):
            turned = state.transformed(symmetry)
            assert _core.judge(turned) == pytest.approx(_core.judge(state), abs=1e-5)


@pytest.mark.parametrize("weight", range(8))
@pytest.mark.parametrize("spelling", JUDGED)
def test_every_weight_counts(spelling, weight):
    names = list(_core.weights(ludus.game(spelling).start()))
    if weight < len(names):
        without = {names[weight]: 0}
        states = states_of(spelling, 200, 4)
        assert any(_core.judge(state) != _core.judge(state, without) for state in states)


def careless(game, rng):
    """The states of a random game whose players overlook all but a win at once."""
    states = [game.start(rng)]
    while states[-1].outcome is None:
        state = states[-1]
        action = rng.choice(state.legal())
        search = _core.alphabeta(state, table_bytes=0)
        if not state.chancy and len(state.legal()) < 100 and search.run(1) and search.value == 1:
            action = search.line[0]
        states.append(state.play(action, rng))
    return states


@pytest.mark.parametrize("spelling", JUDGED)
def test_the_better_side_wins_more_careless_games(spelling):
    """Near the end of a game the judge's sign is right more often than a coin's."""
    rng, game, right = random.Random(5), ludus.game(spelling), []
    for _ in range(600):
        states = careless(game, rng)
        late, winner = states[(len(states) - 1) * 7 // 8], states[-1].winner
        value = _core.judge(late)
        if winner is not None and value != 0:
            right.append((late.player if value > 0 else 1 - late.player) == winner)
    assert len(right) > 150
    # Three standard deviations: a coin would do as well once in 700 times.
    assert np.mean(right) > 0.5 + 3 * 0.5 / math.sqrt(len(right))


def test_threats_count_more_for_whom_they_fall_to():
    game = ludus.game("connect4")
    none = dict.fromkeys(_core.weights(game.start()), 0)
    # x can complete the third row at both ends: an odd row, so x will get there.
    odd = game.state("......./......./......./.xxx.../.oox.../.oxo...")
    assert _core.judge(odd, {**none, "threats": 1}) == pytest.approx(-2 / 3, abs=1e-5)
    assert _core.judge(odd, {**none, "parity": 1}) == pytest.approx(-2 / 3, abs=1e-5)
    # Each can complete a row, but neither the one that will fall to them.
    even = game.state("......./......./......./......./.xxx.../.ooo...")
    assert _core.judge(even, {**none, "threats": 1}) == 0
    assert _core.judge(even, {**none, "parity": 1}) == 0
    assert _core.judge(even, {**none, "centre": 1}) == 0


def test_greedy_plays_what_the_judge_likes():
    agent = ludus.agent("greedy")
    for spelling in ("connect4", "checkers", "tictactoe:success=0.5"):
        for state in list(states_of(spelling, 3, 6))[::4]:
            values = {}
            for action in state.legal():
                total = 0.0
                for result, probability in state.chances(action):
                    child = (
                        state.play(action, chance=result) if state.chancy else state.play(action)
                    )
                    value = _core.judge(child) if child.outcome is None else child.outcome
                    total += probability * (value if child.player == state.player else -value)
                values[action] = total
            thought = agent.think(state)
            top = max(values.values())
            best = [action for action in values if values[action] == top]
            assert thought.value == top
            assert list(np.flatnonzero(thought.policy)) == sorted(best)
            assert thought.policy.max() == pytest.approx(1 / len(best))


def test_greedy_wins_when_it_can():
    state = ludus.game("connect4").replay("112233")
    thought = ludus.agent("greedy").think(state)
    assert int(thought.policy.argmax()) == 3
    assert thought.value == 1
    with pytest.raises(ValueError, match="the game is over"):
        ludus.agent("greedy").think(state.play(3))


class Race:
    """Count up by one or two; whoever says ten wins."""

    num_actions, shape = 2, (1, 1, 1)

    def __init__(self, said=0, player=0):
        self.said, self.player = said, player

    @classmethod
    def start(cls):
        return cls()

    @classmethod
    def parse(cls, text):
        return cls(*map(int, text.split()))

    @property
    def outcome(self):
        return -1 if self.said >= 10 else None

    def legal(self):
        return [] if self.said >= 10 else [0, 1]

    def play(self, action):
        return type(self)(self.said + action + 1, 1 - self.player)

    def features(self):
        return [[[self.said]]]

    def __str__(self):
        return f"{self.said} {self.player}"

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return 7  # as bad as can be: nothing may rely on it


class JudgedRace(Race):
    """The same with a judge that knows the trick."""

    def judge(self):
        return -0.5 if self.said % 3 == 1 else 0.5


def test_a_game_written_in_python_is_searched_like_any_other():
    for said in range(10):
        state = ludus.game(Race).state(f"{said} 0")
        for table in (0, 1 << 20):
            search = _core.alphabeta(state, table_bytes=table)
            search.run()
            assert (search.value, search.proven) == (-1 if said % 3 == 1 else 1, True)
    thought = ludus.agent("alphabeta:nodes=100").think(ludus.game(Race).start())
    assert int(thought.policy.argmax()) == 0


def test_a_game_written_in_python_may_bring_its_judge():
    plain, judged = ludus.game(Race).start(), ludus.game(JudgedRace).start()
    assert _core.judge(plain) is None
    assert _core.judge(judged) == 0.5
    search = _core.alphabeta(judged)
    search.run(1)
    assert search.value == 0.5
    assert search.line == [0]
    assert int(ludus.agent("greedy").think(judged).policy.argmax()) == 0
    with pytest.raises(ValueError, match="greedy needs a judge of positions, and this game has"):
        ludus.agent("greedy").think(plain)
    with pytest.raises(ValueError, match="no weight 'a' in this game; there are none"):
        ludus.agent("alphabeta:weights=a:1").think(judged)


class Broken(Race):
    """A game that contradicts itself after the first ply."""

    wrong = "player"

    @property
    def outcome(self):
        return 5 if self.said and self.wrong == "outcome" else None

    def legal(self):
        return [] if self.said and self.wrong == "legal" else [0]

    def play(self, action):
        return type(self)(self.said + 1, 7 if self.wrong == "player" else 1)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("player", "a player is 0 or 1, not 7"),
        ("outcome", "an outcome is -1, 0, 1 or None"),
        ("legal", "a state has legal actions exactly while its outcome is None"),
    ],
)
def test_a_game_that_contradicts_itself_is_one_sentence(wrong, sentence):
    broken = type("Broken", (Broken,), {"wrong": wrong})
    search = _core.alphabeta(ludus.game(broken).start())
    with pytest.raises(ValueError, match=sentence):
        search.run(2)
