"""Show every game and its speed, a tournament, and AlphaZero learning Connect Four."""

from __future__ import annotations

import argparse
import random
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena.match import prepare_match
from ludus.arena.score import Score
from ludus.arena.table import TournamentTable
from ludus.arena.tournament import Tournament
from ludus.cli._common import add_json, answer, check_minutes, draw, program, say
from ludus.cli._progress import Progress
from ludus.cli.doctor import examine_game
from ludus.cli.tournament import table_text, with_truth
from ludus.extras import install
from ludus.game import game, game_names

if TYPE_CHECKING:
    from ludus.learn.runs.run import Run

AGENTS = ["random", "greedy", "uct:simulations=100", "uct:simulations=1000", "alphabeta:depth=6"]
GAMES = 20  # for each two agents
OPENINGS = "random:8"  # many different games; and their truth is known soon
MINUTES = 3.0  # of learning
OPPONENTS = (
    "uct:simulations=1000",
    "perfect",
)  # of who has learned, by search as by its raw policy
LEARNED = ("@last", "@last:simulations=100")


def options(parser: argparse.ArgumentParser) -> None:
    """The seed of the moves shown."""
    parser.add_argument("--seed", type=int, default=0, help="of everything shown (0)")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"of learning ({MINUTES:g}); 0 for none"
    )
    parser.add_argument("--folder", metavar="DIR", help="where to keep what is learned (runs/demo)")
    add_json(parser)


def play_tournament(seed: int) -> TournamentTable:
    """A short tournament, the same for the same seed, its moves held against the truth."""
    tournament = Tournament("connect4", AGENTS, games=GAMES, seed=seed, openings=OPENINGS)
    with Progress("tournament", tournament.remaining, "games") as progress:
        tournament.play(2, progress=progress)
    return with_truth(tournament.table(), tournament.game)


def prepare_training(args: argparse.Namespace) -> Run:
    """A run of AlphaZero with settings for this machine and the time there is."""
    from ludus.cli.train import free_path
    from ludus.learn import alphazero
    from ludus.learn.runs.run import Run

    chosen = game("connect4")
    config = alphazero.Config(eval_opponents="uct:simulations=100", n_eval_games=40, eval_freq=25)
    config = alphazero.autotune(chosen, config, args.minutes, ())
    path = args.folder or free_path("runs/demo")
    command = f"ludus demo --seed {args.seed} --minutes {args.minutes:g}"
    return Run(path, chosen, alphazero, config, seed=args.seed, command=command)


def train_alphazero(args: argparse.Namespace) -> dict[str, Any]:
    """Let AlphaZero learn for a while, then play who knows how to."""
    if find_spec("torch") is None:
        say(f"\nAlphaZero learns where torch is installed: {install('learn')}")
        return {}
    from ludus.cli._training import train_run

    if not args.json:
        say(f"\nAlphaZero learns Connect Four from nothing, for {args.minutes:g} minutes\n")
    with Progress("fitting its settings to this machine"):
        made = prepare_training(args)
    if train_run(made, args.minutes, args.json, quiet_end=True):
        raise KeyboardInterrupt
    found: dict[str, Any] = {"run": str(made.path)}
    for opponent in OPPONENTS:
        for which in LEARNED:
            score = play_games(f"{made.spelled}{which}", opponent, args.seed)
            low, high = score.interval
            found[f"{which} {opponent}"] = score.points
            how = "with 100 simulations" if "simulations" in which else "by its raw policy"
            if not args.json:
                say(
                    f"{how:21} against {opponent:21} {100 * score.points:.0f} % of points "
                    f"({100 * low:.0f}-{100 * high:.0f}), {score.games} games",
                    flush=True,
                )
    if not args.json:
        say(what_to_look_at(made))
    return found


def play_games(agent: str, opponent: str, seed: int) -> Score:
    """What has been learned meets an opponent."""
    match = prepare_match("connect4", agent, opponent, games=40, seed=seed, openings=OPENINGS)
    with Progress(f"playing {opponent}", match.games, "games") as progress:
        return match.play(progress=progress)


def step_of(games: Path) -> int:
    """The step whose strength was measured in these games."""
    return int(games.stem.removeprefix("step-"))


def what_to_look_at(made: Run) -> str:
    """Commands that run as they are printed."""
    agent = shlex.quote(f"{made.spelled}@last:simulations=100")
    lines = ["", f"How it went: {(made.path / 'report.html').resolve().as_uri()}"]
    if games := sorted(made.folder.games.glob("step-*.jsonl"), key=step_of):
        lines.append(f"A game of it:   {program()} replay {shlex.quote(str(games[-1]))} --game 1")
    lines.append(f"Play it:        {program()} play connect4 --vs {agent}")
    lines.append(f"In the browser: {program()} serve --open --agents {agent}")
    return "\n".join(lines)


def run(args: argparse.Namespace) -> int:
    """A board and a rate for each game."""
    check_minutes(args.minutes or None)  # 0 is for no learning
    reports = {}
    for name in game_names():
        chosen = game(name)
        rng, state, last = random.Random(args.seed), chosen.start(), None
        while state.plies < 8 and state.outcome is None:
            last = rng.choice(state.legal())
            state = state.play(last, rng)
        reports[name] = report = examine_game(name)
        if not args.json:
            draw(f"\n{chosen.kind.title}\n\n{chosen.text(state, last=last)}\n")
            say(
                f"{report['games_per_second']:,} random games a second on one thread, "
                f"{report['plies_per_second']:,} plies a second; perft {report['perft']}"
            )
    table = play_tournament(args.seed)
    if not args.json:
        say(f"\nA tournament of search agents\n\n{table_text(table)}")
    learned = train_alphazero(args) if args.minutes > 0 else None
    if args.json:
        answer({"games": reports, "tournament": table.as_dict(), "learned": learned})
    return 0 if all(report["perft"] == "ok" for report in reports.values()) else 1
