"""The table as text and as tables: regions, player boards, castles, glory cards; and what one seat has before it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _
from pbem.look import PageTable

from ..rules.board import Board
from ..rules.names import BANNER, CARDINAL, COLOURS, GLORY, PICTS, TAPESTRY, WALL
from ..views import SwordsView
from .words import both, card, colour, cubes, fold, icon, player, points, power

_ASIDE = "  "


def board(view: SwordsView) -> str:
    """Return the table in plain text."""
    table = view.table
    lines = [where(view), *fold(_deck(table), _ASIDE), ""]
    lines += [line for name in table.parts.names for line in fold(_region(table, name), "    ")]
    lines += ["", *(line for name in table.glory for line in fold(_glory(table, name), "    "))]
    lines += fold(_blue(table), "    ") if BANNER in table.glory else []
    for seat in table.seats:
        lines += ["", *_player(view, seat)]
    return "\n".join(lines)


def where(view: SwordsView) -> str:
    """Say where the game stands, in a sentence."""
    table = view.table
    if view.result is not None:
        return _("The game is over after {round} rounds.", round=table.round)
    if not table.round:
        return _("Before the first round.")
    what = {"round": table.round, "rounds": table.parts.rounds, "flip": table.flip, "who": player(table.leader)}
    return _("Round {round} of {rounds}, flip {flip}. {who} leads.", **what)


def _deck(table: Board) -> str:
    if not table.icon:
        return _("Nothing is flipped yet.")
    said = _("{icon} and {number} are flipped.", icon=icon(table.icon).capitalize(), number=table.number)
    if not table.deck:
        return said
    left = [icon(deck.icon) for deck in table.deck]
    counted = both(f"{left.count(name)} {name}" for name in dict.fromkeys(left))
    return _("{said} Left in the deck: {cards}.", said=said, cards=counted)


def _region(table: Board, name: str) -> str:
    there = both(f"{colour(one)} {table.count(name, one)}" for one in COLOURS if table.count(name, one))
    marks = [_("Cardinal")] if table.cardinal == name else []
    if name in table.wall:
        other = next(end for end in table.wall if end != name)
        marks.append(_("wall to {region}", region=other))
    forts = [
        f"{castle}: {colour(held)}" for castle in table.parts.castles_of(name) if (held := table.castles.get(castle))
    ]
    said = _("{region} ({token}): {cubes}", region=name, token=table.tokens[name], cubes=there)
    return "; ".join([said, *forts, *marks])


def _glory(table: Board, name: str) -> str:
    bids = both(f"{player(seat)} {n}" for seat in table.seats if (n := table.glory[name].get(seat, 0)))
    holder = table.held.get(name, "")
    what = {"card": card(name), "power": power(name), "bids": bids}
    if holder:
        said = _("{card} ({power}): {bids}; {who} has it", **what, who=player(holder))
    else:
        said = _("{card} ({power}): {bids}; nobody has it", **what)
    return f"{said}{_stands(table, name)}"


def _stands(table: Board, name: str) -> str:
    if name == CARDINAL and table.cardinal:
        return _("; he stands in {region}", region=table.cardinal)
    if name == WALL and table.wall:
        return _("; it stands between {one} and {other}", one=table.wall[0], other=table.wall[1])
    if name == TAPESTRY and table.wild:
        return _("; wild is {icon}", icon=icon(table.wild))
    return ""


def _blue(table: Board) -> str:
    return _("Picts: {supply} in a supply, {aside} at the side of the board.", supply=table.picts, aside=table.aside)


def _player(view: SwordsView, seat: str) -> Iterator[str]:
    table = view.table
    said = {"who": player(seat), "points": points(table.points[seat]), "supply": cubes(table.spare(seat).total)}
    acts = _("; to act") if seat in view.waiting else ""
    yield _("{who}: {points}; {supply} in the supply{acts}", **said, acts=acts)
    yield from (f"  {line}" for line in player_board(table, seat))


def player_board(table: Board, seat: str) -> list[str]:
    """Return a player board in characters: the first two letters of each icon, in brackets where a cube covers it (`*` a Pict)."""
    rows = []
    for row, icons in enumerate(table.parts.player_board, 1):
        cells = [_cell(table, seat, f"{'ABCDEFGH'[column]}{row}", name) for column, name in enumerate(icons)]
        rows.append(f"{row} {' '.join(cells)}".rstrip())
    return ["   " + "    ".join("ABCDEFGH"[: len(table.parts.player_board[0])]), *rows]


def _cell(table: Board, seat: str, square: str, name: str) -> str:
    covered = table.boards[seat].get(square)
    short = icon(name)[:2]
    return f"[{short}]" if covered and covered != PICTS else f"*{short}*" if covered else f" {short} "


def hand(view: SwordsView) -> str:
    """Return what a seat has before it: its supply, its castles, the glory cards that it holds."""
    if not view.seat:
        return ""
    table, seat = view.table, view.seat
    castles = [castle for castle in table.parts.strongholds if table.castles.get(castle) in table.colours(seat)]
    held = [f"{card(name)} ({power(name)})" for name in GLORY if table.has(seat, name)]
    spare = table.spare(seat)
    lines = fold(_("In your supply: {cubes}.", cubes=cubes(spare.total, spare.picts)))
    lines += fold(_("Your castles: {castles}.", castles=both(castles)), _ASIDE)
    lines += fold(_("Your glory cards: {cards}.", cards=both(held)), _ASIDE)
    return "\n".join(lines)


def tables(view: SwordsView) -> list[PageTable]:
    """Return the table as tables."""
    table = view.table
    regions = tuple(
        (
            name,
            str(table.tokens[name]),
            *(str(table.count(name, one) or "") for one in _colours(table)),
            _castles(table, name),
        )
        for name in table.parts.names
    )
    players = tuple(
        (
            player(seat),
            str(table.points[seat]),
            cubes(table.spare(seat).total),
            str(len(table.boards[seat])),
            both(card(name) for name in table.glory if table.has(seat, name)),
        )
        for seat in table.seats
    )
    heads = (_("Region"), _("Token"), *(colour(one).capitalize() for one in _colours(table)), _("Castles"))
    glory = tuple((card(name), power(name), _bids(table, name), _holder(table, name)) for name in table.glory)
    return [
        PageTable(where(view), heads, regions, _deck(table)),
        PageTable(
            _("The players"), (_("Player"), _("Points"), _("Supply"), _("On the board"), _("Glory cards")), players
        ),
        PageTable(_("Glory cards"), (_("Card"), _("What it does"), _("Cubes"), _("Holder")), glory),
    ]


def _colours(table: Board) -> tuple[str, ...]:
    return (*table.seats, *([PICTS] if BANNER in table.glory else []))


def _castles(table: Board, name: str) -> str:
    empty = _("empty")
    found = ((castle, table.castles.get(castle)) for castle in table.parts.castles_of(name))
    return ", ".join(f"{castle} ({colour(held) if held else empty})" for castle, held in found)


def _bids(table: Board, name: str) -> str:
    return both(f"{player(seat)} {n}" for seat in table.seats if (n := table.glory[name].get(seat, 0)))


def _holder(table: Board, name: str) -> str:
    holder = table.held.get(name, "")
    return f"{player(holder) if holder else _('nobody')}{_stands(table, name)}"
