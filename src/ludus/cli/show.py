"""Show a position in the terminal, or draw it into an SVG file."""

from __future__ import annotations

import argparse

from ludus.cli._common import add_game, add_json, add_position, answer, draw, position, say


def options(parser: argparse.ArgumentParser) -> None:
    """Which position, and how to draw it."""
    add_game(parser)
    add_position(parser)
    parser.add_argument("--svg", metavar="FILE", help="write a picture instead")
    parser.add_argument(
        "--theme", default="light", choices=("light", "dark"), help="of the picture"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Draw, print or describe the position."""
    game, state, last = position(args)
    if args.svg:
        game.draw(state, last=last, theme=args.theme).save(args.svg)
    if args.json:
        answer(
            {
                "game": game.spelling,
                "position": str(state),
                "player": state.player,
                "plies": state.plies,
                "outcome": state.outcome,
                "winner": state.winner,
                "legal": {game.move(state, action): action for action in state.legal()},
                **({"svg": args.svg} if args.svg else {}),
            }
        )
    elif args.svg:
        say(f"wrote {args.svg}")
    else:
        draw(game.text(state, last=last))
        say(str(state))
    return 0
