"""Who belongs to the club, found without going through all its members, notes and letters."""

from __future__ import annotations

from pbem.i18n.alike import seen

from ..arrivals import CLUB_DOOR
from .memory import Store
from .rows import Member

_KEY = "member's key "
"""The beginning of the notes on a key's owner; the key follows."""


def member_at(store: Store, address: str) -> Member | None:
    """Return the member with that confirmed address, or None."""
    return next((one for one in store.find(Member, address=address.lower()) if one.confirmed), None)


def named(store: Store, name: str) -> Member | None:
    """Return the member of a name, in small letters or capitals, or None."""
    return next((one for one in like(store, name) if one.name.casefold() == name.casefold()), None)


def like(store: Store, name: str) -> list[Member]:
    """Return the members with names that look like this one."""
    return [one for one in store.find(Member, folded=folded(name)) if one.confirmed]


def folded(name: str) -> str:
    """Return a form that is equal for all names that look alike; SQL's “lower” knows only ASCII."""
    return seen(name)


def unanswered(store: Store, before: str) -> list[Member]:
    """Return the addresses that were asked before that moment whether they want to belong, and have not confirmed."""
    return store.where(Member, "confirmed = '' and code_at < ?", before, order="code_at, id")


def keys_noted(store: Store, *values: str) -> dict[str, str]:
    """Return the keys with one of the given values noted, each with its value."""
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
