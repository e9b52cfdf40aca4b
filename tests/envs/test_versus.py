"""Many games in step: native opponents, opponents that are asked, and the plain game."""

import numpy as np
import pytest

import ludus
from ludus.envs.sides import BOTH, learner_side
from ludus.envs.versus import VersusGames

SHAPED = {"cathedral": "dense", "supertictactoe": "designed"}
ROWS = 6


def versus(game, games=ROWS, **options):
    made = VersusGames(game, games, **{"seed": 1, "learner_side": learner_side("first"), **options})
    out = made.arrays()
    made.look(out)
    return made, out


def random_actions(made):
    actions = np.empty(made.games, np.int32)
    made.sample(actions)
    return actions


def check_row(made, out, row, over):
    """What is written is what the row's own state says."""
    state = made.state(row)
    viewer = out.sides[row] if over and out.sides[row] >= 0 else state.player
    assert out.players[row] == state.player
    assert (out.features[row] == state.features(player=int(viewer))).all()
    assert (out.masks[row] == (True if over else state.mask())).all()


def test_self_play_is_the_plain_game(game):
    """Each row's state follows from its last by the action, where chance has no say."""
    shaping = SHAPED.get(game.name)
    made, out = versus(game, learner_side=BOTH, shaping=shaping)
    ended = 0
    for _ in range(40):
        states = [made.state(row) for row in range(ROWS)]
        over = [state.outcome is not None for state in states]
        actions = random_actions(made)
        made.step(actions, out)
        for row, (state, was_over) in enumerate(zip(states, over, strict=True)):
            now = made.state(row)
            if was_over:
                assert now.plies == 0
                assert (out.rewards[row], out.dones[row]) == (0, False)
                continue
            action = state.seen(int(actions[row]))
            if state.chancy:
                results = [state.play(action, chance=result) for result, _ in state.chances(action)]
                assert now in results
            else:
                assert bytes(now) == bytes(state.play(action))
            assert out.dones[row] == (now.outcome is not None)
            assert out.rewards[row] == (now.returns[state.player] if out.dones[row] else 0)
            if shaping:
                expected = state.shaping(action, now, shaping)[state.player]
                assert out.shaping[row] == pytest.approx(expected)
            check_row(made, out, row, out.dones[row])
        ended += out.dones.sum()
    assert (out.sides == -1).all()
    assert ended > 0 or game.name in ("cathedral", "checkers", "chinesecheckers", "connect4",
                                      "kingcourtesan", "supertictactoe")  # fmt: skip


def test_against_an_opponent_the_learner_is_always_asked(game):
    made, out = versus(game, opponent="random", learner_side=learner_side("random"), threads=2)
    sides = set()
    for _ in range(60):
        before = [made.state(row) for row in range(ROWS)]
        made.step(random_actions(made), out)
        for row, old in enumerate(before):
            state = made.state(row)
            over = state.outcome is not None
            assert over == out.dones[row]
            assert over or state.player == out.sides[row]
            assert out.rewards[row] == (state.returns[out.sides[row]] if over else 0)
            assert state.plies > old.plies or old.outcome is not None
            check_row(made, out, row, over)
            sides.add(int(out.sides[row]))
    assert sides == {0, 1}


def line(made, out, steps):
    """All that a number of steps told."""
    told = []
    for _ in range(steps):
        made.step(random_actions(made), out)
        told.append([array.copy() for array in (out.features, out.rewards, out.dones, out.sides)])
    return told


def same(one, two):
    pairs = [(a, b) for x, y in zip(one, two, strict=True) for a, b in zip(x, y, strict=True)]
    return all((a == b).all() for a, b in pairs)


@pytest.mark.parametrize("opponent", ["random", "uct:simulations=30"])
def test_the_seed_decides_and_threads_do_not(opponent):
    game = ludus.game("connect4")
    lines = [
        line(*versus(game, opponent=opponent, seed=seed, threads=threads), 25)
        for seed, threads in ((5, 1), (5, 3), (6, 1))
    ]
    assert same(lines[0], lines[1])
    assert not same(lines[0], lines[2])


def score(made, out, games):
    """The learner's share of the points over this many games of random play."""
    points = played = 0
    while played < games:
        made.step(random_actions(made), out)
        points += ((out.rewards + 1) / 2)[out.dones].sum()
        played += out.dones.sum()
    return points / played


def test_uct_inside_is_as_strong_as_the_agent():
    game = ludus.game("connect4")
    inside = score(*versus(game, 40, opponent="uct:simulations=60"), 80)
    asked = score(*versus(game, 40, opponent="uct:simulations=60,epsilon=0"), 80)
    assert inside < 0.12
    assert asked < 0.12


def test_uct_takes_its_options_inside():
    game = ludus.game("checkers")
    made, out = versus(game, 2, opponent="uct:simulations=8,judge=default,plain=true,c=0.8")
    made.step(random_actions(made), out)
    with pytest.raises(ValueError, match="no judge 'nothing' in checkers"):
        versus(game, 2, opponent="uct:simulations=8,judge=nothing")


