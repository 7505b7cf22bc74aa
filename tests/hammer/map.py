"""What several tests need of map: contrast."""

from __future__ import annotations

from pbem.kernel import Json
from tests.hammer.builder import Table
from tests.hammer.look_board import _attack


def _crowded() -> Table:
    """Eleven blocks each in Lothian and Annan, at the head of a turn."""
    return Table(
        {"Lothian": "Edward, Lancaster Archers 2, Wales Archers, York Knights, Durham Knights 1, Hobelars",
         "Annan": "York Infantry, Lancaster Infantry, Northumber Infantry 3, Ulster Infantry, Mentieth",
         "Mar": "Mar", "England": "Wales Infantry"},
        {"Lothian": "Wallace, Douglas, Campbell, Graham, Fraser 1", "Lennox": "Lennox, Steward, Argyll",
         "Annan": "Bruce, MacDonald, Lindsay, Barclay, Grant, Keith", "Garmoran": "Norse", "Moray": "Moray"},
    ).turn("Move 3", "Move 2")  # fmt: skip


def _fight() -> Table:
    """The battle for Lanark in its first round: both front lines are revealed."""
    return _attack().dice(3)


def _public(table: Table) -> list[Json]:
    return [heard for fact in table.told if (heard := fact.heard_by(None)) is not None]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2)."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
