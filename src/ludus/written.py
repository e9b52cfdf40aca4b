"""Games written in Python: a class with the same nouns becomes a game like any other.

A state class needs `start(**parameters)` and `parse(text, **parameters)` (class methods),
`num_actions`, `player`, `outcome`, `legal()`, `play(action)`, `shape`, `features()`, `__str__`,
`__eq__` and `__hash__`. It may add `move(action)` (notation), `seen(action)`, symmetries
(`num_symmetries`, `transformed(symmetry)`, `transformed_action`, `transformed_cell`), chance
(`chances(action)` and `play(action, result)`), `judge()` (an evaluation in (-1, 1) for the player
to move), `waiting()` (the same board as the other player sees it, for its features), `max_plies`,
`title`, and drawing (`board`, `text`).
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from ludus import claims, reading
from ludus.claims import MOST_PLIES, CachedProperty
from ludus.game import Kind, Uniform, state_svg

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEEDED = ("num_actions", "player", "outcome", "legal", "play", "shape", "features")
DUNDERS = ("__str__", "__eq__", "__hash__")
MAGIC = b"ludus-written-1\n"


@dataclass(frozen=True, eq=False)
class Written:
    """A state of a game written in Python, with all the nouns of a native one."""

    inner: Any
    plies: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)  # of its game

    def __repr__(self) -> str:
        return f"<{type(self.inner).__name__} {self}>"

    def _repr_svg_(self) -> str:
        return state_svg(self)

    # What the class says is checked, and asked once: a state is a value.
    @CachedProperty
    def num_actions(self) -> int:
        return claims.num_actions(self.inner.num_actions)

    @CachedProperty
    def player(self) -> int:
        return claims.player(self.inner.player)

    @CachedProperty
    def outcome(self) -> int | None:
        outcome = self.inner.outcome
        if outcome is None:
            return 0 if self.plies >= self.most_plies else None
        outcome = claims.outcome(outcome)
        claims.check_end(claims.actions(self.inner.legal(), self.num_actions), outcome)
        return outcome

    @CachedProperty
    def most_plies(self) -> float:
        """After how many plies a game is drawn; what its first state says holds for all."""
        most = claims.max_plies(getattr(self.inner, "max_plies", None))
        return math.inf if most is None else most

    @CachedProperty
    def _legal(self) -> list[int]:
        if self.plies >= self.most_plies:
            return []
        legal = claims.actions(self.inner.legal(), self.num_actions)
        if not legal or self.outcome is not None:
            claims.check_end(legal, self.outcome)
        return legal

    @property
    def returns(self) -> tuple[float, float] | None:
        outcome = self.outcome
        if outcome is None:
            return None
        return (outcome, -outcome) if self.player == 0 else (-outcome, outcome)

    @property
    def winner(self) -> int | None:
        returns = self.returns
        return returns.index(1) if returns and any(returns) else None

    @property
    def key(self) -> int:
        return hash(self.inner)

    @CachedProperty
    def chancy(self) -> bool:
        return hasattr(self.inner, "chances")

    @property
    def num_symmetries(self) -> int:
        return claims.whole_number(
            getattr(self.inner, "num_symmetries", 1), "num_symmetries", 1, 10**6
        )

    def legal(self) -> list[int]:
        return self._legal.copy()

    def play(self, action: int, rng: Uniform | None = None, chance: int | None = None) -> Written:
        if type(action) is not int or action not in self._legal:
            action = self._check_action(action)
        if not self.chancy:
            if chance is not None:
                raise ValueError("this game has no chance")
            return self.sibling(self.inner.play(action), self.plies + 1)
        if chance is None:
            chance = self._sample_chance(action, rng)
        elif chance not in dict(self.chances(action)):
            raise ValueError(f"chance cannot bring {chance} after action {action}")
        return self.sibling(self.inner.play(action, chance), self.plies + 1)

    @property
    def written_inner(self) -> Any:
        """What native code knows a wrapped state by, and plays on with."""
        return self.inner

    def sibling(self, inner: Any, plies: int = 0) -> Written:
        """A state, if it is one of the same game. What holds for all of them is not asked again."""
        count = getattr(inner, "num_actions", None)
        if type(count) is not int or count != self.num_actions:
            self._refuse_another_game(inner)
        other = object.__new__(Written)  # the way round a frozen dataclass's slow __init__
        facts = {
            "inner": inner,
            "plies": plies,
            "parameters": self.parameters,
            "num_actions": self.num_actions,
            "most_plies": self.most_plies,
            "chancy": self.chancy,
        }
        object.__setattr__(other, "__dict__", facts)
        return other

    def _refuse_another_game(self, inner: Any) -> None:
        count = wrap_state(inner).num_actions
        if count != self.num_actions:
            raise ValueError(
                "num_actions is the same in every state of a game: "
                f"{self.num_actions} before, now {count}"
            )

    def _check_action(self, action: object) -> int:
        """An action that is legal here."""
        number = claims.index(action)
        if number is None:
            raise TypeError(f"an action is an integer, not {claims.short_repr(action)}")
        if number not in self._legal:
            few = ", ".join(map(str, self._legal[:12])) + (", ..." if len(self._legal) > 12 else "")
            there = f"legal are {few}" if few else "the game is over"
            raise ValueError(f"action {action!r} is not legal here; {there}")
        return number

    def _sample_chance(self, action: int, rng: Uniform | None) -> int:
        if rng is None:
            raise ValueError("this game has chance: play(action, rng) samples what happens")
        uniform = rng.random()
        outcomes = self.chances(action)
        for result, probability in outcomes:
            if uniform < probability:
                return result
            uniform -= probability
        return outcomes[-1][0]

    def chances(self, action: int) -> list[tuple[int, float]]:
        action = self._check_action(action)
        return claims.chances(self.inner.chances(action)) if self.chancy else [(0, 1.0)]

    def seen(self, action: int) -> int:
        if not hasattr(self.inner, "seen"):
            return action
        return claims.whole_number(self.inner.seen(action), "seen(action)", 0, self.num_actions - 1)

    def mask(self) -> NDArray[np.bool_]:
        import numpy as np

        mask = np.zeros(self.num_actions, dtype=np.bool_)
        mask[[self.seen(action) for action in self.legal()]] = True
        return mask

    def shape(self, planes: str = "full") -> tuple[int, int, int]:
        return claims.shape(self.inner.shape)

    def features(self, planes: str = "full", player: int | None = None) -> NDArray[np.float32]:
        waits = player is not None and player != self.player and hasattr(self.inner, "waiting")
        seen = self.inner.waiting() if waits else self.inner
        return claims.features(seen.features(), self.shape())

    def judge(self) -> float | None:
        return claims.evaluation(self.inner.judge()) if hasattr(self.inner, "judge") else None

    def transformed(self, symmetry: int) -> Written:
        return self.sibling(self.inner.transformed(symmetry) if symmetry else self.inner)

    def transformed_action(self, symmetry: int, action: int) -> int:
        if not symmetry:
            return action
        image = self.inner.transformed_action(symmetry, action)
        return claims.whole_number(
            image, "transformed_action(symmetry, action)", 0, self.num_actions - 1
        )

    def transformed_cell(self, symmetry: int, cell: int) -> int:
        if not symmetry:
            return cell
        _, rows, columns = self.shape()
        image = self.inner.transformed_cell(symmetry, cell)
        return claims.whole_number(image, "transformed_cell(symmetry, cell)", 0, rows * columns - 1)

    def __str__(self) -> str:
        return str(self.inner)

    def __bytes__(self) -> bytes:
        return MAGIC + json.dumps({"text": str(self), "plies": self.plies}).encode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and bool(self.inner == other.inner)

    def __hash__(self) -> int:
        return hash(self.inner)


def wrap_state(inner: Any, plies: int = 0, parameters: Mapping[str, Any] | None = None) -> Written:
    """What a class gives for a state, if it is one."""
    if not hasattr(inner, "num_actions"):
        raise ValueError(f"a state has num_actions; {claims.short_repr(inner)} has none")
    return Written(inner, plies, parameters or {})


@dataclass(frozen=True)
class WrittenStates:
    """Makes the states of a class, as a native class makes its own."""

    cls: Any

    def defaults(self) -> dict[str, Any]:
        given = inspect.signature(self.cls.start).parameters.values()
        return {parameter.name: parameter.default for parameter in given}

    def start(self, rng: Uniform | None, **parameters: Any) -> Written:
        known = self.defaults()
        for name in parameters:
            if name not in known:
                raise ValueError(f"no parameter {name!r}; there are {', '.join(known) or 'none'}")
        return wrap_state(self.cls.start(**parameters), parameters=parameters)

    def parse(self, text: str, **parameters: Any) -> Written:
        return wrap_state(self.cls.parse(text, **parameters), parameters=parameters)

    def restore(self, data: bytes, **parameters: Any) -> Written:
        if not data.startswith(MAGIC):
            raise ValueError("these bytes are not a snapshot of a state")
        try:
            record = reading.parse(data.removeprefix(MAGIC))
            text, plies = record["text"], record["plies"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError("this snapshot of a state is damaged") from None
        if len(record) > 2 or not isinstance(text, str) or type(plies) is not int:
            raise ValueError("this snapshot of a state is damaged")
        if not 0 <= plies <= MOST_PLIES:
            raise ValueError("this snapshot of a state is damaged")
        return wrap_state(self.cls.parse(text, **parameters), plies, parameters)


def notation(state: Any, action: int) -> str:
    """The class's own notation, or the action's number."""
    own = getattr(state.inner, "move", str)
    return str(own(action))


def kind_of(cls: type, source: str = "") -> Kind:
    """The registration of a class that has the nouns of a state."""
    for noun in ("start", "parse"):
        if not hasattr(cls, noun):
            raise ValueError(f"a game has a class method {noun}; {cls.__name__} lacks it")
    first = cls.start()  # type: ignore[attr-defined]
    if missing := [noun for noun in NEEDED if not hasattr(first, noun)]:
        raise ValueError(f"a state has {', '.join(NEEDED)}; {cls.__name__} lacks {missing[0]}")
    inherited = [noun for noun in DUNDERS if getattr(cls, noun) in (None, getattr(object, noun))]
    if inherited:
        raise ValueError(f"{cls.__name__} needs its own __str__, __eq__ and __hash__")
    states = WrittenStates(cls)
    return Kind(
        name=cls.__name__.lower(),
        title=getattr(cls, "title", cls.__name__),
        about=" ".join((inspect.getdoc(cls) or "").split()),
        states=states,
        parameters=dict.fromkeys(states.defaults(), ""),
        move=notation,
        truth="none: a game written in Python",
        planes=("full",),
        source=source,
        rules=rules if isinstance(rules := getattr(cls, "rules", 1), int) else 1,
        drawing=cls if hasattr(cls, "board") and hasattr(cls, "text") else None,
    )


def class_in(path: str | Path, noun: str = "legal") -> type:
    """The one class with this method in a Python file; the same as long as the file is."""
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"no file {str(path)!r}")
    return load_class(file.resolve(), file.stat().st_mtime_ns, noun)


PREFIX = "ludus_written_"  # of the names of modules that were loaded from a file
DIGEST = "__ludus_sha256__"  # in such a module: of the text that was run


class TextLoader(SourceFileLoader):
    """Runs a text that was read once, and never what lies compiled beside its file."""

    text = b""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.text, self.path)


@cache
def load_class(file: Path, changed: int, noun: str) -> type:
    """Run the file, as any program of the user's own, and find its class."""
    place = hashlib.sha256(str(file).encode(errors="surrogateescape")).hexdigest()[:8]
    loader = TextLoader(f"{PREFIX}{file.stem}_{place}", str(file))
    loader.text = reading.data(file)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = sys.modules[spec.name] = module_from_spec(spec)  # dataclasses look themselves up
    setattr(module, DIGEST, hashlib.sha256(loader.text).hexdigest())
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{file.name} does not run: {type(error).__name__}: {error}") from None
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and noun in vars(value)
    ]
    if len(found) != 1:
        names = ", ".join(cls.__name__ for cls in found) or "none"
        raise ValueError(f"{file.name} has one class with {noun}(), not {len(found)} ({names})")
    return found[0]


def source_of(cls: type) -> str | None:
    """The file a class was loaded from by `class_in`, as seen from here; None for others."""
    if not cls.__module__.startswith(PREFIX):
        return None
    file = Path(str(sys.modules[cls.__module__].__file__))
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def digest_of(cls: type) -> str:
    """The SHA-256 of the file a class was loaded from; "" for others."""
    loaded_from_file = cls.__module__.startswith(PREFIX)
    return str(getattr(sys.modules[cls.__module__], DIGEST, "")) if loaded_from_file else ""
