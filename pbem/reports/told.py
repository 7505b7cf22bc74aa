"""The content of a copy: facts and views, by folding the patches of its tells, without any rules (PROTOCOL 3).

So any copy can be replayed, even a redacted one, and even without the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pbem.errors import FormError, RecordError
from pbem.i18n import _
from pbem.ledger import Log, fingerprint, heard, seen
from pbem.records import dataclass

if TYPE_CHECKING:
    from pbem.kernel import Json

MOST_KEPT = 4_000_000
"""The maximum number of names in all new parts of a story's views; a long game has about 100,000."""

NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors caused by a view or fact that does not fit the game: only the game checks their form, not the signature."""


@contextmanager
def sense(otherwise: str) -> Iterator[None]:
    """Turn what breaks on a report that makes no sense into a RecordError that says `otherwise`."""
    try:
        yield
    except NONSENSE as error:
        raise RecordError(f"{otherwise} ({type(error).__name__})") from error


@dataclass(frozen=True, slots=True)
class Told:
    """One tell as a seat (or the public) got it: its entry, the facts, and the whole view after it."""

    n: int
    facts: tuple[Json, ...]
    view: Json


def said(n: int, entry: Json) -> Json | None:
    """Return an entry's statement, other than an order, as a fact; None for every other entry."""
    match entry["k"]:
        case "say":
            more = {name: entry["say"][name] for name in ("about", "what", "hours") if name in entry["say"]}
            return {"f": "say", "n": n, "seat": entry["by"], "act": entry["say"]["act"], **more}
        case "amend" if "player" in entry["what"]:
            newcomer = entry["what"]["player"]["say"]
            return {"f": "player", "seat": newcomer["seat"], "key": fingerprint(newcomer["key"])}
        case "rekey":
            return {"f": "rekey", "seat": entry["by"], "key": fingerprint(entry["say"]["key"])}
        case "host":
            return {"f": "another host", "key": fingerprint(entry["key"]), "n": entry["seen"][0]}
        case "extend" if "cause" not in entry:
            return {"f": "extend", "due": entry["due"], "why": entry["why"]}
    return None


_NOTHING: Json = {"facts": [], "view": {}}


class Story:
    """All tells of a growing copy that `seat` (None: the public) received and that are open in it."""

    def __init__(self, seat: str | None) -> None:
        self.seat = seat
        self.tells: list[Told] = []
        self._opened: dict[str, Json] = {}
        self._entries = self._attachments = self._kept = 0

    def follow(self, log: Log) -> list[Told]:
        """Take in what `log` has grown by, and return all tells up to the first that is not open.

        Raises FormError where a report names a public fact that is not there, or the views grow beyond all measure.
        """
        for attachment in log.attachments[self._attachments :]:
            if attachment.k == "seal" and attachment.fields[2] == "host" and attachment.fields[4] == self.seat:
                self._opened[attachment.digest] = attachment.fields[6]
        self._attachments = len(log.attachments)
        while self._entries < len(log.entries):
            entry = log.entries[self._entries]
            if entry.k == "tell":
                public, value = entry.fields["pub"], _NOTHING
                if self.seat is not None:
                    value = self._opened.get(entry.fields["seals"].get(self.seat), None)
                match value:
                    case {"facts": list(), "view": dict()}:
                        facts = list(public["facts"]) if self.seat is None else heard(public, value)
                        view = seen(public, value, self.tells[-1].view if self.tells else {})
                        self._keep(entry.n, _held_by(public["view"], view) + _held_by(value["view"], view))
                        self.tells.append(Told(entry.n, tuple(facts), view))
                    case _:  # not open; or no report, which the verifier says
                        break
            elif self.tells and (fact := said(entry.n, entry.fields)):
                self.tells.append(Told(entry.n, (fact,), self.tells[-1].view))
            self._entries += 1
        return self.tells

    def _keep(self, n: int, names: int) -> None:
        """Count the names kept: a patch of a few bytes can create a new view of any size, and every view is kept."""
        self._kept += names
        if self._kept > MOST_KEPT:
            raise FormError(_("the reports up to entry {n} are larger than those of any game", n=n))


def _held_by(patch: Json, view: Json) -> int:
    """The number of names in the parts of a view that a patch changes."""
    if not isinstance(patch, dict) or not isinstance(view, dict):
        return 0
    return len(view) + sum(_held_by(inner, view.get(name)) for name, inner in patch.items())


def view_at(log: Log, seat: str, n: int) -> Json | None:
    """Return what a seat saw when the question at entry `n` was put to it; None where this copy does not tell."""
    return next((tell.view for tell in reversed(told(log, seat)) if tell.n < n), None)


def told(log: Log, seat: str | None) -> list[Told]:
    """Return all tells of a copy that `seat` (None: the public) received and that are open in it."""
    return Story(seat).follow(log)
