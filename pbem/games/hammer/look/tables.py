"""The board as tables for a page: what `board` tells in plain text, in the same order.

The map beside them shows the same; who cannot see it misses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.reports.look import Table

from ..rules.facts import BORDER, MORAY, NOBLES, SCOTTISH, SIDES, SLUG, enemy
from .board import (
    IN_BATTLE,
    NORTH_TO_SOUTH,
    beside,
    closed_to,
    fighter,
    known,
    limit,
    may_be_on_map,
    noble,
    score,
    truce_binds,
)
from .words import SIDE, THE, capital, count, listed, solid, the

if TYPE_CHECKING:
    from ..views import HammerView


def tables(view: HammerView) -> list[Table]:
    """Return the year and the cards, the battle being fought, the areas, this turn's borders and ways, the nobles."""
    asked = view.ask is not None and view.ask["what"] in IN_BATTLE  # the question has shown the battle
    parts = (_year(view), None if asked else _battle(view), _areas(view), _borders(view), _ways(view), _nobles(view))
    return [part for part in parts if part is not None]


def when(view: HammerView) -> str:
    """Return year and turn."""
    if any(entry["at"] == "winter" for entry in view.stack):
        return f"The Winter Turn of {view.year}"
    return f"{view.year}, Game Turn {view.turn} of 5" if view.turn else f"{view.year}"


def _year(view: HammerView) -> Table:
    rows = [
        (capital(THE[side]), ", ".join(view.cards[side].played) or "none", str(view.cards[side].left), count(pool))
        for side, pool in sorted(view.pools.items())
    ]
    notes = [f"{the(view.first)} are Player 1." if view.first else ""]
    notes.append(f"Truce: {truce_binds(view, THE[view.truce])}." if view.truce else "")
    notes.append(beside(view))
    heads = ("Side", "Cards played this year", "Cards left", "Draw pool")
    return Table(when(view), heads, tuple(rows), " ".join(filter(None, notes)))


def _battle(view: HammerView) -> Table | None:
    battle = view.battle
    if battle is None:
        return None
    must = view.frames.get("retreat", {})
    leaving = [*battle.leaving, *must.get("blocks", ())]
    leaves = must.get("side", battle.side)
    rows = []
    for side in (enemy(battle.attacker), battle.attacker):
        defends = side != battle.attacker
        front = [fighter(view, battle, name) for name in battle.front(side) if name not in leaving]
        going = leaving if leaves == side else []
        reserve = view.count(battle.area, side) - len(front) - len(going)
        who = f"{the(side)} {'defend' if defends else 'attack'}"
        rows.append((who, ", ".join(front) or "nobody", listed(map(solid, going)), str(reserve)))
    heads = ("Side", "In the front line", "In retreat", "In reserve")
    return Table(f"The battle of {battle.area}, round {battle.round}", heads, tuple(rows))


def _areas(view: HammerView) -> Table:
    rows, empty = [], []
    for areas in NORTH_TO_SOUTH.values():
        for area in areas:
            here = [view.count(area, side) for side in SIDES]
            if any(here):
                text = ("CONTESTED: " if area in view.contested else "") + "; ".join(known(view, area))
                rows.append((area, limit(area), *(str(n or "–") for n in here), text.removesuffix(": ")))
            else:
                empty.append(solid(f"{area} {limit(area)}"))
    heads = ("Area", "Castle limit", *(SIDE[side] for side in SIDES), "Your blocks" if view.seat else "Face-up")
    notes = [f"Empty: {', '.join(empty)}." if empty else ""]
    notes.append("A block is told with its strength and combat rating; + is a cathedral (1 more for the Scots).")
    return Table("The areas, from north to south", heads, tuple(rows), " ".join(filter(None, notes)))


def _borders(view: HammerView) -> Table | None:
    used: dict[tuple[str, str], dict[str, int]] = {}
    for crossed in view.crossings:
        used.setdefault(crossed.between, {})[crossed.side] = crossed.blocks
    rows = []
    for between, by in used.items():
        border = BORDER[between]
        closed = capital(closed_to(view.controlled, *between)) or "–"
        kind = f"{'red' if border.red else 'green'}, {border.limit}"
        rows.append((f"{border.a} – {border.b}", kind, *(str(by.get(side, "–")) for side in SIDES), closed))
    heads = ("Border", "Colour, limit", *(SIDE[side] for side in SIDES), "No retreat for")
    return Table("Borders crossed this turn, by how many blocks", heads, tuple(rows)) if rows else None


def _ways(view: HammerView) -> Table | None:
    rows = tuple(_arrivals(view))
    return Table("How they came to the contested areas", ("Area", "Side", "Blocks", "From"), rows) if rows else None


def _arrivals(view: HammerView) -> Iterator[tuple[str, ...]]:
    for came in view.came:
        if came.area in view.contested:
            by = " by sea" if came.via == "sea" else f" by {came.via}" if came.via != came.start else ""
            main = ", MAIN ATTACK" if came.main else ""
            yield came.area, SIDE[came.side], str(came.blocks), f"{came.start}{by}{main}"


def _nobles(view: HammerView) -> Table:
    rows = []
    for side in SIDES:
        names = [noble(name) for name in NOBLES if view.nobles[SLUG[name]] == side]
        if side == SCOTTISH and may_be_on_map(view, MORAY):
            names.append(noble(MORAY))
        rows.append((SIDE[side], ", ".join(names) or "none"))
    note = f"{score(view)} * Comyn faction (5.7, 6.2); in brackets homes of another name."
    return Table("The nobles", ("Side", "Who follow it"), tuple(rows), note)
