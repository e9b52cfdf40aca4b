"""Alpha-beta finds what plain minimax finds, whatever its table, its slices and its luck."""

import math
import random
import threading

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.agent import spelling_of
from ludus.agents.alphabeta import depth_of
from tests.conftest import playout
from tests.reference.minimax import WIN, expected, expectiminimax, minimax

# Off, one bucket of four entries, sixteen entries that everything falls into, and room for all.
TABLES = [0, 64, 256, 1 << 20]


def searched(state, depth=128, nodes=None, **options):
    search = _core.alphabeta(state, **options)
    search.run(depth, nodes)
    return search


def line_end(state, line):
    for action in line:
        state = state.play(action)
    return state


def random_states(spelling, count, seed, most_legal=99):
    """Unfinished states of random games, with their histories."""
    game, rng, found = ludus.game(spelling), random.Random(seed), []
    while len(found) < count:
        states = [
            s for s in playout(game, rng) if s.outcome is None and len(s.legal()) <= most_legal
        ]
        found += rng.sample(states, min(3, len(states)))
    return found[:count]


def random_endgames(spelling, count, seed):
    """Positions of few draughts pieces, then some plies on, so that some have come before."""
    game, rng, found = ludus.game(spelling), random.Random(seed), []
    while len(found) < count:
        squares = sorted(rng.sample(range(5, 29), rng.randint(2, 6)))
        sides = {"W": [], "B": []}
        for square in squares:
            sides[rng.choice("WB")].append(("K" if rng.random() < 0.6 else "") + str(square))
        text = f"{rng.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
        if not sides["W"] or not sides["B"]:
            continue
        state = game.state(text)
        for _ in range(rng.randint(0, 6)):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal()))
        if state.outcome is None:
            found.append(state)
    return found


