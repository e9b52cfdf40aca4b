"""The command line: one module a command, found by its name; heavy imports wait until needed."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

from ludus.plain import sentence

HELLO = """ludus, a laboratory for two-player board-game agents

  ludus games               which games there are; `ludus games GAME` explains one
  ludus show connect4 --moves 4453
                            a position in the terminal, or with --svg FILE as a picture
  ludus play connect4       play in the terminal, against an agent or a person
  ludus match connect4 A B  let two agents meet; `ludus tournament` for more than two
  ludus train ppo connect4  let an agent learn; `ludus resume RUN` goes on, `ludus runs` lists
  ludus replay FILE         show recorded games
  ludus solve connect4 --moves 4453
                            what is true of a position; tables are made once and kept
  ludus perft checkers 8    count lines of play
  ludus check-game FILE     does a game written in Python keep the laws?
  ludus doctor              is everything in order here?
  ludus demo                every game, at speed

`ludus COMMAND --help` says more."""


def commands() -> list[str]:
    """The names of the commands."""
    return sorted(m.name.replace("_", "-") for m in iter_modules(__path__) if m.name[0] != "_")


class Parser(argparse.ArgumentParser):
    """Python's, with what was typed told plainly."""

    def error(self, message: str) -> NoReturn:
        super().error(sentence(message))


def parser() -> argparse.ArgumentParser:
    """The parser with every command's own options."""
    main_parser = Parser(prog="ludus", description="A laboratory for two-player board-game agents.")
    main_parser.add_argument("--version", action="store_true", help="print the version")
    chosen = main_parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in commands():
        module = import_module(f"ludus.cli.{name.replace('-', '_')}")
        sentence = str(module.__doc__).split("\n")[0]
        own = chosen.add_parser(name, help=sentence, description=sentence)
        module.options(own)
        own.set_defaults(run=module.run)
    return main_parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 fine, 1 the answer is no, 2 usage or bad input."""
    args = parser().parse_args(arguments)
    if args.version:
        from importlib.metadata import version

        print(version("ludus"))
        return 0
    if args.command is None:
        print(HELLO)
        return 0
    try:
        with warnings_as_sentences():
            code: int = args.run(args)
        sys.stdout.flush()
    except (ValueError, TypeError) as error:
        complain(error)
        return 2
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        complain(f"{error.filename or 'a file'}: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        complain("stopped")
        return 130
    return code


def complain(error: object) -> None:
    """One sentence on standard error."""
    print(f"ludus: {sentence(error)}", file=sys.stderr, flush=True)


@contextmanager
def warnings_as_sentences() -> Iterator[None]:
    """What Python warns of is told once, without a place in the source."""
    told: set[str] = set()

    def tell(message: Warning | str, *place: object) -> None:
        if str(message) not in told:
            told.add(str(message))
            complain(message)

    with warnings.catch_warnings():
        warnings.showwarning = tell  # type: ignore[assignment]
        yield
