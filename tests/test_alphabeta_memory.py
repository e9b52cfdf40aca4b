"""Alpha-beta remembers between moves and asks about many positions at once, with equal values."""

import copy
import random

import pytest

import ludus
from ludus import _core
from ludus.agent import fresh
from tests.reference.minimax import expectiminimax, minimax
from tests.test_alphabeta import noise, random_endgames, random_states


def lines(spelling, count, seed):
    """States of games that go on, some plies after one another."""
    rng = random.Random(seed)
    source = random_endgames if spelling.startswith("checkers") else random_states
    for state in source(spelling, count, seed):
        line = [state]
        while len(line) < 5:
            for _ in range(rng.randint(1, 2)):
                if state.outcome is None:
                    state = state.play(rng.choice(state.legal()), ludus.rng(rng.randint(0, 99)))
            if state.outcome is not None:
                break
            line.append(state)
        yield line


@pytest.mark.parametrize(
    ("spelling", "depths"),
    [
        ("connect4:rows=4,columns=4,line=3", (2, 4)),
        ("checkers:repetition=2,no_progress=5", (2, 4)),
        ("kingcourtesan:size=3", (1, 3)),
    ],
)
def test_what_is_remembered_changes_no_value(spelling, depths):
    for line in lines(spelling, 25, 31):
        for depth in depths:
            for table in (256, 1 << 20):
                earlier = None
                for state in line:
                    options = {"table_bytes": table, "quiescence": False, "evaluate": noise}
                    search = _core.alphabeta(state, after=earlier, **options)
                    search.run(depth)
                    truth = minimax(state, search.depth, noise)
                    assert search.score == truth, (str(state), depth, table)
                    earlier = search


def test_with_chance_too():
    for line in lines("tictactoe:success=0.5", 12, 32):
        earlier = None
        for state in line:
            search = _core.alphabeta(state, after=earlier)
            search.run(2)
            assert search.value == pytest.approx(expectiminimax(state, 2, _core.judge), abs=1e-12)
            earlier = search


def nodes(agent, states):
    return [agent.think(state).nodes for state in states]


GAME = ludus.game("connect4")
LINE = [GAME.replay(line) for line in ("", "44", "4433")]


def test_a_table_is_kept_between_the_moves_of_a_game():
    keeping, forgetting = (
        nodes(ludus.agent(f"alphabeta:depth=8,reuse={kept}"), LINE) for kept in ("true", "false")
    )
    assert keeping[0] == forgetting[0]
    assert all(some < more for some, more in zip(keeping[1:], forgetting[1:], strict=True))
    alone = [ludus.agent("alphabeta:depth=8").think(state).nodes for state in LINE]
    assert forgetting == alone


def test_the_same_game_again_is_the_same():
    for options in ("depth=6", "nodes=3000"):
        found = []
        for _ in range(2):
            agent = ludus.agent(f"alphabeta:{options}")
            found.append([agent.think(state) for state in LINE])
        for one, other in zip(*found, strict=True):
            assert (one.nodes, one.line, one.value) == (other.nodes, other.line, other.value)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: fresh(one, 0)])
def test_a_copy_forgets_the_table(copied):
    agent = ludus.agent("alphabeta:depth=7")
    first, again = nodes(agent, LINE[:1] * 2)
    assert again < first
    assert copied(agent).think(LINE[0]).nodes == first


def test_another_game_and_an_earlier_state_begin_anew():
    agent = ludus.agent("alphabeta:depth=5")
    small = ludus.game("connect4:rows=5").start()
    wanted = [ludus.agent("alphabeta:depth=5").think(at).nodes for at in (LINE[2], small, LINE[0])]
    assert nodes(agent, [LINE[2], small]) == wanted[:2]
    assert nodes(agent, [LINE[2], LINE[0]]) == [wanted[0], wanted[2]]


def test_thinking_in_slices_and_own_evaluations_leave_no_trace():
    agent = ludus.agent("alphabeta:depth=4")
    first = agent.think(LINE[0]).nodes
    other = ludus.agent("alphabeta:depth=4")
    list(other.thinking(LINE[0]))
    other.think(LINE[0], evaluate=lambda state: 0.5)
    assert other.think(LINE[0]).nodes == first


def test_an_old_search_goes_on_without_what_it_knew():
    old = _core.alphabeta(LINE[0])
    old.run(4)
    _core.alphabeta(LINE[1], after=old).run(4)
    old.run(6)
    new = _core.alphabeta(LINE[0])
    new.run(6)
    assert old.score == new.score


def test_a_search_goes_on_only_after_one_of_its_game():
    other = _core.alphabeta(ludus.game("tictactoe").start())
    for wrong in (other, 3):
        with pytest.raises(ValueError, match="a search goes on after one of the same game"):
            _core.alphabeta(LINE[0], after=wrong)


class Asked:
    """A judge that is asked about many states, and notes about which."""

    def __init__(self):
        self.batches = []

    def __call__(self, states):
        self.batches.append(states)
        return [noise(state) for state in states]


@pytest.mark.parametrize(
    ("spelling", "depth"),
    [
        ("connect4:rows=4,columns=5", 4),
        ("kingcourtesan:size=4", 3),
        ("checkers", 4),
        ("examples/breakthrough.py:size=4", 3),
    ],
)
def test_many_evaluations_at_once_are_the_same_evaluations(spelling, depth):
    for state in random_states(spelling, 6, 33):
        asked = Asked()
        one = _core.alphabeta(state, evaluate=noise)
        many = _core.alphabeta(state, evaluate_many=asked)
        for search in (one, many):
            search.run(depth)
        assert (many.score, many.depth, many.proven) == (one.score, one.depth, one.proven)
        seen = [str(at) for batch in asked.batches for at in batch]
        assert len(seen) == len(set(seen))
        assert max(map(len, asked.batches)) > 1 or many.proven


def test_results_of_chance_are_asked_about_together():
    state = ludus.game("tictactoe:success=0.5").start()
    asked = Asked()
    search = _core.alphabeta(state, evaluate_many=asked)
    search.run(1)
    assert search.value == pytest.approx(expectiminimax(state, 1, noise), abs=1e-12)
    assert [len(batch) for batch in asked.batches] == [1, 10]  # the root; nine cells, or none


def test_an_evaluation_that_failed_is_asked_for_again():
    failures, asked = [3, 5, 6, 9], Asked()

    def evaluate(states):
        if len(asked.batches) in failures:
            failures.remove(len(asked.batches))
            raise KeyboardInterrupt
        return asked(states)

    search = _core.alphabeta(LINE[1], evaluate_many=evaluate)
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            search.run(3)
    search.run(3)
    plain = _core.alphabeta(LINE[1], evaluate=noise)
    plain.run(3)
    assert (search.score, search.line) == (plain.score, plain.line)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda states: [2.0] * len(states), "an evaluation is between -1 and 1, not 2"),
        (lambda states: [0.0], r"there are 1 evaluations of \d states"),
        (lambda states: ["x"] * len(states), "an evaluation"),
    ],
)
def test_wrong_evaluations_are_told(answer, sentence):
    def evaluate(states):
        return answer(states) if len(states) > 1 else [0.0]

    search = _core.alphabeta(LINE[0], evaluate_many=evaluate)
    with pytest.raises((ValueError, TypeError), match=sentence):
        search.run(3)
