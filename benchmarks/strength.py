"""Points against OpenSpiel's MCTSBot in Connect Four: at equal simulations, then at equal time."""

import json
import time
from dataclasses import asdict

import peers
from harness import Row, parse, parser, table
from scipy.stats import binomtest

import ludus
from ludus.agent import fresh, move

RANDOM_PLIES = 2
SIMULATIONS = 1000


def play(number: int, equal_time: bool) -> float:
    """Our points of one game; two games share an opening, the sides exchanged."""
    game, rng, mine = ludus.game("connect4"), ludus.rng(number // 2), number % 2
    think = peers.openspiel_player("connect4", SIMULATIONS, seed=number)
    ours = fresh(ludus.agent(f"uct:simulations={SIMULATIONS}"), number)
    state, actions, seconds = game.start(), list[int](), list[float]()
    while state.outcome is None:
        if state.plies < RANDOM_PLIES:
            action = int(rng.choice(state.legal()))
        elif state.player == mine:
            if equal_time and seconds:  # as much as a move of this game has cost the peer
                ours.seconds = sum(seconds) / len(seconds)
            action, _ = move(ours, state, rng)
        else:
            before = time.perf_counter()
            action = think(actions)
            seconds.append(time.perf_counter() - before)
        actions.append(action)
        state = state.play(action)
    return 0.5 if state.winner is None else float(state.winner == mine)


def main() -> None:
    """Two rows: the share of points, and its 95 % interval as if games were independent."""
    options = parser(__doc__)
    options.add_argument("--games", type=int, default=400)
    args = parse(options, games=2)
    games = args.games
    rows = []
    for equal_time in (False, True):
        points = [play(number, equal_time) for number in range(games)]
        low, high = binomtest(int(sum(points)), games).proportion_ci(method="wilson")
        how = "equal time" if equal_time else f"{SIMULATIONS} simulations each"
        unit = f"% ({100 * low:.1f}-{100 * high:.1f}), {how}, {games} games"
        rows.append(Row("connect4", 100 * sum(points) / games, unit))
    print(json.dumps({"rows": [asdict(row) for row in rows]}) if args.json else table(rows))


if __name__ == "__main__":
    main()
