"""Recorded games as text for other programs: PDN for draughts, tags and moves for the others."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ludus.arena.record import Record
from ludus.draw.checkers import pieces
from ludus.game import State
from ludus.plain import plain

WIDTH = 79
DRAUGHTS, ENGLISH = "checkers", "21"  # our name of the game, and PDN's number of it


def export(records: Iterable[Record]) -> str:
    """All games, an empty line between them."""
    return "\n".join(map(game_text, records))


def game_text(record: Record) -> str:
    """One game: in Portable Draughts Notation, or with the same tags by whose turn it was."""
    tags = draughts_tags(record) if record.game.name == DRAUGHTS else plain_tags(record)
    head = "".join(f"[{name} {quote(value)}]\n" for name, value in tags)
    words = [*number_turns(record), result(record)]
    return head + "\n" + "\n".join(textwrap.wrap(" ".join(words), WIDTH)) + "\n"


def quote(value: str) -> str:
    """A tag's value; nothing in it can end it, or the line."""
    return '"' + plain(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def result(record: Record) -> str:
    """The first player's points, then the second's: in PDN of English draughts `1-0` is Black's."""
    winner = record.played.winner
    if winner is None:
        return "1/2-1/2"
    return "1-0" if winner == 0 else "0-1"


def draughts_tags(record: Record) -> list[tuple[str, str]]:
    """Player 0 is Black, who begins from the usual position."""
    black, white = record.played.agents
    tags = [
        ("Event", f"ludus, seed {record.seed}"),
        ("Round", str(record.played.index + 1)),
        ("White", white),
        ("Black", black),
        ("Result", result(record)),
        ("GameType", ENGLISH),
    ]
    if record.played.position is not None:
        tags += [("SetUp", "1"), ("FEN", fen(record.states[0]))]
    return tags


def fen(state: State) -> str:
    """A position as PDN writes it: `B:W18,24,K10:B12,K22`."""
    standing = pieces(state)
    sides = (
        side.upper()
        + ",".join(
            ("K" if piece.isupper() else "") + str(square)
            for square, piece in sorted(standing.items())
            if piece.lower() == side
        )
        for side in "wb"
    )
    return ":".join(["BW"[state.player], *sides])


def plain_tags(record: Record) -> list[tuple[str, str]]:
    """Who played what; the players by their numbers."""
    first, second = record.played.agents
    tags = [
        ("Event", f"ludus, seed {record.seed}"),
        ("Round", str(record.played.index + 1)),
        ("Game", record.game.spelling),
        ("Player1", first),
        ("Player2", second),
        ("Result", result(record)),
    ]
    if record.played.position is not None:
        tags.append(("Position", record.played.position))
    return tags


def number_turns(record: Record) -> list[str]:
    """The turns: each of player 0 has a number, and a jump goes on in its own word."""
    found: list[str] = []
    number, last = 0, 1
    for player, moves in turns(record):
        if player == 0 or last == player:
            number += 1
            found.append(f"{number}." if player == 0 else f"{number}...")
        elif not found:
            number += 1
            found.append(f"{number}...")
        found += moves
        last = player
    return found


def turns(record: Record) -> list[tuple[int, list[str]]]:
    """The moves of each turn; in draughts `9x18` and `18x25` are `9x18x25`."""
    played = record.played
    found: list[tuple[int, list[str]]] = []
    chances = iter(played.chances)
    for ply, (move, player) in enumerate(zip(played.moves, played.players, strict=True)):
        word = [move, *remark(record, ply, next(chances, None))]
        if found and found[-1][0] == player:
            join(found[-1][1], word, record.game.name == DRAUGHTS)
        else:
            found.append((player, word))
    return found


def remark(record: Record, ply: int, chance: int | None) -> Sequence[str]:
    """What chance did after a move, as a comment."""
    if chance is None:
        return ()
    game, before = record.game, record.states[ply]
    action = game.action(before, record.played.moves[ply])
    return (f"{{{game.kind.chance(before, action, chance)}}}",)


def join(turn: list[str], word: list[str], jumps: bool) -> None:
    """Go on with a turn."""
    end = turn[-1].rpartition("x")[2]
    if jumps and word[0].startswith(f"{end}x"):
        turn[-1] += word[0].removeprefix(end)
    else:
        turn += word
