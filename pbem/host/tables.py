"""Tables of a club: games that wait for their players.

A member opens a table by mail, others join, and the last to join opens the game. A table is not a game: it is unsigned and in no
log. The terms that its members agreed on by joining are in entry 0 of the game. Each of them accepts it by his invitation, or not.
So a mail in another's name gets him a letter, and nothing more. A chair is free, kept for one member, taken by one, or a built-in
player's, as entry 0 then says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from pbem.errors import UsageError
from pbem.games import GamePack
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.terms import agreed
from pbem.mail.hours import Hours
from pbem.records import dataclass
from pbem.referee import Refused

from .built_in import address_of, player_named
from .hosted import House
from .members import member_named
from .store import Store
from .store.keeping import OVER
from .store.rows import ClubSeat, ClubTable, Member

_NUMBERS = ("hours", "grace", "leave")
_SAID = (*_NUMBERS, "late", "odds", "rated")
_YES, _NO = ("yes", "on", "true", ""), ("no", "off", "false")


@dataclass(frozen=True, slots=True)
class TableWanted:
    """A game as a member wants to open it: full options and terms, his own seat ("" for any), and the holders of other seats."""

    options: dict[str, Json]
    terms: dict[str, Json]
    side: str
    kept: dict[str, Member]
    built_in: dict[str, str]


def read(store: Store, pack: GamePack, words: Sequence[str], hours: int, *, built_in: bool) -> TableWanted:
    """Read what follows NEW and the game's name: options, terms, seats, each “name=value”. Raises UsageError or Refused."""
    told: dict[str, str] = {}
    for pair in words:
        name, _sign, value = pair.partition("=")
        if name.lower() in told:
            raise Refused("FORM", _("“{name}” is said twice.", name=name))
        if name.lower() != "open":
            told[name.lower()] = value
    takes = pack.rules.options_model.model_fields
    options = pack.complete({name: _value(value) for name, value in told.items() if name in takes})
    seats = pack.rules.seats(options)
    kept, bots = dict[str, Member](), dict[str, str]()
    for name, value in told.items():
        if name in takes or name in _SAID or name == "side":
            continue
        if name not in seats:
            raise Refused(
                "FORM",
                _(
                    "{game} does not know “{name}”. Its options: {options}; its seats: {seats}; also allowed: "
"side, {terms}.",
                    name=name, game=pack.rules.title, options=", ".join(takes), seats=", ".join(seats), terms=", ".join(_SAID),
                ),
            )  # fmt: skip
        if built_in and (player := pack.player(value)):
            bots[name] = player
        else:
            kept[name] = member_named(store, value)
    side = told.get("side", "").lower()
    if side and side not in seats:
        raise Refused("FORM", _no_seat(pack, side, seats))
    if side in (*kept, *bots):
        raise Refused("FORM", _("The seat {seat} cannot be yours and another's.", seat=pack.look.seat_name(side)))
    if len(bots) == len(seats):
        raise Refused("FORM", _("No seat is left for you: built-in players play alone with “pbem match”."))
    players = {seat: player_named(pack, name) for seat, name in bots.items()}
    terms = agreed(
        _number(told, "hours", hours), told.get("late", "default"), _number(told, "leave", 0), _number(told, "grace", 0),
        odds=_flag(told, "odds", usual=True), rated=_flag(told, "rated", usual=False), built_in=players or None,
    )  # fmt: skip
    return TableWanted(options, terms, side, kept, bots)


def open_table(
    store: Store, game: str, wanted: TableWanted, member: Member, seats: Sequence[str], at: str, until: str
) -> int:
    """Set up a table at which a member sits; return its number."""
    table = store.numbered(
        "tables", game=game, opts=wanted.options, terms=wanted.terms, opener=member.id, at=at, until=until, opened=0
    )
    for seat, name in wanted.built_in.items():
        store.insert("chairs", table_id=table, seat=seat, member=0, kept=0, player=name)
    for seat, other in wanted.kept.items():
        store.insert("chairs", table_id=table, seat=seat, member=0, kept=other.id, player="")
    for seat in seats:
        if seat not in wanted.built_in and seat not in wanted.kept and seat != wanted.side:
            store.insert("chairs", table_id=table, seat=seat, member=0, kept=0, player="")
    if wanted.side:
        store.insert("chairs", table_id=table, seat=wanted.side, member=member.id, kept=0, player="")
    else:
        sit_down(store, table_at(store, table), member, "")
    return table


