"""Addresses that take no mail: bounces, and the mark that follows from them.

A bounce is believed by the token in the address it was sent to, which only the servers that carried the letter knew. Its text is
never believed. Two hard bounces, or five soft ones in three days, mark an address. A complaint (a reader has called a letter
unwanted) marks it at once, and removes an observer. The mark stops nothing; it is shown to the operator. A signed mail of the
player removes it.
"""

from __future__ import annotations

from pbem.mail import Bounce

from .moments import later
from .store import Store
from .store.rows import LetterRow, Marked

HARD, SOFT, DAYS = 2, 5, 3
"""The number of hard bounces that mark an address, or of soft ones within a number of days."""


def take_bounce(store: Store, bounce: Bounce, at: str) -> str:
    """Note what came back; return it in a few words."""
    letter = store.get(LetterRow, token=bounce.token)
    if letter is None:
        return "ignored: sent to the way back of no letter of ours"
    address = letter.address.lower()
    if not bounce.kind:
        return f"ignored: an answer to the way back of a letter to {address}"
    if bounce.kind == "complaint":
        if not store.get(Marked, address=address):
            store.insert("marks", address=address, at=at, why="its reader calls our letters unwanted")
        for looking in store.looking_on(address):
            store.delete("observers", game=looking.game, address=looking.address)
        return f"complaint: about a letter to {address}"
    store.insert("bounces", address=address, at=at, hard=int(bounce.kind == "hard"), why=bounce.status)
    if (why := _why_marked(store, address, at)) and not store.get(Marked, address=address):
        store.insert("marks", address=address, at=at, why=why)
    return f"bounce: {bounce.kind}, {bounce.status or 'no status'}, of a letter to {address}"


def _why_marked(store: Store, address: str, at: str) -> str:
    hard = len(store.values("bounces", "at", address=address, hard=1))
    if hard >= HARD:
        return f"{hard} letters came back for good"
    soft = len(store.values("bounces", "at", later(at, hours=-24 * DAYS), address=address, hard=0))
    return f"{soft} letters came back within {DAYS} days" if soft >= SOFT else ""


def lift_mark(store: Store, address: str) -> None:
    """Forget what came back from an address: its owner has written."""
    if store.has_come_back(address.lower()):
        for table in ("bounces", "marks"):
            store.delete(table, address=address.lower())
