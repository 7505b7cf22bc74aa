"""Complaints that a log alone cannot show (PROTOCOL 7): an order that was left out, and two orders to one question.

Decides DROPPED and DOUBLE from an envelope, which anyone may see, and the host's receipt or a second envelope.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.errors import FormError
from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.entries import entry_fault, line_fault
from pbem.ledger.keys import GOT, SAY, verify_sig
from pbem.ledger.log import ZERO, Log
from pbem.ledger.marks import stand
from pbem.ledger.verifier import Checked, Verdict, verify_checked
from pbem.words import _


class _Unproven(Exception):
    """The papers do not show what the complaint says."""


Fits: TypeAlias = Callable[[str, int, str], bool | None]
"""Says whether the text of an order that a seat sent ahead answers a question (its entry), by the rules; None: not to be told."""


def complaint(
    envelope: Mapping[str, Any],
    other: Mapping[str, Any] | list[Any],
    log: bytes | Log,
    fits: Fits | None = None,
    later: Mapping[str, Any] | None = None,
) -> Verdict:
    """Judges a complaint about an order, or about a ready in a call.

    `envelope` is {"say", "sig"} of an order. With the host's receipt, ["got",…], as `other` the complaint is that the
    order was left out: DROPPED, the host's. With a second envelope it is that the seat signed two orders with one
    revision number: DOUBLE, the seat's, shown and not called cheating. A ready, with its receipt, was left out where the seat lost
    the game by not being ready. Papers that prove none of this give `cannot_judge`; a faulty log gives its own verdict.

    An order that was sent ahead, and whose seat was skipped, has its `openings` too, and is judged by `fits`. The host's answer may
    be a `later` envelope, by which the seat had replaced it.
    """
    verdict, c = verify_checked(log)
    if verdict.verdict in ("fault", "cannot_judge"):
        return verdict
    try:
        if (envelope.get("say") or {}).get("act") == "ready" and isinstance(other, list):
            return _ready_left_out(c, envelope, other)
        say = _order(c, envelope)
        if isinstance(other, list):
            if later is not None:
                _not_replaced(c, say, _order(c, later))
            return _dropped(c, say, other, _answers(envelope, fits))
        return _double(c, say, _order(c, other))
    except (_Unproven, FormError) as why:
        return Verdict("cannot_judge", None, None, None, str(why), c.head)


def _order(c: Checked, envelope: Mapping[str, Any]) -> dict[str, Any]:
    """The say of an envelope that a seat of this game signed as its answer to a question of this log."""
    say: dict[str, Any] = dict(envelope.get("say") or {})
    entry = {"k": "order", "n": 1, "prev": ZERO, "at": "2000-01-01T00:00:00Z", "by": say.get("seat"), "say": say}
    entry["sig"] = envelope.get("sig")
    if why := entry_fault(entry):
        raise _Unproven(_("The envelope holds no order: {why}.", why=why))
    if say["seat"] not in c.keys or say["game"] != c.game:
        raise _Unproven(_("The envelope is of another game, or of a seat that this game does not have."))
    ask = _ask_of(c, say)
    if not verify_sig(c.key_at(say["seat"], ask), SAY, cj(say), str(envelope["sig"])):
        raise _Unproven(_("The envelope is not signed by {seat}.", seat=say["seat"]))
    oldest = ask if say["act"] == "order" else stand((entry.fields for entry in c.entries[:ask]), say["seat"]).since
    seen, h = say["seen"]
    if not oldest <= seen < len(c.entries) or c.entries[seen].hash != h:
        raise _Unproven(_("The order was signed after seeing another history than this log's."))
    return say


def _ask_of(c: Checked, say: Mapping[str, Any]) -> int:
    """The question that an order answers; one that was sent ahead names its mark, and a question put again bears the same."""
    seat, ask = say["seat"], say.get("ask", 0)
    if say["act"] == "ahead":
        marked = (n for n, entry in c.asks.items() if entry.fields.get("mark") == say["link_n"])
        ask = max((n for n in marked if seat in c.asks[n].fields["to"]), default=0)
        if not ask:
            raise _Unproven(_("This log puts no question with mark {mark} to {seat}.", mark=say["link_n"], seat=seat))
    if ask not in c.asks or seat not in c.asks[ask].fields["to"]:
        raise _Unproven(_("This log puts no question {ask} to {seat}.", ask=ask, seat=seat))
    return int(ask)


def _answers(envelope: Mapping[str, Any], fits: Fits | None) -> Callable[[str, int], bool | None]:
    """What says whether the order of this envelope answers a question; the text is believed where it is the one that was sealed."""
    lines = [line for line in envelope.get("openings", ()) if line[4:5] == ["order"]]
    if fits is None or not lines or sha256_hex(cj(lines[0])) != envelope["say"]["seals"]["order"]:
        return lambda seat, ask: None
    return lambda seat, ask: fits(seat, ask, str(lines[0][6]))


def _not_replaced(c: Checked, say: Mapping[str, Any], later: Mapping[str, Any]) -> None:
    same = (say["seat"], _ask_of(c, say)) == (later["seat"], _ask_of(c, later))
    if same and later["rev"] > say["rev"]:
        found = {"seat": say["seat"], "rev": say["rev"], "later": later["rev"]}
        raise _Unproven(_("{seat} has replaced this order, revision {rev}, by revision {later}.", **found))


def _ready_left_out(c: Checked, envelope: Mapping[str, Any], receipt: list[Any]) -> Verdict:
    """3: in a call a seat is out by a claim if it was not ready; its ready, with the host's receipt, shows that it was."""
    say: dict[str, Any] = dict(envelope["say"])
    entry = {"k": "ready", "n": 1, "prev": ZERO, "at": "2000-01-01T00:00:00Z", "by": say.get("seat"), "say": say}
    if why := entry_fault({**entry, "sig": envelope.get("sig")}):
        raise _Unproven(_("The envelope holds no ready: {why}.", why=why))
    seat, seen = say["seat"], say["seen"][0]
    out = c.talk.gone.get(seat)
    if say["game"] != c.game or out is None or c.entries[out].fields["by"] == seat:
        raise _Unproven(_("The envelope is of another game, or its seat is not out by a claim."))
    above = [
        entry
        for entry in c.entries[:out]
        if entry.k in ("ask", "rekey", "host") or "player" in entry.fields.get("what", ())
    ]
    call = above[-1]
    if call.k == "ask" or not call.n <= seen < out or c.entries[seen].hash != say["seen"][1]:
        raise _Unproven(_("The ready does not answer the call in which the game was claimed."))
    if not verify_sig(c.key_at(seat, call.n), SAY, cj(say), str(envelope["sig"])):
        raise _Unproven(_("The envelope is not signed by {seat}.", seat=seat))
    _is_receipt(c, sha256_hex(cj(say)), receipt, call.n)
    if receipt[3] > c.entries[out].fields["at"]:
        raise _Unproven(_("The ready arrived at {at}, after the claim.", at=receipt[3]))
    reason = _(
        "{seat} was ready, by a receipt of {at}, but by entry {out} is out for not being so.",
        seat=seat,
        at=receipt[3],
        out=out,
    )
    return Verdict("fault", out, "DROPPED", "host", reason, c.head)


