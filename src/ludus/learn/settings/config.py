"""The settings of a training: one flat frozen record, read from words, checked by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, TypeVar

from ludus.agent import agent, unwrap
from ludus.game import read_value
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Need, Needs, needs_of, needs_set
from ludus.learn.settings.preset import Preset
from ludus.learn.settings.renamed import ELSEWHERE, NOWHERE, old_settings
from ludus.options import Option, check, describe, option

EVALUATED = Need("eval_freq", lambda config: config.eval_freq != 0, "50")
GROUPS = (
    *("network", "self-play", "data", "search"),
    *("targets", "optimisation", "evaluation", "run"),
)
MOST_BLOCKS, MOST_THREADS = 1000, 1024
PLAYED_BYTES = 500  # of a game that measured strength, at least


@dataclass(frozen=True)
class Common:
    """What every learning method has to be told."""

    steps: int = option(
        1000,
        "steps of the training, each of which collects games and learns from them; 0 for no limit",
        group="run",
        low=0,
    )
    total_games: int = option(
        0,
        "the training ends with the step in which this many games are over; 0 for no limit",
        group="run",
        low=0,
    )
    network: str = option(
        "", "architecture of the network; empty for the game's default", group="network"
    )
    width: int = option(
        0, "width of the network's layers; 0 for its default", group="network", low=0
    )
    blocks: int = option(
        0,
        "number of the network's blocks; 0 for its default",
        group="network",
        low=0,
        high=MOST_BLOCKS,
    )
    activation: str = option(
        "auto",
        "activation of hidden dense layers; auto is leaky ReLU, and ReLU in networks of papers",
        group="network",
        choices=("auto", "relu", "leaky"),
        before="relu",
    )
    planes: str = option(
        "full", "input planes: full, paper, or signed where the game has it", group="network"
    )
    init: str = option(
        "", "agent whose weights the training begins with: runs/x@best, zoo/connect4", group="run"
    )
    encoder: str = option(
        "", "run of `vae` whose encoder is the trunk of the network: runs/v@best", group="network"
    )
    freeze_encoder: bool = option(True, "keep the weights of that encoder fixed", group="network")
    head_width: int = option(
        0, "width of the heads' hidden layers on an encoder; 0 for 128", group="network", low=0
    )
    head_layers: int = option(
        0,
        "hidden layers of a head on an encoder; 0 for 1",
        group="network",
        low=0,
        high=MOST_BLOCKS,
    )
    eval_opponents: str = option(
        "random",
        "agents that strength is measured against, separated by semicolons",
        group="evaluation",
    )
    eval_freq: int | None = option(
        None,
        "steps between two measurements of strength; none measures the untrained network, then at "
        "each tenth of the run; 0 for never",
        group="evaluation",
        low=0,
    )
    eval_freq_games: int = option(
        0, "measure by this many games instead of eval_freq; 0 for off", group="evaluation", low=0
    )
    n_eval_games: int = option(
        100, "games against each opponent in a measurement", group="evaluation", low=1
    )
    eval_openings: str = option(
        "none", "openings of those games: none, random:PLIES or a file", group="evaluation"
    )
    eval_truth_states: int = option(
        200,
        "positions on which moves are compared with perfect play, where it is known",
        group="evaluation",
        low=0,
    )
    checkpoint_seconds: float = option(
        60.0, "seconds between two checkpoints at most", group="run", low=0
    )
    keep_every: int = option(
        0,
        "steps between checkpoints that are kept forever; 0 keeps the last and the best",
        group="run",
        low=0,
    )
    tensorboard: bool = option(False, "also write metrics for TensorBoard", group="run")
    threads: int = option(
        1,
        "threads of torch and of searches; one thread repeats bit by bit",
        group="run",
        low=1,
        high=MOST_THREADS,
    )

    NEEDS: ClassVar[Needs] = {
        "freeze_encoder": (needs_set("encoder", "RUN"),),
        "eval_freq_games": (EVALUATED,),
        "eval_opponents": (EVALUATED,),
        "n_eval_games": (EVALUATED, needs_set("eval_opponents", "AGENT")),
        "eval_openings": (EVALUATED, needs_set("eval_opponents", "AGENT")),
        "eval_truth_states": (EVALUATED,),
    }

    @property
    def judges(self) -> bool:
        """Whether the network has a value beside its numbers of actions."""
        return True

    def __post_init__(self) -> None:
        check_representable(self)
        check(self)
        if not (self.steps or self.total_games):
            raise ValueError("steps is above 0, not 0, unless total_games sets an end")

    def check_new(self) -> None:
        """Refuse what no new training should begin with; runs from before go on as they were."""

    def work(self, plies: float) -> Work:
        """What a step does, where a game takes so many plies."""
        return Work()

    def footprint(self, sizes: Sizes) -> Footprint:
        """Bytes of memory, by the settings that ask for them."""
        return {
            ("n_eval_games",): self.n_eval_games * PLAYED_BYTES,
            ("eval_truth_states",): self.eval_truth_states * sizes.state,
        }


# What may change between a training and its resumption, since it does not touch what is learned.
FREE = frozenset(
    {
        "steps",
        "total_games",
        "eval_opponents",
        "eval_freq",
        "eval_freq_games",
        "n_eval_games",
        "eval_openings",
        "eval_truth_states",
        "checkpoint_seconds",
        "keep_every",
        "tensorboard",
    }
)

GREATEST = 1e30  # a number that torch still has room for, and for its like

AnyConfig = TypeVar("AnyConfig", bound=Common)


def make_config(kind: type[AnyConfig], options: Mapping[str, Any]) -> AnyConfig:
    """A config with these options; a wrong name is told beside what there is."""
    known = options_by_name(kind)
    for name in options:
        if name not in known:
            raise ValueError(unknown_sentence(name, list(known), old_settings(kind)))
    return kind(**{name: as_type(value, known[name]) for name, value in options.items()})


def options_by_name(kind: Any) -> dict[str, Option]:
    """The options of a Config by name."""
    return {one.name: one for one in describe(kind)}


def options_by_group(kind: type, without: Container[str] = ()) -> dict[str, list[Option]]:
    """The options of a Config by group; last those that need others than the defaults to matter."""
    usual = kind()
    needs = {name: all(one.enough(usual) for one in of) for name, of in needs_of(kind).items()}
    own = [one for one in describe(kind) if one.name not in without]
    own.sort(key=lambda one: not needs.get(one.name, True))
    members = {group: [one for one in own if one.facts.group == group] for group in GROUPS}
    return {group: found for group, found in members.items() if found}


def restore_config(kind: type[AnyConfig], options: Mapping[str, Any]) -> AnyConfig:
    """A config that a run has kept; options younger than the run are as it was before them."""
    fields = dataclasses.fields(kind)
    before = {one.name: one.metadata["before"] for one in fields if "before" in one.metadata}
    return make_config(kind, {**before, **options})


def unknown_sentence(name: str, known: list[str], old: Mapping[str, str]) -> str:
    """The sentence for an option that does not exist: an old name, or one near to another."""
    spelled = name.replace("-", "_")
    if spelled in old:
        return f"no option {name!r:.60}; did you mean {old[spelled]}?"
    if spelled in NOWHERE:
        return f"no option {name!r:.60}; there is none like it: {NOWHERE[spelled]}"
    elsewhere = ELSEWHERE.get(spelled)
    near = [elsewhere] if elsewhere in known else get_close_matches(spelled, known, 1, 0.5)
    if near:
        return f"no option {name!r:.60}; did you mean {near[0]}?"
    return f"no option {name!r:.60}; there are {', '.join(known)}"


def as_type(value: Any, one: Option) -> Any:
    """A whole number given for a number becomes one."""
    return float(value) if type(value) is int and one.types == (float,) else value


def read_config(
    kind: type[AnyConfig], words: Mapping[str, str], preset: Preset | None
) -> AnyConfig:
    """From the words of a command line, over a preset if one is given."""
    chosen = dict(preset.settings) if preset else {}
    return make_config(kind, chosen | typed_words(kind, words))


def typed_words(kind: type[Common], words: Mapping[str, str]) -> dict[str, Any]:
    """Words as values of the options that they are given for."""
    known, found = options_by_name(kind), dict[str, Any]()
    for name, word in words.items():
        text = name in known and known[name].types == (str,)
        value = word if text else read_value(word)
        found[name] = as_type(value, known[name]) if name in known else value
    return found


def check_representable(config: Common) -> None:
    """Numbers that a network could be multiplied by."""
    for one in dataclasses.fields(config):
        value = getattr(config, one.name)
        if isinstance(value, int | float) and not abs(value) <= GREATEST:
            raise ValueError(f"{one.name} is a number up to {GREATEST:g}, not {value!r:.60}")


def check_agent(spelled: str) -> None:
    """Refuse an agent that cannot be made now, not in the middle of a training; and a person."""
    if getattr(unwrap(agent(spelled)), "sits_alone", False):
        raise ValueError(f"{spelled!r:.60} waits at a terminal; in a training only agents play")


def check_share(config: Common, *names: str) -> None:
    """Numbers that beside other settings have to lie between 0 and 1."""
    for name in names:
        if not 0 <= getattr(config, name) <= 1:
            raise ValueError(f"{name} is a number from 0 to 1, not {getattr(config, name)!r:.60}")
