"""The papers' settings by name, a table a method: `ludus train dqn --preset cathedral`.

They count as the papers do: games, episodes, iterations. What a paper leaves open is filled in, and
each preset says what and why. A paper's other trainings go by the name of the game and what the
paper calls them.
"""

from __future__ import annotations

from ludus.learn.settings.papers import (
    cathedral,
    chinesecheckers,
    connect4,
    kingcourtesan,
    supertictactoe,
)
from ludus.learn.settings.preset import by_name

DQN = by_name(*cathedral.DQN, *kingcourtesan.DQN, *connect4.DQN)
PPO = by_name(*cathedral.PPO, *supertictactoe.PPO, *connect4.PPO)
REINFORCE = by_name(*kingcourtesan.REINFORCE)
CEM = by_name(*kingcourtesan.CEM)
SAES = by_name(*kingcourtesan.SAES)
VAE = by_name(*cathedral.VAE)
ALPHAZERO = by_name(*supertictactoe.ALPHAZERO, *connect4.ALPHAZERO, *chinesecheckers.ALPHAZERO)
SUPERVISED = by_name()

TABLES = {
    "alphazero": ALPHAZERO,
    "cem": CEM,
    "dqn": DQN,
    "ppo": PPO,
    "reinforce": REINFORCE,
    "saes": SAES,
    "supervised": SUPERVISED,
    "vae": VAE,
}
