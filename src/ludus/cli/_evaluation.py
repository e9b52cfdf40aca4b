"""What an evaluation came to, for a person."""

from __future__ import annotations

from typing import Any

from ludus.cli._common import interval_text, percent, wrap
from ludus.plain import plain


def result_text(result: dict[str, Any]) -> str:
    """The result for a person."""
    lines = [f"{result['game']}, judged by {result['judge']}; seed {result['seed']}"]
    if not result["exact"]:
        lines.append("this is a reference and not truth: nobody knows who wins here")
    for name, one in result["classes"].items():
        moves = one["moves"]["counted"]
        there = "" if one["all"] is None else f" of {one['all']:,} there are"
        lines.append(
            f"{name:12} {one['states']:,} states that count, {one['looked_at']:,} looked at"
            f"{there}; moves: {moves['legal']:.2f} legal, {moves['winning']:.2f} winning, "
            f"{moves['losing']:.2f} losing, {moves['drawing']:.2f} drawing"
        )
    if told := result["targets"]:
        lines.append(targets_text(told))
    head = f"{'':12} {'search':>6} {'moves right':>20} {'first':>7} {'second':>7} {'values':>7}"
    for one in result["agents"]:
        lines += ["", one["agent"], f"{head} {'unfiltered':>10} {'ECE':>6}"]
        lines += [row_text(found) for found in one["results"]]
    lines += [
        "",
        "moves right: they keep the value; in brackets 95 % intervals (Wilson), states taken as",
        "independent; values: of the same states, unfiltered: of each class as it is",
    ]
    return "\n".join(wrap(map(plain, lines), 13))


def targets_text(told: dict[str, Any]) -> str:
    """How right training was told."""
    if not told["samples"]:
        return "training: nothing that is known"
    right, states = told["right_outcome"] / told["samples"], told["states"]
    return (
        f"training     {told['samples']:,} samples: outcomes right in {percent(right)}, value "
        f"targets in {percent(told['right_target'] / told['samples'])}; "
        f"{states:,} distinct states, first outcomes right in "
        f"{percent(told['right_first_outcome'] / max(1, states))}"
    )


def row_text(found: dict[str, Any]) -> str:
    """A class of states, and how right the agent was there."""
    policy = {side: one["share"] for side, one in found["policy"].items()}
    both, value, plain_ = found["policy"]["both"], found["value"], found.get("value_unfiltered")
    shown = "none" if policy["both"] is None else f"{percent(policy['both'])} "
    shown += "" if policy["both"] is None else interval_text((both["low"], both["high"]))
    cells = [shares(policy["first"]), shares(policy["second"])]
    cells.append(shares(value["both"]["share"]) if value else "")
    cells.append(f"{shares(plain_['both']['share']) if plain_ else '':>10}")
    error = found.get("calibration")
    cells.append(f"{error['expected_error']:>6.3f}" if error else "")
    rest = " ".join(f"{cell:>7}" for cell in cells)
    return f"{found['class']:12} {found['simulations'] or 'no':>6} {shown:>20} {rest}".rstrip()


def shares(share: float | None) -> str:
    """A share, or nothing."""
    return "" if share is None else percent(share)


def strength_text(result: dict[str, Any]) -> str:
    """Wins by side, against each opponent."""
    lines = [f"{result['game']}: {result['games']} games each; seed {result['seed']}"]
    for one in result["agents"]:
        lines += ["", one["agent"]]
        for told in one["matches"]:
            first, second = told["as_first"], told["as_second"]
            lines.append(
                f"{told['b']:28} {percent(told['points'])} {interval_text(told['interval'])}; "
                f"as first {first['wins']} of {first['games']} won, as second {second['wins']} of "
                f"{second['games']}"
            )
    return "\n".join(wrap(map(plain, lines), 29))
