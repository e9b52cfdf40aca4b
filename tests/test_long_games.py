"""Games of many plies: bounded by their parameters, and in what they remember."""

import pytest

import ludus
from tests.starved import starved


@pytest.mark.parametrize(
    "spelling",
    [
        "chinesecheckers:repetition=1000000000",
        "chinesecheckers:repetition=101",
        "chinesecheckers:repetition=1",
        "chinesecheckers:repetition=-1",
        "chinesecheckers:max_plies=1000000000",
        "chinesecheckers:max_plies=100001",
        "chinesecheckers:max_plies=0",
        "checkers:repetition=101",
        "checkers:no_progress=10001",
        "checkers:no_progress=-1",
        "tictactoe:max_plies=1000001",
        "supertictactoe:max_plies=2000000000",
        "supertictactoe:max_plies=0",
    ],
)
def test_a_limit_out_of_reason_is_refused_in_a_sentence(spelling):
    name = spelling.partition(":")[2].partition("=")[0]
    with pytest.raises(ValueError, match=f"^{name} is (from|between|a number)"):
        ludus.game(spelling).start()


LONG = """
import random
import ludus
rng = random.Random(1)
state = ludus.game("chinesecheckers:repetition=100,max_plies=100000").start()
states = [state]
import ludus.games.chinesecheckers
starve(250 << 20)
while state.plies < 99_999:
    legal = state.legal()
    after = state.play(rng.choice(legal))
    while after.outcome is not None:
        after = state.play(rng.choice(legal))
    state = after
    states.append(state)
print(len(states), states[50_000].plies, len(bytes(states[-1])) > 8 * 90_000)
print(state.play(state.legal()[0]).outcome)
del states
"""


def test_every_state_of_a_very_long_game_can_be_held():
    """Each of them knows the keys of all before it: 40 GB if each had its own list."""
    assert starved(LONG) == ["100000 50000 True", "0"]
