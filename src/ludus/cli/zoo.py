"""The zoo: trained networks that come with ludus, and how strong they were measured to be."""

from __future__ import annotations

import argparse

from ludus.cli._common import add_json, answer, say
from ludus.plain import plain


def options(parser: argparse.ArgumentParser) -> None:
    """Nothing lists them all; `--add RUN` takes one in, for those who work on ludus."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show the card of one")
    parser.add_argument("--add", metavar="RUN", help="take in what a run plays with, as NAME")
    parser.add_argument(
        "--measured",
        action="append",
        default=[],
        metavar="TEXT",
        help="a line of its card: how strong it was measured to be",
    )
    parser.add_argument("--minutes", type=float, help="how long the training took")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """List, show, or take in."""
    from ludus.learn.store import zoo

    if args.add:
        return add(args)
    cards = {name: zoo.card(name) for name in ([args.name] if args.name else zoo.names())}
    if args.json:
        answer(cards)
        return 0
    for name, card in cards.items():
        head = f"zoo/{name}  {card['game']}, {card['algorithm']}, {card['minutes']:g} minutes"
        for line in (head, f"  {card['command']}", *(f"  {line}" for line in card["measured"])):
            say(plain(line))
    if not cards:
        say("the zoo is empty")
    return 0


def add(args: argparse.Namespace) -> int:
    """A new inhabitant."""
    from ludus.learn.runs.run import Run
    from ludus.learn.store import zoo
    from ludus.learn.store.selection import checkpoint_of

    if not args.name or args.minutes is None:
        raise ValueError("a network is taken in with a name and the minutes of its training")
    of = Run(args.add.partition("@")[0])
    facts = {
        "command": of.command,
        "seed": of.asked.seed,
        "minutes": args.minutes,
        "measured": args.measured,
    }
    say(zoo.add(args.name, checkpoint_of(args.add), facts))
    return 0