def _is_receipt(c: Checked, digest: str, receipt: list[Any], n: int) -> None:
    """Refuse what is no receipt of the host who was in office at entry n."""
    if (why := line_fault(receipt)) or receipt[0] != "got":
        raise _Unproven(_("The second paper is no receipt: {why}.", why=why or _("it is another line")))
    if receipt[1:3] != [c.game, digest] or not verify_sig(c.host_at(n), GOT, cj(receipt[:4]), receipt[4]):
        raise _Unproven(_("The receipt is not this host's receipt for this envelope."))


def _dropped(
    c: Checked, say: dict[str, Any], receipt: list[Any], answers_it: Callable[[str, int], bool | None]
) -> Verdict:
    """7: the envelope and the host's receipt, `at` not after `due`."""
    digest = sha256_hex(cj(say))
    seat, ask = say["seat"], _ask_of(c, say)
    _is_receipt(c, digest, receipt, ask)
    at = receipt[3]
    answers, question = c.answers[ask], c.asks[ask].fields
    left = c.talk.gone.get(seat)
    if len(answers) < len(question["to"]):
        raise _Unproven(_("Question {ask} is still open in this log.", ask=ask))
    if digest in c.orders_by_digest:
        raise _Unproven(_("The order was not left out: it is entry {n}.", n=c.orders_by_digest[digest].n))
    if left is not None and left < answers[seat].n and c.entries[left].fields["by"] == seat:
        raise _Unproven(
            _("{seat} resigned at entry {left}: no order of this seat counts any more.", seat=seat, left=left)
        )
    if c.talk.late == "default" and at > c.dues.get(ask, at):
        raise _Unproven(_("The order arrived at {at}, after the time to answer ({due}).", at=at, due=c.dues[ask]))
    # one that was sent ahead may have come long before its question; for one that is closed the host gives no receipt
    if say["act"] == "order" and at > max(entry.fields["at"] for entry in answers.values()):
        raise _Unproven(
            _("The order arrived at {at}, when question {ask} had been closed by the last answer.", at=at, ask=ask)
        )
    stands = answers[seat]
    if stands.k == "order" and stands.fields["say"]["rev"] >= say["rev"]:
        raise _Unproven(
            _("Entry {n} holds an order of {seat} with the same or a higher revision number.", n=stands.n, seat=seat)
        )
    if say["act"] == "ahead" and stands.k == "skip":
        _fitted(seat, ask, answers_it(seat, ask))
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
    return Verdict("fault", stands.n, "DROPPED", "host", reason, c.head)


def _fitted(seat: str, ask: int, fits: bool | None) -> None:
    found = {"seat": seat, "ask": ask}
    if fits is None:
        raise _Unproven(
            _(
                "Whether the order that {seat} sent ahead fitted question {ask} these papers do not tell: bring its letter, and a "
                "copy that shows it.",
                **found,
            )
        )
    if not fits:
        raise _Unproven(_("The order that {seat} sent ahead did not fit question {ask}.", **found))


def _double(c: Checked, one: dict[str, Any], two: dict[str, Any]) -> Verdict:
    """7: two envelopes; the logged one counts."""
    ask = _ask_of(c, one)
    same = (one["seat"], ask, one["rev"]) == (two["seat"], _ask_of(c, two), two["rev"])
    if not same or cj(one) == cj(two):
        raise _Unproven(_("The envelopes are no two orders of one seat to one question with one revision number."))
    logged = c.answers[ask].get(one["seat"])
    reason = _(
        "{seat} signed two orders to question {ask}, both with revision {rev}; the logged one counts.",
        seat=one["seat"],
        ask=ask,
        rev=one["rev"],
    )
    return Verdict("fault", logged.n if logged else ask, "DOUBLE", one["seat"], reason, c.head)
