"""Tree search: certain where it says so, near the truth elsewhere, the same for the same seed."""

import random
import re
from collections import Counter
from itertools import islice

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.agents.uct import UctAgent
from tests.conftest import playout
from tests.reference.mcts import uct

FORCED = "3344"  # Connect Four: three in the open can be made, so the mover wins in three plies


def minimax(state, known):
    """The exact outcome for the player to move; where draws depend on the past, with it."""
    if state.outcome is not None:
        return state.outcome
    key = bytes(state) if state.spelling.startswith("checkers") else str(state)
    if key not in known:
        best = -1
        for action in state.legal():
            after = state.play(action)
            value = minimax(after, known)
            best = max(best, value if after.player == state.player else -value)
            if best == 1:
                break
        known[key] = best
    return known[key]


def exact_looks(state, known):
    for action in state.legal():
        after = state.play(action)
        value = minimax(after, known)
        yield action, value if after.player == state.player else -value


def search(state, simulations, seed=1, **options):
    made = _core.mcts(state, seed=seed, **options)
    made.run(simulations)
    return made


def visits(made):
    return {action: count for action, count, _, _ in made.result()}


# What is certain is true.


def empty_cells(most):
    return lambda state: str(state).count(".") <= most


def pieces(most):
    return lambda state: len(re.findall(r"\d+", str(state))) <= most


@pytest.mark.parametrize(
    ("spelling", "count", "small"),
    [
        ("tictactoe", 3000, empty_cells(9)),
        ("connect4:rows=4,columns=4,line=3", 2000, empty_cells(12)),
        ("connect4:rows=4,columns=5", 1000, empty_cells(9)),
        ("connect4", 300, empty_cells(9)),
        ("kingcourtesan:size=3", 1000, empty_cells(9)),
        ("cathedral:size=8", 400, lambda state: len(state.legal()) <= 12),
        ("checkers:no_progress=3", 600, pieces(3)),
    ],
)
def test_proofs_never_contradict_minimax(spelling, count, small):
    game, rng, known = ludus.game(spelling), random.Random(5), {}
    states = (s for _ in iter(int, 1) for s in playout(game, rng) if s.outcome is None and small(s))
    proven, doubled = Counter(), 0
    for seed, state in enumerate(islice(states, count)):
        made = search(state, rng.choice([20, 100, 400]), seed)
        truth = dict(exact_looks(state, known))
        for action, _, value, proof in made.result():
            if proof is not None:
                assert proof == truth[action] == value, (str(state), action)
                proven[proof] += 1
        if made.proof is not None:
            assert made.proof == max(truth.values()) == made.value, str(state)
        doubled += any(state.play(a).player == state.player for a in state.legal())
    assert proven[1] > 20
    assert proven[-1] > 10
    if game.name == "cathedral":
        assert doubled > 5  # a skipped player was among them


def test_small_games_are_proven_whole():
    for spelling, value in (
        ("tictactoe", 0),
        ("connect4:rows=4,columns=4,line=3", 1),
        ("kingcourtesan:size=3", -1),
    ):
        made = search(ludus.game(spelling).start(), 2_000_000)
        assert (made.proof, made.value) == (value, value), spelling


@pytest.mark.parametrize(
    "text",
    [
        "B:W14,22,K32:B9",
        "B:W14,22,23:B9",
        "B:W14,15,22:B9,10",
        "W:W23,K30:BK2,10,18",
        "B:W14,16,22:B9,11",
    ],
)
def test_proofs_where_one_player_jumps_twice(text):
    game, known = ludus.game("checkers:no_progress=3"), {}
    state = game.state(text)
    doubled = [a for a in state.legal() if state.play(a).player == state.player]
    assert doubled
    for at in (state, *(state.play(a) for a in doubled)):
        truth = dict(exact_looks(at, known))
        made = search(at, 20_000)
        assert all(proof in (None, truth[action]) for action, _, _, proof in made.result())
        assert made.value == pytest.approx(max(truth.values()), abs=0.1)
        plain = search(at, 50_000, plain=True, c=0.7)
        assert plain.value == pytest.approx(max(truth.values()), abs=0.2)


