"""Entries of the zoo: make one from a run, measure it, make it again from its card.

    python scripts/zoo.py add draughts runs/draughts@last --form int8
    python scripts/zoo.py measure draughts --against uct:simulations=2000 --simulations 200
    python scripts/zoo.py remake connect4        (`make zoo NAME=connect4`; all of them if none)

A card made here has all settings of its run: made again by the same versions on such a processor
the weights are the same, byte by byte. Elsewhere, and for older cards, which have a command only,
both networks meet.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.arena.score import Score
from ludus.cli._progress import Progress
from ludus.cli._training import train_run
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import restore_config
from ludus.learn.store import zoo
from ludus.learn.store.selection import checkpoint_of

BUILD = Path("build/zoo")
MOST_BYTES = 1_100_000  # of an entry: it comes with every install
GAMES, SEED, OPENINGS = 400, 7, "none"
GAMES_AGAIN = 200  # of a network that was made again, from openings that all differ
OPENINGS_AGAIN = "random:4"


def main(words: Sequence[str] | None = None) -> int:
    """Do one of the three."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(dest="what", required=True)
    adding = parts.add_parser("add", help="take in what a run plays with")
    adding.add_argument("name")
    adding.add_argument("run", help="such as runs/x@last")
    adding.add_argument("--form", choices=zoo.FORMS, default=zoo.HALVES)
    measuring = parts.add_parser("measure", help="write its strength on its card")
    measuring.add_argument("name")
    measuring.add_argument("--against", nargs="+", required=True, metavar="AGENT")
    measuring.add_argument("--simulations", type=int, required=True, help="of its search")
    measuring.add_argument("--games", type=int, default=GAMES)
    measuring.add_argument("--seed", type=int, default=SEED)
    measuring.add_argument("--openings", default=OPENINGS)
    again = parts.add_parser("remake", help="make it again from its card, and compare")
    again.add_argument("names", nargs="*", metavar="NAME")
    again.add_argument("--games", type=int, default=GAMES_AGAIN)
    args = parser.parse_args(words)
    if args.what == "add":
        print(add(args.name, args.run, args.form))
        return 0
    if args.what == "measure":
        print(measure(args))
        return 0
    weaker = [name for name in args.names or zoo.names() if not remake(name, args.games)]
    return 1 if weaker else 0


def add(name: str, run: str, form: str) -> Path:
    """Make an entry; what it was measured to be is written by `measure`."""
    of, one = Run(run.partition("@")[0]), checkpoint_of(run)
    size = len(zoo.pack(one, form))
    if size > MOST_BYTES:
        raise SystemExit(f"{run} has {size:,} bytes as {form}, more than {MOST_BYTES:,}")
    facts = {**facts_of(of, one.step), "measured": list[str]()}
    begun = one.record["config"].get("init", "")
    if begun and not zoo.in_zoo(begun):  # with the weights of another training
        before, source = checkpoint_of(begun), Run(begun.partition("@")[0])
        made = {"step": before.step, "settings": before.record["config"]}
        facts["init"] = {**facts_of(source, before.step), **made}
    return zoo.add(name, one, facts, form)


def facts_of(run: Run, step: int) -> dict[str, Any]:
    """How a checkpoint of a run came to be."""
    seconds = [line["time_elapsed"] for line in run.folder.course() if line["step"] == step]
    minutes = round(seconds[-1] / 60, 1) if seconds else 0.0
    return {"command": run.command, "seed": run.asked.seed, "minutes": minutes}


def measure(args: argparse.Namespace) -> Path:
    """Play the stored weights, raw and with a search, and write down what it came to."""
    card = zoo.card(args.name)
    told = []
    for how, agent in (
        ("raw policy", f"zoo/{args.name}"),
        (f"{args.simulations} simulations", f"zoo/{args.name}:simulations={args.simulations}"),
    ):
        found = [
            f"{interval(meet(card['game'], agent, other, args))} against {other}"
            for other in args.against
        ]
        told.append(f"{how}, {args.games} games each: {'; '.join(found)}")
    words = f"--games {args.games} --seed {args.seed} --openings {args.openings}"
    told.append(f"ludus match {card['game']} zoo/{args.name} OPPONENT {words}")
    return zoo.write_card(args.name, {**card, "measured": told})


