"""What a training measures, one axis a quantity: its label, its bounds, what each curve says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus.learn.runs.metrics import bounds
from ludus.plain import plain
from ludus.report.chart import Curve, chart, legend
from ludus.report.page import AXES, escape, section

ENDS = (" low", " high", "_low", "_high")  # of an interval
LONGEST = 80  # of a name in a picture
SHARE = (0.0, 1.0)


@dataclass(frozen=True)
class Quantity:
    """One picture: what its axis is, and the metrics that are drawn over it.

    A metric whose name ends with a space or an underscore is a head: an opponent, or a number,
    follows.
    """

    title: str
    label: str
    curves: Mapping[str, str] = field(default_factory=dict)  # a metric: what it says
    bounds: tuple[float, float] | None = None
    percent: bool = False


def share_quantity(title: str, label: str, **curves: str) -> Quantity:
    """A quantity from 0 to 1, written in percent."""
    return Quantity(title, label, curves, SHARE, True)


STRENGTH = (
    Quantity(
        "Points",
        "points a game",
        {
            "score ": "against this opponent; a draw counts half; the band is a 95 % interval",
            "strength": "the mean over all opponents, by which the best checkpoint is chosen",
        },
        SHARE,
        True,
    ),
    Quantity(
        "Adaptability",
        "games won",
        {"win_rate ": "share of games won against this kind of opponent"},
        SHARE,
        True,
    ),
    Quantity(
        "Wins by side",
        "games won",
        {
            "win_rate_first ": "share of games won when it moved first",
            "win_rate_second ": "share of games won when it moved second",
        },
        SHARE,
        True,
    ),
    share_quantity(
        "Agreement with perfect play",
        "positions",
        optimal_move_rate="share of positions in which its move keeps the exact value",
        value_accuracy="share of positions whose result its value tells",
    ),
    Quantity(
        "Rating", "Elo", {"elo": "above the mean of the opponents; the band is a 95 % interval"}
    ),
    share_quantity(
        "Points in training",
        "points a game",
        training_score="against the opponent that it learns from, exploration included",
    ),
)
PROGRESS = (
    Quantity(
        "Losses",
        "loss",
        {
            "loss": "what is minimised; only its fall says something",
            "policy_loss": "of the policy",
            "value_loss": "of the value",
            "opponent_policy_loss": "of the auxiliary head that predicts the opponent's policy",
            "reconstruction_loss": "of the positions that the autoencoder rebuilds",
            "validation_reconstruction_loss": "the same for games held out of training",
        },
    ),
    Quantity(
        "Divergence",
        "nats",
        {
            "kl": "Kullback-Leibler divergence of the policy from its target (or from the prior)",
            "validation_kl": "the same for games held out of training",
        },
    ),
    Quantity(
        "Entropy",
        "nats",
        {"entropy": "of the policy: high while it tries everything, low once it is sure"},
    ),
    share_quantity(
        "Evenness of the priors",
        "of the most there can be",
        prior_entropy="entropy of the raw policy as a share of the greatest: near 100 % it knows "
        "nothing",
    ),
    share_quantity(
        "Exploration",
        "moves",
        exploration="share of moves that are tried at random",
    ),
    Quantity("Mutation", "standard deviation", {"sigma": "of the mutations that are tried"}),
    Quantity(
        "Length of games",
        "plies a game",
        {"game_length": "mean of the games that ended in a step of training"},
    ),
    share_quantity(
        "Results of self-play",
        "games",
        first_player_wins="share of the games that ended in a step that player 0 won",
        second_player_wins="share that player 1 won",
        draws="share that nobody won",
    ),
    Quantity(
        "Time of self-play",
        "seconds a game",
        {"seconds_per_game": "wall time of a step, shared by the games that ended in it"},
    ),
    Quantity(
        "Reward in training",
        "reward a game",
        {"game_reward": "mean that the learner was paid in games that ended in a step"},
    ),
    share_quantity(
        "Illegal moves",
        "games",
        illegal_rate="share of training games that ended by an illegal move",
    ),
    Quantity(
        "Reward a game in measurements",
        "reward a game",
        {"game_reward ": "mean against this opponent; the band is a 95 % interval"},
    ),
    Quantity(
        "Reward a move in measurements",
        "reward a move",
        {"move_reward ": "mean against this opponent; the band is a 95 % interval"},
    ),
    Quantity(
        "Fitness",
        "fitness",
        {
            "fitness": "mean of the population",
            "fitness_best": "of its best network",
        },
    ),
    Quantity(
        "Mean of values", "value", {"value_mean": "mean of what the network says of positions"}
    ),
    Quantity(
        "Standard deviation of values",
        "standard deviation",
        {"value_std": "of what the network says of positions; near 0 it tells nothing"},
    ),
    Quantity(
        "Ratio of policies",
        "ratio",
        {"ratio": "of the new policy's probability of a move to that of the policy that played it"},
    ),
    share_quantity(
        "Clipped updates",
        "moves",
        clip_fraction="share of moves whose ratio was clipped",
    ),
    Quantity(
        "Gradient",
        "norm",
        {"grad_norm": "of the gradient before it is clipped"},
    ),
    Quantity(
        "Reconstruction",
        "cells",
        {
            "cell_accuracy": "share of cells that are rebuilt rightly",
            "cell_accuracy_plane_": "the same for this plane",
            "validation_cell_accuracy": "for games held out of training",
        },
        SHARE,
        True,
    ),
)
LABELS = {"step": "step", "games": "games played", "minutes": "minutes of wall time"}


def quantity_figures(quantities: Iterable[Quantity], course: Sequence[dict[str, Any]]) -> str:
    """All pictures that the course has curves for, as cards."""
    return "".join(quantity_figure(one, course) for one in quantities)


def quantity_figure(quantity: Quantity, course: Sequence[dict[str, Any]]) -> str:
    """One quantity over each of the axes, of which the page shows one; nothing if it has none."""
    found = {axis: curves_of(quantity, course, axis) for axis in AXES}
    if not found["step"]:
        return ""
    drawn = "".join(
        f'<div class="along {axis}">'
        f"{quantity_chart(quantity, curves, LABELS[axis]) or no_axis(LABELS[axis])}</div>"
        for axis, curves in found.items()
    )
    return (
        f"<figure><h3>{escape(quantity.title)}</h3>{drawn}<figcaption>{legend(found['step'])}"
        "</figcaption></figure>"
    )


def quantity_chart(quantity: Quantity, curves: Sequence[Curve], x: str) -> str:
    """The chart of a quantity."""
    return chart(curves, x, quantity.label, bounds=quantity.bounds, percent=quantity.percent)


def no_axis(label: str) -> str:
    """What stands where a run did not write down what the axis is."""
    return f"<p class=dim>this run did not count {escape(label)}</p>"


def curves_of(quantity: Quantity, course: Sequence[dict[str, Any]], axis: str) -> list[Curve]:
    """The curves of a quantity, where the axis was measured too."""
    lines = [(at, line) for line in course if (at := axis_position(line, axis)) is not None]
    names = dict.fromkeys(name for line in course for name in line if meaning(quantity, name))
    found = []
    for name in names:
        low, high = bounds(name)
        points = [(at, line[name]) for at, line in lines if name in line]
        band = [(at, line[low], line[high]) for at, line in lines if line.keys() >= {low, high}]
        if points:
            said = plain(name)[:LONGEST]
            found.append(Curve(said, points, band, meaning(quantity, name)))
    return found


def meaning(quantity: Quantity, name: str) -> str:
    """What a metric says, if it belongs to this quantity."""
    if name.endswith(ENDS):
        return ""
    for head, means in quantity.curves.items():
        if name == head or (head[-1] in " _" and name.startswith(head)):
            return means
    return ""


def axis_position(line: Mapping[str, Any], axis: str) -> float | None:
    """Where a step lies on an axis, if that was counted."""
    if axis == "minutes":
        seconds = line.get("time_elapsed")
        return None if seconds is None else seconds / 60
    found: float | None = line.get(axis)
    return found


def chosen_axis(*sections: tuple[str, str]) -> str:
    """Sections with pictures, and above them the choice of what they are drawn over."""
    parts = "".join(
        section(title, f"<div class=grid>{inside}</div>") for title, inside in sections if inside
    )
    if not parts:
        return ""
    buttons = "".join(
        f"<input class=choose type=radio name=x id=x-{axis}{' checked' if axis == 'step' else ''}>"
        for axis in AXES
    )
    labels = "".join(f"<label for=x-{axis}>{LABELS[axis]}</label>" for axis in AXES)
    return (
        f"<div class=course>{buttons}<h2>The course of the training</h2>"
        f"<div class=axes><span class=dim>over </span>{labels}</div>"
        f"<div class=pictures>{parts}</div></div>"
    )
