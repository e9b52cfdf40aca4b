"""Write docs/options.md: every option of every learning method and agent, from their descriptions.

`python scripts/options_reference.py` writes it; `--check` says whether it is up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from ludus.agent import WRAPPERS, agent_class, agent_names
from ludus.learn import about, algorithm, algorithms
from ludus.learn.agents._trained import Trained
from ludus.learn.settings.config import Common, options_by_group
from ludus.options import Option, describe

FILE = Path(__file__).parents[1] / "docs" / "options.md"
HEAD = """# Options

Every option of `ludus train METHOD`, each a field of the method's `Config`, and of every agent.
`python scripts/options_reference.py` writes this page. On the command line `gae_lambda` is
`--gae-lambda`; agents take theirs in their spelling, as in `uct:simulations=500`. `ludus train
METHOD --help` and `ludus agents NAME` say the same; `ludus train METHOD --schema` prints a JSON
schema of `config.json`."""
TABLE = "| option | default | values | meaning |\n|---|---|---|---|"


def page() -> str:
    """The whole page."""
    return "\n".join((HEAD, *methods(), *agents())) + "\n"


def methods() -> Iterator[str]:
    """What all methods share, then what each has of its own."""
    yield "\n## Every method\n"
    yield from groups(Common)
    shared = {one.name: one for one in describe(Common)}
    for name in algorithms():
        own = describe(algorithm(name).Config)
        yield f"\n## {name}\n\n{about(name)}\n"
        other = [one for one in own if one.name in shared and one != shared[one.name]]
        if other:
            told = ", ".join(f"`{one.name}` {value(one.default)}" for one in other)
            yield f"With other defaults than above: {told}.\n"
        yield from groups(algorithm(name).Config, shared)


def groups(kind: Any, without: Container[str] = ()) -> Iterator[str]:
    """A table a group."""
    for group, members in options_by_group(kind, without).items():
        yield f"### {group}\n\n{TABLE}"
        yield from map(row, members)
        yield ""


def agents() -> Iterator[str]:
    """The options of agents."""
    yield "## Agents\n"
    yield f"Every agent also takes {' and '.join(f'`{name}`' for name in WRAPPERS)}."
    kinds = {name: agent_class(name) for name in agent_names()}
    for name, kind in (*kinds.items(), ("runs/NAME and zoo/NAME", Trained)):
        hidden = ("seed", getattr(kind, "named_by", "seed"))
        own = [one for one in describe(kind) if one.name not in hidden]
        yield f"\n### {name}\n\n{(kind.__doc__ or '').partition(chr(10))[0]}\n"
        if own:
            yield TABLE
            yield from map(row, own)


def row(one: Option) -> str:
    """A line of a table."""
    source = ", ".join(filter(None, (one.facts.symbol, one.facts.paper)))
    meaning = one.facts.help + (f" ({source})" if source else "")
    cells = (f"`{one.name}`", value(one.default), one.meaning, meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def value(default: Any) -> str:
    """A default as it is typed."""
    if default is None or default == "":
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if FILE.read_text(encoding="utf-8") == page() else f"{FILE} is out of date")
    FILE.write_text(page(), encoding="utf-8")
