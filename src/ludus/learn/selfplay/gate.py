"""The gate: a new network plays only once it has beaten the one that does."""

from __future__ import annotations

import copy
from typing import Any

from ludus.arena.match import match
from ludus.arena.sprt import Sprt
from ludus.game import Game
from ludus.learn.networks.network import Network
from ludus.learn.networks.onnx import graph_of, in_onnx
from ludus.learn.networks.player import NetworkAgent
from ludus.learn.selfplay.settings import OPEN, Config, chance_of
from ludus.learn.store.components import module_form, tensors

SPRT_GATE = "sprt"
ELO = (0.0, 35.0)  # not stronger, or by what 55 % of points are worth
OPENINGS = "random:4"  # so that no two games are alike


class Gate:
    """Who plays; without a gate that is always the newest."""

    def __init__(self, game: Game, config: Config, network: Network) -> None:
        self.game, self.config = game, config
        if config.gate not in (OPEN, SPRT_GATE):
            self.least = least_share(config.gate)
        self.player = network if config.gate == OPEN else copy.deepcopy(network)

    def try_network(self, newest: Network, seed: tuple[int, int]) -> dict[str, float]:
        """Let the newest network try."""
        config = self.config
        if config.gate == OPEN:
            return {}
        agents = [
            NetworkAgent(
                in_onnx(graph_of(network)),
                planes=config.planes,
                simulations=config.simulations,
                c_puct=config.c_puct,
                plain=config.plain,
                chance=chance_of(config),
                leaves=1,
                fpu_strategy=config.fpu_strategy,
                fpu_reduction=config.fpu_reduction,
            )
            for network in (newest, self.player)
        ]
        sprt = Sprt(*ELO) if config.gate == SPRT_GATE else None
        score = match(
            self.game,
            *agents,
            games=config.gate_games,
            seed=seed[0] + seed[1],
            openings=OPENINGS,
            sprt=sprt,
        )
        standing = score.standing
        better = standing.accepted == "H1" if standing else score.points >= self.least
        if better:
            self.player.load_state_dict(newest.state_dict())
        return {"gate": score.points, "passed": float(better)}

    def state(self) -> dict[str, Any]:
        return {} if self.config.gate == OPEN else {"player": self.player.state_dict()}

    def form(self) -> dict[str, Any]:
        return {} if self.config.gate == OPEN else {"player": module_form(self.player)}

    def restore(self, state: dict[str, Any]) -> None:
        if state:
            self.player.load_state_dict(tensors(state["player"]))


def least_share(word: str) -> float:
    """The share of points that a gate asks for."""
    try:
        least = float(word)
    except ValueError:
        least = -1.0
    if not 0 < least <= 1:
        raise ValueError(f"a gate is none, sprt, or a share of points such as 0.55, not {word!r}")
    return least