def table_at(store: Store, number: int) -> ClubTable:
    """Return the table of that number that waits. Raises Refused."""
    table = store.get(ClubTable, id=number)
    if table is None:
        raise Refused("FORM", _("There is no table {number} here. GAMES lists the tables that wait.", number=number))
    if table.opened:
        raise Refused("FORM", _("Table {number} is full: it has become game {game}.", number=number, game=table.opened))
    return table


def waiting(store: Store) -> list[ClubTable]:
    """Return the tables that wait, the oldest first."""
    return store.find(ClubTable, order="id", opened=0)


def chairs(store: Store, table: ClubTable) -> dict[str, ClubSeat]:
    """Return the chairs of a table by seat."""
    return {chair.seat: chair for chair in store.find(ClubSeat, order="seat", table_id=table.id)}


def sit_down(store: Store, table: ClubTable, member: Member, seat: str) -> None:
    """Let a member sit down, at the seat that he names or at any. Raises Refused.

    Who names none sits on the first free chair for now; when all sit, it is drawn which of such chairs is whose (`seating`).
    """
    there = chairs(store, table)
    if any(chair.member == member.id for chair in there.values()):
        raise Refused("FORM", _("You sit at table {number} already.", number=table.id))
    own = [name for name, chair in there.items() if chair.kept == member.id and not chair.member]
    free = [name for name, chair in there.items() if not chair.member and not chair.player and not chair.kept]
    if seat and seat not in there:
        raise Refused(
            "FORM",
            _(
                "Table {number} has no seat “{seat}”; its seats are {seats}.",
                number=table.id,
                seat=seat,
                seats=", ".join(there),
            ),
        )
    if (seat and seat not in (*own, *free)) or not (own or free):
        raise Refused("FORM", _("That seat of table {number} is not free for you.", number=table.id))
    chosen = seat or (own or free)[0]
    any_ = int(not seat and chosen in free)
    store.change("chairs", (table.id, chosen), member=member.id, anywhere=any_)


def stand_up(store: Store, table: ClubTable, member: Member) -> bool:
    """Let a member leave a table; is it closed by that, as nobody is left at it? Raises Refused where he does not sit there."""
    seats = [name for name, chair in chairs(store, table).items() if chair.member == member.id]
    if not seats:
        raise Refused("FORM", _("You do not sit at table {number}.", number=table.id))
    store.change("chairs", (table.id, seats[0]), member=0, anywhere=0)
    if any(chair.member for chair in chairs(store, table).values()):
        return False
    close(store, table)
    return True


def close(store: Store, table: ClubTable) -> None:
    """Take a table away."""
    store.delete("chairs", table_id=table.id)
    store.delete("tables", id=table.id)


def sitting(store: Store, table: ClubTable) -> Iterator[Member]:
    """Go through the members who sit at a table, by seat."""
    for chair in chairs(store, table).values():
        if chair.member and (member := store.get(Member, id=chair.member)):
            yield member


def is_full(store: Store, table: ClubTable) -> bool:
    """Is every chair taken?"""
    return all(chair.member or chair.player for chair in chairs(store, table).values())


def seating(store: Store, table: ClubTable, fresh: str) -> dict[str, int]:
    """Return which member plays which seat. Those who named no seat are put in an order that follows from `fresh`."""
    there = chairs(store, table)
    anywhere = [seat for seat, chair in there.items() if chair.member and chair.anywhere]
    members = sorted(
        (there[seat].member for seat in anywhere), key=lambda member: sha256(f"seat {fresh} {member}".encode()).digest()
    )
    return {seat: chair.member for seat, chair in there.items() if chair.member} | dict(
        zip(anywhere, members, strict=True)
    )


