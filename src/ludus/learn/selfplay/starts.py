"""Positions from which games of self-play begin, read from a file and checked line by line."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from ludus.arena.opening import read_file, read_line
from ludus.arena.seeds import generator
from ludus.game import Game, State
from ludus.learn.store.forms import Whole


class StartPositions:
    """The states of a file's lines; a training that goes on must find the same ones."""

    def __init__(self, game: Game, file: str) -> None:
        lines: tuple[str, ...] = ()
        if file:
            if not Path(file).is_file():
                raise ValueError(
                    f"start_positions is a file of lines, and there is no {file!r:.60}"
                )
            lines = read_file(game, Path(file))
        self.file = file
        self.states: list[State] = [read_line(game, line, generator(0)).state for line in lines]
        self.checksum = zlib.crc32("\n".join(lines).encode())

    def state(self) -> dict[str, Any]:
        return {"checksum": self.checksum}

    def form(self) -> dict[str, Any]:
        return {"checksum": Whole(0, 2**32)}

    def restore(self, state: dict[str, Any]) -> None:
        if state["checksum"] != self.checksum:
            raise ValueError(f"{self.file} has other lines than when the training began")
