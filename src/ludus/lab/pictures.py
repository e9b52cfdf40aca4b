"""The pictures of a suite, in the manner of the thesis' figures 4.1 to 4.17 and A.1 to A.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.lab.accuracy import PLAYERS
from ludus.lab.datasets import NAMES
from ludus.report.chart import Curve, chart, legend
from ludus.report.page import dim, document, escape, facts, section, table

Rows = Sequence[Mapping[str, Any]]
SIDES = {"both": "both players", "first": "first player", "second": "second player"}
STEP = "step of the training"
COURSE = (
    ("Self-play wins", "games", ("first_player_wins", "second_player_wins", "draws"), True),
    ("Seconds a game", "seconds", ("seconds_per_game",), False),
    ("Games so far", "games", ("games",), False),
    ("States of a game", "plies", ("game_length",), False),
)


def page(result: Mapping[str, Any], course: Rows = ()) -> str:
    """The whole page, one file."""
    exact = result["exact"]
    title = f"What it learned: {result['game']}"
    judge = f"judged by {result['judge']}"
    warning = "" if exact else "This is a reference, not truth: nobody knows who wins here."
    return document(
        title,
        f"<h1>{escape(title)}</h1>",
        f"<p class=dim>{escape(judge)}; seed {result['seed']}</p>",
        f"<p><b>{escape(warning)}</b></p>" if warning else "",
        facts(headline(result)),
        section("Values", dim(value_text(result)), grid(value_cards(result))),
        section("Moves", dim(MOVES_TEXT), grid(policy_cards(result))),
        section("What training was told", grid(target_cards(result))),
        section("Whether values mean it", dim(CALIBRATION_TEXT), grid(calibration_cards(result))),
        section("The states", class_table(result)),
        section("The last agent in numbers", last_table(result)),
        section("Games in training", grid(course_cards(course))),
    )


MOVES_TEXT = (
    "Share of chosen moves that keep the value: the dashed line without a search, the others with "
    "so many simulations, on the same states. Bands are 95 % intervals by Wilson, as if states "
    "were independent."
)
CALIBRATION_TEXT = (
    "Of each tenth of the predicted points, (1 + value) / 2, the mean beside what is true; on the "
    "diagonal values mean what they say. Of the last agent, on the classes without a filter."
)


def value_text(result: Mapping[str, Any]) -> str:
    """What predicts, and on which states."""
    band = result["draw_band"]
    said = (
        f"A value from -{band:g} to {band:g} predicts a draw"
        if band
        else "The sign of the value is the prediction, as in the thesis"
    )
    won = [
        f"{name} {percent(one['won'])}"
        for name, one in result["classes"].items()
        if one["won"] is not None
    ]
    return (
        f"{said}. With the filters of the thesis ({', '.join(won)} of these states are won for "
        "their mover: calling everything won would be right so often), and without them."
    )


def headline(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The last agent in a few numbers."""
    found = [(str(len(result["agents"])), "agents asked")]
    last = result["agents"][-1]["results"] if result["agents"] else []
    found += [
        (percent(one["policy"]["both"]["share"]), f"right moves, {name}, no search")
        for name in NAMES
        for one in last
        if one["class"] == name and one["simulations"] == 0
    ]
    if told := result.get("targets"):
        share = told["right_outcome"] / told["samples"] if told["samples"] else None
        found.append((percent(share), "right outcomes in training"))
    return found


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "none" if share is None else f"{100 * share:.1f} %"


def grid(cards: Sequence[str]) -> str:
    """Cards side by side."""
    found = "".join(cards)
    return f"<div class=grid>{found}</div>" if found else ""


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


def class_table(result: Mapping[str, Any]) -> str:
    """How many states there are, and their moves on average."""
    rows = []
    for name, one in result["classes"].items():
        moves = one["moves"]["counted"]
        rows.append(
            (
                name,
                f"{one['states']:,}",
                f"{one['looked_at']:,}",
                "unknown" if one["all"] is None else f"{one['all']:,}",
                one["chosen"],
                *(f"{moves[key]:.2f}" for key in ("legal", "winning", "losing", "drawing")),
            )
        )
    head = ("class", "that count", "looked at", "there are", "chosen")
    return table(rows, (*head, "legal moves", "winning", "losing", "drawing"))


def last_table(result: Mapping[str, Any]) -> str:
    """Every number of the last agent."""
    if not result["agents"]:
        return ""
    rows = []
    for one in result["agents"][-1]["results"]:
        value, policy = one.get("value") or {}, one["policy"]
        sides = [f"{percent(policy[side]['share'])} of {policy[side]['of']:,}" for side in PLAYERS]
        values = [percent(value[side]["share"]) if value else "none" for side in PLAYERS]
        plain = one.get("value_unfiltered")
        rows.append(
            (
                f"{one['class']}, {one['simulations'] or 'no'} simulations",
                *sides,
                *values,
                percent(plain["both"]["share"]) if plain else "",
            )
        )
    head = ["moves: both", "first", "second", "values: both", "first", "second", "unfiltered"]
    return table(rows, ("class", *head))


def course_cards(course: Rows) -> list[str]:
    """Figures 4.1 to 4.6, 4.12 and A.1 to A.3, as far as the training has counted them."""
    cards = []
    for title, y, names, together in COURSE:
        curves = [Curve(name.replace("_", " "), points_of(course, name)) for name in names]
        shares = together and all(0 <= p[1] <= 1 for one in curves for p in one.points)
        cards.append(card(title, curves, STEP, y, percent=shares))
    for side in ("first", "second"):
        head = f"win_rate_{side} "
        names = dict.fromkeys(name for line in course for name in line if name.startswith(head))
        curves = [Curve(name.removeprefix(head)[:60], points_of(course, name)) for name in names]
        cards.append(card(f"Wins as {side} against", curves, STEP, "games won"))
    return cards


def points_of(course: Rows, name: str) -> list[tuple[float, float]]:
    """A metric over the steps."""
    return [(line["step"], line[name]) for line in course if name in line]
