"""The full notation of a signed log: what its entries and openings say, without its rules.

Only a log with everything open has one: of a game that is over, or the host's own of one that is not. The commands refuse the
latter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import Course, Entry, Log
from pbem.ledger.course import after
from pbem.referee.referee import changes
from pbem.reports.told import said

from .notation import (
    AskLine,
    ChangeLine,
    GameHead,
    Line,
    LogNamed,
    Notation,
    NoteLine,
    OrderLine,
    RollLine,
    RulesLine,
    SkipLine,
    TellLine,
)

SHOWN = 16
"""How many letters of a position's fingerprint a tell has."""


def notation_of(log: Log) -> Notation:
    """Return the full notation of a log. Raises UsageError if an order or a card is not open in it."""
    first = log.entries[0].fields
    rules, (last, digest) = first["rules"], log.head
    named = LogNamed(id=log.game, n=last, head=digest)
    head = GameHead(game=rules["id"], ver=rules["ver"], sha256=rules["sha256"], options=first["opts"], log=named)
    return Notation(head, list(_LogReader(log).lines()))


class _LogReader:
    """Goes through a log once."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.opened = {one.digest: one.fields[6] for one in log.attachments if one.k == "seal"}
        self.course = Course()
        self.is_lost = False
        """Has a card been met that no copy opens? The fingerprints of positions say nothing then."""
        self.may_lose = any(entry.k == "host" for entry in log.entries)
        self.tells = False

    def lines(self) -> Iterator[Line]:
        seats = self.log.entries[0].fields["seats"]
        for entry in self.log.entries:
            before, self.course = self.course, after(self.course, entry.fields)
            if self.tells and (fact := said(entry.n, entry.fields)):
                yield NoteLine(n=entry.n, fact=fact)
            changed = [ChangeLine(n=entry.n, change=change) for change in changes(seats, before, self.course)]
            if entry.k == "rand":
                yield RollLine(n=entry.n, chain=entry.fields["chain"], res=self._drawn(entry))
            elif entry.k == "tell":
                self.tells = True
                yield TellLine(n=entry.n, state=self._state(entry.fields["seals"]["state"]))
            elif entry.k == "ask":
                yield AskLine(n=entry.n, to=entry.fields["to"], what=entry.fields["what"])
            elif entry.k == "amend" and "rules" in entry.fields["what"]:
                rules = entry.fields["what"]["rules"]
                yield RulesLine(n=entry.n, game=rules["id"], ver=rules["ver"], sha256=rules["sha256"])
            yield from changed
            if entry.k == "order":
                yield self._order(entry)
            elif entry.k == "skip":
                yield SkipLine(n=entry.n, seat=entry.fields["to"], why=entry.fields["why"])

    def _order(self, entry: Entry) -> OrderLine:
        say: Mapping[str, Any] = entry.fields["say"]
        order, plans = (self._open(entry, say["seals"][name]) for name in ("order", "plans"))
        k = "ahead" if say["act"] == "ahead" else "order"
        return OrderLine(n=entry.n, k=k, seat=entry.fields["by"], order=order, plans=plans)  # type: ignore[arg-type]

    def _drawn(self, entry: Entry) -> list[Json]:
        fields = entry.fields
        if fields["chain"].startswith("priv:"):
            req_res = self._open(entry, fields["seals"][fields["chain"].removeprefix("priv:")])
            return [one for drawn in req_res[1] for one in drawn]
        if "res" in fields:
            return [one for drawn in fields["res"] for one in drawn]
        places = [name for name in fields["seals"] if name != "req"]
        return [self._card(entry, fields["seals"][f"p{no}"]) for no in range(len(places))]

    def _card(self, entry: Entry, digest: str) -> Json:
        if digest not in self.opened and self.may_lose:
            self.is_lost = True
            return None
        return self._open(entry, digest)

    def _state(self, digest: str) -> str:
        return "" if self.is_lost else str(self.opened.get(digest, ""))[:SHOWN]

    def _open(self, entry: Entry, digest: str) -> Any:
        if digest not in self.opened:
            raise UsageError(
                _(
                    "Entry {n} is not open in this copy, so it has no notation. Take the whole log of a game that is over.",
                    n=entry.n,
                )
            )
        return self.opened[digest]
