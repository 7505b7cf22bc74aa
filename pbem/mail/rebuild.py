"""Converting between a short block and the signed statement: both ends take the omitted parts from the log alone.

A statement is restored to exactly the signed bytes, so the signature shows whether that worked. The caller must check it, and
accept nothing without a valid signature. If an entry, plans or a dictionary are missing or different here, nobody is at fault yet:
the full form is requested (FullWanted).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from pbem.errors import FormError, FullWanted
from pbem.i18n import _
from pbem.ledger import Log, salt_from, seal
from pbem.referee import Envelope

from .short import DICTIONARIES, PARTS, Plans, Short, SignedPart

if TYPE_CHECKING:
    from pbem.kernel import Json


class Knowledge(Protocol):
    """The known facts of a game: its id, its seats as in entry 0, its entries, and the dictionaries for its texts."""

    @property
    def game(self) -> str: ...

    @property
    def seats(self) -> Sequence[str]: ...

    def entry(self, n: int) -> Mapping[str, Json]:
        """Return the fields of entry n; empty if it does not exist."""

    def hash_of(self, n: int) -> str | None:
        """Return h_n, or None without such an entry."""

    def last_plans(self, seat: str, n: int) -> str | None:
        """Return the plans of the last order of a seat that is logged as entry n or before, "" without one; None: not known."""

    def words(self, number: int) -> bytes | None:
        """Return a dictionary, or None for an unknown number."""


class KnownLog:
    """What a log or copy knows; `words` are the dictionaries of its game, by number."""

    def __init__(self, log: Log, words: Callable[[int], bytes | None]) -> None:
        self.log, self.words = log, words
        self.game: str = log.game
        self.seats: Sequence[str] = log.entries[0].fields["seats"]

    def entry(self, n: int) -> Mapping[str, Json]:
        return self.log.entries[n].fields if 0 <= n < len(self.log.entries) else {}

    def hash_of(self, n: int) -> str | None:
        return self.log.entries[n].hash if 0 <= n < len(self.log.entries) else None

    def last_plans(self, seat: str, n: int) -> str | None:
        orders = (e for e in reversed(self.log.entries[: n + 1]) if e.k == "order" and e.fields["by"] == seat)
        last = next(orders, None)
        if last is None:
            return ""
        digest = last.fields["say"]["seals"]["plans"]
        opened = (a.fields[6] for a in reversed(self.log.attachments) if a.k == "seal" and a.digest == digest)
        return next(opened, None)


# --- from what was signed to a short block ----------------------------------------------------------------------------


def shorten(envelope: Envelope, known: Knowledge, dictionary: int) -> Short | None:
    """Return an order, with its premoves, as a short block; None if it has to be sent in full.

    The full form is needed if the salts are not derived from a seed, or if this log lacks an entry that the statement names. It is
    also needed for everything that is not an order. The result was expanded again as a check, and is identical.
    """
    statements = (envelope, *envelope.ahead)
    if len(statements) > PARTS or dictionary > DICTIONARIES or envelope.say["act"] not in ("order", "ahead"):
        return None
    parts: list[SignedPart] = []
    for one in statements:
        if not one.seed or len(one.openings) != 2:
            return None
        parts.append(_part(one, statements[len(parts) - 1] if parts else None, known))
    seat = known.seats.index(envelope.say["seat"]) if envelope.say["seat"] in known.seats else -1
    short = Short(dictionary, envelope.say["game"][:16], seat, tuple(parts))
    try:
        again = _written_out(short, [(part.order, part.planned) for part in parts], known)
    except FormError:
        return None
    return (
        short if (again.say, again.openings, again.ahead) == (envelope.say, envelope.openings, envelope.ahead) else None
    )


def _part(one: Envelope, before: Envelope | None, known: Knowledge) -> SignedPart:
    say, (order, plans) = one.say, (str(line[6]) for line in one.openings)
    (n, h), ahead = say["seen"], say["act"] == "ahead"
    same = say["seen"] == before.say["seen"] if ahead and before else not ahead and n == say["ask"]
    number = int(say["link_n"] if ahead else say["ask"])
    how = _how(plans, str(before.openings[1][6]) if before else None, known.last_plans(str(say["seat"]), n))
    head = "" if ahead and same else str(h)[:16]
    planned = plans if how is Plans.HERE else ""
    return SignedPart(
        ahead,
        number,
        say["rev"],
        None if same else n,
        head,
        say.get("link", ""),
        one.seed,
        one.sig,
        how,
        order,
        planned,
    )


def _how(plans: str, before: str | None, last: str | None) -> Plans:
    if not plans:
        return Plans.NONE
    return Plans.SAME if plans == before else Plans.LAST if plans == last else Plans.HERE


# --- and back ---------------------------------------------------------------------------------------------------------


def rebuild(short: Short, known: Knowledge) -> Envelope:
    """Return the signed statement of a short block; its signature must still be checked.

    Raises FullWanted if something is missing or different here; FormError if no log can make sense of it.
    """
    if (words := known.words(short.dictionary)) is None:
        why = _("Its texts are packed by dictionary {n} of the game, which is not known here.", n=short.dictionary)
        raise wanted(short, why)
    return _written_out(short, short.texts(words), known)


def openings_in(short: Short, known: Knowledge) -> Iterator[list[Json]]:
    """Yield the lines that open a short block's seals, except those that need an entry of the log. Raises FormError."""
    if (words := known.words(short.dictionary)) is None or not 0 <= short.seat < len(known.seats):
        return
    plans: str | None = ""
    for part, (order, planned) in zip(short.parts, short.texts(words), strict=True):
        if part.plans is not Plans.SAME:
            plans = None if part.plans is Plans.LAST else planned
        opened = _openings(part, known, known.seats[short.seat], order, plans or "")
        yield from opened if plans is not None else opened[:1]


