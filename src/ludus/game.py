"""The Python face of a game: its states, its parameters, its notation, one spelling for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from math import isfinite
from operator import index
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludus.draw import Picture


class Uniform(Protocol):
    """What chance draws from: numpy's Generator, or the standard library's Random."""

    def random(self) -> float: ...


class State(Protocol):
    """A position and its history: an immutable value, seen from the player to move.

    Two states are equal, and have one hash, when their positions are; `str` writes the position,
    `bytes` the history too, and `Game.state` reads either.
    """

    @property
    def num_actions(self) -> int:
        """How many actions there are, legal here or not."""

    @property
    def player(self) -> int:
        """Who is to move, 0 or 1; once the game is over, the opponent of the last mover."""

    @property
    def plies(self) -> int:
        """Actions played so far."""

    @property
    def outcome(self) -> int | None:
        """1, 0 or -1 for the player to move once the game is over, None before."""

    @property
    def winner(self) -> int | None:
        """0 or 1; None while the game goes on, and after a draw."""

    @property
    def returns(self) -> tuple[float, float] | None:
        """The outcome for both players; None while the game goes on."""

    @property
    def chancy(self) -> bool:
        """Whether chance has a part in this game."""

    @property
    def key(self) -> int:
        """64 bits of the position: equal positions have equal keys."""

    @property
    def num_symmetries(self) -> int:
        """Symmetries of the board, the identity included, which is number 0."""

    def legal(self) -> list[int]:
        """The legal actions; empty exactly when the game is over."""

    def play(self, action: int, rng: Uniform | None = None, chance: int | None = None) -> Self:
        """The next state. Where chance has a part, `rng` draws its result, or `chance` says it."""

    def chances(self, action: int) -> list[tuple[int, float]]:
        """What may come of an action, with probabilities; the action alone without chance."""

    def seen(self, action: int) -> int:
        """The action in the mover's frame, that of features and mask; its own inverse."""

    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal, in the mover's frame."""

    def shape(self, planes: str = "full") -> tuple[int, int, int]:
        """Planes, rows and columns of the features."""

    def features(self, planes: str = "full", player: int | None = None) -> NDArray[np.float32]:
        """The board as the player to move sees it, or as this player does."""

    def transformed(self, symmetry: int) -> Self:
        """The image of the state."""

    def transformed_action(self, symmetry: int, action: int) -> int:
        """The image of an action."""

    def transformed_cell(self, symmetry: int, cell: int) -> int:
        """The image of a cell of the planes."""


def words(line: str) -> list[str]:
    """Split a line of moves at spaces and commas."""
    return [word for word in re.split(r"[\s,]+", line) if word]


