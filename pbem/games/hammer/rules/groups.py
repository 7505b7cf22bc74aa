"""Which attackers are one group: those with the same start and the same last border. Rule 5.32, rulings 5.32 and 4.4."""

from __future__ import annotations

from collections.abc import Container

from ..orders import March
from .printed import ENGLAND, NEIGHBOURS
from .variants import BORDER_ONE_GROUP, NORSE_IN_GROUP

SEA = "sea"


def origin(march: March, start: str) -> tuple[str, str]:
    """Return how blocks come: the area where they started and the last one before the battle, or the sea."""
    if not march.start:
        return start, SEA
    return start, march.route[-2] if len(march.route) > 1 else start


def attack_group(variants: Container[str], start: str, via: str, end: str) -> tuple[str, str]:
    """Return what makes the blocks that attack an area one group (5.32): the same start and the same last border.

    2.3, 4.4: all that cross the Anglo-Scottish border to attack it are one group, 5.32 does not divide them. 2.3, one-page
    summary: the Norse belong to the blocks that come from the same neighbouring area.
    """
    if via == SEA:
        return (start, start) if NORSE_IN_GROUP in variants and end in NEIGHBOURS[start] else (start, SEA)
    if BORDER_ONE_GROUP in variants and ENGLAND in (start, end):
        return ENGLAND, ""
    return start, via
