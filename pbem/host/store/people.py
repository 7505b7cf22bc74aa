"""Who belongs to the club, found without going through all its members, notes and letters."""

from __future__ import annotations

from pbem.i18n.alike import seen

from ..arrivals import CLUB_DOOR
from .memory import Store
from .rows import Member

_KEY = "member's key "
"""So the notes begin of whose a key is; the key follows."""


def member_at(store: Store, address: str) -> Member | None:
    """Return who has confirmed an address, or None."""
    return next((one for one in store.find(Member, address=address.lower()) if one.confirmed), None)


def named(store: Store, name: str) -> Member | None:
    """Return the member of a name, in small letters or capitals, or None."""
    return next((one for one in like(store, name) if one.name.casefold() == name.casefold()), None)


def like(store: Store, name: str) -> list[Member]:
    """Return the members whose names look like this one."""
    return [one for one in store.find(Member, folded=folded(name)) if one.confirmed]


def folded(name: str) -> str:
    """Return what is the same of all names that look alike: what SQL calls “lower” knows ASCII alone."""
    return seen(name)


def unanswered(store: Store, before: str) -> list[Member]:
    """Return who was asked before a moment whether he wants to be a member, and is none."""
    return store.where(Member, "confirmed = '' and code_at < ?", before, order="code_at, id")


def keys_noted(store: Store, *values: str) -> dict[str, str]:
    """Return the keys of which one of these is noted, each with that."""
    # between these two, as the index has it
    sql = "select name, value from meta where name >= 'member''s key ' and name < 'member''s key!' and value = ?"
    found = sorted(row for value in values for row in store.read(sql, value))
    return {name.removeprefix(_KEY): value for name, value in found}


def brought_with(store: Store, key: str) -> list[int]:
    """Return the mails that were brought to the door for the club with a key."""
    sql = "select id from inbox where door = ? and door >= 'club ' and door < 'club!' order by id"
    return [number for (number,) in store.read(sql, f"{CLUB_DOOR}{key}")]


def strangers_written_to(store: Store, since: str, name: str) -> tuple[int, int]:
    """Return how many letters were written to strangers since a moment: such with this part in their name, and others."""
    found = store.read("select message_id from outbox where kind = 'register' and at > ?", since)
    named = sum(name in message_id for (message_id,) in found)
    return named, len(found) - named
