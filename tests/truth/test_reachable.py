"""Small games solved whole: every state that play can reach."""

import random
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.reference.solve import solve

SAMPLE = Path(__file__).parent.parent / "data" / "cc_4x4_3_sample.txt"


def solved(state, limit=1_000_000):
    space = _core.reachable(state, limit)
    while not space.done:
        space.work(1.0)
    return space


def reached(start):
    """Every state, by its text."""
    found, todo = {}, [start]
    while todo:
        state = todo.pop()
        if str(state) in found:
            continue
        found[str(state)] = state
        for action in state.legal():
            for result, _ in state.chances(action):
                todo.append(
                    state.play(action, chance=result) if state.chancy else state.play(action)
                )
    return found


def test_tictactoe():
    start = ludus.game("tictactoe").start()
    space = solved(start)
    counts = space.counts()
    assert (counts["states"], counts["ends"]) == (5_478, 958)
    assert space.look(start) == (0, None)
    assert {worth for _, worth in space.actions(start)} == {(0, None)}
    for text, truth in solve([start]).items():
        value, distance = space.look(ludus.game("tictactoe").state(text))
        assert value == truth[0]
        assert distance == (truth[1] if value else None)
    assert sum(counts[part] for part in ("wins", "losses", "draws")) == 5_478


def test_noisy_tictactoe():
    start = ludus.game("tictactoe:success=0.5").start()
    space = solved(start)
    assert space.chancy
    value, distance = space.look(start)
    assert value == pytest.approx(0.2325581184, abs=1e-10)
    assert distance is None
    corner, edge, centre = 0.04338312, 0.05053765, 0.23255812
    expected = [corner, edge, corner, edge, centre, edge, corner, edge, corner]
    found = [worth for _, (worth, _) in space.actions(start)]
    assert found == pytest.approx(expected, abs=1e-8)
    assert set(space.counts()) == {"states", "ends"}


@pytest.mark.parametrize("success", [0.5, 0.9, 0.1])
def test_noisy_values_are_those_of_their_successors(success):
    """The values are the only ones that satisfy this, because play ends with certainty."""
    start = ludus.game("tictactoe", success=success).start()
    space = solved(start)
    states = reached(start)
    assert len(states) == space.counts()["states"]
    rng = random.Random(1)
    for state in rng.sample(list(states.values()), 1_500):
        value, _ = space.look(state)
        if state.outcome is not None:
            assert value == state.outcome
            continue
        worth = [
            sum(
                -share * space.look(state.play(action, chance=result))[0]
                for result, share in state.chances(action)
            )
            for action in state.legal()
        ]
        assert value == pytest.approx(max(worth), abs=2e-12)
        assert [v for _, (v, _) in space.actions(state)] == pytest.approx(worth, abs=1e-14)


def test_without_noise_the_noisy_game_is_the_plain_one():
    plain = solved(ludus.game("tictactoe").start())
    nearly = solved(ludus.game("tictactoe", success=1 - 1e-9).start())
    for state in reached(ludus.game("tictactoe").start()).values():
        same = ludus.game("tictactoe", success=1 - 1e-9).state(str(state))
        assert nearly.look(same)[0] == pytest.approx(plain.look(state)[0], abs=1e-6)


def test_king_and_courtesan_3x3_equals_its_table():
    game = ludus.game("kingcourtesan:size=3")
    space = solved(game.start())
    endgames = _core.endgames(game.start())
    table = np.zeros(endgames.size, np.uint8)
    endgames.solver(table).work(1e6)
    oracle = endgames.oracle(table)
    states = reached(game.start())
    assert len(states) == space.states
    for state in states.values():
        assert space.look(state) == oracle.look(state)


def test_a_small_connect4_board():
    game = ludus.game("connect4:rows=4,columns=4")
    space = solved(game.start())
    assert space.states == 161_029
    assert space.look(game.start()) == (0, None)


