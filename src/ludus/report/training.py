"""The report of a run: curves, settings, versions, the exact command, in one file."""

from __future__ import annotations

import html
import io
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ludus.files import write as write_file
from ludus.learn.runs.metrics import bounds
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import GROUPS
from ludus.options import Option, describe
from ludus.plain import plain

BY_SIDE = ("win_rate_first ", "win_rate_second ")
# Curves that belong in one picture, by how their names begin.
PICTURES = {
    "Strength": ("score ", "optimal_move_rate", "value_accuracy", "strength"),
    "Rating": ("elo",),  # above the mean of the opponents
    "Adaptability": ("win_rate ",),  # by kind of opponent
    "Wins by side": BY_SIDE,
    "Reward per game": ("game_reward ",),  # in evaluations, by opponent
    "Reward per move": ("move_reward ",),
    "Losses": ("loss", "policy_loss", "value_loss", "reconstruction_loss", "kl"),
    "Games": ("game_length", "game_reward", "illegal_rate"),
    "Exploration": ("exploration", "entropy", "prior_entropy", "sigma"),
    "Spread of values": ("value_std",),
    "Values": ("value_mean", "fitness", "fitness_best"),
    "Policy": ("ratio", "clip_fraction", "grad_norm"),
    "Reconstruction": ("cell_accuracy", "cell_accuracy_plane_"),
}
ENDS = (" low", " high", "_low", "_high")  # of an interval
PACKAGES = ("ludus-lab", "torch", "numpy", "onnxruntime", "safetensors")
LONGEST = 80  # of a name in a picture
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color:#222;background:#fff}table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;
text-align:left;vertical-align:top}code{background:#f2f2f2;padding:.1rem .3rem}svg{max-width:100%;
height:auto}"""


def write(run: Run) -> None:
    """Write report.html."""
    write_file(run.path / "report.html", page(run).encode("utf-8", "replace"))


def page(run: Run) -> str:
    """The whole page."""
    course, asked = run.folder.course(), run.asked
    title = f"{asked.algorithm} learns {asked.game.spelling}"
    pictures = "".join(picture(name, heads, course) for name, heads in PICTURES.items())
    command = run.command or "from Python"
    facts = {"command": command, "seed": asked.seed, "steps done": steps_done(course)}
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title>"
        f"<style>{STYLE}</style><h1>{html.escape(title)}</h1>{table(facts)}{last(course)}{pictures}"
        f"{settings(asked.config)}<h2>Versions</h2>{table(versions())}</html>\n"
    )


def steps_done(course: Sequence[dict[str, Any]]) -> int:
    """How far it has come."""
    return int(course[-1]["step"]) if course else 0


def last(course: Sequence[dict[str, Any]]) -> str:
    """What was measured last, with intervals."""
    measured = [line for line in course if "strength" in line]
    if not measured:
        return ""
    line, rows = measured[-1], {}
    for name, value in line.items():
        ends = *bounds(name), name.replace("score ", "win_rate ", 1)
        if name.startswith("score ") and line.keys() >= {*ends}:
            low, high, won = (line[end] for end in ends)
            rows[name] = (
                f"{100 * value:.1f} % ({100 * low:.1f}-{100 * high:.1f}), {100 * won:.1f} % won"
            )
    rows |= {name: f"{100 * line[name]:.1f} %" for name in line if name.startswith(BY_SIDE)}
    rows |= {name: reward_text(line, name) for name in line if is_reward(name)}
    if line.keys() >= {"elo", "elo_low", "elo_high"}:
        rows["Elo above the mean opponent"] = (
            f"{line['elo']:+.0f} ({line['elo_low']:+.0f} to {line['elo_high']:+.0f})"
        )
    for name in ("optimal_move_rate", "value_accuracy"):
        if name in line:
            rows[name] = f"{100 * line[name]:.1f} %"
    return f"<h2>Strength at step {line['step']}</h2>{table(rows)}"


def is_reward(name: str) -> bool:
    """Whether this is an average reward, and not a bound of its interval."""
    heads = ("game_reward ", "move_reward ")
    return name.startswith(heads) and not name.endswith(ENDS)


def reward_text(line: dict[str, Any], name: str) -> str:
    """An average reward with its interval, where it has one."""
    low, high = bounds(name)
    if line.keys() >= {low, high}:
        return f"{line[name]:.4g} ({line[low]:.4g} to {line[high]:.4g})"
    return f"{line[name]:.4g}"


def picture(title: str, heads: tuple[str, ...], course: Sequence[dict[str, Any]]) -> str:
    """One picture of curves, nothing if there are none."""
    names = dict.fromkeys(
        name
        for line in course
        for name in line
        if any(name == head or (head[-1] in " _" and name.startswith(head)) for head in heads)
        and not name.endswith(ENDS)
    )
    if not names:
        return ""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.2), layout="constrained")
    axes = figure.add_subplot()
    for name in names:
        points = [(line["step"], line[name]) for line in course if name in line]
        steps, values = zip(*points, strict=True)
        axes.plot(
            steps,
            values,
            label=plain(name)[:LONGEST],
            linewidth=1.2,
            marker="." if len(steps) < 40 else "",
        )
        low, high = bounds(name)
        band = [line for line in course if line.keys() >= {low, high}]
        if band:
            axes.fill_between(
                [line["step"] for line in band],
                [line[low] for line in band],
                [line[high] for line in band],
                alpha=0.2,
            )
    axes.set_xlabel("step")
    for text in axes.legend(frameon=False, fontsize=8).get_texts():
        text.set_parse_math(False)  # a name is a name, whatever is in it
    axes.spines[["top", "right"]].set_visible(False)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    drawing = out.getvalue()
    return f"<h2>{title}</h2>{drawing[drawing.index('<svg') :]}"


def table(rows: dict[str, Any]) -> str:
    """Names and values."""
    cells = "".join(
        f"<tr><th>{html.escape(str(name))}<td><code>{html.escape(str(value))}</code>"
        for name, value in rows.items()
    )
    return f"<table>{cells}</table>"


def settings(config: Any) -> str:
    """The settings by groups; what each means is told where the pointer rests."""
    kind: Any = type(config)
    own, found = describe(kind), "<h2>Settings</h2>"
    for group in GROUPS:
        rows = "".join(
            f"<tr title='{html.escape(tooltip(one))}'><th>{html.escape(label(one))}"
            f"<td><code>{html.escape(str(getattr(config, one.name)))}</code>"
            for one in own
            if one.facts.group == group
        )
        found += f"<h3>{group}</h3><table>{rows}</table>" if rows else ""
    return found


def label(one: Option) -> str:
    """The name of a setting, and its usual symbol where that is another word."""
    symbol = one.facts.symbol
    return one.name if symbol in ("", one.name) else f"{one.name} ({symbol})"


def tooltip(one: Option) -> str:
    """What a setting does, its range, its default, and its paper."""
    told = f"{one.facts.help}; {one.meaning}; default {one.default!r}"
    return f"{told}; {one.facts.paper}" if one.facts.paper else told


def versions() -> dict[str, str]:
    """What this ran with."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
