"""UCT with one rollout a simulation, 1000 simulations a search from the start; then two trees."""

import peers
from harness import Row, Work, compare, main

import ludus
from ludus import _core

SIMULATIONS = 1000


def search_work(name: str, threads: int = 1, simulations: int = SIMULATIONS) -> Work:
    """Fresh searches, as the papers' players do them: no proofs, no tree kept."""
    state = ludus.game(name).start()
    search = _core.mcts(state, seed=1, c=2.0, plain=True, threads=threads)

    def work() -> float:
        search.seek(state)
        return float(search.run(simulations))

    return work


def measure(name: str) -> list[Row]:
    """One thread beside OpenSpiel where it has the game; two trees on two threads beside one."""
    unit = "simulations/s"
    if name in peers.OPENSPIEL:
        theirs = peers.openspiel_uct(name, SIMULATIONS)
        first = compare(name, unit, search_work(name), "openspiel", theirs)
    else:
        first = compare(name, unit, search_work(name))
    # A tenth of a second and more, so that starting a thread does not count.
    long = {"cathedral": 5, "connect4": 400, "tictactoe": 400}.get(name, 50) * SIMULATIONS
    two, one = search_work(name, 2, 2 * long), search_work(name, 1, long)
    return [first, compare(name, f"{unit}, 2 trees", two, "1 tree", one)]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
