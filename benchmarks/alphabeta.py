"""Alpha-beta on one thread from the start position: nodes a second, depth, and what it wins."""

from harness import EFFORT, Row, Work, compare, main

import ludus
from ludus import _core
from ludus.agent import fresh, move


def search_work(name: str) -> Work:
    """A fifth of a second of search with the game's judge and the usual table."""
    start = ludus.game(name).start()

    def work() -> float:
        search = _core.alphabeta(start)
        search.run(seconds=0.2)
        return float(search.nodes)

    return work


def score(name: str, ours: str, theirs: str, games: int) -> Row:
    """The share of games won, sides alternating, two random plies to begin with."""
    game, points = ludus.game(name), 0.0
    for number in range(games):
        rng = ludus.rng(number // 2)
        agents = [fresh(ludus.agent(spelling), number) for spelling in (ours, theirs)]
        state = game.start()
        while state.outcome is None:
            mine = state.player == number % 2
            action, _ = move(agents[0 if mine else 1], state, rng)
            state = state.play(int(rng.choice(state.legal())) if state.plies < 2 else action)
        winner = state.winner
        points += 0.5 if winner is None else float(winner == number % 2)
    return Row(name, 100 * points / games, f"% against {theirs}")


def measure(name: str) -> list[Row]:
    """Speed for every game; strength for King and Courtesan."""
    rows = [compare(name, "nodes/s", search_work(name))]
    if name == "kingcourtesan":
        rows += [
            score(name, "alphabeta:seconds=0.1", foe, 4 * EFFORT.rounds)
            for foe in ("random", "greedy")
        ]
    return rows


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
