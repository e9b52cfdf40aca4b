"""Two agents meet through PettingZoo's loop: a search against chance at Connect Four.

Needs `pip install '.[pettingzoo]'` in a clone of ludus. Under a minute:

    python examples/pettingzoo_duel.py
"""

import argparse

try:
    import ludus
    from ludus.agent import move
    from ludus.envs import pettingzoo
except ModuleNotFoundError as missing:
    needs = str(__doc__).splitlines()[2].partition(". ")[0]
    raise SystemExit(f"{missing.name} is not installed: this example {needs.lower()}") from None


def main() -> None:
    """Play some games, the sides exchanged after each, and say how they went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--agents", nargs=2, default=["uct:simulations=200", "random"])
    parser.add_argument("--games", type=int, default=20)
    asked = parser.parse_args()
    env = pettingzoo.env(asked.game, render_mode="ansi")
    points, rng = [0.0, 0.0], ludus.rng(1)
    for number in range(asked.games):
        agents = [ludus.agent(spelling, seed=number) for spelling in asked.agents]
        seats = agents if number % 2 == 0 else agents[::-1]
        env.reset(seed=number)
        for player in env.agent_iter():
            _, reward, over, cut, _ = env.last()
            who = seats[env.possible_agents.index(player)]
            if over or cut:
                points[agents.index(who)] += (reward + 1) / 2
                env.step(None)
            else:
                # Agents number actions as the rules do, the adapter as the player sees them.
                env.step(env.board.seen(move(who, env.board, rng)[0]))
    print(env.render())
    for spelling, won in zip(asked.agents, points, strict=True):
        print(f"{spelling}: {won:g} of {asked.games} points")


if __name__ == "__main__":
    main()
