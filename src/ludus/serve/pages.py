"""The files of the page: listed by the server; a request only chooses among them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from ludus import reading

FOLDER = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
INDEX = "index.html"
NOTHING_YET = b"<!doctype html><title>ludus</title><p>The page is not here; the API is.</p>"


@dataclass
class Pages:
    """What there is, by the path that a browser asks for."""

    folder: Path = FOLDER
    files: dict[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """List the files anew."""
        self.files = {
            path.relative_to(self.folder).as_posix(): path
            for path in sorted(self.folder.rglob("*"))
            if path.suffix in TYPES and path.is_file() and not path.is_symlink()
        }

    def find(self, name: str) -> tuple[bytes, str, str] | None:
        """The bytes of a file, its type, and a mark that changes with it."""
        if name in ("", INDEX):
            self.look()
            name = INDEX
        path = self.files.get(name)
        if path is None and name != INDEX:
            return None
        data = reading.data(path) if path else NOTHING_YET
        mark = hashlib.sha256(data).hexdigest()[:20]
        return data, TYPES[path.suffix if path else ".html"], f'"{mark}"'
