"""Certificates of proofs: a table of positions and moves, checked against the rules alone.

This module knows games and nothing of agents, networks or searches. A file is

    a line of JSON                   what is claimed, and of what
    n names of 16 bytes              of the positions in which the side moves, sorted
    n actions of 2 bytes             its move in each, little-endian
    32 bytes                         SHA-256 of all that stands before

The name of a position is the first 16 bytes of BLAKE2b of its text. With `canonical` one image of
each position stands for all: that whose text is least; then actions are those of that image.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.files import atomic_writer
from ludus.game import Game, State, canonical_image, game

FORMAT, VERSION = "ludus proof", 1
WINS, UNBEATEN = CLAIMS = ("always wins", "cannot be beaten")
NAME, ACTION, SEAL = 16, 2, 32  # bytes
MOST_BYTES = 1 << 33
MOST_HEAD = 1 << 16
MOST_PLIES = 200  # of one side in a row
SHOWN = 1 << 14  # positions between two looks at the progress

Following = Iterator[tuple[State, int]]


class Refuted(ValueError):  # noqa: N818  (a fact, not a mistake)
    """The certificate does not show what it claims; the sentence says where."""


@dataclass(frozen=True)
class Head:
    """What is claimed."""

    format: str
    version: int
    game: str  # with all its parameters
    rules: int  # their version
    side: int  # that the table is of: 0 moves first
    claim: str
    canonical: bool
    answers: int  # positions in the table
    plies: int | None  # of the longest line, if the side always wins
    about: dict[str, Any]  # who made it, and how; nothing is checked by it


@dataclass(frozen=True)
class Certificate:
    """What is claimed, and the table."""

    head: Head
    names: bytes
    actions: bytes

    def find(self, name: bytes) -> int | None:
        """The place of a position in the table."""
        low, high, names = 0, self.head.answers, self.names
        while low < high:
            middle = (low + high) // 2
            if names[NAME * middle : NAME * middle + NAME] < name:
                low = middle + 1
            else:
                high = middle
        found = names[NAME * low : NAME * low + NAME] == name
        return low if found and low < self.head.answers else None

    def action(self, place: int) -> int:
        return int.from_bytes(self.actions[ACTION * place : ACTION * place + ACTION], "little")


def write_certificate(file: Path, made: Certificate) -> None:
    """Put it on the disk: whole, or not at all."""
    head = json.dumps(asdict(made.head), ensure_ascii=False).encode() + b"\n"
    seal = sha256()
    with atomic_writer(file) as out:
        for part in (head, made.names, made.actions):
            seal.update(part)
            out.write(part)
        out.write(seal.digest())


def read_certificate(file: Path) -> Certificate:
    """Read it; what is damaged or of no such form is refused in a sentence."""
    with reading.open_file(file) as source:
        if os.fstat(source.fileno()).st_size > MOST_BYTES:
            raise Refuted(f"{file} is too large: more than {MOST_BYTES:,} bytes")
        return parse_certificate(str(file), source.read())


def parse_certificate(file: str, written: bytes) -> Certificate:
    """The same of its bytes."""
    body, seal = memoryview(written)[:-SEAL], written[-SEAL:]
    if len(written) < SEAL or sha256(body).digest() != seal:
        raise Refuted(f"{file} is damaged, or no certificate: its checksum is wrong")
    line, newline, _ = bytes(body[:MOST_HEAD]).partition(b"\n")
    try:
        found = reading.parse(line)
    except ValueError as error:
        raise Refuted(f"{file} is no certificate: its first line is {error}") from None
    head = head_of(file, found)
    start = len(line) + len(newline)
    end = start + NAME * head.answers
    if end + ACTION * head.answers != len(body):
        raise Refuted(f"{file} has not the {head.answers:,} positions that it names")
    return Certificate(head, bytes(body[start:end]), bytes(body[end:]))


def head_of(file: str, found: Any) -> Head:
    """What the first line says, each field of its type."""
    names = [field.name for field in fields(Head)]
    if not isinstance(found, dict) or sorted(found) != sorted(names):
        raise Refuted(f"{file} is no certificate: its first line has not the fields of one")
    head = Head(**found)
    whole = (head.version, head.rules, head.side, head.answers)
    right = (
        (head.format, head.version) == (FORMAT, VERSION)
        and all(type(number) is int and number >= 0 for number in whole)
        and type(head.game) is str
        and head.side in (0, 1)
        and head.claim in CLAIMS
        and type(head.canonical) is bool
        and (type(head.plies) is int if head.claim == WINS else head.plies is None)
        and type(head.about) is dict
    )
    if not right:
        raise Refuted(f"{file} is no certificate of version {VERSION}")
    return head


@dataclass
class Checker:
    """Plays every line against the table, by the rules of the game."""

    made: Certificate
    progress: Callable[[float], None] | None = None

    def __post_init__(self) -> None:
        head = self.made.head
        self.game = game_of(head)
        self.ends = head.claim == WINS  # whether every line has to end
        # One more than the table has: the place before the first of its positions.
        self.met = bytearray(head.answers + 1)  # 0 not yet, 1 on the line to here, 2 done
        self.heights = [0] * (head.answers + 1)  # plies of the longest line from here
        self.positions = 0

    def check(self) -> dict[str, Any]:
        """Show what is claimed, or raise `Refuted`."""
        head = self.made.head
        self._walk()
        unmet = self.met.count(0)
        if unmet:
            raise Refuted(f"{unmet:,} positions of the table are never reached")
        if self.ends:
            plies, cap = self.heights[-1], self.game.max_plies
            if plies != head.plies:
                raise Refuted(f"the longest line takes {plies} plies, not {head.plies}")
            if cap and plies > cap:
                raise Refuted(f"games are drawn after {cap} plies, and the longest takes {plies}")
        return {
            "game": head.game,
            "side": head.side,
            "claim": head.claim,
            "canonical": head.canonical,
            "answers": head.answers,
            "moves": self.positions,
            "plies": head.plies,
        }

    def _walk(self) -> None:
        """Every line from the start, deepest first; no position of the table twice."""
        root = self.made.head.answers
        self.met[root] = 1
        path = [(root, 0, self._first(root))]
        done = 0
        while path:
            place, plies, following = path[-1]
            below = next(following, None)
            if below is None:
                path.pop()
                self.met[place] = 2
                done += 1
                if self.progress and done % SHOWN == 0:
                    self.progress(done / (root + 1))
                if path:
                    self._raise_height(path[-1][0], plies + self.heights[place])
                continue
            state, after = below
            at = self._place(state)
            if self.met[at] == 0:
                self.met[at] = 1
                path.append((at, after, self._after(at, state)))
            elif self.ends and self.met[at] == 1:
                raise Refuted(f"a line goes round in a circle through the position {state}")
            else:
                self._raise_height(place, after + self.heights[at])

    def _raise_height(self, place: int, plies: int) -> None:
        self.heights[place] = max(self.heights[place], plies)

    def _image(self, state: State) -> State:
        """The position alone, or the image that stands for it."""
        return canonical_image(state)[1] if self.made.head.canonical else state.transformed(0)

    def _place(self, state: State) -> int:
        place = self.made.find(blake2b(str(state).encode(), digest_size=NAME).digest())
        if place is None:
            raise Refuted(f"the table has no move in the position {state}")
        return place

    def _first(self, root: int) -> Following:
        """The first positions of the table, with the plies until then."""
        start = self._image(self.game.start())
        if start.player == self.made.head.side:
            yield start, 0
        else:
            yield from self._answers(root, start, 0)

    def _after(self, place: int, state: State) -> Following:
        """Those after the move of the table here."""
        action = self.made.action(place)
        if action not in state.legal():
            raise Refuted(f"move {action} of the table is not legal in the position {state}")
        yield from self._played(place, state, action, 0)

    def _answers(self, place: int, state: State, plies: int) -> Following:
        """Those after all moves of the other side, and again while it stays to move."""
        if plies > MOST_PLIES:
            raise Refuted(f"the other side moves for ever from the position {state}")
        for action in state.legal():
            yield from self._played(place, state, action, plies)

    def _played(self, place: int, state: State, action: int, plies: int) -> Following:
        after = self._image(state.play(action))
        self.positions += 1
        if after.outcome is not None:
            self._check_end(after)
            self._raise_height(place, plies + 1)
        elif after.player == self.made.head.side:
            yield after, plies + 1
        else:
            yield from self._answers(place, after, plies + 1)

    def _check_end(self, state: State) -> None:
        """A line may end only as is claimed."""
        if state.winner == self.made.head.side or (state.winner is None and not self.ends):
            return
        what = "drawn" if state.winner is None else "lost"
        raise Refuted(f"a line ends in the position {state}, which is {what}")


def game_of(head: Head) -> Game:
    """The game of a certificate, if its lines can be checked."""
    if head.game.partition(":")[0].endswith(".py"):
        raise Refuted(f"{head.game} is a game in a Python file, and no stored file names code")
    found = game(head.game)
    if found.kind.rules != head.rules:
        raise Refuted(
            f"the certificate is of version {head.rules} of the rules of {found.name}, which are "
            f"at version {found.kind.rules}"
        )
    if found.start().chancy or found.parameters.get("no_progress"):
        raise Refuted(f"games of {head.game} end by chance, or by more than positions show")
    return found
