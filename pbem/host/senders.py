"""Envelope senders that the way out refuses: letters then go with the host's own address instead (ADR 54).

A provider may accept only the address of his account as sender. Then he takes neither the empty sender of an answer nor the way
back of a report. The host learns it in two ways: a letter is refused with such a sender and taken with the plain one, or the
server tells `host check`. It is remembered in `meta`, and tried again after a week.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.mail import way_back

from .moments import later
from .store import Store

DAYS = 7
_NAME = "sender "
EMPTY, WAY_BACK = "empty", "way back"
"""The kinds of senders beside the plain address."""


class Senders:
    """What one host knows of them; `address` is its own."""

    def __init__(self, store: Store, address: str) -> None:
        self.store, self.address = store, address

    def of(self, sender: str, now: str) -> str:
        """Return the sender to go with: the one that is wanted, or the own address where that kind was refused lately."""
        since = self.store.note(f"{_NAME}{self._kind(sender)}").partition(" ")[0]
        return self.address if since > later(now, hours=-24 * DAYS) else sender

    def note(self, sender: str, why: str, now: str) -> None:
        """Note that a sender was refused, in the server's words, or ("") that it was taken."""
        self.store.note_or_forget(f"{_NAME}{self._kind(sender)}", why, now)

    def refused(self) -> Mapping[str, tuple[str, str]]:
        """Return the refused kinds: since when, and the server's reason."""
        found = {kind: why.partition(" ") for kind, why in self.store.notes(_NAME).items()}
        return {kind: (since, why) for kind, (since, _, why) in found.items()}

    def shown(self, kind: str) -> str:
        """Return how a kind of sender looks."""
        return "<>" if kind == EMPTY else way_back(self.address, "…")

    def _kind(self, sender: str) -> str:
        if not sender:
            return EMPTY
        return "" if sender.lower() == self.address.lower() else WAY_BACK
