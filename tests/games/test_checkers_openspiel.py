"""English draughts move by move beside OpenSpiel's.

Its draws are others (forty actions without a capture, no repetition), so each game is compared
until one side calls a draw that the other does not know.
"""

import random

import pytest

import ludus

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is only an optional peer")


def number(name):
    """The square that OpenSpiel calls by file and rank: its first player's home is rank 1."""
    row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
    return row * 4 + column // 2 + 1


def move(name):
    start, end = number(name[:2]), number(name[2:4])
    return f"{start}{'x' if abs(start - end) > 5 else '-'}{end}"


def pieces(peer):
    """The board as {square: piece}."""
    ranks = str(peer).splitlines()[:8]
    return {
        number(f"{file}{8 - i}"): piece
        for i, rank in enumerate(ranks)
        for file, piece in zip("abcdefgh", rank[1:], strict=True)
        if piece != "."
    }


def text(peer):
    """Its position as ours is written, without the piece in the middle of a capture."""
    board = pieces(peer)
    sides = []
    for side, man, king in (("W", "+", "*"), ("B", "o", "8")):
        names = {n: f"K{n}" if p == king else str(n) for n, p in board.items() if p in (man, king)}
        sides.append(side + ",".join(names[n] for n in sorted(names)))
    return ":".join(["BW"[peer.current_player()], *sides])


def compare(games, seed):
    rng = random.Random(seed)
    ours, theirs = ludus.game("checkers"), pyspiel.load_game("checkers")
    wins = captures = 0
    for _ in range(games):
        state, peer = ours.start(), theirs.new_initial_state()
        while state.outcome is None and not peer.is_terminal():
            assert str(state).partition(" ")[0] == text(peer)
            actions = {move(peer.action_to_string(a)): a for a in peer.legal_actions()}
            legal = {ours.move(state, a): a for a in state.legal()}
            assert legal.keys() == actions.keys()
            chosen = rng.choice(sorted(legal))
            captures += "x" in chosen
            state = state.play(legal[chosen])
            peer.apply_action(actions[chosen])
        if state.outcome == -1:
            assert peer.is_terminal()
            assert peer.returns()[state.winner] in (0, 1)  # its clock may have run out just now
            wins += peer.returns()[state.winner] == 1
        else:
            assert state.outcome == 0 or peer.returns() == [0, 0]
    assert wins > games / 2
    assert captures > 10 * games


def test_random_games_equal_openspiels():
    compare(games=200, seed=1)


@pytest.mark.slow
def test_many_random_games_equal_openspiels():
    compare(games=2000, seed=2)
