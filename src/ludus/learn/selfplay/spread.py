"""Who plays for AlphaZero: threads of this process, or workers, in step with it or not."""

from __future__ import annotations

from typing import Any

from ludus.arena.tasks import Workers
from ludus.checks import check_whole
from ludus.game import Game, State
from ludus.learn.selfplay.async_pools import AsyncPools
from ludus.learn.selfplay.pools import Pools, options_of
from ludus.learn.selfplay.settings import Config
from ludus.learn.selfplay.spread_pools import SpreadPools

AnyPools = Pools | SpreadPools | AsyncPools
MOST_STALE = 1000


def pools_for(
    game: Game,
    config: Config,
    seeds: list[int],
    starts: list[State],
    workers: Workers | None,
    max_staleness: int | None,
) -> AnyPools:
    """Pools as the settings ask, played here unless there are workers."""
    asked: dict[str, Any] = {
        "pools": config.n_pools,
        "games": config.n_envs,
        "seeds": seeds,
        "planes": config.planes,
        "batched": config.batched_inference,
        "options": options_of(config),
        "starts": starts,
    }
    if workers is None:
        if max_staleness is not None:
            raise ValueError("max_staleness is of workers that do not wait: give --on ray")
        return Pools(game, **asked)
    spread = SpreadPools(game, **asked, workers=workers)
    if max_staleness is None:
        return spread
    if config.games_per_step:
        raise ValueError(
            "workers that do not wait for the learner play positions_per_step, not games_per_step"
        )
    return AsyncPools(spread, check_staleness(max_staleness))


def check_staleness(most: int) -> int:
    """How many steps old what workers play may be, at most."""
    return check_whole("max_staleness", most, 0, MOST_STALE)
