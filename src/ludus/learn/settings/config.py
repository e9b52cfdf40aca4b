"""The settings of a training: one flat frozen record, read from words, checked by name."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, ClassVar, TypeVar

from ludus.game import read_value
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Needs, beside
from ludus.learn.settings.preset import Preset

MOST_BLOCKS, MOST_THREADS = 1000, 1024
PLAYED_BYTES = 500  # of a game that measured strength, at least


@dataclass(frozen=True)
class Common:
    """What every learning method has to be told."""

    steps: int = 1000  # how long: each step collects games and learns from them; 0 for no limit
    total_games: int = 0  # it ends with the step in which so many games are over; 0 for no limit
    network: str = ""  # by name; "" takes the game's own default
    width: int = 0  # of the network's layers; 0 takes the network's own
    blocks: int = 0  # how many of them; 0 takes the network's own
    # Of hidden dense layers: leaky (ReLU) for our own networks and relu for papers', or always one.
    activation: str = field(default="auto", metadata={"before": "relu"})
    planes: str = "full"  # what is seen: full, paper, or signed (one plane, where the game has it)
    init: str = ""  # begin with the weights of another run: runs/x@best, zoo/connect4
    encoder: str = ""  # a run of `vae` whose encoder is the trunk: runs/v@best
    frozen: bool = True  # that encoder learns no more
    head_width: int = 0  # of the heads' hidden layers on an encoder; 0 for 128
    head_layers: int = 0  # how many of them a head has there; 0 for 1
    ladder: str = "random"  # strength is measured against these agents, written a;b;c
    evaluate_every: int = 50  # steps; 0 for never
    evaluate_every_games: int = 0  # games, in place of steps; 0 for these
    evaluate_games: int = 100  # against each
    openings: str = "none"  # of those games: none, or random:PLIES
    truth_states: int = 200  # on which moves are compared with the truth, where it is known
    checkpoint_seconds: float = 60.0  # between two checkpoints, at most
    keep_every: int = 0  # steps whose checkpoints are kept for good; 0 for the last and best only
    tensorboard: bool = False  # also write what TensorBoard reads
    threads: int = 1  # of torch and of searches; one is what repeats bit by bit

    NEEDS: ClassVar[Needs] = {
        "frozen": (beside("encoder", "RUN"),),
        "evaluate_every_games": (beside("evaluate_every", "50"),),
        "ladder": (beside("evaluate_every", "50"),),
        "evaluate_games": (beside("evaluate_every", "50"), beside("ladder", "AGENT")),
        "openings": (beside("evaluate_every", "50"), beside("ladder", "AGENT")),
        "truth_states": (beside("evaluate_every", "50"),),
    }

    @property
    def judges(self) -> bool:
        """Whether the network has a value beside its numbers of actions."""
        return True

    def __post_init__(self) -> None:
        representable(self)
        positive(self, *([] if self.total_games else ["steps"]), "threads", "evaluate_games")
        natural(self, "steps", "total_games", "evaluate_every_games")
        natural(self, "width", "blocks", "evaluate_every", "truth_states", "keep_every")
        natural(self, "checkpoint_seconds", "head_width", "head_layers")
        at_most(MOST_BLOCKS, self, "blocks", "head_layers")
        at_most(MOST_THREADS, self, "threads")

    def over(self, step: int, games: int) -> bool:
        """Whether a training that has come so far is at its end."""
        return 0 < self.steps <= step or 0 < self.total_games <= games

    def work(self, plies: float) -> Work:
        """What a step does, where a game takes so many plies."""
        return Work()

    def footprint(self, sizes: Sizes) -> Footprint:
        """Bytes of memory, by the settings that ask for them."""
        return {
            ("evaluate_games",): self.evaluate_games * PLAYED_BYTES,
            ("truth_states",): self.truth_states * sizes.state,
        }


# What may change between a training and its resumption, since it does not touch what is learned.
FREE = frozenset(
    {
        "steps",
        "total_games",
        "ladder",
        "evaluate_every",
        "evaluate_every_games",
        "evaluate_games",
        "openings",
        "truth_states",
        "checkpoint_seconds",
        "keep_every",
        "tensorboard",
    }
)

GREATEST = 1e30  # a number that torch still has room for, and for its like

AnyConfig = TypeVar("AnyConfig", bound=Common)


def made(kind: type[AnyConfig], options: Mapping[str, Any]) -> AnyConfig:
    """A config with these options; a wrong name or type is told beside what there is."""
    known = {field.name: field for field in dataclasses.fields(kind)}
    hints = typing.get_type_hints(kind)
    for name, value in options.items():
        if name not in known:
            raise ValueError(unknown(name, list(known)))
        check_type(name, value, hints[name])
    return kind(**{name: fitting(value, hints[name]) for name, value in options.items()})


def stored(kind: type[AnyConfig], options: Mapping[str, Any]) -> AnyConfig:
    """A config that a run has kept; options younger than the run are as it was before them."""
    fields = dataclasses.fields(kind)
    before = {one.name: one.metadata["before"] for one in fields if "before" in one.metadata}
    return made(kind, {**before, **options})


def unknown(name: str, known: list[str]) -> str:
    """The sentence for an option that does not exist."""
    near = get_close_matches(name.replace("-", "_"), known, 1, 0.5)
    if near:
        return f"no option {name!r:.60}; did you mean {near[0]}?"
    return f"no option {name!r:.60}; there are {', '.join(known)}"


def kinds_of(hint: Any) -> tuple[type, ...]:
    """The types an option accepts."""
    return typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)


def check_type(name: str, value: Any, hint: Any) -> None:
    """Refuse a word where a number is meant."""
    kinds = kinds_of(hint)
    if type(value) in kinds or (float in kinds and type(value) is int):
        return
    meant = " or ".join(
        {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}.get(
            kind, "none"
        )
        for kind in kinds
    )
    raise ValueError(f"{name} is {meant}, not {value!r:.60}")


def fitting(value: Any, hint: Any) -> Any:
    """A whole number given for a number becomes one."""
    kinds = kinds_of(hint)
    return float(value) if type(value) is int and float in kinds and int not in kinds else value


def read(kind: type[AnyConfig], words: Mapping[str, str], preset: Preset | None) -> AnyConfig:
    """From the words of a command line, over a preset if one is given."""
    chosen = dict(preset.settings) if preset else {}
    hints = typing.get_type_hints(kind)
    for name, word in words.items():
        text = kinds_of(hints[name]) == (str,) if name in hints else False
        chosen[name] = word if text else read_value(word)
    return made(kind, chosen)


def representable(config: Any) -> None:
    """Numbers that a network could be multiplied by."""
    for one in dataclasses.fields(config):
        value = getattr(config, one.name)
        if isinstance(value, int | float) and not abs(value) <= GREATEST:
            raise ValueError(f"{one.name} is a number up to {GREATEST:g}, not {value!r:.60}")


def positive(config: Any, *names: str) -> None:
    """Counts that make no sense at nothing."""
    for name in names:
        if getattr(config, name) <= 0:
            raise ValueError(f"{name} is above 0, not {getattr(config, name)!r:.60}")


def natural(config: Any, *names: str) -> None:
    """Numbers that may be nothing, but not less."""
    for name in names:
        if getattr(config, name) < 0:
            raise ValueError(f"{name} is 0 or more, not {getattr(config, name)!r:.60}")


def at_most(most: float, config: Any, *names: str) -> None:
    """Numbers that are too much beyond this."""
    for name in names:
        if getattr(config, name) > most:
            raise ValueError(f"{name} is {most} at most, not {getattr(config, name)!r:.60}")


def share(config: Any, *names: str) -> None:
    """Numbers between nothing and all."""
    for name in names:
        if not 0 <= getattr(config, name) <= 1:
            raise ValueError(f"{name} is between 0 and 1, not {getattr(config, name)!r:.60}")


def below_one(config: Any, *names: str) -> None:
    """Numbers from nothing to less than all."""
    for name in names:
        if not 0 <= getattr(config, name) < 1:
            raise ValueError(f"{name} is 0 or more and below 1, not {getattr(config, name)!r:.60}")


def one_of(config: Any, name: str, choices: tuple[str, ...]) -> None:
    """A word from a short list."""
    if getattr(config, name) not in choices:
        raise ValueError(
            f"{name} is one of {', '.join(choices)}, not {getattr(config, name)!r:.60}"
        )
