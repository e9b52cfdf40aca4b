"""The reports of a match and of a tournament: scores, ratings, times, and some of the games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludus.arena.elo import elo_text
from ludus.arena.record import Record
from ludus.arena.running import PlayedGame
from ludus.arena.score import Score, Tally
from ludus.arena.table import TournamentTable
from ludus.game import Game
from ludus.report.chart import Curve, chart, intervals, legend
from ludus.report.page import document, escape, facts, remark, section, table
from ludus.report.stepper import steppers

GAMES = 4  # that are shown
SHOWN_PLIES = 300
BY_PAIRS = "In brackets 95 % intervals over pairs of games; a draw counts half a point."


def match_page(game: Game, score: Score) -> str:
    """The report of a match, as HTML."""
    title = f"{score.a} against {score.b}"
    top = [
        (percent(score.points), f"points of {score.a}"),
        (elo_text(score.elo), "Elo difference"),
        (f"{score.games:,}", "games"),
        (f"{score.distinct:,}", "different games"),
    ]
    return document(
        f"{title}: {score.game}",
        f"<h1>{escape(title)}</h1>",
        remark(f"{score.game}; seed {score.seed}, openings {score.openings}"),
        remark(f"stopped after {score.games} of {score.asked} games") if score.stopped else "",
        facts(top),
        result_bar(score.total),
        remark(
            f"{score.a}: {score.wins} wins, {score.draws} draws, {score.losses} losses; "
            f"{percent(score.points)} of points {interval_text(score.interval)}. {BY_PAIRS}"
        ),
        section("By side", sides(score)),
        section("Time a move", times(score)),
        section("The sequential test", remark(str(score.standing))) if score.standing else "",
        section("Some of the games", steppers(some_games(game, score.seed, score.played))),
    )


def tournament_page(game: Game, found: TournamentTable) -> str:
    """The report of a tournament, as HTML."""
    title = f"A tournament of {len(found.agents)} agents"
    rated = found.ratings
    ratings = [
        (found.agents[i], one.value, one.low, one.high)
        for i in found.order
        for one in (rated.ratings[i],)
    ]
    winner = found.agents[found.order[0]]
    return document(
        f"{title}: {found.game}",
        f"<h1>{escape(title)}</h1>",
        remark(f"{found.game}; seed {found.seed}, openings {found.openings}"),
        remark("stopped before the end") if found.stopped else "",
        facts(
            [
                (winner, "rated first"),
                (f"{found.games:,}", "games"),
                (f"{rated.first.value:+.0f}", "Elo for moving first"),
                (percent(rated.draws), "draws between equals"),
            ]
        ),
        section(
            "Ratings",
            f"<div class=grid><figure>{intervals(ratings, 'Elo, mean 0')}<figcaption>A dot is a "
            "rating by Bradley, Terry and Davidson; its line is the 95 % interval by bootstrap "
            f"over pairs of games.</figcaption></figure><div>{rating_table(found)}</div></div>",
        ),
        section("Points of each row against each column", cross(found), remark(BY_PAIRS)),
        section("Time a move", timing_section(found)),
        section("Worth knowing", remarks(found)),
        section("Some of the games", steppers(games_of_the_best(game, found))),
    )


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def interval_text(interval: tuple[float, float]) -> str:
    """An interval of shares."""
    return f"({100 * interval[0]:.0f}-{100 * interval[1]:.0f})"


def result_bar(total: Tally) -> str:
    """Wins, draws and losses as one bar."""
    parts = (("rgb(var(--good))", total.wins), ("var(--rule)", total.draws))
    cells = "".join(
        f"<span style='flex:{count};background:{colour}'></span>"
        for colour, count in (*parts, ("rgb(var(--bad))", total.losses))
    )
    return f"<div class=bar>{cells}</div>"


def sides(score: Score) -> str:
    """A's score in total and by side, and that of whoever began."""
    rows = [
        (f"{score.a} in total", score.total),
        (f"{score.a} as first", score.as_first),
        (f"{score.a} as second", score.as_second),
        ("who began", score.first_mover),
    ]
    if score.coin:
        rows.append(("player 0", score.player_0))
    return table(
        (
            (name, got.games, percent(got.points), got.wins, got.draws, got.losses)
            for name, got in rows
        ),
        ("", "games", "points", "wins", "draws", "losses"),
    )


