"""PPO with TorchRL's own parts learns by playing against itself, and is measured against chance.

Needs `pip install '.[torchrl]'` in a clone of ludus. Under a minute:

    python examples/torchrl_ppo.py
    python examples/torchrl_ppo.py --game supertictactoe --reward designed
"""

import argparse
from typing import Any

try:
    import torch
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

    from ludus.envs.torchrl import LudusEnv
except ModuleNotFoundError as missing:
    needs = str(__doc__).splitlines()[2].partition(". ")[0]
    raise SystemExit(f"{missing.name} is not installed: this example {needs.lower()}") from None

PER_BATCH = 2048  # frames between two updates


def network(env: LudusEnv, out: int) -> torch.nn.Module:
    """A small one over the flattened planes."""
    size = env.observation_spec["observation"].shape[1:].numel()
    return torch.nn.Sequential(
        torch.nn.Flatten(-3),
        torch.nn.Linear(size, 128),
        torch.nn.Tanh(),
        torch.nn.Linear(128, 128),
        torch.nn.Tanh(),
        torch.nn.Linear(128, out),
    )


def score(actor: Any, game: str) -> float:
    """The share of the points against random play, both sides alike."""
    env = LudusEnv(game, batch_size=64, opponent="random", opponent_first=0.5, seed=99)
    with torch.no_grad():
        played = env.rollout(80, actor, break_when_any_done=False)
    rewards = played["next", "reward"][played["next", "done"]]
    return ((rewards + 1) / 2).mean().item()


def main() -> None:
    """Train, and measure before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--reward", default="outcome")
    parser.add_argument("--frames", type=int, default=20 * PER_BATCH)
    asked = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)  # so small a network only waits for more
    env = LudusEnv(
        asked.game, batch_size=64, opponent="self", opponent_first=0.5, reward=asked.reward, seed=1
    )
    logits = TensorDictModule(network(env, env.game.num_actions), ["observation"], ["logits"])
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(env, 1), in_keys=["observation"])
    env.set_policy(actor)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    print(f"{asked.game} against random: {score(actor, asked.game):.1%} untrained")
    collector = Collector(
        env,
        actor,
        frames_per_batch=PER_BATCH,
        total_frames=asked.frames,
        auto_register_policy_transforms=False,  # the actor has no memory to begin anew
    )
    for data in collector:
        for _ in range(4):
            with torch.no_grad():
                advantage(data)
            for batch in data.reshape(-1).split(256):
                parts = loss(batch)
                total = parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                optimizer.step()
    print(f"{asked.game} against random: {score(actor, asked.game):.1%} trained")


if __name__ == "__main__":
    main()
