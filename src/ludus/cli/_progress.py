"""How long work goes: a bar, the rate and the time left; plain lines where there is no terminal."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Self
from weakref import WeakMethod

from ludus.cli._common import say
from ludus.plain import plain

LIVE_SECONDS = 0.2  # between two looks at a bar
TICK_SECONDS = 1.0  # between two looks at the clock while nothing ends
PLAIN_SECONDS, MOST_PLAIN_SECONDS = 4.0, 60.0  # between two lines: more as work goes on
BAR_WIDTH = 24
BETWEEN = " · "
MINUTE, HOUR, DAY = 60, 3600, 86400


class Bar:
    """A bar in the terminal, drawn again in its place, and lines below; none until it is drawn."""

    def __init__(self) -> None:
        self.drawn: Any = None
        self.console: Any = None
        self.turn = threading.RLock()  # a clock's thread draws too

    def draw(self, what: str, share: float, said: str, below: Sequence[str] = ()) -> None:
        """Show what is done and what is said of it; whatever is in the words is only text."""
        with self.turn:
            self._draw(what, share, said, below)

    def _draw(self, what: str, share: float, said: str, below: Sequence[str]) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        row = Table.grid(padding=(0, 1), expand=False)
        row.add_column(no_wrap=True)
        row.add_column(width=BAR_WIDTH)
        row.add_column(no_wrap=True)
        row.add_column(overflow="ellipsis", no_wrap=True)
        bar = ProgressBar(total=1.0, completed=share, width=BAR_WIDTH)
        row.add_row(Text(plain(what)), bar, f"{100 * share:3.0f} %", Text(plain(said)))
        if self.drawn is None:
            self.console = Console(stderr=True)
        rows = [
            Text(line, style="dim", no_wrap=True, overflow="ellipsis")
            for line in pack([plain(one) for one in below], self.console.width)
        ]
        shown = Group(row, *rows)
        if self.drawn is None:
            self.drawn = Live(shown, console=self.console, transient=True, auto_refresh=False)
            self.drawn.start()
        self.drawn.update(shown, refresh=True)

    def clear(self) -> None:
        """Take it away, and give the cursor back."""
        with self.turn:
            if self.drawn is not None:
                self.drawn.stop()
                self.drawn = None


class Ticker:
    """Looks at the clock while nothing ends, so that nobody waits in silence.

    It ends when it is closed, or when nobody holds what it calls any more.
    """

    def __init__(self, tick: Callable[[], None]) -> None:
        self.tick, self.over = WeakMethod(tick), threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while not self.over.wait(TICK_SECONDS):
            if (tick := self.tick()) is None:
                return
            tick()
            del tick

    def close(self) -> None:
        self.over.set()
        if self.thread is not threading.current_thread():
            self.thread.join()


def pack(pieces: Sequence[str], width: int, between: str = BETWEEN) -> list[str]:
    """Pieces in lines that fit; a piece is never broken."""
    lines: list[str] = []
    for piece in filter(None, pieces):
        if lines and len(lines[-1]) + len(between) + len(piece) <= width:
            lines[-1] += between + piece
        else:
            lines.append(piece)
    return lines


class Progress:
    """The share done, the rate and the time left, on standard error; silent while it is quick.

    With a `total` the rate is shown, in its `unit`; callers add what they have found so far.
    """

    def __init__(self, what: str, total: int = 0, unit: str = "") -> None:
        self.what, self.total, self.unit = what, total, unit
        self.started = self.shown = time.monotonic()
        self.bar = Bar() if sys.stderr.isatty() else None
        self.last: tuple[float, str] | None = None  # nobody has told a share yet
        self.ticker = Ticker(self.show)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, share: float, found: str = "") -> None:
        self.last = share, found
        self.show()

    def show(self) -> None:
        """Show what is known, if that is due."""
        now = time.monotonic()
        if now - self.shown < seconds_between_looks(self.bar, now - self.started):
            return
        self.shown, spent = now, now - self.started
        if self.last is None:
            if self.bar:
                self.bar.draw(self.what, 0.0, clock(spent))
            else:
                say(f"{self.what}: {clock(spent)}", file=sys.stderr, flush=True)
            return
        share, found = self.last
        parts = self.parts(share, spent)
        if self.bar:
            self.bar.draw(self.what, share, ", ".join(parts), [found])
        else:
            parts = [f"{self.what}: {100 * share:.0f} %", *parts, *filter(None, [found])]
            say(", ".join(parts), file=sys.stderr, flush=True)

    def parts(self, share: float, spent: float) -> list[str]:
        """The rate, and the time left as soon as anybody knows it."""
        parts = [f"{number(share * self.total / spent)} {self.unit}/s"] if self.total else []
        return [*parts, f"{clock(spent * (1 - share) / share)} left"] if share > 0 else parts

    def close(self) -> None:
        self.ticker.close()
        if self.bar:
            self.bar.clear()


def seconds_between_looks(bar: Bar | None, spent: float) -> float:
    """Seconds until something is shown again; lines that stay are fewer in long work."""
    return LIVE_SECONDS if bar else max(PLAIN_SECONDS, min(MOST_PLAIN_SECONDS, spent / 60))


def number(value: float) -> str:
    """Three digits that count, as people write them: never with an exponent."""
    if not math.isfinite(value) or value == 0:
        return f"{value:.0f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, digits)
    if digits <= 0:
        return f"{rounded:,.0f}"
    text = f"{rounded:,.{digits}f}"
    return text.rstrip("0").rstrip(".")


def clock(seconds: float) -> str:
    """A time that people read."""
    seconds = max(0.0, seconds)
    if seconds < 2 * MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h" if seconds < 2 * DAY else f"{seconds / DAY:,.0f} days"