CASES = {
    "tictactoe": lambda: (random_states("tictactoe", 400, 1), (1, 3, 4)),
    "connect4:rows=4,columns=4,line=3": lambda: (
        random_states("connect4:rows=4,columns=4,line=3", 400, 2),
        (1, 3, 5),
    ),
    "connect4:rows=3,columns=5": lambda: (
        random_states("connect4:rows=3,columns=5", 200, 3),
        (2, 4),
    ),
    "connect4": lambda: (random_states("connect4", 100, 4), (1, 3)),
    "kingcourtesan:size=3": lambda: (random_states("kingcourtesan:size=3", 400, 5), (1, 3, 4)),
    "kingcourtesan:size=4": lambda: (random_states("kingcourtesan:size=4", 150, 6), (1, 2, 3)),
    "checkers": lambda: (random_endgames("checkers", 150, 7), (1, 3, 4)),
    "checkers:repetition=2,no_progress=5": lambda: (
        random_endgames("checkers:repetition=2,no_progress=5", 200, 8),
        (2, 4, 5),
    ),
    "chinesecheckers:size=4,pieces=3": lambda: (
        random_states("chinesecheckers:size=4,pieces=3,repetition=2,max_plies=30", 60, 19),
        (1, 3),
    ),
    "cathedral:size=8": lambda: (random_states("cathedral:size=8", 150, 9, 12), (1, 2, 3)),
    "supertictactoe:success=1": lambda: (
        random_states("supertictactoe:success=1,max_plies=70", 20, 10, 14),
        (1, 2),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_equals_minimax_with_any_table(case):
    states, depths = CASES[case]()
    for state in states:
        for depth in depths:
            truth = minimax(state, depth, _core.judge)
            for table in TABLES:
                search = searched(state, depth, table_bytes=table, quiescence=False)
                assert search.score == truth, (str(state), depth, table)
                # The best line is one that leads to that score.
                end = line_end(state, search.line)
                if end.outcome is None:
                    assert len(search.line) == search.depth
                    found = _core.judge(end)
                else:
                    found = end.outcome * (WIN - len(search.line) / 1024)
                assert (found if end.player == state.player else -found) == truth


def never(state):
    raise AssertionError("this tree was said to be searched to its end")


def test_two_captures_by_one_player_are_no_change_of_sides():
    state = ludus.game("checkers").state("B:W9,18:B5")
    child = state.play(state.legal()[0])
    assert child.player == state.player
    search = searched(state, 2)
    assert (search.value, search.proven, len(search.line)) == (1, True, 2)


def captures(state):
    return state.outcome is None and bool(state.legal()[0] & 1)


def test_quiescence_judges_no_position_with_a_capture_to_make():
    for state in random_endgames("checkers", 200, 11):
        truth = minimax(state, 2, _core.judge, quiet=lambda at: not captures(at))
        for table in TABLES:
            assert searched(state, 2, table_bytes=table).score == truth


def test_every_root_action_has_its_exact_score_if_wanted():
    for state in random_states("connect4:rows=4,columns=5", 60, 12):
        search = searched(state, 3, multi=True)
        for action, score, exact in search.scores():
            child = state.play(action)
            # One ply further from the root, and seen from the other side.
            assert exact
            assert score == -minimax(child, search.depth - 1, _core.judge, 1)
        plain = searched(state, 3)
        for action, score, exact in plain.scores():
            truth = -minimax(state.play(action), plain.depth - 1, _core.judge, 1)
            assert score == truth if exact else score >= truth


@pytest.mark.parametrize("parameters", ["success=0.5", "success=0.9", "success=0.5,max_plies=6"])
def test_expectiminimax_averages_over_chance(parameters):
    for state in random_states(f"tictactoe:{parameters}", 60, 13):
        for depth in (1, 2):
            truth = expectiminimax(state, depth, _core.judge)
            for table in TABLES:
                search = searched(state, depth, table_bytes=table)
                assert search.value == pytest.approx(truth, abs=1e-12)
                best = expected(state, search.line[0], depth, _core.judge)
                assert best == pytest.approx(truth, abs=1e-12)


def noisy_values(success):
    """The exact values of noisy tic-tac-toe without a ply cap, by value iteration."""
    game = ludus.game("tictactoe", success=success, max_plies=10**6)
    found, todo = {}, [game.start()]
    while todo:
        state = todo.pop()
        if state.key in found:
            continue
        lists = []
        for action in state.legal():
            after = [(p, state.play(action, chance=r)) for r, p in state.chances(action)]
            todo += [child for _, child in after]
            lists.append([(p, child.key) for p, child in after])
        found[state.key] = (lists, state.outcome)
    values = {key: float(outcome or 0) for key, (_, outcome) in found.items()}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for key, (lists, outcome) in found.items():
            if outcome is None:
                value = max(-sum(p * values[child] for p, child in after) for after in lists)
                change = max(change, abs(value - values[key]))
                values[key] = value
    return game, values


@pytest.mark.slow
def test_the_known_values_of_noisy_tic_tac_toe():
    game, values = noisy_values(0.5)
    start = game.start()
    assert values[start.key] == pytest.approx(0.2325581184, abs=1e-10)
    search = _core.alphabeta(start, multi=True, evaluate=lambda state: values[state.key])
    search.run(2)
    assert search.value == pytest.approx(0.2325581184, abs=1e-10)
    by_action = {action: score for action, score, _ in search.scores()}
    for action, known in ((0, 0.04338312), (1, 0.05053765), (4, 0.23255812)):
        assert by_action[action] == pytest.approx(known, abs=1e-8)
    assert search.line == [4]
    # With nearly all cells taken, a deep search without help closes in on the same truth.
    for text in ("xxo/oox/x.. x", "xox/oxo/o.. x", "xo./oxx/oxo x", "x.o/.ox/xo. o"):
        state = game.state(text)
        assert searched(state, 40).value == pytest.approx(values[state.key], abs=1e-6)


def noise(state):
    """A judge without reason: whoever mixes two lines of play up, will show it."""
    return random.Random(state.key).randint(-900, 900) / 1024  # exact in single precision


@pytest.mark.parametrize(
    ("spelling", "start", "depth"),
    [
        ("checkers:repetition=2", "W:WK1:BK32", 8),
        ("checkers:repetition=2", "W:WK1,K4:BK32", 6),
        ("checkers", "W:WK29:BK4", 10),
        ("checkers:repetition=0,no_progress=3", "W:WK1,25:B8,K32", 6),
        ("checkers:repetition=0,no_progress=4", "W:WK1,30:B3,K32", 6),
        ("checkers:repetition=2,no_progress=5", "W:WK1,30:BK32", 6),
        ("tictactoe:max_plies=5", ".../.../... x", 5),
        ("chinesecheckers:size=3,pieces=2,repetition=2,max_plies=9", "", 5),
    ],
)
def test_the_table_mixes_no_two_pasts_up(spelling, start, depth):
    game, rng = ludus.game(spelling), random.Random(20)
    for plies in (0, 0, 1, 2, 3, 4):
        state = game.state(start) if start else game.start()
        for _ in range(plies):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal()))
        if state.outcome is not None:
            continue
        options = {"multi": True, "quiescence": False, "evaluate": noise}
        reached = searched(state, depth, table_bytes=0, **options).depth  # less if it was proven
        truth = {}
        for action in state.legal():
            child = state.play(action)
            score = minimax(child, reached - 1, noise, 1)
            truth[action] = score if child.player == state.player else -score
        for table in TABLES:
            search = searched(state, depth, table_bytes=table, **options)
            assert {action: score for action, score, _ in search.scores()} == truth


