"""Options describe themselves, and what they say is what is checked."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import pytest

import ludus
from ludus.agent import agent_class, agent_names
from ludus.cli import main
from ludus.options import check, describe, option


@dataclass
class Sample:
    count: int = option(3, "a count", low=1, high=9)
    share: float = option(0.5, "a share", above=0, high=1)
    size: float | None = option(None, "a size", low=2)
    flag: bool = option(False, "a flag")
    word: str = option("a", "a word", choices=("a", "b"))


BAD = [
    ("count", 0, "count is a whole number from 1 to 9, not 0"),
    ("count", 10, "count is a whole number from 1 to 9, not 10"),
    ("count", True, "count is a whole number from 1 to 9, not True"),
    ("count", 2.0, "count is a whole number from 1 to 9, not 2.0"),
    ("share", 0, "share is a number above 0 and at most 1, not 0"),
    ("share", math.nan, "share is a number above 0 and at most 1, not nan"),
    ("share", None, "share is a number above 0 and at most 1, not None"),
    ("size", 1, "size is a number of at least 2, not 1"),
    ("size", math.inf, "size is a number of at least 2, not inf"),
    ("flag", 1, "flag is true or false, not 1"),
    ("word", "c", "word is one of a, b, not 'c'"),
    ("word", "x" * 1000, "word is one of a, b, not 'xxx"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), BAD)
def test_what_is_out_of_range_is_told_in_a_sentence(name, value, sentence):
    with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.")) as told:
        check(Sample(**{name: value}))
    assert len(str(told.value)) < 120


@pytest.mark.parametrize(
    ("name", "value"), [("count", 1), ("count", 9), ("share", 1), ("size", None), ("size", 1e300)]
)
def test_bounds_are_in_range(name, value):
    check(Sample(**{name: value}))


@pytest.mark.parametrize("name", [*agent_names(), "zoo/connect4"])
def test_every_option_of_every_agent_describes_itself(name):
    kind = agent_class(name)
    own = {"seed", getattr(kind, "named_by", "seed")}
    options = {one.name for one in dataclasses.fields(kind) if one.init} - own
    assert {one.name for one in describe(kind)} - own == options
    assert all(one.accepts(one.default) for one in describe(kind))


@pytest.mark.parametrize("name", agent_names())
def test_agents_refuse_values_beyond_each_bound(name):
    for one in describe(agent_class(name)):
        for end, beyond in ((one.facts.low, -1), (one.facts.high, 1)):
            if end is not None and one.name != "seed":
                with pytest.raises(ValueError, match=f"^{one.name} is "):
                    ludus.agent(f"{name}:{one.name}={end + beyond}")


def test_agents_are_listed_and_explained(capsys):
    assert main(["agents"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in agent_names())
    assert main(["agents", "uct"]) == 0
    told = capsys.readouterr().out
    assert "simulations=1000" in told
    assert "Kocsis" in told
    assert max(map(len, told.splitlines())) <= 80
    assert main(["agents", "nobody"]) != 0
