"""Parts of pages that ludus writes itself: `<!-- generated: NAME ARGUMENT -->` becomes text.

`rules GAME` are the rules that the page of `ludus serve` shows, `game GAME` what a registration
says, `commands` the command line, as its own parser knows it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator

from sphinx.application import Sphinx

from ludus.cli import parser
from ludus.game import game
from ludus.reading import data
from ludus.serve.rules import FOLDER
from ludus.serve.rules.render import fields

MARK = re.compile(r"^<!-- generated: (\w+) ?(.*?) -->$", re.M)


def rules(name: str) -> str:
    """A page of rules without its title, its diagrams as directives."""
    _, _, body = data(FOLDER / f"{name}.md").decode().partition("\n")
    blocks = re.split(r"\n\s*\n", body.strip())
    return "\n\n".join(figure(name, one) if one.startswith("{") else one for one in blocks)


def figure(name: str, block: str) -> str:
    """A diagram of the rules, as the directive that draws it."""
    wanted = fields(block)
    caption, shown = wanted.pop("caption"), wanted.pop("game", name)
    options = "\n".join(f":{key}: {value}" for key, value in wanted.items())
    return f"```{{position}} {shown}\n{options}\n\n{caption}\n```"


def about(name: str) -> str:
    """What a registration says: parameters, notation, truth, known counts."""
    chosen = game(name)
    kind, first = chosen.kind, chosen.start()
    lines = [f"Notation: {kind.notation}.", ""]
    if kind.parameters:
        lines += ["| parameter | default | meaning |", "|---|---|---|"]
        lines += [
            f"| `{key}` | `{chosen.parameters[key]}` | {meaning} |"
            for key, meaning in kind.parameters.items()
        ]
    shape = " x ".join(map(str, first.shape()))
    lines += [
        "",
        f"{chosen.num_actions:,} actions; features of shape {shape}; planes "
        f"{', '.join(f'`{one}`' for one in kind.planes)}. The start is written "
        f"`{first}`.",
    ]
    if counts := kind.perft.get(""):
        told = ", ".join(f"{count:,}" for count in counts)
        lines += ["", f"Lines of play by depth (`ludus perft {name} {len(counts)}`): {told}."]
    return "\n".join(lines)


def commands(_: str) -> str:
    """Every command with its arguments and options."""
    known = parser()
    own = next(one for one in known._actions if isinstance(one, argparse._SubParsersAction))
    return "\n\n".join("\n".join(command(name, one)) for name, one in own.choices.items())


def command(name: str, own: argparse.ArgumentParser) -> Iterator[str]:
    """A section a command."""
    words = " ".join(own.format_usage().removeprefix("usage: ").split())
    yield f"## ludus {name}\n\n{own.description}\n\n```text\n{words}\n```\n"
    rows = [one for one in own._actions if not isinstance(one, argparse._HelpAction)]
    if rows:
        yield "| argument | meaning |\n|---|---|"
    for one in rows:
        yield f"| `{escape(spelled(one))}` | {escape(one.help or '')} |"


def spelled(one: argparse.Action) -> str:
    """An argument or option as it is typed."""
    value = one.metavar or ("|".join(map(str, one.choices)) if one.choices else one.dest.upper())
    if not one.option_strings:
        return str(value)
    return ", ".join(one.option_strings) + ("" if one.nargs == 0 else f" {value}")


def escape(text: str) -> str:
    """For a cell of a table."""
    return text.replace("|", "\\|").replace("%%", "%")


WRITERS: dict[str, Callable[[str], str]] = {"rules": rules, "game": about, "commands": commands}


def write(app: Sphinx, name: str, source: list[str]) -> None:
    """Put what is generated in its places."""
    source[0] = MARK.sub(lambda found: WRITERS[found[1]](found[2]), source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