def addresses(
    store: Store, table: ClubTable, seats: dict[str, int]
) -> tuple[dict[str, str], dict[str, Hours], dict[str, str]]:
    """Return the address, the clock and the language of each seat."""
    posts, clocks, languages = dict[str, str](), dict[str, Hours](), dict[str, str]()
    for seat, chair in chairs(store, table).items():
        member = store.get(Member, id=seats[seat]) if seat in seats else None
        posts[seat] = member.address if member else address_of(seat, chair.player)
        clocks[seat] = Hours(member.zone, member.quiet, member.weekends) if member else Hours()
        languages[seat] = member.language if member else ""
    return posts, clocks, languages


def has_opened(store: Store, member: Member) -> int:
    """Return at how many waiting tables a member sits that he opened himself."""
    return sum(table.opener == member.id for table in waiting(store))


def plays(store: Store, member: Member) -> int:
    """Return in how many games and at how many tables a member is."""
    on = {seat.game for seat in store.registered(member.address) if seat.stage not in OVER}
    return len(on) + sum(any(one.id == member.id for one in sitting(store, table)) for table in waiting(store))


def told(house: House, table: ClubTable) -> dict[str, Any]:
    """Return the description of a table: number, game, options, terms in words, and its chairs."""
    pack, store = house.pack(table.game), house.store

    def who(chair: ClubSeat) -> str:
        if chair.player:
            return _("built-in player “{player}”", player=chair.player)
        member = store.get(Member, id=chair.member or chair.kept)
        name = member.name if member else ""
        if chair.member:
            return _("{name}, or another seat", name=name) if chair.anywhere else name
        return _("kept for {name}", name=name) if name else _("free")

    terms = table.terms
    time = [_("{hours} hours for an answer", hours=terms["hours"])] if terms["hours"] else [_("no limit of time")]
    if terms["grace"]:
        time.append(_("{hours} hours of grace", hours=terms["grace"]))
    if terms["leave"]:
        time.append(_("{hours} hours of leave", hours=terms["leave"]))
    if terms["late"] == "claim":
        time.append(_("an opponent may claim after that"))
    if terms.get("rated"):
        time.append(_("rated: each player signs with a key of his own"))
    if terms.get("odds") is False:
        time.append(_("no odds shown"))
    return {
        "number": table.id,
        "game": pack.rules.title,
        "options": pack.told(table.opts),
        "terms": time,
        "until": table.until[:10],
        "chairs": [(pack.look.seat_name(seat), seat, who(chair)) for seat, chair in chairs(store, table).items()],
    }


def free(house: House, table: ClubTable) -> list[str]:
    """Return the seats of a table where anybody can sit down, as they are called."""
    look = house.pack(table.game).look
    return [
        look.seat_name(seat)
        for seat, chair in chairs(house.store, table).items()
        if not (chair.member or chair.kept or chair.player)
    ]


def _no_seat(pack: GamePack, seat: str, seats: Sequence[str]) -> str:
    return _(
        "{game} has no seat “{seat}”; its seats are {seats}.", game=pack.rules.title, seat=seat, seats=", ".join(seats)
    )


def _value(text: str) -> Json:
    """Return a value as the command line reads it: decoded JSON, or otherwise the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _number(told: dict[str, str], name: str, usual: int) -> int:
    value = told.get(name, str(usual))
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise UsageError(_("“{name}” must be a number, and “{value}” is not one.", name=name, value=value))
    return int(value)


def _flag(told: dict[str, str], name: str, *, usual: bool) -> bool:
    value = told.get(name, "yes" if usual else "no")
    if value.lower() not in (*_YES, *_NO):
        raise UsageError(_("“{name}” is yes or no; “{value}” is neither.", name=name, value=value))
    return value.lower() in _YES
