"""Numbers and comparisons in words; nothing is claimed that an interval does not support."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludus.studies.engine.measured import Measured, compare, difference
from ludus.studies.engine.quotes import Paper
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import Cell, Claim, Grid, Pick

VERDICTS = ("ours is higher", "ours is lower", "no difference seen")
MARKS = {"ours is higher": " ▲", "ours is lower": " ▼"}


def number(value: float, share: bool) -> str:
    """A number as people read it."""
    if share:
        return f"{100 * value:.1f} %"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def interval_text(one: Measured, share: bool) -> str:
    """A number with its interval."""
    said = number(one.value, share)
    if one.low is None or one.high is None:
        return said
    low, high = (f"{100 * end:.1f}" if share else f"{end:.3g}" for end in (one.low, one.high))
    return f"{said} ({low} to {high})"


def both(cell: Cell, store: Store, paper: Paper) -> tuple[Measured | None, Measured | None]:
    """Ours and theirs, as far as they are there."""
    ours = cell.ours.read(store) if cell.ours else None
    return ours, paper.number(cell.theirs) if cell.theirs else None


def cell_text(cell: Cell, store: Store, paper: Paper, share: bool) -> str:
    """Ours with its interval, theirs, and a mark where they differ."""
    ours, theirs = both(cell, store, paper)
    said = [interval_text(ours, share)] if ours else ["not done yet"] if cell.ours else []
    if theirs:
        said.append(f"paper {number(theirs.value, share)}")
    mark = MARKS.get(compare(ours, theirs), "") if ours and theirs else ""
    return "; ".join(said) + mark or "-"


def summary(grid: Grid, store: Store, paper: Paper) -> str:
    """How many numbers differ from the paper's, in a sentence."""
    pairs = [both(cell, store, paper) for _, cells in grid.rows for cell in cells]
    said = Counter(compare(ours, theirs) for ours, theirs in pairs if ours and theirs)
    judged = sum(said.values()) - said["no interval"]
    games = {ours.of for ours, _ in pairs if ours and ours.of}
    parts = []
    if judged:
        higher, lower, alike = (said[name] for name in VERDICTS)
        parts.append(
            f"Of {judged} number{'s' * (judged > 1)} that can be held beside the paper's, {higher} "
            f"of ours are higher, {lower} lower, and for {alike} no difference is seen."
        )
    if said["no interval"]:
        parts.append(f"{said['no interval']} have no interval, so nothing is said of them.")
    if len(games) == 1:
        parts.append(f"Each of ours is of {count_text(min(games), grid.unit)}.")
    elif games:
        parts.append(f"Ours are of {min(games):,} to {max(games):,} {grid.unit} each.")
    theirs = [one.of for _, one in pairs if one]
    if known := sorted({of for of in theirs if of}):
        parts.append(f"The paper's shares are of {count_text(known[0], grid.unit)}.")
    elif judged:
        parts.append("The paper does not say of how many games its are; they are taken as exact.")
    return " ".join(parts)


def count_text(number: int, unit: str) -> str:
    """One game, two games."""
    return f"{number:,} {unit.removesuffix('s') if number == 1 else unit}"


def verdict(claim: Claim, store: Store) -> str:
    """holds, does not hold, or not decided; empty while its parts are not done."""
    more, than = sides(claim, store)
    if more is None or than is None:
        return ""
    found = difference(more, than)
    if found is None:
        return "not decided"
    if claim.alike:
        return "not contradicted" if found.sign == 0 else "does not hold"
    return {1: "holds", 0: "not decided", -1: "does not hold"}[found.sign]


def sides(claim: Claim, store: Store) -> tuple[Measured | None, Measured | None]:
    """Both numbers of a claim."""
    than = claim.than
    known = than.read(store) if isinstance(than, Pick) else Measured(than)
    return claim.more.read(store), known


def claim_text(claim: Claim, store: Store, share: bool = True) -> str:
    """What the paper says, and whether our numbers say it too."""
    more, than = sides(claim, store)
    said = verdict(claim, store)
    if not said or more is None or than is None:
        return f"{claim.says}: not done yet."
    share = share and all(0 <= one.value <= 1 for one in (more, than))
    found = difference(more, than)
    between = f"{interval_text(more, share)} against {interval_text(than, share)}"
    if found is None:
        return f"{claim.says}: not decided here; {between}, without intervals."
    ends = [f"{100 * end:+.1f}" if share else f"{end:+.3g}" for end in (found.low, found.high)]
    return f"{claim.says}: {said} here; {between}, a difference of {ends[0]} to {ends[1]}."


def first_lines(lines: Sequence[str], most: int = 60) -> list[str]:
    """The first lines, and how many more there are."""
    more = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return [*lines[:most], *more]
