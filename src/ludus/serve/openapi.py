"""The description of the API for programs: OpenAPI 3.1."""

from __future__ import annotations

import dataclasses
from typing import Any

from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Field, messages

# What each route does, and what its answer holds.
POSTS = {
    "/api/game": ("One game with its parameters", "an entry of /api/games"),
    "/api/new": ("Begin a game; a coin is tossed where the rules ask for one", "a scene"),
    "/api/position": ("The last state of a line", "a scene"),
    "/api/play": ("Play an action; chance is drawn here", "token, scene"),
    "/api/parse": ("Read a game from moves or from a record", "line"),
    "/api/record": ("Write a game as moves and as a record", "text, record, why"),
    "/api/setup": ("The text of a position set up by hand", "text"),
    "/api/truth": ("The exact value of a state and of each action", "a truth"),
    "/api/think": ("Let an agent think", "the last thought"),
    "/api/puzzle": ("A position in which one move keeps the value", "line, grade, to_keep"),
    "/api/puzzle/answer": ("Judge an answer to a puzzle", "right, best, moves"),
}
GETS = {
    "/api/games": ("The games, who plays them, and the limits", "games, puzzles, version, limits"),
    "/api/rules/{game}": ("The rules of a game, illustrated", "title, html"),
    "/api/runs": ("What is in the folder of runs", "runs, tournaments, reports"),
    "/api/runs/{id}/metrics": ("The steps of a run, after a step", "rows, more"),
    "/api/runs/{id}/games": ("The games of a run or a tournament, as records", "games"),
    "/api/tournaments/{id}": ("The table of a tournament", "agents, ratings, matches, ..."),
    "/api/reports/{id}": ("A report", "HTML, which runs no script"),
    "/api/openapi.json": ("This description", "OpenAPI 3.1"),
}
SOCKET = {
    "think": "Let an agent think, and tell while it does",
    "stop": "Stop a question at once",
    "truth": "The exact value of a state and of each action",
}
LINE = {
    "type": "object",
    "required": ["game"],
    "additionalProperties": False,
    "properties": {
        "game": {"type": "string"},
        "start": {"type": ["string", "null"]},
        "tokens": {"type": "array", "items": {"type": ["integer", "string"]}},
    },
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string", "description": "one sentence"}},
}
STATUSES = {
    "400": "the message is not as it should be, or cannot be done",
    "401": "the token is missing",
    "403": "the request comes from another site",
    "404": "there is nothing at this address",
    "405": "this address is not asked like this",
    "408": "the message did not arrive in time",
    "413": "the message is too large",
    "415": "the message is not sent as JSON",
    "421": "the request is addressed to another host",
    "429": "too many requests",
    "431": "the headers are too large",
    "503": "the server is busy, or memory ran out",
}


def public(limits: Limits = LIMITS) -> dict[str, Any]:
    """The limits that a client can run into."""
    return dataclasses.asdict(limits)


def schema(field: Field) -> dict[str, Any]:
    """A field as JSON Schema has it."""
    match field.kind:
        case "line":
            return {"$ref": "#/components/schemas/Line"}
        case "text":
            return {"type": "string", "maxLength": field.high, "description": field.about}
        case "texts":
            items = {"type": "string", "maxLength": 200}
            return {"type": "array", "items": items, "maxItems": field.high}
    kind = "integer" if field.kind == "whole" else "number"
    bounds = {"minimum": field.low, "maximum": field.high}
    return {"type": kind, **bounds, "description": field.about}


def body(fields: dict[str, Field]) -> dict[str, Any]:
    """A message as JSON Schema has it."""
    return {
        "type": "object",
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
        "properties": {name: schema(field) for name, field in fields.items()},
    }


def content(of: dict[str, Any]) -> dict[str, Any]:
    """JSON of this schema."""
    return {"application/json": {"schema": of}}


def operation(summary: str, answer: str) -> dict[str, Any]:
    """One route."""
    refused = {
        status: {"description": why, "content": content({"$ref": "#/components/schemas/Error"})}
        for status, why in STATUSES.items()
    }
    entry = {"200": {"description": answer, "content": content({"type": "object"})}}
    return {"summary": summary, "responses": entry | refused}


def description(limits: Limits = LIMITS) -> dict[str, Any]:
    """The whole of it."""
    known = messages(limits)
    paths: dict[str, Any] = {}
    for path, (summary, answer) in POSTS.items():
        sent = {"required": True, "content": content(body(known[path]))}
        paths[path] = {"post": {**operation(summary, answer), "requestBody": sent}}
    for path, (summary, answer) in GETS.items():
        named = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        given = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in named
        ]
        paths[path] = {"get": {**operation(summary, answer), "parameters": given}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "ludus serve", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Line": LINE, "Error": ERROR}},
        "x-websocket": {
            "/api/socket": {
                op: {"summary": summary, "message": body(known[op])}
                for op, summary in SOCKET.items()
            }
        },
    }
