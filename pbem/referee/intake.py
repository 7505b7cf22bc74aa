"""The intake: whether an envelope fits the game it came to, before any of its content is believed.

It decides by the log alone. It checks the signer, the game, seat, question and history, whether the link leads to his anchor, and
whether the openings fit their seals. The content of the order, and whether it is legal, are for the referee. Every refusal is a
sentence that its sender can act on; the codes are those of PROTOCOL 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.i18n import N_, _
from pbem.kernel import Json
from pbem.kernel.ahead import MOST
from pbem.ledger import (
    SAY,
    SEAT_LENGTH,
    Course,
    Objection,
    check,
    check_key_line,
    cj,
    entry_fault,
    line_fault,
    links_down,
    plus_seconds,
    seal,
    sha256_hex,
    verify_sig,
    waits,
)
from pbem.records import dataclass

from .pen import AskSeen, Envelope

_MOST_DIGITS = 100
_ENDLESS = re.compile(rf"\d{{{_MOST_DIGITS}}}")
"""A number in an order or a plan that is longer than what rules may be made to read: Python refuses to, somewhere above."""
_ANOTHER_HISTORY = N_("The history you signed is not the history of this log. Compare heads with the host.")


Refused = Objection
"""An envelope that does not fit; `code` is the protocol's name for the fault, and the text is for the sender."""


@dataclass(frozen=True, slots=True)
class History:
    """A log so far: its game, its course, and the hash of each entry."""

    game: str
    course: Course
    hash_of: Callable[[int], str | None]

    def holds(self, n: int, h: str) -> bool:
        """Is this the hash of entry n?"""
        return n < self.course.next and self.hash_of(n) == h


def check_form(envelope: Envelope) -> None:
    """Refuse an envelope that would not be a well-formed entry. FORM."""
    say = envelope.say
    act = say.get("act")
    kind = "order" if act == "ahead" else act if act in ("join", "ready", "order", "rekey") else "say"
    entry = {
        "k": kind,
        "n": 1,
        "prev": "0" * 64,
        "at": "2000-01-01T00:00:00Z",
        "by": say.get("seat"),
        "say": say,
        "sig": envelope.sig,
    }
    if why := entry_fault(entry):
        raise Refused("FORM", _("The signed block is malformed: {why}. Let your program make it again.", why=why))
    for line in envelope.openings:
        if why := line_fault(list(line)):
            raise Refused("FORM", _("An opening beside the signed block is not well formed: {why}.", why=why))


def check_join(envelope: Envelope, game: str, seats: Sequence[str], taken: Mapping[str, str]) -> None:
    """Refuse a join that does not fit; `taken` has the key of each taken seat."""
    check_form(envelope)
    say = envelope.say
    _check_game(say, game)
    if say["seat"] not in seats:
        raise Refused(
            "BIND",
            _("This game has no seat “{seat}”; its seats are {seats}.", seat=say["seat"], seats=", ".join(seats)),
        )
    check_key_line(say["key"])
    _check_signature(envelope, say["key"])
    if say["seat"] in taken and taken[say["seat"]] != say["key"]:
        raise Refused(
            "BIND", _("The seat {seat} is taken by another key. Ask the host which seat is free.", seat=say["seat"])
        )
    if say["key"] in (key for seat, key in taken.items() if seat != say["seat"]):
        raise Refused("BIND", _("This key already has another seat of the game. Each seat needs its own key."))


def check_ready(envelope: Envelope, history: History) -> None:
    """Refuse a ready that does not fit: the first one, or that after the last call."""
    _check_bound(envelope, history)
    say, course = envelope.say, history.course
    if course.phase == "ready":
        if tuple(say["seen"]) != (course.roster, history.hash_of(course.roster)):
            raise Refused(
                "SEEN",
                _(
                    "You have signed an older roster than the one all players joined. Read the last mail and sign again."
                ),
            )
        if say["link_n"] != 1:
            raise Refused("LINK", _("The first link must be number 1. Let your program make the block again."))
    else:
        if course.call and say["seen"][0] < course.call.n:
            raise Refused(
                "SEEN", _("You have signed without having seen the new key. Read the last mail and sign again.")
            )
        _check_stands(say, "ready", history, "")
        if course.call and say["link_n"] != course.call.mark:
            mark = course.call.mark
            raise Refused(
                "LINK", _("This needs link {mark} of your chain. Let your program make the block again.", mark=mark)
            )
    _check_link(say, history)


