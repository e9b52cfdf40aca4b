"""The options of a learning method: read from words, and explained in groups at 80 columns."""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, NoReturn

from ludus.draw.terminal import Ink, wants_colour
from ludus.learn.settings.config import options_by_group
from ludus.learn.settings.renamed import ELSEWHERE, NOWHERE, old_settings
from ludus.options import Option, describe

WIDTH = 80
INDENT = " " * 6
COLUMN = 24  # where the meaning of a general option begins


class Options(argparse.ArgumentParser):
    """Options from the fields of a Config; a wrong one is told with the nearest there is."""

    config: Any = None

    def error(self, message: str) -> NoReturn:
        head = "unrecognized arguments: "
        if message.startswith(head):
            wrong = message.removeprefix(head).split()[0]
            if not wrong.startswith("-"):
                raise ValueError(
                    f"one game is trained at a time, and {wrong!r:.60} is one too many"
                )
            raise ValueError(f"no option {wrong}; {self.hint(wrong.partition('=')[0])}")
        raise ValueError(message)

    def hint(self, wrong: str) -> str:
        """What may have been meant: by its old name, or one spelled nearly so."""
        name = wrong.removeprefix("--").replace("-", "_")
        if name in NOWHERE:
            return f"there is none like it: {NOWHERE[name]}"
        fields = {one.name for one in describe(self.config)}
        old = old_settings(self.config).get(name)
        if old is None and ELSEWHERE.get(name) in fields:
            old = ELSEWHERE[name]
        known = [option for action in self._actions for option in action.option_strings]
        near = [option_name(old)] if old else get_close_matches(wrong, known, 1, 0.5)
        return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"

    def format_help(self) -> str:
        return "\n".join(self.lines(Ink(wants_colour()))) + "\n"

    def lines(self, ink: Ink) -> Iterator[str]:
        """The method, the options of every training, and its own by groups."""
        yield f"usage: {self.prog} [GAME] [OPTION VALUE ...]"
        for paragraph in (self.description or "").strip().split("\n\n"):
            yield ""
            yield from textwrap.wrap(paragraph, WIDTH)
        yield ""
        fields = {one.name for one in describe(self.config)}
        for action in self._actions:
            if action.dest not in fields:
                yield from action_lines(action, ink)
        for group, members in options_by_group(self.config).items():
            yield ""
            yield ink(group, "bold", "second")
            for one in members:
                yield from option_lines(one, ink)


def action_lines(action: argparse.Action, ink: Ink) -> Iterator[str]:
    """An option that is no field of a Config, or the game."""
    name = ", ".join(action.option_strings) or str(action.metavar)
    taken = f" {action.metavar}" if action.option_strings and action.metavar else ""
    told = textwrap.wrap(action.help or "", WIDTH - COLUMN)
    head = f"  {name}{taken}"
    if len(head) >= COLUMN:
        told = ["", *told]
    yield (
        ink(name.join(("  ", "")), "bold")
        + (taken + " " * COLUMN)[: COLUMN - 2 - len(name)]
        + (told[0] if told else "")
    )
    yield from (" " * COLUMN + line for line in told[1:])


def option_lines(one: Option, ink: Ink) -> Iterator[str]:
    """A field of the Config: its type, default and range, then its sentence."""
    name = option_name(one.name)
    default = "" if one.default in ("", None) else f" = {str(one.default).lower()}"
    ends = one.range.removeprefix(" of").strip()
    bounds = f", {ends}" if ends and not one.facts.choices else ""
    yield f"  {ink(name, 'bold')} {one.kind}{ink(default, 'first')}{ink(bounds, 'faint')}"
    yield from textwrap.wrap(sentence(one), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def sentence(one: Option) -> str:
    """What an option does, with its usual symbol and its paper."""
    source = ", ".join(filter(None, (one.facts.symbol, one.facts.paper)))
    return one.facts.help + (f" ({source})" if source else "")


def option_name(name: str) -> str:
    """A field as an option."""
    return f"--{name.replace('_', '-')}"


def add_fields(parser: Options, config: Any) -> None:
    """One option a field."""
    parser.config = config
    for one in describe(config):
        parser.add_argument(
            option_name(one.name), dest=one.name, metavar=one.kind, default=argparse.SUPPRESS
        )


def typed_settings(args: argparse.Namespace, config: Any) -> dict[str, str]:
    """The fields that were given on the command line, as words."""
    names = [field.name for field in dataclasses.fields(config)]
    return {name: getattr(args, name) for name in names if hasattr(args, name)}
