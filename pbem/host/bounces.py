"""Which addresses take no mail: what came back, and the mark that follows from it.

A bounce is believed by the token in the address it came to, which only the letter's way knew, and never by its text. Two hard
ones, or five soft ones in three days, mark an address. The mark stops nothing: it is shown to whoever runs the host. A signed
mail of the player lifts it: he is there.
"""

from __future__ import annotations

from pbem.mail import Bounce

from .outbox import later
from .store import Store

HARD, SOFT, DAYS = 2, 5, 3
"""So many hard bounces mark an address, or so many soft ones in so many days."""


def take_bounce(store: Store, bounce: Bounce, at: str) -> str:
    """Note what came back; return it in a few words."""
    letter = store.row("select address from outbox where token = ?", bounce.token)
    if letter is None:
        return "ignored: sent to the way back of no letter of ours"
    address = letter["address"].lower()
    if not bounce.kind:
        return f"ignored: an answer to the way back of a letter to {address}"
    store.insert("bounces", address=address, at=at, hard=int(bounce.kind == "hard"), why=bounce.status)
    if why := _why_marked(store, address, at):
        store.db.execute("insert or ignore into marks (address, at, why) values (?, ?, ?)", (address, at, why))
    return f"bounce: {bounce.kind}, {bounce.status or 'no status'}, of a letter to {address}"


def _why_marked(store: Store, address: str, at: str) -> str:
    hard = store.row("select count(*) as n from bounces where address = ? and hard = 1", address) or {}
    if hard["n"] >= HARD:
        return f"{hard['n']} letters came back for good"
    since = later(at, hours=-24 * DAYS)
    soft = (
        store.row("select count(*) as n from bounces where address = ? and hard = 0 and at > ?", address, since) or {}
    )
    return f"{soft['n']} letters came back within {DAYS} days" if soft["n"] >= SOFT else ""


def lift_mark(store: Store, address: str) -> None:
    """Forget what came back from an address: its owner has written."""
    for table in ("bounces", "marks"):
        store.db.execute(f"delete from {table} where address = ?", (address.lower(),))  # noqa: S608 - our own words
