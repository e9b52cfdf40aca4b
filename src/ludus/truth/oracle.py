"""An oracle knows the truth of a state: what it is worth when both play perfectly from here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from ludus.game import Game, State, as_game, game, game_names, is_registered, read_parameters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HOME = "ludus.truth.oracles"
SAME = 1e-9  # values of a game of chance that differ by less are equal


class NoTruth(ValueError):  # noqa: N818  (a fact, not a mistake)
    """Nobody here knows; the sentence says what there is instead."""


class Oracle:
    """What is true of positions: clocks, repetition and ply caps are not part of it.

    A game's own oracle must give `value`, and may give `distance` and faster ways to the rest.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def value(self, state: State) -> float:
        """What the state is worth to the player to move: 1 won, 0 drawn, -1 lost."""
        raise NotImplementedError

    def distance(self, state: State) -> int | None:
        """Plies to the end if the winner hurries and the loser resists; None if not known."""
        return None

    def score(self, state: State) -> int | None:
        """A finer value where people have one (Connect Four: the earlier, the greater)."""
        return None

    def scores(self, state: State) -> dict[int, int]:
        """The score of each legal action; empty where there are none."""
        return {}

    def solving(self, state: State) -> Iterator[None]:
        """Work at a state in short slices; then what is asked of its actions is answered at once.

        Where answers are looked up there is nothing to do.
        """
        return iter(())

    def values_so_far(self, state: State) -> dict[int, float] | None:
        """The values of its actions, if `solving` has come to them already."""
        return None

    def values_of(self, states: Sequence[State]) -> NDArray[np.float64]:
        """The values of many states at once."""
        import numpy as np

        return np.array([self.value(state) for state in states], dtype=np.float64)

    def distances_of(self, states: Sequence[State]) -> list[int | None]:
        """The distances of many states at once."""
        return [self.distance(state) for state in states]

    def values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move."""
        actions, children, weights = [], [], []
        for action in require_actions(state):
            for child, share in results(state, action):
                actions.append(action)
                children.append(child)
                weights.append(share if child.player == state.player else -share)
        worth = dict.fromkeys(actions, 0.0)
        for action, weight, value in zip(actions, weights, self.values_of(children), strict=True):
            worth[action] += weight * float(value)
        return worth

    def best(self, state: State) -> list[int]:
        """All actions that keep the value."""
        worth = self.values(state)
        most = max(worth.values())
        return [action for action, value in worth.items() if value >= most - SAME]

    def distances(self, state: State) -> dict[int, int | None]:
        """Plies to the end from here if this action is taken, for each; None if not known."""
        return {
            action: None
            if state.chancy or (left := self.distance(state.play(action))) is None
            else left + 1
            for action in require_actions(state)
        }


def require_actions(state: State) -> list[int]:
    """The legal actions, of which there must be some."""
    actions = state.legal()
    if not actions:
        raise ValueError("the game is over: there is nothing to choose")
    return actions


def results(state: State, action: int) -> list[tuple[State, float]]:
    """The states that an action may lead to, with their probabilities."""
    if not state.chancy:
        return [(state.play(action), 1.0)]
    return [(state.play(action, chance=what), share) for what, share in state.chances(action)]


def module_of(game: Game) -> Any:
    """Where the truth of a game is found: `oracle(game)`, `job(game)`, and `OPTIONS` of both."""
    own = is_registered(game.kind) and game.name in homes()
    return import_module(f"{HOME}.{game.name if own else '_small'}")


def check_start(game: Game) -> None:
    """Refuse a game of which only the last positions can be judged."""
    if far := getattr(module_of(game), "FAR", ""):
        raise NoTruth(far)


def homes() -> list[str]:
    """The games that have a module of their own."""
    return [module.name for module in iter_modules(import_module(HOME).__path__)]


def parse_spelling(spelling: str) -> tuple[Game, Any, dict[str, Any]]:
    """The game, its module and the module's options, from one spelling: `checkers:pieces=4`."""
    name, _, rest = spelling.partition(":")
    known = name in game_names() and name in homes()
    own = import_module(f"{HOME}.{name}").OPTIONS if known else ()
    given = read_parameters(rest)
    chosen = {key: given.pop(key) for key in list(given) if key in own}
    left = ",".join(f"{key}={value}" for key, value in given.items())
    made = game(name + (":" + left if left else ""))
    return made, module_of(made), chosen


def oracle(which: str | Game, **options: Any) -> Oracle:
    """The oracle of a game: `oracle("connect4")`; `NoTruth` says why there is none.

    Options are the game's own: `oracle("checkers:pieces=5")` or `oracle("checkers", pieces=5)`.
    """
    if isinstance(which, str):
        made, module, spelled = parse_spelling(which)
        options = spelled | options
    else:
        made = as_game(which)
        module = module_of(made)
    for name in options:
        if name not in module.OPTIONS:
            there = ", ".join(module.OPTIONS) or "none"
            raise ValueError(f"the oracle of {made.name} has no option {name!r}; there are {there}")
    known: Oracle = module.oracle(made, **options)
    return known
