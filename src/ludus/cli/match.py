"""Let two agents meet, and say how A did: in total, by side, with intervals."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from ludus.arena.elo import elo_text
from ludus.arena.match import prepare_match
from ludus.arena.record import Record
from ludus.arena.reward import Average, Mean
from ludus.arena.running import PlayedGame
from ludus.arena.score import Score, Tally
from ludus.arena.sprt import read_sprt
from ludus.arena.timing import check_timing
from ludus.cli._common import (
    add_game,
    add_games,
    add_json,
    add_measures,
    add_report,
    answer,
    interval_text,
    least_workers,
    percent,
    say,
    workers_of,
    wrap,
    write_page,
)
from ludus.cli._progress import Progress
from ludus.device import on_device
from ludus.files import line_writer
from ludus.lines import data
from ludus.plain import plain

STOPPED = 130


def options(parser: argparse.ArgumentParser) -> None:
    """Who, how often, from where, and when to stop."""
    add_game(parser)
    parser.add_argument("a", metavar="A", help="an agent, such as random or uct:simulations=1000")
    parser.add_argument("b", metavar="B", help="the other")
    add_games(parser, 100, "games; pairs of them share an opening, the sides exchanged")
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop once it is clear by which of these A is stronger; a negative one needs --sprt=",
    )
    parser.add_argument("--alpha", type=float, default=0.05, help="of accepting wrongly (0.05)")
    parser.add_argument("--beta", type=float, default=0.05, help="of rejecting wrongly (0.05)")
    add_measures(parser)
    parser.add_argument("--record", metavar="FILE", help="write a JSON line a game")
    add_report(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play and report, on the device that is asked for."""
    with on_device(args.device):
        return play(args)


def play(args: argparse.Namespace) -> int:
    """Play and report; Ctrl-C reports what is done."""
    check_timing(args.timing, least_workers(args))  # before a record is begun
    match = prepare_match(
        args.game,
        args.a,
        args.b,
        games=args.games,
        seed=args.seed,
        openings=args.openings,
        sprt=read_sprt(args.sprt, args.alpha, args.beta) if args.sprt else None,
        reward=args.reward,
    )
    code = 0
    with ExitStack() as stack:
        workers = stack.enter_context(workers_of(args))
        progress = Progress("match", args.games, "games")
        append = stack.enter_context(line_writer(Path(args.record))) if args.record else None

        def keep(played: PlayedGame) -> None:
            if append:
                append(data(Record(match.plan.game, match.plan.seed, played).line()))

        try:
            match.play(workers, timing=args.timing, keep=keep, progress=progress)
        except KeyboardInterrupt:
            code = STOPPED
        finally:
            progress.close()
    score = match.score()
    if args.report and score.games:
        from ludus.report.contest import match_page

        write_page(args.report, match_page(match.plan.game, score))
    answer(score.as_dict()) if args.json else say(score_text(score))
    return code


def tally_row(name: str, tally: Tally, points: str) -> str:
    """A row: the counts and the share of each with Wilson's interval."""
    record = tally.as_dict()
    cells = [f"{name:9} {tally.games:>6} {points:>21}"]
    for key in ("wins", "draws", "losses"):
        low, high = record[f"{key}_interval"]
        cells.append(f"{f'{record[key]} ({100 * low:.0f}-{100 * high:.0f})':>13}")
    return " ".join(cells)


def milliseconds(seconds: float) -> str:
    """A time a move."""
    return f"{1000 * seconds:.3g} ms"


def counts(tally: Tally) -> str:
    """Wins, draws and losses in words."""
    return f"{tally.wins} wins, {tally.draws} draws, {tally.losses} losses"


def mean_text(mean: Mean) -> str:
    """A mean with its interval, if there is one."""
    if mean.interval is None:
        return f"{mean.value:.4g} (no interval: pairs alike)"
    low, high = mean.interval
    return f"{mean.value:.4g} ({low:.4g} to {high:.4g})"


def reward_text(got: Average | None) -> str:
    """What an agent gets on average."""
    if got is None:
        return "nothing: every game was resigned"
    return (
        f"{mean_text(got.per_game)} a game, {mean_text(got.per_move)} a move, "
        f"over {got.games:,} games and {got.moves:,} moves"
    )


def score_text(score: Score) -> str:
    """The score for a person."""
    lines = [
        f"{score.game}: A is {score.a}, B is {score.b}; seed {score.seed}, "
        f"openings {score.openings}"
    ]
    if score.stopped:
        lines.append(f"stopped after {score.games} of {score.asked} games")
    if not score.games:
        return "\n".join(map(plain, lines))
    lines += [
        "",
        f"{'for A':9} {'games':>6} {'points':>21} {'wins':>13} {'draws':>13} {'losses':>13}",
        tally_row(
            "in total", score.total, f"{percent(score.points)} {interval_text(score.interval)}"
        ),
        tally_row("as first", score.as_first, percent(score.as_first.points)),
        tally_row("as second", score.as_second, percent(score.as_second.points)),
        "in brackets 95 % intervals in percent: of points Agresti and Coull's over",
        "pairs of games, of wins, draws and losses Wilson's",
        "",
        f"Elo        A is {elo_text(score.elo)} above B, as the points and their interval say",
    ]
    record = score.as_dict()
    lines.append(f"who begins {counts(score.first_mover)}")
    if score.coin:
        began = sum(game.first == 0 for game in score.played)
        lines.append(
            f"player 0   {counts(score.player_0)}; a coin let it begin {began} of {score.games}"
        )
    if score.reward:
        lines.append(f"reward     {score.reward}; 95 % intervals over pairs of games")
        lines += [f"{name} gets     {reward_text(score.average(name == 'A'))}" for name in "AB"]
    plies = record["plies"]
    lines.append(f"plies      {plies['mean']:.1f} a game, {plies['least']} to {plies['most']}")
    for key, name in (("a", "A"), ("b", "B")):
        times = record["seconds"][key]
        if times["moves"]:
            by_ply = ", ".join(
                f"{part['from']}-{part['to']} {milliseconds(part['mean'])}"
                for part in times["by_ply"]
            )
            lines.append(
                f"{name} thinks   {milliseconds(times['mean'])} a move, median "
                f"{milliseconds(times['p50'])}, 95th percentile {milliseconds(times['p95'])}; "
                f"timed {times['timing']}; by ply: {by_ply}"
            )
    if record["limit"]:
        lines.append(
            f"limits     {record['limit']} games ended by repetition, no progress or length"
        )
    lines.append(f"distinct   {score.distinct} of {score.games} games")
    if score.few_differ:
        lines.append(
            "warning: most of these games are the same; --openings random:PLIES makes them differ"
        )
    if score.standing:
        lines += ["", str(score.standing)]
    return "\n".join(wrap(map(plain, lines)))
