"""Erasing an address from a host's store: in every place, except letters not sent yet."""

from __future__ import annotations

from .kept_rows import forget_mails
from .memory import Store
from .rows import WAITING, Member

FORGOTTEN = "forgotten@erased.invalid"
"""The replacement for an erased address; no letter can go there (RFC 2606)."""


def erase(store: Store, address: str) -> None:
    """Take an address out of every table."""
    own = address.lower()
    with store.decision():
        for seat in store.registered(address):
            store.change("seats", (seat.game, seat.seat), address=FORGOTTEN, zone="UTC", quiet="", weekends="")
            store.empty_at_door(seat.game, seat.seat)
            forget_mails(store, seat.game, seat.seat)
        for at in store.looking_on(address):
            store.delete("observers", game=at.game, address=at.address)
        for one in store.find(Member, address=own):
            stand_up_everywhere(store, one.id)
        for table in ("members", "bounces", "marks"):
            store.delete(table, address=own)
        store.rows.run("update moves set address = ?, code = '' where lower(address) = ?", FORGOTTEN, own)
        sent = "update outbox set address = ?, raw = ? where sent <> ? and lower(address) = ?"
        store.rows.run(sent, FORGOTTEN, b"", WAITING, own)
        store.rows.run("update inbox set sender = null where lower(sender) = ?", own)


def stand_up_everywhere(store: Store, member: int) -> None:
    """Let a member sit at no table any more, and let no seat be kept for him."""
    store.rows.run("update chairs set member = 0, anywhere = 0 where member = ?", member)
    store.rows.run("update chairs set kept = 0 where kept = ?", member)


def is_written_to(store: Store, address: str) -> bool:
    """Does a letter to an address wait?"""
    return (
        store.first("select id from outbox where sent = ? and lower(address) = ?", WAITING, address.lower()) is not None
    )
