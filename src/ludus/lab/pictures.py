"""What a suite came to, as one page: figures, and tables of all numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.lab.accuracy import PLAYERS
from ludus.lab.datasets import NAMES
from ludus.lab.figures import (
    Rows,
    calibration_cards,
    course_cards,
    policy_cards,
    target_cards,
    value_cards,
)
from ludus.report.page import document, escape, facts, remark, section, table


def page(result: Mapping[str, Any], course: Rows = ()) -> str:
    """The whole page, one file."""
    exact = result["exact"]
    title = f"What it learned: {result['game']}"
    judge = f"judged by {result['judge']}"
    warning = "" if exact else "This is a reference, not truth: nobody knows who wins here."
    return document(
        title,
        f"<h1>{escape(title)}</h1>",
        f"<p class=remark>{escape(judge)}; seed {result['seed']}</p>",
        f"<p><b>{escape(warning)}</b></p>" if warning else "",
        facts(headline(result)),
        section("Values", remark(value_text(result)), grid(value_cards(result))),
        section("Moves", remark(MOVES_TEXT), grid(policy_cards(result))),
        section("What training was told", grid(target_cards(result))),
        section(
            "Whether values mean it", remark(CALIBRATION_TEXT), grid(calibration_cards(result))
        ),
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