def test_the_faster_win_is_preferred_and_the_slower_loss():
    # x wins at once in the fourth column; many other moves win later.
    state = ludus.game("connect4:rows=4,columns=7").state("......./......./oo..o../xxx.xo.")
    search = searched(state, 6)
    assert search.line == [3]
    assert (search.value, search.depth, search.proven) == (1, 1, True)
    late = [at for at in random_states("connect4:rows=4,columns=4,line=3", 900, 18) if at.plies > 6]
    assert len(late) > 50
    for state in late:
        search = searched(state)
        assert search.proven
        assert search.score == minimax(state, 16, never)
        assert line_end(state, search.line).outcome is not None


def test_a_full_tree_is_a_proof_also_of_a_draw():
    search = searched(ludus.game("tictactoe").start())
    assert (search.value, search.proven, search.depth) == (0, True, 9)
    assert len(search.line) == 9


def test_a_proof_is_never_claimed_too_early():
    proofs = 0
    for state in random_states("tictactoe", 200, 14, most_legal=6):
        truth = minimax(state, 9, never)
        for depth in range(1, 7):
            for table in TABLES:
                search = searched(state, depth, table_bytes=table)
                proofs += search.proven
                assert not search.proven or search.score == truth
            assert search.proven or depth < len(state.legal())
    assert proofs > 1000


def report(search):
    return search.score, search.depth, search.line, search.nodes, search.proven, search.scores()


@pytest.mark.parametrize(
    "spelling", ["connect4", "checkers", "kingcourtesan", "cathedral", "supertictactoe"]
)
def test_the_same_budget_gives_the_same_search(spelling):
    for state in random_states(spelling, 4, 15, 2000):
        first = report(searched(state, nodes=20_000))
        assert report(searched(state, nodes=20_000)) == first
        assert first[3] <= 20_000
        sliced = _core.alphabeta(state)
        for _ in range(2000):
            sliced.run(nodes=7)
        for _ in range(2):
            sliced.run(nodes=3000)
        assert report(sliced) == first


def test_a_stopped_iteration_only_brings_better_moves():
    state = ludus.game("connect4").replay("4435")
    search = _core.alphabeta(state)
    before = searched(state, 9, multi=True)
    scores = {action: score for action, score, _ in before.scores()}
    while search.depth < 8:
        search.run(nodes=100)
    answer = search.line[0]
    while search.depth < 9:
        search.run(nodes=100)
        if search.depth == 8 and search.line[0] != answer:
            assert scores[search.line[0]] > scores[answer]
            answer = search.line[0]
    assert search.score == before.score


def test_no_budget_at_all_still_gives_a_legal_move(game):
    state = game.start()
    for budget in ("depth=0", "nodes=0", "seconds=0"):
        thought = ludus.agent(f"alphabeta:{budget}").think(state)
        assert thought.nodes == 0
        assert thought.policy.sum() == 1
        assert int(thought.policy.argmax()) in state.legal()
        assert -1 < thought.value < 1


@pytest.mark.parametrize("spelling", ["alphabeta:nodes=2000", "alphabeta:depth=1,multi=true"])
def test_thoughts_are_whole(game, spelling, rng):
    agent = ludus.agent(spelling)
    for state in list(playout(game, rng))[:-1][::7][:6]:
        thought = agent.think(state)
        assert thought.policy.sum() == pytest.approx(1)
        assert set(np.flatnonzero(thought.policy)) <= set(state.legal())
        assert thought.policy[thought.line[0]] > 0
        assert -1 <= thought.value <= 1
        assert 0 < thought.nodes <= 2000 or "depth" in spelling


def test_equal_moves_share_the_policy():
    thought = ludus.agent("alphabeta:depth=9,multi=true").think(ludus.game("tictactoe").start())
    assert thought.policy == pytest.approx([1 / 9] * 9)
    assert (thought.value, thought.proven) == (0, True)