def check_order(envelope: Envelope, history: History, question: AskSeen) -> None:
    """Refuse an order that does not answer the open `question`."""
    _check_bound(envelope, history)
    say = envelope.say
    if say["ask"] != question.ask:
        older = say["ask"] < question.ask
        raise Refused(
            "ASK",
            _(
                "This order answers question {ask}, which is closed; question {open} is open. Read the last mail and order again.",
                ask=say["ask"],
                open=question.ask,
            )
            if older
            else _(
                "This order answers question {ask}, which has not been asked; question {open} is open. Read the last mail "
                "and order again.",
                ask=say["ask"],
                open=question.ask,
            ),
        )
    seen_n, seen_hash = say["seen"]
    if seen_n < question.ask or not history.holds(seen_n, seen_hash):
        raise Refused("SEEN", _(_ANOTHER_HISTORY))
    if (say["pub"] != {}) != (question.secret == "no"):
        said = (
            _("This question needs an open answer. Let your program make the block again.")
            if question.secret == "no"
            else _("This question needs a sealed answer. Let your program make the block again.")
        )
        raise Refused("FORM", said)
    if question.mark is None:
        if "link" in say:
            raise Refused("LINK", _("This question bears no mark, so no link goes with its answer."))
    elif "link_n" not in say:
        raise Refused("LINK", _("Link {mark} of your chain goes with this answer, not none.", mark=question.mark))
    elif say["link_n"] != question.mark:
        raise Refused(
            "LINK",
            _(
                "Link {mark} of your chain goes with this answer, not {given}.",
                mark=question.mark,
                given=say["link_n"],
            ),
        )
    else:
        _check_link(say, history)
    _check_openings(envelope, question.ask)


def check_ahead(envelope: Envelope, history: History, *, is_open: bool) -> None:
    """Refuse an order sent ahead that can be for no question to come; `is_open`: the question of its seat's mark is."""
    _check_bound(envelope, history)
    say, course = envelope.say, history.course
    mark, (seen_n, seen_hash) = say["link_n"], say["seen"]
    stands, most = course.seats[say["seat"]].mark, course.most_ahead(say["seat"])
    if mark < stands + (not is_open):
        raise Refused(
            "ASK", _("The question with mark {mark} is closed. Read the last mail and order again.", mark=mark)
        )
    if mark > most:
        why = _("You are at mark {mark}; orders can be sent ahead up to mark {most}.", mark=stands, most=most)
        raise Refused("ASK", why)
    if seen_n < course.since:
        raise Refused(
            "SEEN",
            _(
                "Entry {n} has voided the order sent ahead. Read the last mail and send the order again.",
                n=course.since,
            ),
        )
    if not history.holds(seen_n, seen_hash):
        raise Refused("SEEN", _(_ANOTHER_HISTORY))
    # what he may send by the last mail counts in the log only if he has seen that mail
    if mark > (then := course.most_ahead(say["seat"], seen_n)):
        why = _(
            "You signed this having seen entry {n}. With that, orders can be sent ahead up to mark "
"{most}. Read the last mail and send the order again.",
            n=seen_n, most=then,
        )  # fmt: skip
        raise Refused("SEEN", why)
    _check_link(say, history)
    _check_openings(envelope, -mark)
    if envelope.openings[0][6].count("\n") >= MOST:
        raise Refused("FORM", _("{n} lines for one question are the most", n=MOST) + ".")


