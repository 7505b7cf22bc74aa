"""The table as text and as tables: regions, player boards, castles, glory cards; and what one seat has before it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _
from pbem.look import PageTable

from ..rules.board import Board
from ..rules.names import BANNER, CARDINAL, COLOURS, GLORY, PICTS, TAPESTRY, WALL
from ..views import SwordsView
from .words import WIDTH, both, card, colour, cubes, fold, icon, laid, player, points, power

_ASIDE = "  "
LEADS = "*"
"""The leader's mark, where a line has no room for more."""
SEA = "~"
"""The mark of a neighbour over water."""
_APART = 6
"""So much wider than its squares is a player board."""


def board(view: SwordsView) -> str:
    """Return the table in plain text."""
    table = view.table
    lines = [where(view), *(fold(ahead(table), _ASIDE) if table.round else []), *fold(_deck(table), _ASIDE), ""]
    lines += [line for name in table.parts.names for line in fold(_region(table, name), "    ")]
    lines += ["", *fold(_("Neighbours ({sea} by sea), in brackets the castles on the border:", sea=SEA), _ASIDE)]
    lines += [line for name in table.parts.names for line in fold(f"{name}: {borders(table, name)}", "    ")]
    glory = [*(_glory(table, name) for name in laid(table)), *([_blue(table)] if BANNER in table.glory else [])]
    lines += ["", *(line for said in glory for line in fold(said, "    ")), "", *_columns(view)]
    return "\n".join([*lines, *_player_boards(table)])


def _columns(view: SwordsView) -> Iterator[str]:
    """Yield the players' numbers as lines with a head; the leader's mark follows a name."""
    table = view.table
    rows = [(_("Player"), _("Points"), _("Regions now"), _("Supply"), "")]
    for seat in table.seats:
        marked = f"{player(seat)} {LEADS}" if seat == table.leader else player(seat)
        numbers = str(table.points[seat]), str(now(table)[seat]), str(table.spare(seat).total)
        rows.append((marked, *numbers, _("to act") if seat in view.waiting else ""))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures, acts in rows:
        told = (n.rjust(room) for n, room in zip(figures, wide[1:], strict=False))
        yield "  ".join([name.ljust(wide[0]), *told, acts]).rstrip()
    yield from fold(_("{mark} leads. Regions now: what they would give if the round ended.", mark=LEADS), _ASIDE)


def now(table: Board) -> dict[str, int]:
    """Return the points that the regions would give each seat if the round ended now."""
    given = dict.fromkeys(table.seats, 0)
    for name in table.parts.names:
        if seat := table.most(table.strength(name)).seat:
            given[seat] += table.tokens[name]
    return given


def _player_boards(table: Board) -> Iterator[str]:
    """Go through the player boards, as many side by side as there is room for."""
    wide = 5 * len(table.parts.player_board[0]) + _APART
    in_row = max(1, WIDTH // wide)
    for no in range(0, len(table.seats), in_row):
        yield ""
        blocks = [[player(seat), *player_board(table, seat)] for seat in table.seats[no : no + in_row]]
        for lines in zip(*blocks, strict=True):
            yield "".join(line.ljust(wide) for line in lines).rstrip()


def ahead(table: Board) -> str:
    """Return a sentence with the leading player, the lead, and that player's regions."""
    most = max(table.points.values())
    first = [seat for seat in table.seats if table.points[seat] == most]
    if not most:
        return _("Nobody has points yet.")
    if len(first) > 1:
        return _("{players} are ahead, level with {points}.", players=both(map(player, first)), points=points(most))
    second = max((seat for seat in table.seats if seat != first[0]), key=lambda seat: table.points[seat])
    return _(
        "{who} is ahead with {points}, {margin} more than {second}, and has the most cubes in {regions}.",
        who=player(first[0]), points=points(most), margin=most - table.points[second], second=player(second),
        regions=both(name for name in table.parts.names if table.most(table.strength(name)).seat == first[0])
        if now(table)[first[0]] else _("no region"),
    )  # fmt: skip


def where(view: SwordsView) -> str:
    """Return the moment of the game in a sentence."""
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
    counted = both(_("{n} {icon}", n=left.count(name), icon=name) for name in dict.fromkeys(left))
    return _("{said} Left in the deck: {cards}.", said=said, cards=counted)


def _region(table: Board, name: str) -> str:
    there = both(f"{colour(one)} {table.count(name, one)}" for one in COLOURS if table.count(name, one))
    marks = [_("Cardinal")] if table.cardinal == name else []
    if name in table.wall:
        other = next(end for end in table.wall if end != name)
        marks.append(_("wall to {region}", region=other))
    forts = [
        _("{castle}: {colour}", castle=castle, colour=colour(held))
        for castle in table.parts.castles_of(name)
        if (held := table.castles.get(castle))
    ]
    said = _("{region} ({token}): {cubes}", region=name, token=table.tokens[name], cubes=there)
    return _("; ").join([said, *forts, *marks])


def borders(table: Board, name: str) -> str:
    """Return the regions that adjoin one, those by sea marked; behind each the castles on that border."""
    parts, found = table.parts, []
    for other in parts.neighbours(name):
        border = {name, other}
        by_sea = any(set(ends) == border for ends in parts.sea)
        on_it = [castle.name for castle in parts.castles if set(castle.border) == border]
        found.append(f"{SEA * by_sea}{other}" + (f" ({', '.join(on_it)})" if on_it else ""))
    return ", ".join(found)


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
    """Return a seat's possessions: its supply, its castles, its glory cards."""
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
            borders(table, name),
        )
        for name in table.parts.names
    )
    players = tuple(
        (
            player(seat),
            str(table.points[seat]),
            str(now(table)[seat]),
            cubes(table.spare(seat).total),
            str(len(table.boards[seat])),
            both(card(name) for name in laid(table) if table.has(seat, name)),
        )
        for seat in table.seats
    )
    heads = (_("Region"), _("Token"), *(colour(one).capitalize() for one in _colours(table)), _("Castles"))
    heads = (*heads, _("Neighbours, {sea} by sea", sea=SEA))
    glory = tuple((card(name), power(name), _bids(table, name), _holder(table, name)) for name in laid(table))
    return [
        PageTable(where(view), heads, regions, _deck(table)),
        PageTable(
            _("The players"),
            (_("Player"), _("Points"), _("Regions now"), _("Supply"), _("On the board"), _("Glory cards")),
            players,
            ahead(table) if table.round else "",
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
    return (player(holder) if holder else _("nobody")) + _stands(table, name)
