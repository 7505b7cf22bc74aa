"""Complaints about orders: one that was left out, though the host has given a receipt for it, and two with one revision number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.complaint.papers import (
    Unfounded,
    Unproven,
    answer_of,
    check_seen,
    check_signed,
    dropped_at,
    left_out_since,
    read_say,
)
from pbem.ledger.forms import line_fault
from pbem.ledger.verifier import Checked, Verdict
from pbem.words import _

Fits: TypeAlias = Callable[[str, int, str], bool | None]
"""Says whether the text of an order that a seat sent ahead answers a question (its entry), by the rules; None: not to be told."""


def _order(c: Checked, envelope: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The say of an envelope that a seat of this game signed as its answer to a question of this log, and that question."""
    say = read_say(c, envelope, "order")
    ask = _ask_of(c, say)
    check_signed(c, envelope, ask)
    if say["act"] == "order":
        check_seen(c, say, ask)
        return say, ask
    asked = c.course_at(ask)
    check_seen(c, say, asked.since)
    if say["link_n"] > (most := asked.most_ahead(say["seat"], say["seen"][0])):
        found = {"seat": say["seat"], "to": say["link_n"], "most": most}
        raise Unproven(_("{seat} sent an order for mark {to} ahead; {most} was the most.", **found))
    return say, ask


def _ask_of(c: Checked, say: Mapping[str, Any]) -> int:
    """The question that an order answers; one that was sent ahead names its mark, and a question put again bears the same."""
    seat, ask = say["seat"], say.get("ask", 0)
    if say["act"] == "ahead":
        marked = (n for n, entry in c.asks.items() if entry.fields.get("mark") == say["link_n"])
        ask = max((n for n in marked if seat in c.asks[n].fields["to"]), default=0)
        if not ask:
            raise Unproven(_("This log puts no question with mark {mark} to {seat}.", mark=say["link_n"], seat=seat))
    if ask not in c.asks or seat not in c.asks[ask].fields["to"]:
        raise Unproven(_("This log puts no question {ask} to {seat}.", ask=ask, seat=seat))
    return int(ask)


def dropped(
    c: Checked,
    envelope: Mapping[str, Any],
    receipt: list[Any],
    fits: Fits | None,
    later: Mapping[str, Any] | None,
) -> Verdict:
    """7: the envelope and the host's receipt, `at` not after `due`."""
    say, ask = _order(c, envelope)
    seat = say["seat"]
    if later is not None:
        after, its_ask = _order(c, later)
        if (seat, ask) == (after["seat"], its_ask) and after["rev"] > say["rev"]:
            found = {"seat": seat, "rev": say["rev"], "later": after["rev"]}
            raise Unfounded(_("{seat} has replaced this order, revision {rev}, by revision {later}.", **found))
    at = left_out_since(c, say, receipt, ask)
    for asked in c.asks[ask].fields["to"]:
        answer_of(c, ask, asked)
    _check_counts(c, say, ask, at)
    stands = c.answers[ask][seat]
    if stands.k == "order" and stands.fields["say"]["rev"] >= say["rev"]:
        why = _("Entry {n} holds an order of {seat} with the same or a higher revision number.", n=stands.n, seat=seat)
        raise Unfounded(why, stands.n)
    if say["act"] == "ahead" and stands.k == "skip":
        _check_fitted(envelope, ask, fits)
    found = {"seat": seat, "ask": ask, "at": at, "n": stands.n}
    if stands.k == "skip":
        reason = _(
            "{seat}'s order to question {ask} arrived in time, at {at}, but entry {n} holds a skip instead.", **found
        )
    else:
        reason = _(
            "{seat}'s order to question {ask} arrived in time, at {at}, but entry {n} holds revision {rev} instead.",
            rev=stands.fields["say"]["rev"],
            **found,
        )
    return dropped_at(c, stands.n, reason)


def _check_counts(c: Checked, say: Mapping[str, Any], ask: int, at: str) -> None:
    """Refuse an order that did not count: its seat had resigned, or it came too late."""
    seat, answers, due = say["seat"], c.answers[ask], c.due(ask)
    left = c.course.seats[seat].gone
    if left and left < answers[seat].n and c.entries[left].fields["by"] == seat:
        raise Unfounded(
            _("{seat} resigned at entry {left}: no order of this seat counts any more.", seat=seat, left=left), left
        )
    if c.course.terms.late == "default" and due and at > due:
        raise Unfounded(
            _("The order arrived at {at}, after the time to answer ({due}).", at=at, due=due), answers[seat].n
        )
    # one that was sent ahead may have come long before its question; for one that is closed the host gives no receipt
    if say["act"] == "order" and at > max(entry.fields["at"] for entry in answers.values()):
        why = _("The order arrived at {at}, when question {ask} had been closed by the last answer.", at=at, ask=ask)
        raise Unfounded(why, max(entry.n for entry in answers.values()))


def _check_fitted(envelope: Mapping[str, Any], ask: int, fits: Fits | None) -> None:
    """Refuse an order sent ahead that did not answer its question; its text is believed where it is the one that was sealed."""
    say, openings = envelope["say"], envelope.get("openings")
    well = [line for line in openings if isinstance(line, list)] if isinstance(openings, list) else []
    lines = [line for line in well if line[4:5] == ["order"] and not line_fault(line)]
    sealed = bool(lines) and sha256_hex(cj(lines[0])) == say["seals"]["order"]
    fitted = fits(say["seat"], ask, str(lines[0][6])) if fits and sealed else None
    found = {"seat": say["seat"], "ask": ask}
    if fitted is None:
        raise Unproven(
            _(
                "Whether the order that {seat} sent ahead fitted question {ask} these papers do not tell: bring its letter, and a "
                "copy that shows it.",
                **found,
            )
        )
    if not fitted:
        raise Unfounded(_("The order that {seat} sent ahead did not fit question {ask}.", **found), ask)


def double(c: Checked, one_envelope: Mapping[str, Any], other_envelope: Mapping[str, Any]) -> Verdict:
    """7: two envelopes; the logged one counts."""
    (one, ask), (two, other_ask) = _order(c, one_envelope), _order(c, other_envelope)
    same = (one["seat"], ask, one["rev"]) == (two["seat"], other_ask, two["rev"])
    if not same or cj(one) == cj(two):
        raise Unfounded(_("The envelopes are no two orders of one seat to one question with one revision number."))
    logged = c.answers[ask].get(one["seat"])
    reason = _(
        "{seat} signed two orders to question {ask}, both with revision {rev}; the logged one counts.",
        seat=one["seat"],
        ask=ask,
        rev=one["rev"],
    )
    return Verdict("fault", logged.n if logged else ask, "DOUBLE", one["seat"], reason, c.head)
