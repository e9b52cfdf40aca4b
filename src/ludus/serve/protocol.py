"""The messages, and what is said to those that are not as they should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus import reading
from ludus.plain import sentence
from ludus.serve.limits import LIMITS, Limits

LONGEST = 400  # characters of a refusal
SHORT = 200  # characters of a text in a list
MOST_ID = 2**53 - 1  # what JavaScript counts exactly


class Refused(ValueError):  # noqa: N818  (an answer, not a mistake of ours)
    """What a client asked is not done; the sentence says why."""

    def __init__(self, why: object, status: int = 400) -> None:
        said = sentence(why)
        super().__init__(said if len(said) <= LONGEST else said[: LONGEST - 1] + "…")
        self.status = status


@dataclass(frozen=True)
class Field:
    """A field of a message: its kind, what it means, and its bounds."""

    kind: str  # line, whole, number, text, texts
    about: str
    required: bool = True
    low: float = 0
    high: float = 2**31 - 1  # of a number, or the length of a text


LINE = Field("line", "the game line: {game, start, tokens}")


def load(data: str | bytes, most: int) -> dict[str, Any]:
    """A message: one JSON object."""
    try:
        found = reading.parse(data, most)
    except ValueError as error:
        raise Refused(f"the message is {error}" if str(error) == "not JSON" else error) from None
    if not isinstance(found, dict):
        raise Refused("a message is a JSON object")
    return found


def read(message: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The fields of a message, each one checked; a missing one that may be missing is None."""
    for name in message:
        if name not in fields:
            there = ", ".join(fields) or "none"
            raise Refused(f"no field {name!r:.60} here; there are {there}")
    return {name: value_of(name, message.get(name), field) for name, field in fields.items()}


def value_of(name: str, value: Any, field: Field) -> Any:
    """One field, checked."""
    if value is None:
        if field.required:
            raise Refused(f"the message has no {name}")
        return None
    if isinstance(value, bool) or not fits(value, field):
        raise Refused(f"{name} is {meaning(field)}")
    return value


def fits(value: Any, field: Field) -> bool:
    """Whether a value has the kind of a field, and lies within its bounds."""
    match field.kind:
        case "line":
            return isinstance(value, dict)
        case "text":
            return isinstance(value, str) and len(value) <= field.high
        case "texts":
            short = isinstance(value, list) and len(value) <= field.high
            return short and all(isinstance(one, str) and len(one) <= SHORT for one in value)
    kinds = int if field.kind == "whole" else (int, float)
    return isinstance(value, kinds) and field.low <= value <= field.high


def meaning(field: Field) -> str:
    """What a field has to be, as the end of a sentence."""
    high = f"{field.high:,.0f}" if field.high >= 1000 else f"{field.high:g}"
    match field.kind:
        case "whole":
            return f"a whole number from {field.low:g} to {high}"
        case "number":
            return f"a number from {field.low:g} to {high}"
        case "text":
            return f"text of at most {high} characters"
        case "texts":
            return f"a list of at most {high} short texts"
    return "an object"


def messages(limits: Limits = LIMITS) -> dict[str, dict[str, Field]]:
    """The fields of what can be sent, by route; `think`, `stop` and `truth` are of the socket."""
    game = Field("text", "the spelling of a game: connect4:rows=5", high=limits.spelling)
    seed = Field("whole", "decides what is drawn; otherwise drawn anew", required=False)
    action = Field("whole", "a legal action")
    ask = Field("whole", "the number of the question, chosen by the client", high=MOST_ID)
    budget = {
        "agent": Field("text", "one of the agents of /api/games", high=limits.spelling),
        "simulations": Field("whole", "simulations to make", False, low=1, high=limits.simulations),
        "seconds": Field(
            "number", "seconds of work to spend", False, low=0.001, high=limits.think_seconds
        ),
        "seed": seed,
    }
    position = Field("text", "the text of a position", False, high=limits.position)
    return {
        "/api/game": {"game": game},
        "/api/new": {"game": game, "seed": seed},
        "/api/position": {"line": LINE},
        "/api/play": {"line": LINE, "action": action, "seed": seed},
        "/api/parse": {
            "game": Field("text", game.about, False, high=limits.spelling),
            "position": position,
            "moves": Field("text", "moves in their notation", False, high=limits.record),
            "record": Field("text", "one JSON line of a record", False, high=limits.record),
        },
        "/api/record": {
            "line": LINE,
            "players": Field("texts", "the names of the two players", False, high=2),
            "resigned": Field("whole", "the player who gave up", False, high=1),
        },
        "/api/setup": {
            "game": game,
            "board": Field("text", "a mark for each cell of a scene's setup", high=limits.position),
            "player": Field("whole", "who is to move", high=1),
        },
        "/api/truth": {"line": LINE},
        "/api/think": {"line": LINE, **budget},
        "/api/puzzle": {
            "game": game,
            "seed": seed,
            "grade": Field("whole", "from 1, easy", low=1, high=5),
        },
        "/api/puzzle/answer": {"line": LINE, "action": action},
        "think": {
            "id": ask,
            "line": LINE,
            **budget,
            "every": Field("whole", "milliseconds between thoughts", False, low=20, high=10_000),
        },
        "stop": {"id": ask},
        "truth": {"id": ask, "line": LINE},
    }