def test_a_forced_win_is_found_and_proven():
    state = ludus.game("connect4").replay(FORCED)
    made = search(state, 3000)
    assert made.proof == 1
    won = {action for action, _, _, proof in made.result() if proof == 1}
    assert won <= {1, 4}
    assert won == {action for action, share in made.policy() if share > 0}
    assert made.line[0] in won
    assert made.run(1000) == 0  # nothing is left to find out


def test_where_every_move_loses_that_is_proven():
    state = ludus.game("connect4").replay(FORCED + "2")
    made = search(state, 3000)
    assert made.proof == -1
    assert all(proof == -1 for *_, proof in made.result())
    assert sum(share for _, share in made.policy()) == pytest.approx(1)


def test_a_proven_loss_is_not_played_and_gets_no_more_visits():
    state = ludus.game("connect4").replay("3122334")  # o must block or lose
    made = search(state, 400)
    looks = {action: (count, proof) for action, count, _, proof in made.result()}
    lost = {action for action, (_, proof) in looks.items() if proof == -1}
    assert lost == {0, 1, 2, 3, 5, 6}
    before = visits(made)
    made.run(400)
    assert {a: n for a, n in visits(made).items() if a in lost} == {a: before[a] for a in lost}
    assert dict(made.policy())[4] == 1


def test_plain_knows_no_proofs():
    made = search(ludus.game("connect4").replay(FORCED), 3000, plain=True)
    assert made.proof is None
    assert all(proof is None for *_, proof in made.result())
    assert sum(visits(made).values()) == 3000
    best = max(made.result(), key=lambda look: look[1])
    assert best[0] in (1, 4)
    assert best[2] > 0.8


# Values approach the truth.


@pytest.mark.parametrize(
    "spelling", ["tictactoe", "connect4:rows=4,columns=4,line=3", "kingcourtesan:size=3"]
)
def test_values_without_proofs_approach_the_exact_ones(spelling):
    game, rng, known = ludus.game(spelling), random.Random(3), {}
    for player in (0, 1) * 4:
        ongoing = (s for _ in iter(int, 1) for s in list(playout(game, rng))[:-1][-6:])
        state = next(s for s in ongoing if s.player == player)
        made = search(state, 200_000, plain=True, c=0.7)
        assert made.value == pytest.approx(minimax(state, known), abs=0.15), str(state)


def test_noisy_tictactoe_has_its_known_values():
    start = ludus.game("tictactoe:success=0.5").start()
    made = search(start, 600_000, c=0.5)
    assert made.value == pytest.approx(0.2325581, abs=0.03)
    assert max(visits(made), key=visits(made).get) == 4
    for action, exact in ((0, 0.04338312), (1, 0.05053765), (4, 0.23255812)):
        value = 0.0  # of the action, by searches for the other player
        for result, probability in start.chances(action):
            value -= probability * search(start.play(action, chance=result), 60_000, c=0.5).value
        assert value == pytest.approx(exact, abs=0.03)


def test_proofs_through_chance_are_certain():
    """A mark that must land somewhere on a line: won whatever chance brings, or not proven."""
    game = ludus.game("tictactoe:success=0.5")
    rng, proven = random.Random(2), 0
    known = {}

    def expected(state):
        """The range of outcomes under best play if chance is friend or foe."""
        if state.outcome is not None:
            return (state.outcome, state.outcome)
        key = bytes(state)
        if key not in known:
            lows, highs = [], []
            for action in state.legal():
                ends = [expected(state.play(action, chance=r)) for r, _ in state.chances(action)]
                lows.append(min(-high for _, high in ends))
                highs.append(max(-low for low, _ in ends))
            known[key] = (max(lows), max(highs))
        return known[key]

    for _ in range(60):
        states = list(playout(ludus.game("tictactoe:success=0.5,max_plies=8"), rng))
        for state in states[-4:-1]:
            low, high = expected(state)
            made = search(state, 300)
            if made.proof is not None:
                assert low <= made.proof <= high
                proven += 1
    assert proven > 3
    assert search(game.start(), 1000).proof is None


# The same again.


def test_the_same_seed_gives_the_same_visits(game):
    state = game.start()
    first, second = (search(state, 300, seed=7) for _ in range(2))
    assert first.result() == second.result()
    assert first.line == second.line
    assert first.nodes == second.nodes


