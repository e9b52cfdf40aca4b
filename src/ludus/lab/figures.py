"""The figures of a suite, in the manner of the thesis' 4.1 to 4.17 and A.1 to A.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.lab.accuracy import PLAYERS
from ludus.report.chart import Curve, chart, legend
from ludus.report.page import escape

Rows = Sequence[Mapping[str, Any]]
SIDES = {"both": "both players", "first": "first player", "second": "second player"}
STEP = "step of the training"
COURSE = (
    ("Self-play wins", "games", ("first_player_wins", "second_player_wins", "draws"), True),
    ("Seconds a game", "seconds", ("seconds_per_game",), False),
    ("Games so far", "games", ("games",), False),
    ("States of a game", "plies", ("game_length",), False),
)


def value_cards(result: Mapping[str, Any]) -> list[str]:
    """Outcome accuracy by player: figures 4.7, 4.13 and A.4; then without the filters."""
    cards = []
    for key, what in (("value", "with the thesis' filters"), ("value_unfiltered", "without")):
        for side in PLAYERS[1:]:
            curves = [curve(result, name, side, key, 0, called=name) for name in result["classes"]]
            if key == "value" and (told := training_line(result)):
                curves.append(told)
            cards.append(card(f"Values, {SIDES[side]}, {what}", curves, axis(result), "right"))
    return cards


def training_line(result: Mapping[str, Any]) -> Curve | None:
    """The share of right outcomes among all states of the training: the same at every step."""
    told = result.get("targets")
    if not told or not told["states"] or not result["agents"]:
        return None
    share = told["right_first_outcome"] / told["states"]
    places = [place_of(result, number) for number in range(len(result["agents"]))]
    return Curve("outcomes in training", [(at, share) for at in places])


def policy_cards(result: Mapping[str, Any]) -> list[str]:
    """Policy accuracy by class and player: figures 4.9 to 4.11 and 4.15 to 4.17."""
    cards = []
    for name in result["classes"]:
        for side in PLAYERS[1:]:
            raw = "policy_searched" if result["simulations"] else "policy"
            curves = [curve(result, name, side, raw, 0, called="no search", dashed=True)]
            curves += [
                curve(result, name, side, "policy", count, called=f"{count}")
                for count in result["simulations"]
            ]
            title = f"Moves in {name} states, {SIDES[side]}"
            cards.append(card(title, curves, axis(result), "moves that keep the value"))
    return cards


def target_cards(result: Mapping[str, Any]) -> list[str]:
    """Accuracy of the targets, figures 4.8 and 4.14: over time and by ply."""
    told = result.get("targets")
    if not told:
        return []
    distinct = [(row["step"], row["right_outcome"] / row["states"]) for row in told["so_far"]]
    by_step, by_ply = (
        {
            key: [(row[name], row[f"right_{key}"] / row["samples"]) for row in told[f"by_{name}"]]
            for key in ("outcome", "target")
        }
        for name in ("step", "ply")
    )
    counted = [(row["ply"], row["samples"]) for row in told["by_ply"]]
    return [
        card("Distinct states so far", [Curve("outcomes", distinct)], STEP, "right"),
        card("Samples of each step", named(by_step), STEP, "right"),
        card("Samples by ply", named(by_ply), "ply", "right"),
        card("How many samples", [Curve("samples", counted)], "ply", "samples", percent=False),
    ]


def named(points: Mapping[str, Sequence[tuple[float, float]]]) -> list[Curve]:
    """Outcomes of games, and the values that are learned."""
    names = {"outcome": "outcomes of games", "target": "value targets"}
    return [Curve(names[key], one) for key, one in points.items()]


def calibration_cards(result: Mapping[str, Any]) -> list[str]:
    """A reliability diagram for each class."""
    last = result["agents"][-1]["results"] if result["agents"] else []
    cards = []
    for found in last:
        if not (told := found.get("calibration")):
            continue
        points = [(row["predicted"], row["true"]) for row in told["bins"]]
        error = f"expected calibration error {100 * told['expected_error']:.1f} points of 100"
        curves = [
            Curve(found["class"], points, means=error),
            Curve("as it should be", [(0.0, 0.0), (1.0, 1.0)], dashed=True),
        ]
        cards.append(card(f"{found['class']} states", curves, "predicted points", "true points"))
    return cards


def course_cards(course: Rows) -> list[str]:
    """Figures 4.1 to 4.6, 4.12 and A.1 to A.3, as far as the training has counted them."""
    cards = []
    for title, y, names, together in COURSE:
        curves = [Curve(name.replace("_", " "), points_of(course, name)) for name in names]
        shares = together and all(0 <= p[1] <= 1 for one in curves for p in one.points)
        cards.append(card(title, curves, STEP, y, percent=shares))
    for side in ("first", "second"):
        head = f"win_rate_{side} "
        own = dict.fromkeys(name for line in course for name in line if name.startswith(head))
        curves = [Curve(name.removeprefix(head)[:60], points_of(course, name)) for name in own]
        cards.append(card(f"Wins as {side} against", curves, STEP, "games won"))
    return cards


def points_of(course: Rows, name: str) -> list[tuple[float, float]]:
    """A metric over the steps."""
    return [(line["step"], line[name]) for line in course if name in line]


def curve(
    result: Mapping[str, Any],
    name: str,
    side: str,
    key: str,
    simulations: int,
    *,
    called: str,
    dashed: bool = False,
) -> Curve:
    """The shares of one kind over all agents."""
    points, band = [], []
    for number, one in enumerate(result["agents"]):
        for found in one["results"]:
            share = (found.get(key) or {}).get(side)
            if found["class"] != name or found["simulations"] != simulations or not share:
                continue
            if share["share"] is not None:
                at = place_of(result, number)
                points.append((at, share["share"]))
                band.append((at, share["low"], share["high"]))
    return Curve(called, points, band, dashed=dashed)


def card(title: str, curves: Sequence[Curve], x: str, y: str, *, percent: bool = True) -> str:
    """A picture with its legend; nothing without points."""
    drawn = [one for one in curves if one.points]
    bounds = (0.0, 1.0) if percent else None
    shown = chart(drawn, x, y, bounds=bounds, percent=percent) if drawn else ""
    if not shown:
        return ""
    return (
        f"<figure><h3>{escape(title)}</h3>{shown}<figcaption>{legend(drawn)}</figcaption></figure>"
    )


def place_of(result: Mapping[str, Any], number: int) -> float:
    """Where an agent stands on the axis: its step, or its place in the list."""
    step = result["agents"][number].get("step")
    return float(number + 1 if step is None else step)


def axis(result: Mapping[str, Any]) -> str:
    """What that axis is."""
    stepped = all(one.get("step") is not None for one in result["agents"])
    return STEP if stepped else "agent, in the order asked"