def check_say(envelope: Envelope, history: History, at: str) -> bool:
    """Refuse a statement, other than an order, that is not allowed now; return whether it has to wait.

    A statement made after the seat's own unlogged order takes effect together with that order.
    """
    _check_bound(envelope, history)
    say = envelope.say
    if waits(history.course, say["seat"], say):
        return True
    _check_stands(say, "say", history, at)
    return False


def check_rekey(envelope: Envelope, history: History, at: str) -> None:
    """Refuse a change of key that is not allowed now. It is signed by the current key or the recovery key."""
    check_form(envelope)
    say = envelope.say
    recovery = say.get("recovery")
    if say["seat"] in history.course.seats and recovery:
        if sha256_hex(recovery.encode()) != history.course.seats[say["seat"]].next:
            raise Refused("SIG", _("This is not the recovery key that the seat was taken with."))
    for key in filter(None, (recovery, say["key"])):
        check_key_line(key)
    _check_bound(envelope, history, recovery)
    _check_stands(say, "rekey", history, at)


def _check_stands(say: Mapping[str, Json], kind: str, history: History, at: str) -> None:
    if not history.holds(*say["seen"]):
        raise Refused("SEEN", _(_ANOTHER_HISTORY))
    course = history.course
    # the time that a call gets is the host's to say
    entry = {"k": kind, "by": say["seat"], "say": say, "at": max(at, course.clock)}
    if kind == "rekey" and course.terms.hours:
        entry["due"] = plus_seconds(str(entry["at"]), course.call_length())
    check(course, entry)


def _check_game(say: Mapping[str, Json], game: str) -> None:
    if say["game"] != game:
        raise Refused(
            "BIND",
            _("This is signed for another game ({other}…), not for {game}….", other=say["game"][:8], game=game[:8]),
        )


def _check_signature(envelope: Envelope, key: str) -> None:
    if not verify_sig(key, SAY, cj(envelope.say), envelope.sig):
        raise Refused(
            "SIG", _("The signature does not fit. Was the block changed on its way, or signed with another key?")
        )


def _check_bound(envelope: Envelope, history: History, key: str | None = None) -> None:
    check_form(envelope)
    _check_game(envelope.say, history.game)
    seat = envelope.say["seat"]
    if seat not in history.course.seats:
        seats = ", ".join(history.course.seats)
        raise Refused("BIND", _("This game has no seat “{seat}”; its seats are {seats}.", seat=seat, seats=seats))
    _check_signature(envelope, key or history.course.seats[seat].key)


def _check_link(say: Mapping[str, Json], history: History) -> None:
    seat, n, course = say["seat"], say["link_n"], history.course
    (last, below), base = course.below(seat), course.seats[seat].base
    leads = last <= n <= base + SEAT_LENGTH
    if not leads or links_down(history.game, f"seat:{seat}", n - base, say["link"], last - base) != below:
        raise Refused(
            "LINK",
            _("Link {n} does not lead to the anchor you joined with. Was another key used?", n=n),
        )


def _check_openings(envelope: Envelope, under: int) -> None:
    say = envelope.say
    names = [line[4] for line in envelope.openings]
    if names != ["order", "plans"]:
        raise Refused("UNOPENED", _("The order must come with the openings of both seals, “order” and “plans”."))
    for line in envelope.openings:
        _seal, game, who, ref, name, salt, value = line
        fits = game == say["game"] and who == say["seat"] and ref == under and isinstance(value, str)
        if isinstance(value, str) and _ENDLESS.search(value):
            raise Refused("FORM", _("A number in it has {n} digits or more: no order needs one.", n=_MOST_DIGITS))
        if not fits or seal(game, who, ref, name, salt, value).digest != say["seals"][name]:
            raise Refused("SEALBIND", _("The opening of “{name}” does not fit the seal you signed.", name=name))
    if say.get("pub") and say["pub"]["order"] != envelope.openings[0][6]:
        raise Refused("SEALBIND", _("The order you signed in the open is not the one you sealed."))
