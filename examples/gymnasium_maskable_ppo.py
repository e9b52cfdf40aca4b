"""MaskablePPO, as sb3-contrib has it, learns tic-tac-toe against a random opponent.

Needs `pip install '.[gymnasium]' sb3-contrib` in a clone of ludus. Under a minute:

    python examples/gymnasium_maskable_ppo.py
"""

import argparse

try:
    import gymnasium
    import torch
    from sb3_contrib import MaskablePPO

    import ludus.envs.gymnasium  # registers the games
except ModuleNotFoundError as missing:
    needs = str(__doc__).splitlines()[2].partition(". ")[0]
    raise SystemExit(f"{missing.name} is not installed: this example {needs.lower()}") from None


def score(model: MaskablePPO, env: gymnasium.Env, games: int) -> float:
    """The share of the points over some games."""
    points = 0.0
    for number in range(games):
        observation, _ = env.reset(seed=number)
        over = False
        while not over:
            masks = env.unwrapped.action_masks()
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            observation, reward, over, _, _ = env.step(int(action))
        points += (float(reward) + 1) / 2
    return points / games


def main() -> None:
    """Train, and measure before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=200)
    asked = parser.parse_args()
    torch.set_num_threads(1)  # so small a network only waits for more
    name = ludus.envs.gymnasium.env_id(asked.game)
    env = gymnasium.make(name, opponent=asked.opponent, side="alternating")
    model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, seed=1)
    print(f"{name} against {asked.opponent}: {score(model, env, asked.games):.1%} untrained")
    model.learn(asked.steps)
    print(f"{name} against {asked.opponent}: {score(model, env, asked.games):.1%} trained")


if __name__ == "__main__":
    main()
