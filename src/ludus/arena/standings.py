"""Ratings and scores of a tournament as text that fits a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludus.arena.table import TournamentTable

COLUMNS = 80
NAME, CELL = 36, 12  # columns of an agent's name, and of its score against another


def cut(name: str, width: int) -> str:
    """A name in so many columns."""
    return name if len(name) <= width else name[: width - 1] + "…"


def name_width(table: TournamentTable) -> int:
    """Columns for the names of agents."""
    return min(NAME, max(map(len, table.agents)))


def rating_lines(table: TournamentTable) -> list[str]:
    """The ratings, strongest first."""
    width = name_width(table)
    head = "  optimal moves" if table.optimal_moves else ""
    lines = [f"{'':3} {'':{width}} {'Elo':>6}   {'95 % interval':14}{head}".rstrip()]
    for place, i in enumerate(table.order, 1):
        rating = table.ratings.ratings[i]
        loose = "  a bound" if i in table.ratings.unbounded else ""
        lines.append(
            f"{place:>2}. {cut(table.agents[i], width):{width}} {rating.value:>6.0f}   "
            f"{f'{rating.low:.0f} to {rating.high:.0f}':14}{optimal_text(table, i)}{loose}".rstrip()
        )
    long = [(place, i) for place, i in enumerate(table.order, 1) if len(table.agents[i]) > width]
    return [*lines, *(f"{place:>2}. is {table.agents[i]}" for place, i in long)]


def optimal_text(table: TournamentTable, i: int) -> str:
    """How an agent's moves agree with the truth, if that was asked."""
    found = table.optimal_moves.get(table.agents[i])
    if found is None:
        return ""
    low, high = found.interval
    return f"  {100 * found.share:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def score_lines(table: TournamentTable) -> list[str]:
    """Points a game of each row against each column, as many columns at a time as fit."""
    width = name_width(table)
    order, lines = table.order, []
    most = max(1, (COLUMNS - width - 4) // (CELL + 1))
    for at in range(0, len(order), most):
        part = order[at : at + most]
        head = " ".join(f"{n:>{CELL}}" for n in range(at + 1, at + 1 + len(part)))
        lines += [*([""] if at else []), f"{'points in %':{width + 4}} {head}"]
        for place, i in enumerate(order, 1):
            cells = (f"{score_cell(table.points(i, j)):>{CELL}}" for j in part)
            lines.append(f"{place:>2}. {cut(table.agents[i], width):{width}} {' '.join(cells)}")
    return lines


def score_cell(got: tuple[float, float, float] | None) -> str:
    """Points and their interval, in percent."""
    if got is None:
        return "-"
    points, low, high = (100 * one for one in got)
    return f"{points:.0f} ({low:.0f}-{high:.0f})"