def meet(game: str, one: str, other: str, args: argparse.Namespace) -> Score:
    """Two agents, with a line of how it goes."""
    from ludus.arena.match import prepare_match

    planned = prepare_match(
        game, one, other, games=args.games, seed=args.seed, openings=args.openings
    )
    with Progress(f"{one} against {other}", planned.games, "games") as progress:
        return planned.play(progress=progress)


def interval(score: Score) -> str:
    """Points in percent."""
    low, high = score.interval
    return f"{100 * score.points:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def remake(name: str, games: int) -> bool:
    """Train it again under build/zoo; whether it is the same, or not clearly weaker."""
    card, path = zoo.card(name), BUILD / name
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"zoo/{name}: about {card['minutes']:g} minutes, in {path}", flush=True)
    if "init" in card:  # it began with the weights of a training that is made again before it
        first = BUILD / f"{name}-init"
        print(f"before it about {card['init']['minutes']:g} minutes, in {first}", flush=True)
        train_to({**card, **card["init"]}, first)
        card["settings"]["init"] = f"./{first}@last"
    if "settings" in card:
        train_to(card, path)
    else:
        train_for(card, path)
    made = checkpoint_of(f"./{path}@last")
    if zoo.digest(zoo.pack(made, card.get("form", zoo.HALVES))) == card["checksum"]:
        print(f"zoo/{name}: the same, byte by byte")
        return True
    plan = argparse.Namespace(games=games, seed=SEED, openings=OPENINGS_AGAIN)
    score = meet(card["game"], f"./{path}@last", f"zoo/{name}", plan)
    weaker = score.interval[1] < 0.5
    print(
        f"zoo/{name}: another network, which takes {interval(score)} of {games} games from it by "
        f"its raw policy{', and is weaker' if weaker else ''}"
    )
    return not weaker


def train_to(card: dict[str, Any], path: Path) -> None:
    """With the settings of its run, to its step; what was begun goes on."""
    if (path / "config.json").exists():
        run = Run(path).with_config(steps=card["step"])
    else:
        method = algorithm(card["algorithm"])
        known = {**card["settings"], "steps": card["step"], "eval_freq": 0}
        config = restore_config(method.Config, known)
        run = Run(path, card["game"], method, config, seed=card["seed"], command=card["command"])
    finish(train_run(run, None, False))


def train_for(card: dict[str, Any], path: Path) -> None:
    """By its command, for its minutes over all sittings, with the network that the card names."""
    if (path / "config.json").exists():
        spent = max((line["time_elapsed"] for line in Run(path).folder.course()), default=0.0)
        left = card["minutes"] - spent / 60
        if left > 0:
            finish(ludus("resume", str(path), "--minutes", f"{left:g}"))
        return
    words = without_option(shlex.split(card["command"])[1:], "--run")
    for option in ("network", "width", "blocks", "activation"):
        if f"--{option}" not in words:
            words += [f"--{option}", str(card[option])]
    if "--minutes" not in words:
        words += ["--minutes", f"{card['minutes']:g}"]
    finish(ludus(*words, "--run", str(path)))


def without_option(words: list[str], option: str) -> list[str]:
    """The words without an option and its value."""
    if option not in words:
        return words
    at = words.index(option)
    return words[:at] + words[at + 2 :]


def ludus(*words: str) -> int:
    """Run a command of this install."""
    return subprocess.run([sys.executable, "-m", "ludus", *words]).returncode


def finish(code: int) -> None:
    """Stop where training was stopped; the same command goes on with it."""
    if code:
        raise SystemExit(code)


if __name__ == "__main__":
    sys.exit(main())