def from_to(cells: Sequence[int], columns: int, reach: int) -> list[tuple[int, int]]:
    """Where actions lie that go from a place to a place: a way for each step across the board.

    Those that go farther than `reach` are no moves; they share the way of staying.
    """
    ways: dict[tuple[int, int], int] = {}
    found = []
    for start in cells:
        for end in cells:
            step = (end // columns - start // columns, end % columns - start % columns)
            near = max(map(abs, step)) <= reach
            found.append((ways.setdefault(step if near else (0, 0), len(ways)), start))
    return found


def chance_description(state: State, action: int, result: int) -> str:
    """What chance did, where nothing better is known."""
    return f"chance brings {result}"


def stray_description(move: Callable[[Any, int], str]) -> Callable[[Any, int, int], str]:
    """What chance did to a mark, where its results are the cell it came to, or none."""

    def describe_chance(state: State, action: int, result: int) -> str:
        if result == action:
            return "the mark lands where it should"
        if result < state.num_actions:
            return f"the mark strays to {move(state, result)}"
        return "the mark is lost, and the turn passes"

    return describe_chance


@dataclass(frozen=True)
class Kind:
    """A registration: all that is known of a game before its parameters are chosen.

    `states` makes states: `start(rng, **parameters)`, `parse(text, **parameters)`,
    `restore(data, **parameters)` and `defaults()`.
    """

    name: str
    title: str
    about: str  # the rules, in a paragraph
    states: Any
    parameters: Mapping[str, str]  # what each means
    move: Callable[[Any, int], str]  # the notation of an action
    truth: str  # what is known about perfect play, and from where
    notation: str = ""  # how moves are written, in a sentence
    split: Callable[[str], list[str]] = words  # a line of moves into moves
    chance: Callable[[Any, int, int], str] = (
        chance_description  # a result of chance after an action, in words
    )
    variants: Sequence[Mapping[str, Any]] = ()  # other parameters worth trying and testing
    clocks: Sequence[str] = ()  # parameters that change no move and no win: draws, who begins
    planes: Sequence[str] = ("full", "paper")
    largest: Mapping[str, float] = field(default_factory=dict)  # of a feature, where it is not 1
    perft: Mapping[str, Sequence[int]] = field(default_factory=dict)  # known counts, by parameters
    turns: bool = False  # whether a turn can be several actions
    # Where each action lies on the board, in the first player's frame: which of the ways to move it
    # is, from 0, and the cell of the planes that it is played at. None where no board tells.
    places: Callable[[Any], Sequence[tuple[int, int]]] | None = None
    # Settings of AlphaZero that it needs; `--minutes` follows them where nothing else is asked for.
    selfplay: Mapping[str, Any] = field(default_factory=dict)
    # Who began the game of a position, where a coin decides it; elsewhere it is always the same.
    first: Callable[[Any], int] | None = None
    source: str = ""  # the file of a game written in Python, if it was given so
    # Plies after which every game is drawn, by its parameters; by default `max_plies` among them.
    max_plies: Callable[[Mapping[str, Any]], int | None] = lambda chosen: chosen.get("max_plies")
    fpu: float | None = None  # first-play urgency of UCT; None where trying all first is as good
    rules: int = 1  # their version: a change in play is a new one, and old records say so
    drawing: Any = None  # has board() and text(); by default the module of this name in draw/


@dataclass(frozen=True, repr=False)
class Game:
    """The rules with their parameters chosen."""

    kind: Kind
    parameters: Mapping[str, Any]
    _start: Any = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Game {self.spelling}>"

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def spelling(self) -> str:
        """The game as it is written on the command line and in records."""
        defaults = self.kind.states.defaults()
        changed = [f"{k}={v}" for k, v in self.parameters.items() if v != defaults[k]]
        return (self.kind.source or self.name) + (":" + ",".join(changed) if changed else "")

    @property
    def num_actions(self) -> int:
        return int(self._start.num_actions)

    @property
    def max_plies(self) -> int | None:
        """Plies after which every game is drawn; None where there is no such rule."""
        return self.kind.max_plies(self.parameters)

    def start(self, rng: Uniform | None = None) -> State:
        """The first state; `rng` tosses the coin where the rules ask for one."""
        return self._start if rng is None else self._make("start", rng)

    def state(self, form: str | bytes) -> State:
        """Read a position from its text, or a state with its history from its bytes."""
        if isinstance(form, bytes):
            return self._make("restore", form)
        if not isinstance(form, str):
            raise TypeError(f"a state is read from text or bytes, not from {type(form).__name__}")
        if any("\ud800" <= character <= "\udfff" for character in form):
            raise ValueError("a position's text has no lone surrogates")
        return self._make("parse", form)

    def _make(self, how: str, form: object) -> State:
        made: State = getattr(self.kind.states, how)(form, **self.parameters)
        return made

    def check_own(self, state: object) -> None:
        """Refuse what is no state of this game."""
        if type(state) is not type(self._start):
            raise TypeError(f"this takes a state of {self.name}, not {state!r:.60}")

    def move(self, state: State, action: int) -> str:
        """The notation of a legal action."""
        self.check_own(state)
        try:
            number = index(action)
        except TypeError:
            raise TypeError(f"an action is an integer, not {action!r:.60}") from None
        return self.kind.move(state, number)

    def action(self, state: State, move: str) -> int:
        """The legal action that is written like this."""
        self.check_own(state)
        if not isinstance(move, str):
            raise TypeError(
                f"a move is written as text, such as {self.example()!r}, not {move!r:.60}"
            )
        actions = {self.kind.move(state, action): action for action in state.legal()}
        if move in actions:
            return actions[move]
        if not actions:
            raise ValueError(f"no move {move!r}: the game is over")
        few = [*get_close_matches(move, actions, 4, 0.3), *actions][:8]
        raise ValueError(
            f"no move {move!r} here; among the {len(actions)} legal are "
            + ", ".join(dict.fromkeys(few))
        )

    def replay(self, line: str, start: State | None = None, rng: Uniform | None = None) -> State:
        """Play a line of moves, such as "4453" in Connect Four."""
        if not isinstance(line, str):
            raise TypeError(
                f"moves are written in a line of text, such as {self.example()!r}, not "
                f"{line!r:.60}; an action, which is a number, is played by state.play"
            )
        state = self.start() if start is None else start
        self.check_own(state)
        for move in self.kind.split(line):
            state = state.play(self.action(state, move), rng)
        return state

    def example(self) -> str:
        """A move of the start."""
        return self.move(self._start, self._start.legal()[0])

    def text(self, state: State, *, colour: bool | None = None, last: int | None = None) -> str:
        """The board for a terminal; `colour=None` looks whether it is one."""
        from ludus.draw import terminal

        self.check_own(state)
        return terminal(self, state, colour=colour, last=last)

    def draw(
        self,
        state: State,
        *,
        last: int | None = None,
        marks: Mapping[int, float] | None = None,
        style: str = "heat",
        theme: str = "light",
    ) -> Picture:
        """The board as SVG, with the last action and a number on some actions shown."""
        from ludus.draw import picture

        self.check_own(state)
        return picture(self, state, last=last, marks=marks, style=style, theme=theme)


def game_names() -> list[str]:
    """The names of the registered games."""
    return sorted(found.name for found in iter_modules(import_module("ludus.games").__path__))


def is_registered(one: Kind) -> bool:
    """Whether this is the game of its name here, and not a class that is called like it."""
    return one.name in game_names() and kind(one.name) is one


def drawing(kind: Kind) -> Any:
    """What draws a game: its own, or the module of its name in draw/, or None."""
    if kind.drawing is None and is_registered(kind):
        return import_module(f"ludus.draw.{kind.name}")
    return kind.drawing


def kind(name: str) -> Kind:
    """The registration of a game, by its name."""
    if name not in game_names():
        raise ValueError(f"no game {name!r}; there are {', '.join(game_names())}")
    registered: Kind = import_module(f"ludus.games.{name}").KIND
    show_in_notebooks(registered.states)
    return registered


def show_in_notebooks(states: Any) -> None:
    """Let native states say what they are as everything else here does."""
    if "_repr_svg_" not in vars(states):
        states._repr_svg_ = state_svg
        states.__repr__ = state_repr


def state_svg(state: State) -> str:
    """The board, as a notebook shows it."""
    return game_of(state).draw(state).svg


def state_repr(state: State) -> str:
    """The game and the position, in a line."""
    return f"<{game_of(state).spelling} {state}>"


def make_game(kind: Kind, **parameters: Any) -> Game:
    """A game of this kind; parameters not given take their defaults."""
    chosen = {**kind.states.defaults(), **parameters}
    start = kind.states.start(None, **chosen)
    # As the state has them: 1 given for a probability is 1.0, so that one game has one spelling.
    return Game(kind, getattr(start, "parameters", chosen), start)


def game(spelling: str | type, **parameters: Any) -> Game:
    """Make a game: `game("connect4", rows=5)`, `game("connect4:rows=5")`.

    A game written in Python is given by its class, or by its file: `game("breakthrough.py")`.
    """
    if isinstance(spelling, type):
        from ludus.written import kind_of

        return make_game(kind_of(spelling), **parameters)
    if not isinstance(spelling, str):
        raise ValueError(f"a game is given by its spelling or its class, not {spelling!r}")
    name, _, rest = spelling.partition(":")
    spelled = read_parameters(rest)
    if both := spelled.keys() & parameters.keys():
        raise ValueError(f"parameter {min(both)!r} is given twice")
    if name.endswith(".py"):
        from ludus.written import class_in, kind_of

        return make_game(kind_of(class_in(name), name), **spelled, **parameters)
    return make_game(kind(name), **spelled, **parameters)


def as_game(on: Game | str | type) -> Game:
    """A game, from its spelling or its class if need be."""
    if isinstance(on, Game):
        return on
    if isinstance(on, str | type):
        return game(on)
    raise TypeError(
        f"a game is ludus.game(...) or its spelling, such as 'connect4', not {on!r:.60}"
    )


def game_of(state: State) -> Game:
    """The game a state belongs to; one written in Python is that of its class."""
    spelled: str | None = getattr(state, "spelling", None)
    if spelled is not None:
        return game(spelled)
    from ludus.written import Written, kind_of, source_of

    if not isinstance(state, Written):
        raise ValueError(f"{type(state).__name__} is not a state of a game")
    cls = type(state.inner)
    return make_game(kind_of(cls, source_of(cls) or ""), **state.parameters)


def read_parameters(spelled: str) -> dict[str, Any]:
    """Read `key=value,...` as the command line and records write it."""
    parameters = {}
    for part in filter(None, spelled.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or key in parameters:
            raise ValueError(f"parameters are written key=value,key=value, unlike {spelled!r}")
        parameters[key] = read_value(value)
    return parameters


def read_value(text: str) -> Any:
    """A whole number, a number, a fraction, true, false, none, or a word."""
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    if re.fullmatch(r"-?\d{1,18}", text):
        return int(text)
    if fraction := re.fullmatch(r"(\d{1,9})/([1-9]\d{0,8})", text):
        return int(fraction[1]) / int(fraction[2])
    if re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", text):
        if not isfinite(float(text)):
            raise ValueError(f"{text[:60]} is too large a number")
        return float(text)
    return text


def check_planes(on: Game, planes: str) -> None:
    """Refuse feature planes that a game does not have."""
    if planes not in on.kind.planes:
        there = ", ".join(on.kind.planes)
        raise ValueError(f"no planes {planes!r:.60} in {on.name}; there are {there}")


def restore_state(name: str, parameters: dict[str, Any], data: bytes) -> State:
    """Rebuild a native state in another process."""
    return make_game(kind(name), **parameters).state(data)


def canonical_image(state: State) -> tuple[int, State]:
    """Of the images of a position under the symmetries of its game the one whose text is least.

    Gives the symmetry that leads to it, the first of several, and the image. Its past is forgotten.
    """
    images = (state.transformed(symmetry) for symmetry in range(state.num_symmetries))
    return min(enumerate(images), key=lambda image: str(image[1]))