@pytest.mark.parametrize("opponent", ["greedy", "alphabeta:depth=2", "random:epsilon=0.5"])
def test_other_agents_are_asked(opponent):
    made, out = versus(
        ludus.game("checkers"), opponent=opponent, learner_side=learner_side("alternating")
    )
    for _ in range(30):
        made.step(random_actions(made), out)
        for row in range(ROWS):
            over = made.state(row).outcome is not None
            assert over or made.state(row).player == out.sides[row]
            check_row(made, out, row, over)


def test_an_agent_that_thinks_of_many_is_asked_at_once():
    class Many:
        calls = 0

        def think(self, state):
            raise AssertionError("asked one by one")

        def think_many(self, states):
            Many.calls += 1
            return [ludus.agent("random").think(state) for state in states]

    made, out = versus(ludus.game("tictactoe"), opponent=Many())
    made.step(random_actions(made), out)
    assert Many.calls == 1


def test_a_policy_sees_the_board_from_its_own_side():
    """An opponent that copies what it sees: its own stones are in its first plane."""
    seen = []

    def policy(rows, features, masks):
        seen.append((features.copy(), masks.copy()))
        return masks.argmax(axis=1).astype(np.int32)

    made, out = versus(ludus.game("connect4"), 3, opponent=policy)
    made.step(np.array([3, 4, 5], np.int32), out)
    features, masks = seen[0]
    assert (features[:, 0] == 0).all()
    assert [plane[5].argmax() for plane in features[:, 1]] == [3, 4, 5]
    assert masks.all()
    assert (out.features[:, 1, 5, 0] == 1).all()  # where it put its stones


def test_alternating_sides_alternate():
    made, out = versus(
        ludus.game("tictactoe"), 4, opponent="random", learner_side=learner_side("alternating")
    )
    games = [[int(side)] for side in out.sides]
    over = np.zeros(4, bool)
    for _ in range(60):
        made.step(random_actions(made), out)
        for row in np.flatnonzero(over):
            games[row].append(int(out.sides[row]))
        over = out.dones.copy()
    for row, sides in enumerate(games):
        assert sides == [(row + index) % 2 for index in range(len(sides))]
        assert len(sides) > 5


def test_illegal_actions_lose_their_own_row_only():
    made, out = versus(ludus.game("tictactoe"), 2, opponent="random")
    made.step(np.array([4, 4], np.int32), out)
    before = made.state(0)
    legal = int(out.masks[1].argmax())
    made.step(np.array([4, legal], np.int32), out)
    assert bytes(made.state(0)) == bytes(before)
    assert (out.rewards[0], out.dones[0]) == (-1, True)
    assert made.state(1).plies == 4
    assert not out.dones[1]
    assert out.masks[0].all()


@pytest.mark.parametrize("wrong", [-1, -2, 9])
def test_what_is_no_action_is_refused_and_changes_nothing(wrong):
    made, out = versus(ludus.game("tictactoe"), 2, opponent="random")
    before = [bytes(made.state(row)) for row in range(2)]
    with pytest.raises(ValueError, match=f"between 0 and 8, not {wrong} as in row 1"):
        made.step(np.array([4, wrong], np.int32), out)
    assert [bytes(made.state(row)) for row in range(2)] == before


@pytest.mark.parametrize("answer", [-1, 9, 0.5])
def test_a_policy_that_answers_with_no_action_is_told_so(answer):
    """In particular it is not asked for ever."""
    made, out = versus(
        ludus.game("tictactoe"), 2, opponent=lambda rows, *_: np.full(len(rows), answer)
    )
    with pytest.raises(ValueError, match="an opponent's action is a whole number"):
        made.step(np.array([4, 4], np.int32), out)


def test_an_opponent_that_does_what_is_illegal_loses():
    def stubborn(rows, features, masks):
        return np.full(len(rows), 4)

    made, out = versus(ludus.game("tictactoe"), 2, opponent=stubborn)
    made.step(np.array([4, 0], np.int32), out)
    assert (out.rewards.tolist(), out.dones.tolist()) == ([1, 0], [True, False])
    assert [made.state(row).plies for row in range(2)] == [1, 2]


def test_only_the_chosen_rows_begin_anew():
    made, out = versus(ludus.game("connect4"), 3, opponent="random")
    made.step(np.array([1, 2, 3], np.int32), out)
    kept = bytes(made.state(1))
    made.restart(np.array([True, False, True]), out)
    assert [made.state(row).plies for row in range(3)] == [0, 2, 0]
    assert bytes(made.state(1)) == kept
    for row in range(3):
        check_row(made, out, row, False)


def test_a_game_written_in_python_is_refused():
    with pytest.raises(ValueError, match="need a native game"):
        versus(ludus.game("examples/breakthrough.py", size=4))


def test_the_opponents_part_of_the_shaping_reaches_the_learner():
    """Cathedral's dense signal takes from the learner what the opponent's plies win from it."""
    game = ludus.game("cathedral", size=8)
    for opponent in ("random", "random:epsilon=1"):  # inside, and asked
        made, out = versus(game, 8, opponent=opponent, shaping="dense")
        least = 0.0
        for _ in range(60):
            made.step(random_actions(made), out)
            least = min(least, out.shaping.min())
        assert least < -5
