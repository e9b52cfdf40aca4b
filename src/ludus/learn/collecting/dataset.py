"""A fixed set of positions: those of so many whole games, some of which are held out.

Stored are the actions alone. Chance and the coin of a row come from its seed, so the same actions
bring the same positions, whatever has become of the agent that chose them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.stream import Players
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.store.forms import Array
from ludus.resources import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.collecting.stream import Positions

    Actions = NDArray[np.int32]  # a row each
    Choice = Callable[[VectorGames, NDArray[np.int64]], Actions]  # by the numbers of the games

FIRST_LOOK = 4096  # positions after which memory is looked at, and whenever they have doubled


class Dataset:
    """Positions of `games` games, made when first asked for, or out of actions that were stored."""

    def __init__(
        self,
        game: Game,
        players: Players,
        *,
        games: int,
        held_out: float,
        rows: int,
        planes: str,
        seed: int,
    ) -> None:
        self.game, self.players, self.planes = game, players, planes
        self.games, self.rows = games, min(rows, games)
        self.table_seed, self.choice_seed, split = numbers(3, seed)
        self.held_out_games = np.zeros(games, np.bool_)
        few = round(held_out * games)
        self.held_out_games[generator(split).permutation(games)[:few]] = True
        self.by_agent = np.append(
            pick_share(games, players.share), False
        )  # beyond the last: nobody's
        self.actions: NDArray[np.int32] | None = None  # [plies, rows], once they are made
        self.training: Positions
        self.held_out: Positions

    @property
    def parts(self) -> dict[str, Any]:
        return {"dataset": self}

    def take(self, rng: np.random.Generator) -> Positions:
        """What is learned from: the same in every step."""
        del rng  # whoever streams positions draws them; these are there
        if self.actions is None:
            own = generator(self.choice_seed)

            def choose(table: VectorGames, games: NDArray[np.int64]) -> Actions:
                by_agent = self.by_agent[np.minimum(games, self.games)]
                return self.players.actions(table, by_agent, own)

            self.play(choose)
        return self.training

    def play(self, choose: Choice) -> None:
        """Play all games to their ends, and keep what was to be seen."""
        table = VectorGames(self.game, self.rows, self.table_seed, planes=self.planes)
        number, begun = np.arange(self.rows), self.rows  # of the game in each row; of games so far
        seen, owners, actions = [], [], []
        count, next_look = 0, FIRST_LOOK
        while len(rows := np.flatnonzero(number < self.games)):
            seen.append(table.features[rows])
            owners.append(number[rows])
            actions.append(choose(table, number).astype(np.int32))
            _, ended = table.step(actions[-1])
            over = np.flatnonzero(ended)
            number[over] = begun + np.arange(len(over))
            begun += len(over)
            if (count := count + len(rows)) >= next_look:
                self.check_room(count, seen[0][0].nbytes)
                next_look = 2 * count
        positions, held_out = np.concatenate(seen), self.held_out_games[np.concatenate(owners)]
        self.training, self.held_out = positions[~held_out], positions[held_out]
        self.actions = np.stack(actions)

    def check_room(self, count: int, bytes_: int) -> None:
        """Refuse to go on where as many again, and all of them in one array, would not fit."""
        more = f"dataset_games {self.games}: as many again as the {count:,} positions so far"
        check_memory(3 * count * bytes_, more)

    def state(self) -> dict[str, Any]:
        none = np.zeros((0, self.rows), np.int32)
        return {"actions": none if self.actions is None else self.actions}

    def form(self) -> dict[str, Any]:
        most = self.game.num_actions - 1
        return {"actions": Array("int32", (None, self.rows), least=0, most=most)}

    def restore(self, state: dict[str, Any]) -> None:
        stored: NDArray[np.int32] = state["actions"]
        self.actions = None
        if not len(stored):
            return
        left = iter(stored)

        def played(table: VectorGames, games: NDArray[np.int64]) -> Actions:
            actions = next(left, None)
            if actions is None:
                raise ValueError("dataset/actions end before the games do")
            if not table.masks[np.arange(len(table)), actions].all():
                raise ValueError("dataset/actions are not legal")
            return np.asarray(actions)

        self.play(played)
        if next(left, None) is not None:
            raise ValueError("dataset/actions go on after the games are over")


def pick_share(games: int, share: float) -> NDArray[np.bool_]:
    """Which of the games are in this share, evenly spread among them."""
    upto = np.floor(np.arange(games + 1) * share + 1e-9)
    return np.asarray(np.diff(upto) > 0)