def test_slices_and_seeds(rng):
    state = ludus.game("connect4").start()
    for threads in (1, 3):
        whole = search(state, 1000, threads=threads)
        sliced = _core.mcts(state, seed=1, threads=threads)
        done = 0
        while done < 1000:
            done += sliced.run(min(rng.randrange(1, 60), 1000 - done))
        assert sliced.result() == whole.result()
        assert sum(visits(whole).values()) == 1000
        assert search(state, 1000, seed=2, threads=threads).result() != whole.result()


def test_trees_of_several_threads_are_added_up():
    state = ludus.game("connect4").start()
    together = search(state, 1000, threads=2)
    assert search(state, 1000, threads=2).result() == together.result()
    assert together.nodes > search(state, 500).nodes


def test_the_budget_is_kept(game):
    state = game.start()
    for budget in (0, 1, 17, 250):
        made = _core.mcts(state, seed=3, plain=True)  # a proof would end the search early
        assert made.run(budget) == budget
        assert sum(visits(made).values()) == budget
        policy = dict(made.policy())
        assert sorted(policy) == sorted(state.legal())
        assert sum(policy.values()) == pytest.approx(1)
    made = _core.mcts(state)
    assert made.run(10**9, 0.0) == 0
    assert made.value is None
    assert made.run(10**9, 0.02) > 0


def test_a_full_tree_is_searched_on():
    state = ludus.game("connect4").start()
    made = search(state, 5000, max_nodes=100)
    assert made.nodes <= 100
    assert made.bytes >= 100 * 32
    assert sum(visits(made).values()) == 5000
    assert search(state, 50, max_nodes=1).nodes == 8  # the root has its children in any case
    noisy = search(ludus.game("supertictactoe").start(), 2000, max_nodes=300)
    assert noisy.nodes <= 300
    assert sum(visits(noisy).values()) == 2000


# Trees are kept between moves.


def test_a_state_below_the_root_is_found_again(game):
    rng = random.Random(8)
    state = game.start()
    one, two = search(state, 3000), search(state, 3000)
    after = state.play(max(visits(one), key=visits(one).get), rng)
    below = next((after.play(a, rng) for a in after.legal()), after)
    kept = one.seek(after)
    if not state.chancy:
        assert kept
        assert sum(visits(one).values()) == max(visits(two).values()) - 1
    if below.outcome is not None:
        return
    # One ply after the other leads to the same tree as two plies at once.
    assert one.seek(below) == two.seek(below) or state.chancy
    if not state.chancy:
        assert one.result() == two.result()
        assert one.nodes == two.nodes
        one.run(100), two.run(100)
        assert one.result() == two.result()


def test_what_is_not_below_the_root_starts_anew():
    game = ludus.game("connect4")
    made = search(game.start().play(3), 1000)
    assert not made.seek(game.start())
    assert sum(visits(made).values()) == 0
    made.run(500)
    assert made.seek(game.start())  # the root itself
    assert sum(visits(made).values()) == 500
    plain = search(game.start(), 500, plain=True)
    assert not plain.seek(game.start())


def test_the_past_of_a_state_counts():
    """The same position with another clock is not the same line of play."""
    game = ludus.game("checkers")
    state = game.state("W:WK32:BK1")
    made = search(state, 2000)
    after = state.play(state.legal()[0])
    further = after.play(after.legal()[0])
    fresh = game.state(str(further))
    assert fresh == further
    assert not made.seek(fresh)
    made = search(state, 2000)
    assert made.seek(further)


# Against the textbook.


@pytest.mark.parametrize("urgency", [{}, {"fpu": 0.8}])
def test_visits_agree_with_a_plain_python_search(urgency):
    game = ludus.game("connect4:rows=4,columns=4,line=3")
    state = game.replay("14")
    runs, simulations = 150, 150
    native = np.array(
        [
            list(visits(search(state, simulations, s, plain=True, c=1.4, **urgency)).values())
            for s in range(runs)
        ]
    )
    python = []
    for seed in range(runs):
        found = uct(state, simulations, 1.4, random.Random(seed), **urgency)
        python.append([found.get(action, 0) for action in state.legal()])
    python = np.array(python)
    error = np.sqrt(native.var(axis=0) / runs + python.var(axis=0) / runs)
    assert (abs(native.mean(axis=0) - python.mean(axis=0)) < 4 * error + 0.2).all()


