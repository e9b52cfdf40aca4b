"""A state as a picture: SVG for pages and notebooks, text for terminals. No rules live here."""

from ludus.draw.picture import Picture, picture
from ludus.draw.terminal import stones, terminal

__all__ = ["Picture", "picture", "stones", "terminal"]
