"""Rules and a first lesson of Swords Over Scotland, and lists of regions and glory cards, made from its data."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.taught import Lesson
from pbem.i18n import _
from pbem.look import PageTable

from ..look.words import card, icon, power
from ..rules.names import GLORY
from ..rules.parts import STANDARD, PrintedParts
from .rules import SECTIONS
from .steps import STEPS


def lists() -> tuple[PageTable, ...]:
    """Return the lists."""
    return _regions(STANDARD), _glory(), _board(STANDARD)


def _regions(parts: PrintedParts) -> PageTable:
    heads = (_("Region"), _("Token"), _("With four"), _("Neighbours"), _("Castles"))
    rows = tuple(
        (
            one.name,
            *map(str, one.token),
            ", ".join(_ways(parts, one.name)),
            ", ".join(parts.castles_of(one.name)) or "–",
        )
        for one in parts.regions
    )
    return PageTable(_("Regions"), heads, rows, _("~: by sea."))


def _ways(parts: PrintedParts, name: str) -> Iterator[str]:
    for other in parts.neighbours(name):
        yield f"~{other}" if (name, other) in parts.sea or (other, name) in parts.sea else other


def _glory() -> PageTable:
    return PageTable(
        _("Glory cards"), (_("Card"), _("What it does")), tuple((card(name), power(name)) for name in GLORY)
    )


def _board(parts: PrintedParts) -> PageTable:
    columns = "ABCDEFGH"[: len(parts.player_board[0])]
    rows = tuple((str(n), *map(icon, line)) for n, line in enumerate(parts.player_board, 1))
    return PageTable(_("The icons of a board"), (_("Row"), *columns), rows)


LESSON = Lesson(SECTIONS, STEPS, lists)
