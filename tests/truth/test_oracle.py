"""Laws that every oracle keeps, and the agents that know the truth."""

import random

import numpy as np
import pytest

import ludus
from ludus.agent import fresh, move
from ludus.truth.oracle import NoTruth, oracle
from ludus.truth.oracles import cached_oracle

SMALL = [
    "tictactoe",
    "tictactoe:success=0.5",
    "connect4:rows=4,columns=4",
    "connect4:rows=4,columns=5,line=3",
    "kingcourtesan:size=3",
    "chinesecheckers:size=3,pieces=3",
    "chinesecheckers:size=4,pieces=3",
    "chinesecheckers:size=4,pieces=3,forward_only=True",
]


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    """Tables of these tests are made anew, in a place of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_HOME", str(tmp_path_factory.mktemp("home")))
        cached_oracle.cache_clear()
        yield
        cached_oracle.cache_clear()


def wandered(game, rng, plies):
    """A state some random plies from the start that is not over."""
    state = game.start()
    for _ in range(plies):
        chance = [rng] if state.chancy else []
        after = state.play(rng.choice(state.legal()), *chance)
        if after.outcome is not None:
            break
        state = after
    return state


@pytest.mark.parametrize("spelling", SMALL)
def test_what_an_oracle_says_fits_together(spelling):
    truth, rng = cached_oracle(spelling), random.Random(1)
    states = [wandered(truth.game, rng, rng.randrange(20)) for _ in range(60)]
    assert truth.distances_of(states) == [truth.distance(state) for state in states]
    for state, value in zip(states, truth.values_of(states), strict=True):
        worth, plies = truth.values(state), truth.distances(state)
        assert list(worth) == list(plies) == state.legal()
        assert value == truth.value(state) == pytest.approx(max(worth.values()), abs=1e-9)
        best = truth.best(state)
        assert best == [a for a in worth if worth[a] == pytest.approx(value, abs=1e-9)]
        if state.chancy:
            continue
        for action in state.legal():
            after = state.play(action)
            sign = 1 if after.player == state.player else -1
            assert worth[action] == sign * truth.value(after)
        left = truth.distance(state)
        assert (left is None) == (value == 0)
        if left is not None:
            assert left == (min if value > 0 else max)(plies[action] for action in best)


@pytest.mark.parametrize("spelling", SMALL)
def test_a_finished_game_is_nothing_to_choose(spelling):
    truth, rng = cached_oracle(spelling), random.Random(2)
    state = truth.game.start()
    while state.outcome is None:
        state = state.play(rng.choice(state.legal()), *([rng] if state.chancy else []))
    with pytest.raises(ValueError, match="the game is over"):
        truth.values(state)


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("supertictactoe", "nobody has solved super tic-tac-toe"),
        ("kingcourtesan", "solved on boards of size 3 and 4, not 6; `alphabeta`"),
        ("chinesecheckers", "`ludus solve chinesecheckers:size=5,pieces=6,forward_only=False`"),
        ("chinesecheckers:size=8,pieces=3", "boards of size 3 to 7, not 8"),
    ],
)
def test_where_there_is_no_truth_the_sentence_says_what_there_is(spelling, sentence):
    with pytest.raises(NoTruth, match=sentence):
        oracle(spelling)


def test_a_game_with_too_many_states_is_refused():
    with pytest.raises(NoTruth, match=r"tictactoe has no table: .* 1000 states"):
        oracle("tictactoe", states=1000)


def test_unknown_options_are_named():
    with pytest.raises(
        ValueError, match="the oracle of tictactoe has no option 'depth'; there are"
    ):
        oracle("tictactoe", depth=3)


def test_a_position_beyond_an_endgame_table_is_not_answered():
    truth = oracle("checkers:pieces=2")
    with pytest.raises(NoTruth, match="known where at most 2 pieces are left"):
        truth.value(truth.game.start())
    assert truth.value(truth.game.state("W:WK32:BK26")) == 1


def keeps_what_it_has(agent, foe, spelling, games, seed):
    """Play from random openings; the outcome is never worse than the truth of the opening."""
    truth, spent = cached_oracle(spelling), 0
    rng = random.Random(seed)
    numbers = np.random.default_rng(seed)
    for number in range(games):
        agents = [fresh(ludus.agent(agent), number), fresh(ludus.agent(foe), number)]
        state = wandered(truth.game, rng, rng.randrange(6))
        mine = (state.player + number) % 2
        worth = truth.value(state) * (1 if state.player == mine else -1)
        while state.outcome is None:
            thinks = agents[0 if state.player == mine else 1]
            action, _ = move(thinks, state, numbers)
            state = state.play(action)
        got = 0 if state.winner is None else 1 if state.winner == mine else -1
        assert got >= worth, f"game {number} from {worth} came to {got}"
        spent += 1
    return spent


DETERMINISTIC = [spelling for spelling in SMALL if "success" not in spelling]


@pytest.mark.parametrize("spelling", DETERMINISTIC)
@pytest.mark.parametrize("foe", ["random", "perfect:resist=true", "adversary"])
def test_perfect_never_gives_away_what_it_has(spelling, foe):
    assert keeps_what_it_has("perfect", foe, spelling, 20, 3) == 20


@pytest.mark.slow
@pytest.mark.parametrize("spelling", DETERMINISTIC)
@pytest.mark.parametrize("agent", ["perfect", "perfect:resist=true", "adversary"])
@pytest.mark.parametrize("foe", ["random", "uct:simulations=50", "alphabeta:depth=3", "adversary"])
def test_perfect_never_gives_away_what_it_has_in_thousands_of_games(spelling, agent, foe):
    assert keeps_what_it_has(agent, foe, spelling, 60, 4) == 60


def test_resisting_is_losing_as_late_as_can_be():
    truth = cached_oracle("chinesecheckers:size=4,pieces=3")
    game, rng = truth.game, np.random.default_rng(5)
    for _ in range(20):
        state = wandered(game, random.Random(int(rng.integers(10**9))), 8)
        left = truth.distance(state)
        agent = ludus.agent("perfect:resist=true")
        plies = 0
        while state.outcome is None:
            action, thought = move(agent, state, rng)
            assert thought.proven
            state, plies = state.play(action), plies + 1
        assert plies == left


def test_a_lost_position_is_played_at_random_unless_it_resists():
    truth = cached_oracle("chinesecheckers:size=4,pieces=3")
    state = truth.game.replay("1-3")  # a mistake: the second player can win
    lost = next(
        after
        for action in state.legal()
        if truth.value(after := state.play(action)) == -1 and after.outcome is None
    )
    policy = ludus.agent("perfect").think(lost).policy
    assert (policy > 0).sum() == len(lost.legal())
    plies = truth.distances(lost)
    stubborn = ludus.agent("perfect:resist=true").think(lost).policy
    assert {int(a) for a in np.flatnonzero(stubborn)} == {
        action for action, left in plies.items() if left == max(plies.values())
    }


def test_the_adversary_leaves_the_most_mistakes():
    truth, rng = cached_oracle("chinesecheckers:size=4,pieces=3"), random.Random(6)
    seen = 0
    while seen < 10:
        state = wandered(truth.game, rng, rng.randrange(4, 14))
        if truth.value(state) != -1:
            continue
        seen += 1
        mistakes = {}
        for action in state.legal():
            child = state.play(action)
            answers = [child.play(answer) for answer in child.legal()]
            at_once = any(after.outcome is not None for after in answers)
            mistakes[action] = (not at_once, sum(truth.value(after) != -1 for after in answers))
        chosen = np.flatnonzero(ludus.agent("adversary").think(state).policy)
        assert {int(action) for action in chosen} == {
            action for action, count in mistakes.items() if count == max(mistakes.values())
        }


def test_bad_spellings_are_one_sentence():
    with pytest.raises(ValueError, match="resist is true or false, not 3"):
        ludus.agent("perfect:resist=3")
    with pytest.raises(ValueError, match="perfect has no option 'depth'"):
        ludus.agent("perfect:depth=3")
    with pytest.raises(NoTruth, match="nobody has solved"):
        ludus.agent("perfect").think(ludus.game("supertictactoe").start())


FORWARD = "chinesecheckers:size=4,pieces=3,forward_only=true"


def test_full_truth_judges_forward_play_by_the_full_table():
    """Both tables by hand: the full game's value of the same position, the rules' own ends."""
    full, own = cached_oracle("chinesecheckers:size=4,pieces=3"), cached_oracle(FORWARD)
    judge, rng = ludus.oracle(f"{FORWARD},truth=full"), random.Random(1)
    differ = seen = 0
    for _ in range(300):
        state = wandered(own.game, rng, rng.randrange(20))
        if state.outcome is not None:
            assert judge.value(state) == state.outcome
            continue
        there = full.game.state(str(state))
        assert judge.value(state) == full.value(there)
        best = {action for action in state.legal() if -judge.value(state.play(action)) == 1}
        if best:
            found = ludus.agent("perfect:truth=full,fastest=false").think(state).policy
            assert {int(action) for action in np.flatnonzero(found)} == best
            seen += 1
        differ += own.value(state) != judge.value(state)
    assert seen > 50
    assert differ > 0
    with pytest.raises(ValueError, match="truth=full is for forward_only=true"):
        ludus.agent("perfect:truth=full").think(full.game.start())
    for name in ("perfect", "adversary"):
        with pytest.raises(ValueError, match="truth=full has no effect in tictactoe: it has only"):
            ludus.agent(f"{name}:truth=full").think(ludus.game("tictactoe").start())


def test_any_winning_move_or_the_fastest():
    truth, rng = cached_oracle("chinesecheckers:size=4,pieces=3"), random.Random(2)
    more = 0
    for _ in range(60):
        state = wandered(truth.game, rng, 6)
        if state.outcome is not None or truth.value(state) != 1:
            continue
        any_win, fastest = (
            {int(a) for a in np.flatnonzero(ludus.agent(spelled).think(state).policy)}
            for spelled in ("perfect:fastest=false", "perfect")
        )
        assert any_win == {*truth.best(state)}
        assert fastest <= any_win
        more += fastest < any_win
    assert more


def test_the_adversary_errs_only_where_it_is_lost():
    truth, rng = cached_oracle("chinesecheckers:size=4,pieces=3"), random.Random(3)
    plain, erring = ludus.agent("adversary"), ludus.agent("adversary:epsilon=0.5")
    lost = won = 0
    while min(lost, won) < 10:
        state = wandered(truth.game, rng, rng.randrange(2, 12))
        if state.outcome is not None:
            continue
        one, other = plain.think(state).policy, erring.think(state).policy
        assert other.sum() == pytest.approx(1)
        if truth.value(state) == 1:
            won += 1
            assert (one == other).all()
            continue
        lost += 1
        safe = np.flatnonzero(other)
        even = np.zeros_like(one)
        even[safe] = 1 / len(safe)
        assert other == pytest.approx(0.5 * one + 0.5 * even)


def test_the_adversary_counts_losses_or_draws_too():
    """Lost positions of noiseless 4x4 Connect Four, where answers may lose, draw or win."""
    truth = cached_oracle("connect4:rows=4,columns=4,line=3")
    rng, seen = random.Random(4), 0
    while seen < 10:
        state = wandered(truth.game, rng, rng.randrange(2, 10))
        if state.outcome is not None or truth.value(state) != -1:
            continue
        seen += 1
        for spelled, worst in (("losses", -1), ("draws", 0)):
            counts = {}
            for action in state.legal():
                child = state.play(action)
                answers = [child.play(answer) for answer in child.legal()]
                at_once = any(after.outcome is not None and after.winner == child.player
                              for after in answers)  # fmt: skip
                wrong = sum(-truth.value(after) <= worst for after in answers)
                counts[action] = (not at_once, wrong)
            found = np.flatnonzero(ludus.agent(f"adversary:mistakes={spelled}").think(state).policy)
            assert {int(a) for a in found} == {
                a for a in counts if counts[a] == max(counts.values())
            }
    with pytest.raises(ValueError, match="mistakes is one of losses, draws, share, not 'all'"):
        ludus.agent("adversary:mistakes=all")
