"""The command line: one module a command, found by its name; heavy imports wait until needed."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import NoReturn

from ludus.extras import version
from ludus.files import Notice
from ludus.plain import sentence
from ludus_start import importing

HELLO = """ludus, a laboratory for two-player board-game agents

  ludus games               which games there are; `ludus games GAME` explains one
  ludus agents              which agents there are; `ludus agents NAME` explains one
  ludus show connect4 --moves 4453
                            a position in the terminal, or with --svg FILE as a picture
  ludus serve --open        the page in the browser: play, watch, analyse, see what is true
  ludus play connect4       play in the terminal, against an agent or a person
  ludus match connect4 A B  let two agents meet; `ludus tournament` for more than two
  ludus train ppo connect4  let an agent learn; `ludus resume RUN` goes on, `ludus runs` lists
  ludus evaluate RUN        what each checkpoint learned, beside what is true
  ludus study cathedral     a paper's tables asked again; `ludus report RUN RUN` compares runs
  ludus replay FILE         show recorded games
  ludus solve connect4 --moves 4453
                            what is true of a position; tables are made once and kept
  ludus exploit AGENT       look for its mistakes; `ludus harden` trains them away
  ludus prove AGENT --side first
                            does it always win, can it be beaten? `ludus check-proof` checks
  ludus perft checkers 8    count lines of play
  ludus check-game FILE     does a game written in Python keep the laws?
  ludus doctor              is everything in order here?
  ludus demo                every game, at speed

`ludus COMMAND --help` says more."""

# Exit codes. A command answers 0, or 1 if the answer is no.
FINE, BAD_INPUT, DEFECT, INTERRUPTED = 0, 2, 3, 130


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
        purpose = str(module.__doc__).split("\n")[0]
        own = chosen.add_parser(name, help=purpose, description=purpose)
        module.options(own)
        own.set_defaults(run=module.run)
    return main_parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command; what it comes to is an exit code, and an error is a sentence."""
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("LUDUS_DEBUG") == "1":
            traceback.print_exc()
        code, why = explain_error(error)
        if why:
            complain(why)
        return code


def run(arguments: list[str] | None) -> int:
    """Run one command."""
    with importing():
        known = parser()
    args = known.parse_args(arguments)
    if args.version:
        print(version())
    elif args.command is None:
        print(HELLO)
    else:
        with warnings_as_sentences():
            code: int = args.run(args)
        return code
    return FINE


def explain_error(error: BaseException) -> tuple[int, str]:
    """The exit code for an error, and the one sentence that a person reads."""
    match error:
        case KeyboardInterrupt():
            return INTERRUPTED, "stopped"
        case BrokenPipeError():  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FINE, ""
        case OSError(strerror=reason) if reason:
            return BAD_INPUT, f"{error.filename or 'a file'}: {reason}"
        case ValueError() | TypeError() | OSError():
            return BAD_INPUT, in_one_line(str(error))
        case MemoryError():
            return BAD_INPUT, "memory ran out: ask for less"
        case RuntimeError() if "allocate memory" in str(error):  # torch's
            return BAD_INPUT, "memory ran out: ask for less"
    found = in_one_line(f"{type(error).__name__}: {error}")
    return DEFECT, f"{found} (a defect of ludus; LUDUS_DEBUG=1 shows where)"


def in_one_line(text: str) -> str:
    """A message of another library may have several."""
    return " ".join(text.split()) if "\n" in text else text


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
        warnings.filterwarnings("default", category=Notice)
        warnings.showwarning = tell  # type: ignore[assignment]
        yield
