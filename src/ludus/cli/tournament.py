"""Let every agent meet every other: a cross table, ratings with intervals, and cycles."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack

from ludus.arena.standings import cut, name_width, rating_lines, score_lines
from ludus.arena.table import NAMED, TournamentTable
from ludus.arena.timing import ALONE, check_timing
from ludus.arena.tournament import Tournament, in_folder
from ludus.cli._common import (
    add_game,
    add_games,
    add_json,
    add_measures,
    add_report,
    answer,
    least_workers,
    percent,
    say,
    workers_of,
    wrap,
    write_page,
)
from ludus.cli._progress import Progress
from ludus.cli.match import STOPPED, counts, milliseconds, reward_text
from ludus.device import on_device
from ludus.game import Game
from ludus.plain import plain
from ludus.truth.oracle import oracle


def options(parser: argparse.ArgumentParser) -> None:
    """Who, how often, and where the games are kept."""
    add_game(parser)
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="two or more agents")
    add_games(parser, 100, "games for each two agents")
    parser.add_argument(
        "--run", dest="folder", metavar="DIR", help="keep every game in this folder"
    )
    parser.add_argument(
        "--truth", action="store_true", help="ask the oracle which moves keep the exact value"
    )
    add_measures(parser)
    parser.add_argument("--resume", action="store_true", help="go on with the one in --run DIR")
    add_report(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play and report, on the device that is asked for."""
    with on_device(args.device):
        return play(args)


def play(args: argparse.Namespace) -> int:
    """Play and report; Ctrl-C reports what is done."""
    if args.resume and not args.folder:
        raise ValueError("--resume goes on in a folder: give --run DIR")
    if args.seed < 0:
        raise ValueError(f"seed is a whole number from 0, not {args.seed}")
    check_timing(args.timing, least_workers(args))  # before a folder is made
    tournament = Tournament(
        args.game,
        args.agents,
        games=args.games,
        seed=args.seed,
        openings=args.openings,
        reward=args.reward,
        timing=args.timing,
    )
    code = 0
    with ExitStack() as stack:
        workers = stack.enter_context(workers_of(args))
        folder = None
        if args.folder:
            folder = stack.enter_context(in_folder(tournament, args.folder, args.resume))
            if folder.notice:
                say(f"ludus: {folder.notice}", file=sys.stderr)
        progress = Progress("tournament", tournament.remaining, "games")
        try:
            tournament.play(workers, folder=folder, progress=progress)
        except KeyboardInterrupt:
            code = STOPPED
        finally:
            progress.close()
    table = tournament.table()
    if args.truth and code == 0:
        table = with_truth(table, tournament.game)
    if args.report and table.games:
        from ludus.report.contest import tournament_page

        write_page(args.report, tournament_page(tournament.game, table))
    # Times differ from run to run, so that they are told where they were asked for.
    times = ["", *wrap(map(plain, timing_lines(table)), 4)] if args.timing == ALONE else []
    answer(table.as_dict()) if args.json else say("\n".join([table_text(table), *times]))
    return code


def with_truth(table: TournamentTable, game: Game) -> TournamentTable:
    """The table, and how each agent's moves agree with the truth."""
    with Progress("asking the oracle") as progress:
        return table.with_optimal_moves(oracle(game), progress)


def table_text(table: TournamentTable) -> str:
    """The table for a person."""
    lines = [
        f"{table.game}: {table.games} games, {table.asked} for each two agents; "
        f"seed {table.seed}, openings {table.openings}"
    ]
    if table.stopped:
        lines.append("stopped before the end")
    lines += [
        "",
        *rating_lines(table),
        "",
        *score_lines(table),
        "",
        *rewards(table),
        *remarks(table),
    ]
    return "\n".join(wrap(map(plain, lines), 4))


def rewards(table: TournamentTable) -> list[str]:
    """The average reward of each agent, if that was asked."""
    if table.reward is None:
        return []
    width = name_width(table)
    lines = [f"reward {table.reward}; 95 % intervals over pairs of games"]
    for place, i in enumerate(table.order, 1):
        lines.append(
            f"{place:>2}. {cut(table.agents[i], width):{width}} {reward_text(table.average(i))}"
        )
    return [*lines, ""]


def timing_lines(table: TournamentTable) -> list[str]:
    """How long each agent thinks about a move, and how that was measured."""
    width = name_width(table)
    lines = ["timed one decision at a time"]
    for place, i in enumerate(table.order, 1):
        if seconds := table.seconds(i):
            mean = milliseconds(sum(seconds) / len(seconds))
            lines.append(f"{place:>2}. {cut(table.agents[i], width):{width}} thinks {mean} a move")
    return lines


def remarks(table: TournamentTable) -> list[str]:
    """What being first is worth, and what to beware of."""
    rated, names = table.ratings, table.agents
    lines = [
        f"being first is worth {rated.first.value:.0f} Elo "
        f"({rated.first.low:.0f} to {rated.first.high:.0f}); equals draw {percent(rated.draws)}"
    ]
    lines.append(f"who begins: {counts(table.first_mover)}")
    if table.coin:
        began = sum(game.first == 0 for game in table.all_games)
        lines.append(
            f"player 0: {counts(table.player_0)}; a coin let it begin {began} of {table.games}"
        )
    if rated.unbounded:
        loose = ", ".join(names[i] for i in rated.unbounded)
        lines.append(
            "no chain of points, taken and given, ties these to the others, so that a weak prior "
            f"alone holds their ratings: {loose}"
        )
    if rated.apart:
        groups = " | ".join(", ".join(names[i] for i in group) for group in rated.apart)
        lines.append(f"no games connect these, so their ratings cannot be compared: {groups}")
    for cycle in table.cycles[:NAMED]:
        ring = " beats ".join(names[i] for i in (*cycle.agents, cycle.agents[0]))
        lines.append(f"{'cycle' if cycle.certain else 'possible cycle'}: {ring}")
    if len(table.cycles) > NAMED:
        lines.append(f"and {len(table.cycles) - NAMED} cycles more")
    for (i, j), score in table.scores.items():
        if score.few_differ:
            lines.append(
                f"warning: {names[i]} and {names[j]} played only {score.distinct} different "
                f"games of {score.games}"
            )
    return lines
