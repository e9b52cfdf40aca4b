"""How long work goes: a bar, the rate and the time left; plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

from ludus.cli._common import say
from ludus.plain import plain

LIVE_SECONDS, PLAIN_SECONDS = 0.2, 10.0  # between two looks
BAR_WIDTH = 24


class Bar:
    """A bar in the terminal, drawn again in its place, and lines below it; none until it is drawn.

    It has no thread of its own, so that worker processes can be forked beside it.
    """

    def __init__(self) -> None:
        self.drawn: Any = None

    def draw(self, what: str, share: float, said: str, below: str = "") -> None:
        """Show what is done and what is said of it; whatever is in the words is only text."""
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
        shown = Group(row, Text(plain(below), style="dim")) if below else row
        if self.drawn is None:
            console = Console(stderr=True)
            self.drawn = Live(shown, console=console, transient=True, auto_refresh=False)
            self.drawn.start()
        self.drawn.update(shown, refresh=True)

    def clear(self) -> None:
        """Take it away, and give the cursor back."""
        if self.drawn is not None:
            self.drawn.stop()
            self.drawn = None


class Progress:
    """The share done, the rate and the time left, on standard error; silent while it is quick.

    With a `total` the rate is shown, in its `unit`; callers add what they have found so far.
    """

    def __init__(self, what: str, total: int = 0, unit: str = "") -> None:
        self.what, self.total, self.unit = what, total, unit
        self.started = self.shown = time.monotonic()
        self.bar = Bar() if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, share: float, found: str = "") -> None:
        now = time.monotonic()
        if now - self.shown < (LIVE_SECONDS if self.bar else PLAIN_SECONDS):
            return
        self.shown = now
        parts = self.parts(share, now - self.started)
        if self.bar:
            self.bar.draw(self.what, share, ", ".join(parts), found)
        else:
            parts = [f"{self.what}: {100 * share:.0f} %", *parts, *filter(None, [found])]
            say(", ".join(parts), file=sys.stderr, flush=True)

    def parts(self, share: float, spent: float) -> list[str]:
        """The rate, and the time left as soon as anybody knows it."""
        parts = [f"{share * self.total / spent:.3g} {self.unit}/s"] if self.total else []
        return [*parts, f"{clock(spent * (1 - share) / share)} left"] if share > 0 else parts

    def close(self) -> None:
        if self.bar:
            self.bar.clear()


def clock(seconds: float) -> str:
    """A time that people read."""
    seconds = max(0.0, seconds)
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
