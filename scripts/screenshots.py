"""Pictures of the page: every game in both themes and three sizes, and those of the README."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parents[1]
FOLDER = HERE / "build" / "screenshots"
IMAGES = HERE / "docs" / "images"
FACES = HERE / "src" / "ludus" / "serve" / "page" / "games"
SIZES = {"desk": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}
THEMES = ("light", "dark")
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
SECONDS = 2500  # milliseconds of thought before the picture is taken
BOTH = "?first=you&second=you"
# Of the README: what is shown, in which theme, at which size, and what is pressed before.
README = {
    "connect4": ("play/connect4/1.2.3.5.3.6.6.2.1.3.5.1.1.2.2", "light", (1280, 800), "a"),
    "cathedral": ("play/cathedral/{cathedral}", "dark", (1280, 800), ""),
    "chinesecheckers": ("play/chinesecheckers/{chinesecheckers}", "light", (1280, 800), "a"),
}
MOST = 100_000  # bytes of a picture of the README


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server that ends with us."""
    command = [sys.executable, "-m", "ludus", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            yield found[0]
        finally:
            process.terminate()


def samples() -> dict[str, str]:
    """The line of play that each game shows of itself on the first page."""
    found = {}
    for file in sorted(FACES.glob("*.js")):
        if line := re.search(r"sample: \[(.+)\],", file.read_text()):
            found[file.stem] = ".".join(re.findall(r"[\d~]+", line[1]))
    return found


def shot(browser: Browser, address: str, theme: Any, size: tuple[int, int], key: str) -> bytes:
    """The page as it looks once it has thought."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=width < 600,
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".board > svg")
    if key:
        page.keyboard.press(key)
        page.wait_for_timeout(SECONDS)
    picture = page.screenshot()
    context.close()
    return picture


def small(picture: bytes, file: Path) -> None:
    """As WebP, as good as it can be within the bound."""
    image = Image.open(BytesIO(picture))
    for quality in (90, 80, 70, 60, 50):
        image.save(file, "WEBP", quality=quality, method=6)
        if file.stat().st_size <= MOST:
            return
    raise SystemExit(f"{file} is larger than {MOST:,} bytes")


def main() -> None:
    """Take them all."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("screenshots: there is no chromium; apt-get install chromium")
    FOLDER.mkdir(parents=True, exist_ok=True)
    IMAGES.mkdir(parents=True, exist_ok=True)
    lines = samples()
    with serving() as address, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, (place, theme, size, key) in README.items():
            where = f"{address}#/{place.format(**lines)}{BOTH}"
            small(shot(browser, where, theme, size, key), IMAGES / f"{name}.webp")
        for name, line in lines.items():
            for theme in THEMES:
                for title, size in SIZES.items():
                    where = f"{address}#/play/{name}/{line}{BOTH}"
                    picture = shot(browser, where, theme, size, "a")
                    (FOLDER / f"{name}-{theme}-{title}.png").write_bytes(picture)
        browser.close()
    print(f"pictures are in {FOLDER.relative_to(HERE)} and {IMAGES.relative_to(HERE)}")


if __name__ == "__main__":
    main()
