"""Random playouts of whole games in native code: one thread beside peers, then two threads."""

from collections.abc import Callable

import peers
from harness import Row, Work, compare, main

import ludus

PEERS: dict[str, tuple[str, Callable[[], Work]]] = {
    "connect4": ("openspiel", lambda: peers.openspiel_playouts("connect4")),
    "tictactoe": ("openspiel", lambda: peers.openspiel_playouts("tictactoe")),
    "checkers": ("openspiel", lambda: peers.openspiel_playouts("checkers")),
    "cathedral": ("cathedral-rl", peers.cathedral_rl),
}


def playout_work(name: str, threads: int = 1) -> Work:
    """A tenth of a second or so of playouts."""
    game = ludus.game(name)
    games = max(8, int(ludus.playouts(game, 200).rate / 10)) * threads

    def work() -> float:
        ludus.playouts(game, games, seed=1, threads=threads)
        return games

    return work


def measure(name: str) -> list[Row]:
    """One thread beside the peer; two threads beside one."""
    rows = []
    if name in PEERS:
        peer, theirs = PEERS[name]
        rows.append(compare(name, "games/s", playout_work(name), peer, theirs()))
    else:
        rows.append(compare(name, "games/s", playout_work(name)))
    rows.append(
        compare(name, "games/s, 2 threads", playout_work(name, 2), "1 thread", playout_work(name))
    )
    return rows


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