def wanted(short: Short, why: str) -> FullWanted:
    """Return the error that asks for the full form of a short block."""
    how = _("Send it again in full: “pbem send --again --full”. No fault was found in it; nothing was taken from it.")
    return FullWanted(f"{why} {how}", short.game, short.seat)


def _written_out(short: Short, texts: Sequence[tuple[str, str]], known: Knowledge) -> Envelope:
    if not known.game.startswith(short.game) or not 0 <= short.seat < len(known.seats):
        raise wanted(short, _("It names a game or a seat that is not here."))
    found: list[Envelope] = []
    for part, (order, planned) in zip(short.parts, texts, strict=True):
        found.append(_WriterOut(short, known, found[-1] if found else None).statement(part, order, planned))
    return replace(found[0], ahead=tuple(found[1:]))


class _WriterOut:
    """Writes out one statement of a short block, behind the one before it."""

    def __init__(self, short: Short, known: Knowledge, before: Envelope | None) -> None:
        self.short, self.known, self.before = short, known, before
        self.seat = known.seats[short.seat]

    def statement(self, part: SignedPart, order: str, planned: str) -> Envelope:
        seen = self._seen(part)
        openings = _openings(part, self.known, self.seat, order, self._plans(part, planned, seen[0]))
        seals = {str(line[4]): seal(*line[1:]).digest for line in openings}
        say: dict[str, Any] = {"act": "ahead" if part.ahead else "order", "game": self.known.game, "seat": self.seat}
        say |= {"rev": part.rev, "seen": list(seen), "seals": seals}
        if part.ahead:
            say |= {"link": part.link, "link_n": part.number}
        else:
            say |= {"ask": part.number} | self._asked(part, order)
        return Envelope(say, part.sig, tuple(openings), seed=part.seed)

    def _asked(self, part: SignedPart, order: str) -> dict[str, Json]:
        """What of an answer follows from its question: whether it is given in the open, and the number of its link."""
        ask = self.known.entry(part.number)
        if ask.get("k") != "ask":
            raise self._differs(part.number)
        found: dict[str, Json] = {"pub": {"order": order} if ask["secret"] == "no" else {}}
        if bool(part.link) != ("mark" in ask):
            raise self._differs(part.number)
        return found | ({"link": part.link, "link_n": ask["mark"]} if part.link else {})

    def _seen(self, part: SignedPart) -> tuple[int, str]:
        if not part.head and self.before:
            n, h = self.before.say["seen"]
            return int(n), str(h)
        n = part.number if part.seen is None else part.seen
        h = self.known.hash_of(n)
        if h is None or not h.startswith(part.head):
            raise self._differs(n)
        return n, h

    def _plans(self, part: SignedPart, planned: str, seen: int) -> str:
        if part.plans is Plans.SAME and self.before:
            return str(self.before.openings[1][6])
        found = self.known.last_plans(self.seat, seen) if part.plans is Plans.LAST else planned
        if found is None:
            raise wanted(self.short, _("The plans of your last order go with it, and those are not here any more."))
        return found

    def _differs(self, n: int) -> FullWanted:
        why = _(
            "You have seen entry {n} of this game, but here that entry differs or does not exist. Either "
            "our histories differ, or something is missing here.",
            n=n,
        )
        return wanted(self.short, why)


def _openings(part: SignedPart, known: Knowledge, seat: str, order: str, plans: str) -> list[list[Json]]:
    """The lines that open the two seals of a statement."""
    ref = -part.number if part.ahead else part.number
    texts = {"order": order, "plans": plans}
    return [["seal", known.game, seat, ref, name, salt_from(part.seed, name), text] for name, text in texts.items()]
