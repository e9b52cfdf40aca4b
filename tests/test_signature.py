"""What the searches play is written down: a change of it must be meant, and said.

`python -m tests.test_signature > tests/golden/signature.txt` writes it anew.
"""

from pathlib import Path

import ludus
from ludus import _core
from ludus.agent import agent

GOLDEN = Path(__file__).parent / "golden" / "signature.txt"
SEARCHES = ("uct:simulations=300", "uct:simulations=300,judge=default", "alphabeta:nodes=20000")
POSITIONS = 10


def positions(game):
    """Ten positions of random games, as far into the game as their number says."""
    for number in range(POSITIONS):
        rng = ludus.rng(number)
        state = game.start(rng)
        for _ in range(2 * number):
            after = state.play(int(rng.choice(state.legal())), *([rng] if state.chancy else []))
            if after.outcome is not None:
                break
            state = after
        yield state


def signature(names):
    """A line a search and game: the moves it chose, and what it looked at."""
    for name in names:
        game = ludus.game(name)
        judged = _core.judge(game.start()) is not None
        for spelling in SEARCHES if judged else SEARCHES[:1]:
            moves, nodes = [], 0
            for number, state in enumerate(positions(game)):
                thought = agent(spelling, seed=number).think(state)
                moves.append(game.move(state, int(thought.policy.argmax())))
                nodes += thought.nodes
            yield f"{name} {spelling}: {' '.join(moves)}; {nodes} nodes"


def test_play_is_as_written_down():
    """Of every game that has its lines; a new one may still lack them."""
    lines = GOLDEN.read_text().splitlines()
    assert list(signature(dict.fromkeys(line.split()[0] for line in lines))) == lines


if __name__ == "__main__":
    print("\n".join(signature(ludus.game_names())))
