"""One server and one browser for all tests of the page; where there is none they are skipped."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludus.arena.tournament import tournament
from tests.serve.browser.table import Table

CHROMIUM = os.environ.get("LUDUS_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--no-first-run",
]
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


class Server:
    """`ludus serve` in a process of its own, which can be killed and started again."""

    def __init__(self, runs: Path) -> None:
        self.runs, self.port = runs, 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "ludus", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--runs", str(self.runs)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, f"the server said {said!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """End it as if the power had gone."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of runs that the server shows: a tournament stands in it."""
    runs = tmp_path_factory.mktemp("runs")
    tournament(
        "tictactoe", ["random", "greedy"], games=4, seed=1, run=runs / "cup", openings="none"
    )
    return runs


@pytest.fixture(scope="session")
def server(shelf: Path) -> Iterator[Server]:
    pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    one = Server(shelf)
    yield one
    one.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        one = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield one
        one.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Table]]:
    """Open the page at an address; whatever its console says is a fault."""
    contexts, faults = [], []

    def opened(place: str = "", *, settings: str = "", **how: Any) -> Table:
        how = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | how
        context = browser.new_context(**how)
        context.set_default_timeout(20_000)
        contexts.append(context)
        kept = settings or '{"pace": 0}'
        context.add_init_script(f"if (!localStorage.ludus) localStorage.setItem('ludus', '{kept}')")
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(server.address + place)
        page.wait_for_selector("main > *:not(.waiting)")
        return Table(page, server.address, faults)

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def reachable(address: str, seconds: float = 20) -> bool:
    """Whether a server answers before the time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return True
        except OSError:
            time.sleep(0.1)
    return False
