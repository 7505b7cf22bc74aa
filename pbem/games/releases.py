"""The rules of the releases of pbem: the list `known_rules.txt`, a line for each game, version and SHA-256.

All lines of one version play alike. `python -m pbem.releasing` adds a line once the recorded games of that version have been
replayed. So a program can trust a game that another program, with other bytes, plays by a version that it knows. It trusts neither
an unknown SHA-256, nor one known under another version.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pbem.i18n import _

LIST = "known_rules.txt"
NEXT = "next"
"""The release that is not out yet. Nobody has played by its lines, so they may be replaced."""
_HEAD = """\
# The rules that releases of pbem play by: game, version, SHA-256 of the manifest, release, date. All of one version play alike.
# "make known" adds a line for the rules that are here; "python -m pbem.releasing out" says in which release the new ones come.
"""


class Known(NamedTuple):
    """The rules of one game as a release of pbem has them; the date is that of the release (`2026-12-24`), "" before it is out."""

    game: str
    version: int
    sha256: str
    release: str
    date: str = ""

    @property
    def is_out(self) -> bool:
        return self.release != NEXT


def known(game_id: str, version: int, sha256: str) -> Known | None:
    """Return the release that plays this version by these bytes, or None where none does."""
    return next((line for line in listed(game_id) if (line.version, line.sha256) == (version, sha256)), None)


def named(sha256: str) -> Known | None:
    """Return the release of rules by their SHA-256, whatever they claim to be."""
    return next((line for line in all_listed() if line.sha256 == sha256), None)


def said_of(release: str | None) -> str:
    """Say which release plays by some rules; None: none that is known."""
    match release:
        case None:
            return _("no release is known that plays by them")
        case "next":
            return _("as the next release has them")
    return _("as in pbem {release}", release=release)


def versions(game_id: str) -> tuple[int, ...]:
    """Return the versions of a game that releases have played by."""
    return tuple(sorted({line.version for line in listed(game_id)}))


def listed(game_id: str) -> tuple[Known, ...]:
    """Return the lines of one game, in the order in which they came to be."""
    return tuple(line for line in all_listed() if line.game == game_id)


@cache
def all_listed() -> tuple[Known, ...]:
    """Return all lines."""
    return read_list(files("pbem.games").joinpath(LIST).read_text("utf-8"))


def read_list(text: str) -> tuple[Known, ...]:
    """Return the lines of a list."""
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(Known(game, int(version), sha256, *rest) for game, version, sha256, *rest in lines)


def write_list(lines: Iterable[Known]) -> str:
    """Return a list in its file's form: by game and version, older lines first."""
    by_game = sorted(lines, key=lambda line: (line.game, line.version))
    return _HEAD + "".join(" ".join(map(str, line)).rstrip() + "\n" for line in by_game)
