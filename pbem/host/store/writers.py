"""Who wrote the mails in a host's store, by their heads.

The envelope names the sender of the last hand-over: a list, a forwarding mailbox, or nobody. A mail that was refused or tidied away
has no head any more.
"""

from __future__ import annotations

from email.parser import BytesHeaderParser
from email.utils import getaddresses

from .memory import Store

_WRITERS = ("From", "Sender", "Reply-To", "Return-Path", "Resent-From")
"""The lines in the head of a mail that name its writer."""


def written_by(store: Store, own: str) -> list[int]:
    """Return the numbers of the mails that name an address as their writer in their head, and were handed over by another."""
    found = []
    for number, raw in store.read(
        "select id, raw from inbox where length(raw) > 0 and (sender is null or lower(sender) <> ?) order by id", own
    ):
        head = BytesHeaderParser().parsebytes(bytes(raw))
        lines = [str(line) for name in _WRITERS for line in head.get_all(name, ())]
        if own in {address.lower() for _name, address in getaddresses(lines)}:
            found.append(number)
    return found
