"""A table of the page as a test sits at it: what stands there, and hands that move."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote

Json = dict[str, Any]
MATRIX = """() => {
  const { a, b, c, d, e, f } = document.querySelector('.board > svg > g').getScreenCTM();
  return [a, b, c, d, e, f];
}"""
SETTLED = """(plies) => {
  const moves = location.hash.split('?')[0].split('/')[3] || '';
  const made = moves ? moves.split('.').length : 0;
  return made >= plies && document.querySelector('.status')?.matches('.turn, .over');
}"""


@dataclass
class Table:
    """A page at a game, beside the server's own word on it."""

    page: Any
    address: str
    faults: list[str]
    matrix: list[float] | None = None

    def ask(self, path: str, message: Json | None = None) -> Any:
        """What the server says, not by way of the page."""
        data = None if message is None else json.dumps(message).encode()
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    @property
    def line(self) -> Json:
        """The game line that the address says."""
        path, _, query = self.page.evaluate("location.hash").partition("?")
        _, _, game, *moves = path.split("/")
        words = moves[0].split(".") if moves else []
        asked = parse_qs(query)
        tokens = [word if "~" in word else int(word) for word in words]
        if "at" in asked:
            tokens = tokens[: int(asked["at"][0])]
        return {"game": unquote(game), "start": asked.get("start", [None])[0], "tokens": tokens}

    @property
    def scene(self) -> Json:
        """The state that is looked at, from the server."""
        found: Json = self.ask("api/position", {"line": self.line})
        return found

    def forgive(self) -> None:
        """A browser notes by itself every request that was refused or found nobody."""
        noted = ("Failed to load resource", "WebSocket connection to")
        self.faults[:] = [fault for fault in self.faults if not fault.startswith(noted)]

    def settle(self, plies: int) -> None:
        """Wait until so many plies are played and a person is to move, or it is over."""
        self.page.wait_for_function(SETTLED, arg=plies)

    def until(self, condition: str, arg: Any = None) -> None:
        """Wait until this is true in the page; its policy allows no other way to say it."""
        self.page.wait_for_function(f"arg => {condition}", arg=arg)

    def on_screen(self, point: list[float]) -> tuple[float, float]:
        """Where a point of the scene is; boards that are clicked stay where they are."""
        if self.matrix is None:
            self.matrix = self.page.evaluate(MATRIX)
        a, b, c, d, e, f = self.matrix
        x, y = point
        return a * x + c * y + e, b * x + d * y + f

    def click(self, point: list[float]) -> None:
        self.page.mouse.click(*self.on_screen(point))

    def tap(self, point: list[float]) -> None:
        self.page.touchscreen.tap(*self.on_screen(point))

    def status(self) -> str:
        return str(self.page.inner_text(".status"))

    def shadow(self) -> list[tuple[float, float]]:
        """The cells that the building in hand would cover."""
        drawn = self.page.evaluate(
            "document.querySelector('.hand .ghost.fits .area')?.getAttribute('d') ?? ''"
        )
        half = 24  # of a cell
        corners = (part[: part.index("h")].split(" ") for part in drawn.split("M")[1:])
        return sorted((float(x) + half, float(y) + half) for x, y in corners)
