"""The report of a run: strength, curves, boards, settings, versions, the exact command."""

from __future__ import annotations

import platform
import re
import warnings
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.agent import Agent
from ludus.arena.record import Record, read_replayed
from ludus.files import write as write_file
from ludus.learn.runs.metrics import bounds
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import GROUPS
from ludus.options import Option, describe
from ludus.report.insight import blunder_card, first_moves, worst_blunder
from ludus.report.page import document, escape, facts, remark, section, table
from ludus.report.quantities import ENDS, PROGRESS, STRENGTH, chosen_axis, quantity_figures
from ludus.report.stepper import steppers

BY_SIDE = ("win_rate_first ", "win_rate_second ")
PACKAGES = ("ludus-lab", "torch", "numpy", "onnxruntime", "safetensors")
GAMES, READ = 4, 200  # that are shown; that are looked through for a blunder
SHOWN_PLIES = 300  # longer games make the page heavy, and nobody steps through them


def write(run: Run) -> None:
    """Write report.html."""
    write_file(run.path / "report.html", page(run).encode("utf-8", "replace"))


def page(run: Run) -> str:
    """The whole page."""
    course, asked = run.folder.course(), run.asked
    game = asked.game
    title = f"{asked.algorithm} learns {game.spelling}"
    records = last_games(run)
    student = agent_of(run)
    name = student_name(run, records)
    found = worst_blunder(game, records, name) if name else None
    return document(
        title,
        f"<h1>{escape(title)}</h1>",
        f"<p class=dim><code>{escape(run.command or 'from Python')}</code></p>",
        facts(headline(course, asked.seed)),
        latest_measurements(course),
        chosen_axis(
            ("Strength", quantity_figures(STRENGTH, course)),
            ("Learning", quantity_figures(PROGRESS, course)),
        ),
        section(
            "Its opinion of the first moves",
            remark(
                "The raw policy of the network, without a search, along its own favourite moves."
            ),
            first_moves(game, student),
        )
        if student
        else "",
        section(
            "Its last games",
            remark("From its last measurement of strength; step through them."),
            steppers(chosen_games(records)),
        )
        if records
        else "",
        section("Its worst blunder there", blunder_card(game, found)) if found else "",
        section("Settings", settings(asked.config)),
        section("Versions", table(versions().items())),
    )


def headline(course: Sequence[dict[str, Any]], seed: int) -> list[tuple[str, str]]:
    """How far it has come, and how strong it is."""
    line = course[-1] if course else {}
    measured = [one for one in course if "strength" in one]
    found = [(f"{steps_done(course):,}", "steps done")]
    if "games" in line:
        found.append((f"{line['games']:,.0f}", "games played"))
    if "time_elapsed" in line:
        found.append((f"{line['time_elapsed'] / 60:.1f}", "minutes of wall time"))
    if measured:
        found.append((f"{100 * measured[-1]['strength']:.0f} %", "points in its last measurement"))
    return [*found, (str(seed), "seed")]


def steps_done(course: Sequence[dict[str, Any]]) -> int:
    """How far it has come."""
    return int(course[-1]["step"]) if course else 0


def latest_measurements(course: Sequence[dict[str, Any]]) -> str:
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
    said = remark("In brackets 95 % intervals over pairs of games; a draw counts half a point.")
    return section(f"Strength at step {line['step']}", table(rows.items()), said)


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


def last_games(run: Run) -> list[Record]:
    """The games of its last measurement, as far as they are whole."""
    folder = run.folder.games
    found = {
        int(named[1]): file
        for file in (folder.glob("step-*.jsonl") if folder.is_dir() else ())
        if (named := re.fullmatch(r"step-(\d{1,15})\.jsonl", file.name)) and not file.is_symlink()
    }
    return read_games(found[max(found)], run) if found else []


def read_games(file: Path, run: Run) -> list[Record]:
    """Those of a file; what is damaged there is left out."""
    found: list[Record] = []
    try:
        found.extend(islice(read_replayed(file, run.asked.game), READ))
    except (ValueError, OSError) as error:
        run.notices.append(f"{error}; the report shows the games before it")
    return [one for one in found if one.game.spelling == run.asked.game.spelling]


def chosen_games(records: Sequence[Record]) -> list[Record]:
    """A few: for each opponent in turn one of each side."""
    by_agents: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if len(record.played.moves) <= SHOWN_PLIES:
            by_agents.setdefault(record.played.agents, []).append(record)
    rounds = (own[at] for at in range(GAMES) for own in by_agents.values() if at < len(own))
    return list(islice(rounds, GAMES))


def student_name(run: Run, records: Sequence[Record]) -> str:
    """Who has learned, among those who played."""
    named = {
        name
        for record in records
        for name in record.played.agents
        if re.search(r"@step=\d+$", name)
    }
    return min(named, default="")


def agent_of(run: Run) -> Agent | None:
    """The network as it is now, if the run has one that plays and it can be read."""
    if run.asked.algorithm == "vae":
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # damage was told when the run was read
            return run.last()
    except (ValueError, OSError):
        return None


def settings(config: Any) -> str:
    """The settings by groups, each with what it does; those that were changed stand out."""
    kind: Any = type(config)
    own, found = describe(kind), ""
    for group in GROUPS:
        members = [one for one in own if one.facts.group == group]
        changed = sum(getattr(config, one.name) != one.default for one in members)
        rows = "".join(setting_row(one, getattr(config, one.name)) for one in members)
        said = f"{changed} changed" if changed else "all by default"
        found += (
            f"<details{' open' if changed else ''}><summary><b>{escape(group)}</b> "
            f"<small>{said}</small></summary><div class=settings>{rows}</div></details>"
            if rows
            else ""
        )
    return found


def setting_row(one: Option, value: Any) -> str:
    """One setting: its name, its value, and what it does."""
    mark = " class=changed" if value != one.default else ""
    return (
        f"<div{mark}>{escape(label(one))}</div><div{mark}><code>{escape(value)}</code></div>"
        f"<span class=dim>{escape(explanation(one))}</span>"
    )


def label(one: Option) -> str:
    """The name of a setting, and its usual symbol where that is another word."""
    symbol = one.facts.symbol
    return one.name if symbol in ("", one.name) else f"{one.name} ({symbol})"


def explanation(one: Option) -> str:
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