# Options.


def test_rave_finds_the_forced_win(game):
    made = search(ludus.game("connect4").replay(FORCED), 4000, rave=300)
    assert made.proof == 1
    other = search(game.start(), 200, rave=300)
    assert sum(visits(other).values()) == 200


def test_urgency_says_when_another_action_is_tried():
    """Far above any score every action is tried first; far below, only the first one is."""
    state = ludus.game("supertictactoe:success=1").start()
    assert search(state, 300, fpu=100.0).result() == search(state, 300).result()
    assert sorted(visits(search(state, 300, fpu=-100.0)).values())[-2:] == [0, 300]
    tried = [np.count_nonzero([*visits(search(state, 300, fpu=f)).values()]) for f in (0.5, 1, 2)]
    assert tried == sorted(tried)
    assert tried[0] < tried[-1]


def test_cathedral_has_an_urgency_of_its_own_but_plain_tries_each_action_first():
    state = ludus.game("cathedral:size=8").start()

    def looks(**options):
        found = visits(search(state, 600, 1, c=UctAgent.c, **options))
        return [found[action] for action in state.legal()]

    def thought(spelling):
        found = ludus.agent(spelling, seed=1).think(state)
        return [int(found.visits[action]) for action in state.legal()]

    urgent, first, plain = looks(fpu=1), looks(), looks(plain=True)
    assert thought("uct:simulations=600") == urgent != first
    assert thought("uct:simulations=600,fpu=10") == first
    assert thought("uct:simulations=600,plain=true") == plain
    assert 0 in urgent
    assert 0 not in first + plain


def test_proven_actions_make_room_for_those_not_tried():
    """Whatever looks better than an untried action, once it is proven another one is tried."""
    for spelling, value in (("tictactoe", 0), ("connect4:rows=4,columns=4,line=3", 1)):
        made = search(ludus.game(spelling).start(), 2_000_000, fpu=-100.0)
        assert (made.proof, made.value) == (value, value), spelling


def test_more_rollouts_a_leaf_make_values_steadier():
    state = ludus.game("connect4").start()
    ones = [search(state, 8, seed, rollouts=1).value for seed in range(60)]
    many = [search(state, 8, seed, rollouts=50).value for seed in range(60)]
    assert np.std(many) < np.std(ones) / 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"c": -1}, "c is between 0.0 and 1000.0, not -1.0"),
        ({"c": float("nan")}, "c is between"),
        ({"c": "x"}, "c is a number, not 'x'"),
        ({"rollouts": 0}, "rollouts is between"),
        ({"max_nodes": 0}, "max_nodes is between"),
        ({"threads": 0}, "threads is between"),
        ({"rave": -2}, "rave is between"),
        ({"fpu": 1e9}, "fpu is between"),
        ({"plain": 3}, "plain is True or False, not 3"),
        ({"depth": 3}, "no parameter 'depth'; there are c, rave"),
        ({"judge": "nobody"}, "no judge 'nobody'"),
    ],
)
def test_bad_options_are_one_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        _core.mcts(ludus.game("connect4").start(), **options)


def test_a_finished_game_is_not_searched():
    game = ludus.game("connect4")
    over = game.replay("1212121")
    with pytest.raises(ValueError, match="the game is over"):
        _core.mcts(over)
    made = _core.mcts(game.start())
    with pytest.raises(ValueError, match="the game is over"):
        made.seek(over)
    with pytest.raises(ValueError, match="of another game"):
        made.seek(ludus.game("tictactoe").start())
    with pytest.raises(ValueError, match="other parameters"):
        made.seek(ludus.game("connect4:rows=5").start())
    with pytest.raises(ValueError, match="seconds is a time"):
        made.run(5, -1.0)


