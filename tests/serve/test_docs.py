"""The document, the description and the routes are about the same API."""

import dataclasses
import re
from pathlib import Path

import pytest

from ludus.serve.limits import Limits
from ludus.serve.openapi import GETS, POSTS, SOCKET, STATUSES, description
from ludus.serve.protocol import messages

DOCUMENT = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in DOCUMENT.splitlines()
    if line.startswith("| `")
]


def row_of(name):
    """The row of a table about this."""
    found = [row for row in ROWS if row[0] == f"`{name}`"]
    assert len(found) == 1, f"{name} has {len(found)} rows"
    return found[0]


def named(text):
    """What stands in code quotes."""
    return re.findall(r"`([a-z_]+)`", text)


@pytest.mark.parametrize("path", POSTS)
def test_every_message_is_documented(path):
    assert named(row_of(f"POST {path}")[1]) == list(messages()[path])


@pytest.mark.parametrize("path", GETS)
def test_every_address_is_documented(path):
    assert row_of(f"GET {path}")


@pytest.mark.parametrize("op", SOCKET)
def test_every_message_of_the_socket_is_documented(op):
    assert sorted(named(row_of(op)[1])) == sorted(messages()[op])


def test_every_limit_is_documented():
    told = {row[0].strip("`"): row[1] for row in ROWS if hasattr(Limits, row[0].strip("`"))}
    assert list(told) == [field.name for field in dataclasses.fields(Limits)]
    for field in dataclasses.fields(Limits):
        if field.name != "workers":  # as many as there are processors
            assert told[field.name] == f"{field.default:,}"


def test_nothing_else_is_documented():
    known = {f"`POST {path}`" for path in POSTS} | {f"`GET {path}`" for path in GETS}
    told = {row[0] for row in ROWS if row[0].startswith(("`GET", "`POST"))}
    assert told == known


def test_every_status_is_documented():
    assert all(re.search(rf"\b{status}\b", DOCUMENT) for status in STATUSES)


def test_the_description_is_of_the_routes(client):
    described = client.get("/api/openapi.json").json()
    assert described == description(client.app.limits)
    routes = {
        (route.path, method.lower())
        for route in client.app.app.routes
        for method in getattr(route, "methods", None) or ()
        if method != "HEAD" and route.path != "/{name:path}"
    }
    told = {(path, method) for path, one in described["paths"].items() for method in one}
    assert told == routes


def test_the_description_is_one_that_others_can_read():
    found = description()
    assert found["openapi"].startswith("3.1")
    schemas = found["components"]["schemas"]
    for path in POSTS:
        body = found["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert set(body["properties"]) == set(messages()[path])
        for one in body["properties"].values():
            reference = one.get("$ref", "#/components/schemas/Line")
            assert reference.rpartition("/")[2] in schemas