def times(score: Score) -> str:
    """How long both think, on average and by ply."""
    rows, curves = [], []
    for name, of_a in ((score.a, True), (score.b, False)):
        told = score.times(of_a)
        if not told["moves"]:
            continue
        rows.append(
            (
                name,
                f"{told['moves']:,}",
                *(milliseconds(told[key]) for key in ("mean", "p50", "p95")),
            )
        )
        points = [((part["from"] + part["to"]) / 2, 1000 * part["mean"]) for part in told["by_ply"]]
        means = f"timed {told['timing']}" if told["timing"] else ""
        curves.append(Curve(name, points, means=means))
    if not rows:
        return ""
    drawn = chart(curves, "ply", "milliseconds a move", bounds=(0.0, 0.0))
    return (
        f"<div class=grid><figure>{drawn}<figcaption>{legend(curves)}</figcaption></figure><div>"
        f"{table(rows, ('', 'moves', 'mean', 'median', '95th percentile'))}</div></div>"
    )


def milliseconds(seconds: float) -> str:
    """A time a move."""
    return f"{1000 * seconds:.3g} ms"


def rating_table(found: TournamentTable) -> str:
    """The ratings as numbers, with the agreement with truth where it was asked."""
    rated, rows = found.ratings, []
    for place, i in enumerate(found.order, 1):
        one = rated.ratings[i]
        kept = found.optimal_moves.get(found.agents[i])
        loose = " (a bound)" if i in rated.unbounded else ""
        said = [f"{one.value:.0f}", f"{one.low:.0f} to {one.high:.0f}{loose}"]
        if found.optimal_moves:
            said.append("" if kept is None else f"{percent(kept.share)} of {kept.moves:,}")
        rows.append((f"{place}. {found.agents[i]}", *said))
    truth = ("optimal moves",) if found.optimal_moves else ()
    return table(rows, ("", "Elo", "95 % interval", *truth))


def cross(found: TournamentTable) -> str:
    """The cross table; green is won, red is lost, the paler the closer."""
    order = found.order
    head = "".join(f"<th>{place}</th>" for place in range(1, len(order) + 1))
    rows = ""
    for place, i in enumerate(order, 1):
        cells = "".join(cell(found.points(i, j)) for j in order)
        rows += f"<tr><th>{place}. {escape(found.agents[i])}</th>{cells}</tr>"
    return (
        f"<div class='card wide'><table class=cross><thead><tr><th></th>{head}</tr></thead>"
        f"{rows}</table></div>"
    )


def cell(got: tuple[float, float, float] | None) -> str:
    """One pairing."""
    if got is None:
        return "<td class=dim>-</td>"
    points, low, high = got
    side = "good" if points >= 0.5 else "bad"
    strength = abs(points - 0.5) * 1.2
    return (
        f"<td style='background:rgba(var(--{side}),{strength:.2f})'>{100 * points:.0f} %"
        f"<small>{100 * low:.0f}-{100 * high:.0f}</small></td>"
    )


def timing_section(found: TournamentTable) -> str:
    """How long each thinks about a move."""
    import numpy as np

    rows = []
    for place, i in enumerate(found.order, 1):
        if spent := found.seconds(i):
            told = (np.mean(spent), *np.quantile(spent, (0.5, 0.95)))
            how = found.timing[i] if found.timing else ""
            rows.append(
                (
                    f"{place}. {found.agents[i]}",
                    f"{len(spent):,}",
                    *(milliseconds(float(one)) for one in told),
                    how,
                )
            )
    head = ("", "moves", "mean", "median", "95th percentile", "timed")
    return table(rows, head) if rows else ""


def remarks(found: TournamentTable) -> str:
    """Cycles, and who played few different games."""
    names = found.agents
    said = [
        f"{'cycle' if one.certain else 'possible cycle'}: "
        + " beats ".join(names[i] for i in (*one.agents, one.agents[0]))
        for one in found.cycles[:5]
    ]
    said += [
        f"{names[i]} and {names[j]} played only {score.distinct} different games of {score.games}"
        for (i, j), score in found.scores.items()
        if score.few_differ
    ]
    return "".join(f"<p>{escape(one)}</p>" for one in said)


def some_games(
    game: Game, seed: int, played: Iterable[PlayedGame], most: int = GAMES
) -> list[Record]:
    """The first of each result and side, so that they differ."""
    kinds: dict[tuple[int | None, bool], PlayedGame] = {}
    for one in played:
        if len(one.moves) <= SHOWN_PLIES:
            kinds.setdefault((one.winner, one.a == 0), one)
    found: Sequence[PlayedGame] = list(kinds.values())[:most]
    return [Record(game, seed, one) for one in found]


def games_of_the_best(game: Game, found: TournamentTable) -> list[Record]:
    """A game of each of the first few pairs of neighbours in the table."""
    chosen = []
    for one, two in zip(found.order, found.order[1:], strict=False):
        games = found.played.get((one, two)) or found.played.get((two, one)) or ()
        chosen += some_games(game, found.seed, games, 1)
    return chosen[:GAMES]
