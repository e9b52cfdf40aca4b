"""What a forger may make of arrays, values, files and headers, by names."""

import os
from pathlib import Path

import numpy as np

LEFT_OUT = "left out"


def other_dtype(array):
    return array.astype(np.float64 if array.dtype != np.float64 else np.int16)


def nonsense(array):
    made = array.copy().reshape(-1)
    if made.dtype.kind == "f":
        made[: len(made) // 2 + 1] = np.nan
    elif made.dtype.kind in "iu":
        made[: len(made) // 2 + 1] = np.iinfo(made.dtype).max
    return made.reshape(array.shape)


def negative(array):
    made = array.copy()
    if made.dtype.kind == "u":
        return np.asarray(~made)
    return np.asarray(-made - 1 if made.dtype.kind == "i" else -np.abs(made) - 1, made.dtype)


def huge(array):
    if array.dtype.kind == "f":
        return np.full_like(array, np.finfo(array.dtype).max)
    return np.full_like(array, np.iinfo(array.dtype).min if array.dtype.kind == "i" else 1)


CHANGES = {
    "left out": lambda array: None,
    "transposed": lambda array: np.ascontiguousarray(array[None].swapaxes(0, -1)),
    "of another dtype": other_dtype,
    "nonsense": nonsense,
    "negative": negative,
    "huge": huge,
    "a number": lambda array: np.array(0, array.dtype),
    "empty": lambda array: np.zeros((0, *array.shape[1:]), array.dtype),
    "longer": lambda array: np.concatenate([np.atleast_1d(array)] * 2),
    "shorter": lambda array: np.ascontiguousarray(np.atleast_1d(array)[:-1]),
}

VALUES = {
    "left out": LEFT_OUT,
    "null": None,
    "true": True,
    "text": "nonsense",
    "a path": "../../../etc/passwd",
    "an array's name": "array network/trunk.1.weight",
    "-1": -1,
    "huge": 10**30,
    "a fraction": 0.5,
    "not a number": float("nan"),
    "a list": [],
    "a dict": {},
}


def pipe(file: Path) -> None:
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.mkdir()


def endless(file: Path) -> None:
    file.symlink_to("/dev/zero")


def loop(file: Path) -> None:
    file.symlink_to(file.name)


def sparse(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(1 << 42)


def header_of_all(file: Path) -> None:
    file.write_bytes((2**63 - 1).to_bytes(8, "little") + b"{}")


FILES = {
    "gone": lambda file: None,
    "empty": Path.touch,
    "a pipe": pipe,
    "a folder": folder,
    "endless": endless,
    "a loop": loop,
    "four terabytes": sparse,
    "text": lambda file: file.write_text("{}"),
    "brackets": lambda file: file.write_text("[" * 100_000),
    "a huge header": header_of_all,
    "a locked file": lambda file: (file.write_text("{}"), file.chmod(0)),
}
HEADERS = {
    "overlap": lambda told: {name: {**one, "data_offsets": [0, 4]} for name, one in told.items()},
    "a gap": lambda told: {
        name: {**one, "data_offsets": [n + 8 for n in one["data_offsets"]]}
        for name, one in told.items()
    },
    "backwards": lambda told: {
        name: {**one, "data_offsets": one["data_offsets"][::-1]} for name, one in told.items()
    },
    "negative": lambda told: {
        name: {**one, "shape": [-n for n in one["shape"]]} for name, one in told.items()
    },
    "overflow": lambda told: {
        name: {**one, "shape": [2**32, 2**32, *one["shape"]]} for name, one in told.items()
    },
    "many axes": lambda told: {
        name: {**one, "shape": [*one["shape"], *[1] * 70]} for name, one in told.items()
    },
    "another dtype": lambda told: {name: {**one, "dtype": "BF16"} for name, one in told.items()},
    "no dtype": lambda told: {name: {**one, "dtype": None} for name, one in told.items()},
    "lists": lambda told: {name: [one] for name, one in told.items()},
    "a list": lambda told: [told],
    "nothing": lambda told: {},
    "nested": lambda told: None,
}
