"""The board as tables for a page: what `board` tells in plain text, in the same order.

The map beside them shows the same; who cannot see it misses nothing.
"""

from __future__ import annotations

from itertools import groupby

from pbem.look import PageTable

from ..rules import BORDER, SIDES
from ..rules.said import _, named
from ..views import HammerView
from .board import (
    IN_BATTLE,
    NORTH_TO_SOUTH,
    battle_now,
    beside,
    closed_to,
    drawn_up,
    followers,
    kind,
    limit,
    player_1,
    role,
    score,
    standing,
    truce,
    way,
    when,
)
from .words import SIDE, blocks, capital, listed, loose, solid, the


def tables(view: HammerView) -> list[PageTable]:
    """Return the year and the cards, the battle being fought, the areas, this turn's borders and ways, the nobles."""
    asked = view.ask is not None and view.ask["what"] in IN_BATTLE  # the question has shown the battle
    parts = (_year(view), None if asked else _battle(view), _areas(view), _borders(view), _ways(view), _nobles(view))
    return [_loose(part) for part in parts if part is not None]


def _loose(table: PageTable) -> PageTable:
    rows = tuple(tuple(map(loose, row)) for row in table.rows)
    return table._replace(rows=rows, note=loose(table.note))


def _year(view: HammerView) -> PageTable:
    rows = [
        (
            capital(the(side)),
            ", ".join(map(named, view.cards[side].played)) or _("none"),
            str(view.cards[side].left),
            blocks(pool),
        )
        for side, pool in sorted(view.pools.items())
    ]
    notes = (player_1(view), truce(view), beside(view))
    heads = (_("Side"), _("Cards played this year"), _("Cards left"), _("Draw pool"))
    return PageTable(when(view), heads, tuple(rows), " ".join(filter(None, notes)))


def _battle(view: HammerView) -> PageTable | None:
    battle = view.battle
    if battle is None:
        return None
    rows = tuple(
        (
            role(battle, side),
            ", ".join(front) or _("nobody"),
            listed(solid(named(name)) for name in going),
            str(reserve),
        )
        for side, front, going, reserve in drawn_up(view, battle)
    )
    heads = (_("Side"), _("In the front line"), _("In retreat"), _("In reserve"))
    return PageTable(battle_now(battle), heads, rows)


def _areas(view: HammerView) -> PageTable:
    rows, empty = [], []
    for areas in NORTH_TO_SOUTH.values():
        for area in areas:
            if here := view.occupancy.get(area):
                rows.append((named(area), limit(area), *(str(n or "–") for n in here.values()), standing(view, area)))
            else:
                empty.append(solid(f"{named(area)} {limit(area)}"))
    known = _("Your blocks") if view.seat else _("Face-up")
    heads = (_("Area"), _("Castle limit"), *(_(SIDE[side]) for side in SIDES), known)
    notes = [_("Empty: {areas}.", areas=", ".join(empty)) if empty else ""]
    notes.append(_("A block is told with its strength and combat rating; + is a cathedral (1 more for the Scots)."))
    return PageTable(_("The areas, from north to south"), heads, tuple(rows), " ".join(filter(None, notes)))


def _borders(view: HammerView) -> PageTable | None:
    rows = []
    for between, crossed in groupby(view.crossings, lambda crossed: crossed.between):
        border, by = BORDER[between], {one.side: one.blocks for one in crossed}
        closed = capital(closed_to(view.controlled, *between)) or "–"
        rows.append(
            (
                f"{named(border.a)} – {named(border.b)}",
                kind(between),
                *(str(by.get(side, "–")) for side in SIDES),
                closed,
            )
        )
    heads = (_("Border"), _("Colour, limit"), *(_(SIDE[side]) for side in SIDES), _("No retreat for"))
    return PageTable(_("Borders crossed this turn, by how many blocks"), heads, tuple(rows)) if rows else None


def _ways(view: HammerView) -> PageTable | None:
    rows = tuple(
        (named(came.area), _(SIDE[came.side]), str(came.blocks), way(came) + (_(", MAIN ATTACK") if came.main else ""))
        for came in view.came
        if came.area in view.contested
    )
    heads = (_("Area"), _("Side"), _("Blocks"), _("From"))
    return PageTable(_("How they came to the contested areas"), heads, rows) if rows else None


def _nobles(view: HammerView) -> PageTable:
    rows = tuple((_(SIDE[side]), followers(view, side)) for side in SIDES)
    note = [score(view), _("* Comyn faction (2.22, 6.21); in brackets homes of another name.")]
    return PageTable(_("The nobles"), (_("Side"), _("Who follow it")), rows, " ".join(note))
