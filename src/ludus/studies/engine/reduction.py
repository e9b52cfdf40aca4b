"""How far our trainings are smaller than the paper's: games, steps, networks, other settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludus.studies.engine.part import Part, in_order
from ludus.studies.engine.store import Store
from ludus.studies.engine.training import Training, printed_settings

AMOUNTS = ("total_games", "steps", "dataset_games")
SIZES = ("network", "width", "blocks", "head_width", "head_layers", "simulations")
UNSEEN: tuple[str, ...] = (
    "eval_freq",
    "eval_freq_games",
    "n_eval_games",
    "eval_truth_states",
    "eval_opponents",
)
UNSEEN += ("checkpoint_seconds", "keep_every", "threads", "tensorboard", "eval_openings")


def reductions(parts: Iterable[Part], store: Store) -> list[str]:
    """A sentence for each training that these parts rest on."""
    found = [one for one in in_order(parts).values() if isinstance(one, Training)]
    return list(dict.fromkeys(reduction(one, store) for one in found))


def is_reduced(parts: Iterable[Part]) -> bool:
    """Whether some training has fewer games or another network than its paper's."""
    found = [one for one in in_order(parts).values() if isinstance(one, Training)]
    return any(is_smaller(one) for one in found)


def is_smaller(training: Training) -> bool:
    """Whether one has."""
    return any(
        name in SIZES or (name in AMOUNTS and bool(theirs) and (not ours or ours < theirs))
        for name, (theirs, ours) in differing(training).items()
    )


def differing(training: Training) -> dict[str, tuple[Any, Any]]:
    """Settings that are others than the paper's: theirs and ours."""
    printed = printed_settings(training)
    return {
        name: (printed.get(name), value)
        for name, value in training.settings
        if training.preset and name not in UNSEEN and printed.get(name) != value
    }


def reduction(training: Training, store: Store) -> str:
    """What one training has of the paper's."""
    done = store.result(training)
    how = f"{training.method} by preset {training.preset}" if training.preset else training.method
    head = f"{how} on {training.game}, seed {training.seed}"
    if done:
        head += f": {done['steps']:,} steps, {done['games']:,.0f} games, {done['minutes']:.1f} min"
    if not training.preset:
        return f"{head}; no training of the paper, its settings are in the command."
    others = differing(training)
    if not others:
        return f"{head}; the paper's settings."
    amounts = [
        f"{setting_words(ours)} of {setting_words(theirs)} {name.replace('_', ' ')}"
        for name, (theirs, ours) in others.items()
        if name in AMOUNTS and theirs
    ]
    changed = [
        f"{name}={setting_words(ours)}{beside(theirs)}"
        for name, (theirs, ours) in others.items()
        if name not in AMOUNTS or not theirs
    ]
    return f"{head}; beside it: {', '.join([*amounts, *changed])}."


def beside(theirs: Any) -> str:
    """The paper's value of a setting, if it has one."""
    return "" if theirs is None else f" (paper {setting_words(theirs)})"


def setting_words(value: Any) -> str:
    """A setting as it is read."""
    if isinstance(value, Part):
        return f"a run of {getattr(value, 'method', 'the study')}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value) if isinstance(value, str | float | bool) else "an agent of the study"