@pytest.mark.slow
def test_chinese_checkers_equals_every_line_of_the_sample():
    """Where play goes round and round."""
    game = ludus.game("chinesecheckers:size=4,pieces=3")
    space = solved(game.start())
    assert space.states == 309_386
    assert space.look(game.start()) == (1, 21)
    counts = space.counts()
    assert counts["draws"] == 0
    assert counts["ends"] < 10_830  # of all states, those included that play never has
    worth = {
        game.move(game.start(), action): truth for action, truth in space.actions(game.start())
    }
    assert worth == {
        **dict.fromkeys(("0-3", "0-5", "1-4", "2-4"), (1, 21)),
        **dict.fromkeys(("1-3", "2-5"), (-1, 22)),
    }
    known = 0
    for line in SAMPLE.read_text().splitlines():
        cells, mover, letter, distance = line.split()
        if letter == "I":  # an illegal one, which cannot be asked for
            continue
        state = game.state(f"{cells} {mover}")
        found = space.look(state)
        if found is not None:
            known += 1
            assert found == ({"W": 1, "L": -1}[letter], int(distance))
    assert known > 1_500


class Counting:
    """Two players add 1 or 2 to a number; who reaches `goal` wins; from 3 one may go back to 0."""

    title = "Counting"

    def __init__(self, number=0, player=0, goal=7):
        self.number, self.player, self.goal = number, player, goal

    @classmethod
    def start(cls, goal=7):
        return cls(goal=goal)

    @classmethod
    def parse(cls, text, goal=7):
        number, player = map(int, text.split())
        return cls(number, player, goal)

    num_actions = 3
    shape = (1, 1, 1)

    @property
    def outcome(self):
        return -1 if self.number >= self.goal else None

    def legal(self):
        return [] if self.outcome is not None else [0, 1, 2] if self.number == 3 else [1, 2]

    def play(self, action):
        number = self.number + action if action else 0
        return type(self)(number, 1 - self.player, self.goal)

    def features(self):
        return np.full((1, 1, 1), self.number, np.float32)

    def __str__(self):
        return f"{self.number} {self.player}"

    def __eq__(self, other):
        return (self.number, self.player) == (other.number, other.player)

    def __hash__(self):
        return hash((self.number, self.player))


@pytest.mark.parametrize("goal", [4, 5, 6, 7, 8])
def test_a_game_written_in_python(goal):
    game = ludus.game(Counting, goal=goal)
    space = solved(game.start(), 100)
    plain = solve([game.start()])
    assert space.states == len(plain)
    for text, truth in plain.items():
        assert space.look(game.state(text)) == truth


def test_a_cycle_that_nobody_leaves_is_a_draw():
    class Circle(Counting):
        def legal(self):
            return [0]

    game = ludus.game(Circle)
    assert solved(game.start(), 100).look(game.start()) == (0, None)


def test_more_states_than_the_limit_are_refused():
    space = _core.reachable(ludus.game("checkers").start(), 1_000)
    with pytest.raises(ValueError, match="more than 1000 states"):
        space.work(10.0)
    for limit in (0, 2**31):
        with pytest.raises(ValueError, match="limit"):
            _core.reachable(ludus.game("tictactoe").start(), limit)


def test_nothing_is_told_before_it_is_known():
    start = ludus.game("connect4:rows=4,columns=4").start()
    space = _core.reachable(start, 200_000)
    space.work(0.0)
    assert not space.done
    for ask in (space.counts, lambda: space.look(start), lambda: space.actions(start)):
        with pytest.raises(ValueError, match="not solved yet"):
            ask()


def test_slices_change_nothing():
    start = ludus.game("tictactoe:success=0.5").start()
    one, many = solved(start), _core.reachable(start, 100_000)
    slices = 0
    while not many.done:
        many.work(0.001)
        slices += 1
    assert slices > 3
    assert many.counts() == one.counts()
    assert many.look(start) == one.look(start)


def test_states_that_play_cannot_reach():
    game = ludus.game("connect4:rows=4,columns=4")
    space = solved(game.replay("1"))
    assert space.look(game.start()) is None
    with pytest.raises(ValueError, match="cannot reach"):
        space.actions(game.start())
    with pytest.raises(ValueError, match="another game"):
        space.look(ludus.game("tictactoe").start())
