"""What follows from one seat's secret and the log alone, without guesses.

A seat's program works with guesses. These are derived from its secret and its view, so that anybody with the secret makes the same
guesses, and arrives at the same acts.
"""

from __future__ import annotations

import hmac
from typing import Any, NamedTuple

from pbem.errors import Fault
from pbem.ledger import Stream, same
from pbem.ledger.canon import cj_read
from pbem.ledger.pair import Vault


class CertainFault(Fault):
    """A fault of the other's, by what a seat alone knows, whatever the other has hidden."""


class Unjudged(Exception):
    """The known facts do not allow the rules to continue, or do not determine the answer."""


class LookedOn(NamedTuple):
    """How far somebody could judge who does not know all: up to which entry; and the first fault."""

    last: int
    fault: Fault | None


class OwnGuesses:
    """The source of guesses, derived from a key and a view; nothing that anybody sees depends on it."""

    def __init__(self, key: bytes) -> None:
        self._key, self._stream = key, Stream(key)

    def begin(self, view: Any) -> None:
        """Draw from here on what follows from the key and a view."""
        self._stream = Stream(hmac.digest(self._key, cj_read(view), "sha256"))

    def randrange(self, stop: int, /) -> int:
        return self._stream.uniform(stop)


class GuessingVault(Vault):
    """A seat's vault with other guesses in each trial; those of the first are the seat's own program's."""

    trial = 0

    @property
    def guesses(self) -> bytes:
        own = super().guesses
        return hmac.digest(own, b"trial %d" % self.trial, "sha256") if self.trial else own


def holds_all(said: Any, owed: Any) -> bool:
    """Does a patch hold all of another one, and perhaps more?"""
    if isinstance(said, dict) and isinstance(owed, dict):
        return all(key in said and holds_all(said[key], value) for key, value in owed.items())
    return same(said, owed)