def test_a_judge_takes_the_place_of_rollouts(game):
    """The values at first visits are the judge's, so they hardly depend on the seed."""
    if game.name == "chinesecheckers":
        assert search(game.start(), 50, judge="distance").value is not None
    one, two = (search(game.start(), 60, seed=s, judge="default", max_nodes=1) for s in (1, 2))
    assert sum(visits(one).values()) == 60
    if not game.start().chancy:
        values = {action: value for action, _, value, _ in one.result() if visits(two)[action]}
        for action, count, value, _ in two.result():
            if count and visits(one)[action]:
                assert value == pytest.approx(values[action], abs=1e-6)
    with pytest.raises(ValueError, match="rave learns from rollouts"):
        search(game.start(), 1, judge="default", rave=10)


def test_a_judge_finds_the_forced_win_too():
    assert search(ludus.game("connect4").replay(FORCED), 3000, judge="default").proof == 1


def test_games_written_in_python_are_searched():
    game = ludus.game("examples/breakthrough.py:size=4")
    made = search(game.start(), 60)
    assert sum(visits(made).values()) == 60
    assert sorted(visits(made)) == sorted(game.start().legal())
    close = game.state("..../.x../..o./.... x")
    made = search(close, 200)
    assert made.proof == 1
    assert not made.seek(game.start())


# The agent.


@pytest.mark.parametrize("options", [{}, {"simulations": 0}, {"plain": True}, {"threads": 2}])
def test_the_agent_thinks(game, options):
    one = UctAgent(**{"simulations": 100, **options})
    rng = random.Random(4)
    state = game.start(rng)
    for _ in range(4):
        if state.outcome is not None:
            break
        thought = one.think(state)
        assert thought.policy.sum() == pytest.approx(1)
        assert set(np.flatnonzero(thought.policy)) <= set(state.legal())
        assert thought.value is None or -1 <= thought.value <= 1
        assert thought.line[0] in state.legal()
        state = state.play(int(thought.policy.argmax()), rng)


def test_the_agent_is_the_same_for_the_same_seed():
    state = ludus.game("connect4").start()
    policies = [ludus.agent("uct:simulations=200", seed=s).think(state).policy for s in (1, 1, 2)]
    assert (policies[0] == policies[1]).all()
    assert (policies[0] != policies[2]).any()


def test_the_agent_goes_from_game_to_game():
    one = UctAgent(simulations=50)
    for spelling in ("connect4", "connect4:rows=5", "tictactoe", "examples/breakthrough.py"):
        state = ludus.game(spelling).start()
        assert one.think(state).policy.shape == (state.num_actions,)


def test_the_agent_wins_what_is_won():
    thought = UctAgent(simulations=3000).think(ludus.game("connect4").replay(FORCED))
    assert thought.proven
    assert thought.value == 1
    assert thought.line[0] in (1, 4)
    assert thought.policy[[1, 4]].sum() == pytest.approx(1)


def test_the_agent_keeps_its_tree():
    game = ludus.game("connect4")
    keeping, plain = UctAgent(simulations=2000), UctAgent(simulations=2000, plain=True)
    for one in (keeping, plain):
        first = one.think(game.start())
        one.think(game.start().play(int(first.policy.argmax())))
    assert sum(visits(keeping._search).values()) > 2000
    assert sum(visits(plain._search).values()) == 2000
    assert keeping == UctAgent(simulations=2000)


def test_the_agent_thinks_by_the_clock():
    thought = UctAgent(seconds=0.05).think(ludus.game("connect4").start())
    assert thought.nodes > 100
    assert UctAgent(seconds=0).think(ludus.game("connect4").start()).policy.sum() == pytest.approx(
        1
    )


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("uct:simulations=-1", "simulations is a whole number from 0"),
        ("uct:simulations=1.5", "simulations is a whole number"),
        ("uct:seconds=x", "seconds is a number from 0"),
        ("uct:c=none", "c is a number from 0 to 1000, not None"),
        ("uct:plain=1", "plain is true or false, not 1"),
        ("uct:judge=3", "judge is text, not 3"),
        ("uct:fpu=11", "fpu is a number from -10 to 10, not 11"),
        ("uct:fpu=1,plain=true", "fpu has no effect with plain=true"),
        ("uct:fpu=1,rave=50", "fpu has no effect with rave"),
        ("uct:simulation=3", "did you mean simulations"),
    ],
)
def test_bad_spellings(spelling, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.agent(spelling)


def test_a_judge_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no judge 'wise'"):
        ludus.agent("uct:judge=wise").think(ludus.game("connect4").start())