def test_a_finished_game_is_nothing_to_think_about():
    state = ludus.game("connect4").replay("1212121")
    with pytest.raises(ValueError, match="the game is over"):
        ludus.agent("alphabeta").think(state)


@pytest.mark.parametrize("spelling", ["connect4", "checkers", "tictactoe:success=0.5", "cathedral"])
def test_any_function_can_be_the_evaluation(spelling):
    state = random_states(spelling, 1, 16, 60)[0]
    seen = []

    def evaluate(at):
        seen.append(at)
        return _core.judge(at)

    own = searched(state, 2, quiescence=False)
    asked = searched(state, 2, quiescence=False, evaluate=evaluate)
    assert asked.score == own.score
    assert type(seen[0]) is type(state)
    # The first is the root itself, for want of anything better before the first iteration.
    assert seen[0] == state
    assert {at.plies for at in seen} <= {state.plies + n for n in range(3)}


def test_a_bad_evaluation_is_one_sentence():
    state = ludus.game("connect4").start()
    for answer, sentence in (
        (2, "an evaluation is between -1 and 1, not 2"),
        (math.nan, "an evaluation is between -1 and 1, not nan"),
        ("x", "an evaluation is a number, not 'x'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            _core.alphabeta(state, evaluate=lambda at, answer=answer: answer)


def test_a_search_goes_on_after_an_evaluation_failed():
    calls = []

    def moody(state):
        calls.append(state)
        if len(calls) % 10 == 0:
            raise RuntimeError("not now")
        return _core.judge(state)

    state = ludus.game("connect4").replay("4433")
    search = _core.alphabeta(state, evaluate=moody)
    failures = 0
    while search.depth < 3:
        try:
            search.run(3)
        except RuntimeError:
            failures += 1
    assert failures > 5
    assert report(search) == report(searched(state, 3, evaluate=_core.judge))


def test_a_search_belongs_to_one_thread_at_a_time():
    search = _core.alphabeta(ludus.game("connect4").start())
    started, errors = threading.Event(), []

    def work():
        started.set()
        search.run(seconds=0.5)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    while thread.is_alive() and not errors:
        try:
            assert search.nodes >= 0
        except ValueError as error:
            errors.append(str(error))
    thread.join()
    said = "this object is at work in another thread or call; only one at a time may use it"
    assert errors == [said]


def test_as_many_lines_as_allowed_make_the_depth():
    assert [depth_of(1000, moves) for moves in (1, 2, 10, 31, 32, 1000, 5000)] == [
        128,
        9,
        3,
        2,
        1,
        1,
        1,
    ]
    agent = ludus.agent("alphabeta:lines=400")
    state = ludus.game("cathedral").start()
    lengths = []
    rng = random.Random(17)
    while state.outcome is None:
        if len(state.legal()) < 30:
            lengths.append(len(agent.think(state).line))
        state = state.play(rng.choice(state.legal()))
    assert max(lengths) >= 2


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("alphabeta:depth=-1", "depth is a whole number from 0 to 128, not -1"),
        ("alphabeta:depth=129", "depth is a whole number from 0 to 128, not 129"),
        ("alphabeta:depth=x", "depth is a whole number from 0 to 128, not 'x'"),
        ("alphabeta:seconds=-1", "seconds is a number from 0"),
        ("alphabeta:nodes=1.5", "nodes is a whole number"),
        ("alphabeta:table=-1", "table is a whole number from 0 to 1048575, not -1"),
        ("alphabeta:multi=3", "multi is true or false, not 3"),
        ("alphabeta:weights=material", "weights are written name:number"),
        ("alphabeta:weights=a:1+a:2", "weights are written name:number"),
        ("alphabeta:dept=3", "did you mean depth"),
        ("greedy:weights=x:y", "weights are written name:number"),
    ],
)
def test_bad_spellings_are_one_sentence(spelling, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        ludus.agent(spelling)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["alphabeta", "greedy"])
def test_weights_are_spelled_and_checked(name):
    spelling = f"{name}:weights=material:2+mobility:0"
    agent = ludus.agent(spelling)
    assert spelling_of(agent) == spelling
    agent.think(ludus.game("kingcourtesan:size=3").start())
    with pytest.raises(ValueError, match="no weight 'material' in this game; there are threats, "):
        agent.think(ludus.game("connect4").start())
    with pytest.raises(ValueError, match="the weight king is between -1000000 and 1000000"):
        ludus.agent(f"{name}:weights=king:1e9").think(ludus.game("kingcourtesan").start())
