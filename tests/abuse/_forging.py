"""How files are forged: values, text, bytes, and what stands in the place of a file."""

from __future__ import annotations

import json
import os
import shutil

EVIL = "\x1b[2J\r\n\x9b\u202e\u2028"


def values(rng, poison):
    """Something that should not be there."""
    return rng.choice(
        [
            None,
            True,
            False,
            0,
            -1,
            1,
            2**31,
            2**63,
            -(2**63) - 1,
            10**30,
            10**299,
            0.5,
            -0.0,
            1e308,
            5e-324,
            "",
            "x",
            "a" * 10_000,
            EVIL,
            "\udc80",
            "\0",
            poison,
            f"{poison}:a=1",
            f"3*{poison};self",
            [],
            {},
            [[]],
            {"": {}},
            [poison] * 2,
            ["0"] * 5000,
            [10**30, -1],
            nested(rng.choice([10, 40, 500])),
            {str(key): key for key in range(100)},
        ]
    )


def nested(depth):
    """Lists inside each other."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


# What no JSON writer writes; put in the place of a value.
RAW = [
    "NaN",
    "-Infinity",
    "1e999",
    "9" * 5000,
    "-" + "9" * 350,
    "1." + "0" * 5000,
    "[" * 100_000,
    '{"a":' * 100_000,
    "[" * 900 + "]" * 900,
    '{"a": 1, "a": 2}',
    "[" + "[]," * 400_000 + "[]]",
    "[" + "0," * 2_000_000 + "0]",
    '"' + "a" * (17 << 20) + '"',
    "01",
    "'x'",
    "",
    "}",
    "\ufeff1",
    '"\\ud800"',
]
HOLE = "a hole for raw text"


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in inner:
            yield from places(below, (*path, key))


def replaced(value, path, new):
    """The value with something else at a place; the fields and items around stay."""
    if not path:
        return new
    head, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[head] = replaced(value[head], rest, new)
    return copy


def without(value, path):
    """The value without what is at a place."""
    head, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        copy[head] = without(value[head], rest)
    else:
        del copy[head]
    return copy


def forged_json(rng, text, poison):
    """Another text, near a sound one: (text, how)."""
    value = json.loads(text)
    if isinstance(value, dict):
        value.pop("crc32", None)  # a wrong checksum would be found before anything else
    place = rng.choice(list(places(value))[:4000])
    at = "/".join(map(str, place)) or "all of it"
    kind = rng.choice(["value", "value", "value", "value", "raw", "gone", "extra"])
    if kind == "raw":
        raw = rng.choice(RAW)
        whole = json.dumps(replaced(value, place, HOLE), ensure_ascii=False)
        return whole.replace(json.dumps(HOLE), raw), f"{at} is {raw[:20]!r}"
    if kind == "gone" and place:
        return json.dumps(without(value, place)), f"{at} is gone"
    new = values(rng, poison)
    if kind == "extra" and isinstance(value, dict):
        return json.dumps({**value, rng.choice(["x", "", EVIL]): new}), "one more field"
    return json.dumps(replaced(value, place, new)), f"{at} is {new!r:.60}"


def forged_bytes(rng, data):
    """Other bytes: turned, cut, doubled, or something else altogether."""
    kind = rng.randrange(7)
    if kind == 0 or not data:
        return rng.randbytes(rng.choice([0, 1, 100, 5000]))
    if kind == 1:
        return data[: rng.randrange(len(data))]
    if kind == 2:
        return data + rng.choice([b"\n", b"\0", b"\xff" * 10, data])
    if kind == 3:
        return data.replace(b"\n", rng.choice([b"", b"\r\n", b"\n\n", b"\xe2\x80\xa8"]))
    if kind == 4:
        return data.decode(errors="replace").encode("utf-16")
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 4, 40])):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def put_in_place(rng, path):
    """Something else than a file where one should be."""
    path.unlink()
    kind = rng.choice(["pipe", "zero", "folder", "nowhere", "itself", "sparse", "gone"])
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(10 << 30)
    elif kind != "gone":
        to = {"zero": "/dev/zero", "nowhere": "/nowhere/at/all", "itself": path.name}
        path.symlink_to(to[kind])
    return kind


def clear(folder):
    """An empty folder, whatever was in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
