"""Chinese Checkers solved backwards: every known number, and a second, plain solver."""

from pathlib import Path

import pytest

from tests.truth.diamonds import legal_state, solved, texts

SAMPLE = Path(__file__).parents[1] / "data" / "cc_4x4_3_sample.txt"

# size, pieces: states, wins, losses, draws, illegal, distance of the start, longest win and loss
SOLVED = {
    (3, 1): (144, 76, 52, 0, 16, 9, 9, 8),
    (3, 3): (3360, 1440, 1160, 0, 760, 7, 7, 6),
    (4, 1): (480, 260, 190, 0, 30, 13, 13, 12),
    (4, 3): (320320, 193750, 115702, 0, 10868, 21, 21, 22),
    (5, 1): (1200, 650, 502, 0, 48, 17, 17, 16),
}
# size, pieces: states, positions won by the first player, draws, illegal (Sturtevant 2019)
PUBLISHED = {
    (7, 1): (4704, 2304, 0, 96),
    (7, 2): (2542512, 1265851, 0, 10810),
}
LARGE = {(7, 3): (559352640, 279297470, 180860, 576840)}


def plain(game, every):
    """Values and distances by going over all states again and again."""
    states = {text: state for text in every if (state := legal_state(game, text))}
    after = {
        text: [str(state.play(action)) for action in state.legal()]
        for text, state in states.items()
    }
    known = {text: (-1, 0) for text, state in states.items() if state.outcome is not None}
    for distance in range(1, len(states)):
        found = {}
        for text in states.keys() - known.keys():
            values = [known.get(successor) for successor in after[text]]
            if any(value and value[0] == -1 for value in values):
                found[text] = (1, distance)
            elif all(value and value[0] == 1 for value in values):
                found[text] = (-1, distance)
        if not found:
            break
        known |= found
    return states, {text: known.get(text, (0, None)) for text in states}


@pytest.mark.parametrize(("size", "pieces"), SOLVED)
def test_known_counts(size, pieces):
    states, wins, losses, draws, illegal, start, longest_win, longest_loss = SOLVED[size, pieces]
    counts = solved(size, pieces).counts
    by_distance = counts["by_distance"]
    assert counts == {
        "states": states,
        "wins": wins,
        "losses": losses,
        "draws": draws,
        "illegal": illegal,
        "start": start,
        "by_distance": by_distance,
    }
    assert sum(by_distance[1::2]) == wins
    assert sum(by_distance[::2]) == losses
    assert max(range(1, len(by_distance), 2)) == longest_win
    assert max(range(0, len(by_distance), 2)) == longest_loss


def test_four_by_four_by_distance():
    wins = [29736, 15350, 28966, 33902, 31012, 24750, 16370, 9086, 3510, 932, 136]
    losses = [10830, 3584, 10814, 18620, 20158, 19130, 15784, 9626, 4896, 1836, 396, 28]
    by_distance = solved(4, 3).counts["by_distance"]
    assert by_distance[1::2] == wins
    assert by_distance[::2] == losses


def test_four_by_four_opening_moves():
    game, table = solved(4, 3).game, solved(4, 3).table
    start = game.start()
    assert (table.value(start), table.distance(start)) == (1, 21)
    moves = {game.move(start, action): rest for action, *rest in table.moves(start)}
    assert moves == {
        "0-3": [1, 20],
        "0-5": [1, 20],
        "1-4": [1, 20],
        "2-4": [1, 20],
        "1-3": [-1, 21],
        "2-5": [-1, 21],
    }


def test_every_line_of_the_sample():
    game, table = solved(4, 3).game, solved(4, 3).table
    lines = SAMPLE.read_text().splitlines()
    assert len(lines) == 2000
    for line in lines:
        board, player, verdict, distance = line.split()
        state = legal_state(game, f"{board} {player}")
        if verdict == "I":
            assert state is None, line
            continue
        assert table.value(state) == {"W": 1, "L": -1}[verdict], line
        assert table.distance(state) == int(distance), line


def check_published(expected, counts):
    states, won_by_first, draws, illegal = expected
    assert counts["states"] == states
    assert counts["wins"] + counts["losses"] == 2 * won_by_first  # each player wins as many
    assert (counts["draws"], counts["illegal"]) == (draws, illegal)
    assert counts["start"] % 2 == 1


@pytest.mark.parametrize(("size", "pieces"), PUBLISHED)
def test_published_counts(size, pieces):
    check_published(PUBLISHED[size, pieces], solved(size, pieces).counts)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "pieces"), LARGE)
def test_published_counts_of_a_large_board(size, pieces):
    check_published(LARGE[size, pieces], solved(size, pieces).counts)


@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(("size", "pieces"), [(3, 1), (3, 2), (3, 3), (4, 1), (4, 2)])
def test_equals_a_plain_solver(size, pieces, forward_only):
    truth = solved(size, pieces, forward_only)
    states, expected = plain(truth.game, texts(size, pieces))
    found = {
        text: (truth.table.value(state), truth.table.distance(state))
        for text, state in states.items()
    }
    assert found == expected


def test_without_a_move_is_lost():
    """Two positions of the forward game have none."""
    counts, all_moves = solved(4, 3, True).counts, solved(4, 3).counts
    assert counts["by_distance"][0] == all_moves["by_distance"][0] + 2
    assert counts["illegal"] == all_moves["illegal"]
