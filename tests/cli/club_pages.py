"""What several tests need of club pages: club, folder, written, listed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.host.post import Club

PART = '\n[pages]\nfolder = "pages"\ntitle = "Thistle <& Rose>"\nwatch = "{watch}"\n'


def folder(club: Club, watch: str = "all") -> Path:
    """Let the club have pages; return where they go."""
    settings = club.office.folder / "host.toml"
    settings.write_text(settings.read_text("utf-8").split("\n[pages]\n")[0] + PART.format(watch=watch), "utf-8")
    return club.office.folder / "pages"


def written(pages: Path) -> dict[str, bytes]:
    return {str(path.relative_to(pages)): path.read_bytes() for path in sorted(pages.rglob("*")) if path.is_file()}


def listed(pages: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((pages / "club.json").read_text("utf-8"))["games"]
    return found
