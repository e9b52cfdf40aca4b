"""Foreign text made plain: nothing in a file's or a folder's name can steer a terminal."""

from __future__ import annotations

LONGEST = 2000  # of a sentence


def plain(text: object) -> str:
    r"""Text with everything that does not print written as an escape: `\x1b`, `\u202e`, `\n`."""
    said = str(text)
    return said if said.isprintable() else "".join(map(escape_character, said))


def escape_character(character: str) -> str:
    """A character that prints, or its escape as Python writes it."""
    return character if character.isprintable() else ascii(character)[1:-1]


def plain_lines(text: object) -> str:
    """The same for what we wrote in several lines ourselves."""
    return "\n".join(map(plain, str(text).split("\n")))


def plain_json(text: str) -> str:
    """JSON on one line, what does not print in its strings escaped as JSON has it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json_escape(c) for c in text)


def json_escape(character: str) -> str:
    """One character, as the one or two 16-bit numbers that JSON writes."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def sentence(error: object) -> str:
    """What went wrong, in one line that is not endless."""
    said = plain(error)
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
