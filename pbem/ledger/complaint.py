"""Complaints that a log alone cannot prove (PROTOCOL 7): an omitted signed statement, or two orders to one question.

Decides DROPPED and DOUBLE from an envelope, which anyone may see, and the host's receipt or a second envelope. No other claim of a
player is believed. A complaint that the papers disprove is unfounded; one that they do not prove cannot be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.errors import FormError, UsageError
from pbem.i18n import N_, _
from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.forms import entry_fault, line_fault
from pbem.ledger.keys import GOT, SAY, verify_sig
from pbem.ledger.log import ZERO, Entry, Log
from pbem.ledger.verifier import Checked, Verdict, verify_checked

Fits: TypeAlias = Callable[[str, int, str], bool | None]
"""Says whether the text of an order that a seat sent ahead answers a question (its entry), by the rules; None: not to be told."""


def complaint(
    envelope: Mapping[str, Any],
    other: Mapping[str, Any] | list[Any],
    log: bytes | Log,
    fits: Fits | None = None,
    later: Mapping[str, Any] | None = None,
) -> Verdict:
    """Judges a complaint about what a player signed.

    `envelope` is {"say", "sig"}. With the host's receipt, ["got",…], as `other` the complaint is that it was left out:
    DROPPED, the host's. With a second envelope of an order it is that the seat signed two orders with one revision
    number: DOUBLE, the seat's, shown and not called cheating. Papers by which it is not so give `unfounded`, papers
    that show nothing `cannot_judge`; a faulty log gives its own verdict.

    An order that was sent ahead, and whose seat was skipped, has its `openings` too, and is judged by `fits`. The host's answer may
    be a `later` envelope, by which the seat had replaced it.
    """

    def judge(c: Checked) -> Verdict:
        for paper in (envelope, *([] if isinstance(other, list) else [other]), *([] if later is None else [later])):
            check_envelope(paper)
        is_order = envelope["say"].get("act") in ("order", "ahead")
        if not isinstance(other, list):
            return double(c, envelope, other)
        return dropped(c, envelope, other, fits, later) if is_order else left_out(c, envelope, other)

    return ruled(log, judge)


def entered(envelope: Mapping[str, Any], log: bytes | Log, otherwise: UsageError) -> Verdict:
    """Return the verdict on a complaint about a statement that the log contains, so that no paper is needed; raise otherwise."""

    def judge(c: Checked) -> Verdict:
        check_envelope(envelope)
        check_left_out(c, sha256_hex(cj(dict(envelope["say"]))))
        raise Unproven

    verdict = ruled(log, judge)
    if verdict.verdict != "unfounded":
        raise otherwise
    return verdict


def unless_entered(envelope: Mapping[str, Any], log: bytes | Log, judged: Callable[[], Verdict]) -> Verdict:
    """Return a verdict; where a paper is missing, say whether the log contains the statement: a closing answer gets no receipt."""
    try:
        return judged()
    except UsageError as why:
        return entered(envelope, log, why)


def ruled(log: bytes | Log, judge: Callable[[Checked], Verdict]) -> Verdict:
    """Return the verdict of `judge`, or the one for Unproven, Unfounded or bad form; a faulty log gets its own verdict."""
    verdict, c = verify_checked(log)
    if verdict.verdict in ("fault", "cannot_judge"):
        return verdict
    try:
        return judge(c)
    except Unfounded as why:
        return Verdict("unfounded", why.entry, None, None, str(why), c.head)
    except (Unproven, FormError) as why:
        return Verdict("cannot_judge", None, None, None, str(why), c.head)


# -- the papers ------------------------------------------------------------------------------------------------------------


class Unproven(Exception):
    """The papers do not show what the complaint says."""


def unproven_if(wrong: object, reason: str, /, **values: object) -> None:
    """Raise Unproven where papers do not show what they have to."""
    if wrong:
        raise Unproven(_(reason, **values))


class Unfounded(Exception):
    """The papers show that it is not as the complaint says; `entry` is where the log tells."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        self.entry = entry
        super().__init__(reason)


def unfounded_if(wrong: object, entry: int | None, reason: str, /, **values: object) -> None:
    """Raise Unfounded where papers show that it was otherwise."""
    if wrong:
        raise Unfounded(_(reason, **values), entry)


def check_envelope(envelope: Any) -> None:
    """Raise Unproven if this is not an object with a `say`."""
    unproven_if(
        not isinstance(envelope, Mapping) or not isinstance(envelope.get("say"), Mapping),
        N_("The envelope is not well formed: {why}."),
        why=_("an object was expected"),
    )


def read_say(c: Checked, envelope: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the statement of an envelope about this game and one of its seats, in the form of an entry of that kind."""
    say: dict[str, Any] = dict(envelope["say"])
    entry = {"k": kind, "n": 1, "prev": ZERO, "at": "2000-01-01T00:00:00Z", "by": say.get("seat"), "say": say}
    entry["sig"] = envelope.get("sig")
    unproven_if(why := entry_fault(entry), N_("The envelope is not well formed: {why}."), why=why)
    unproven_if(
        say["seat"] not in c.course.seats or say["game"] != c.game,
        N_("The envelope is of another game, or of a seat that this game does not have."),
    )
    return say


def check_signed(c: Checked, envelope: Mapping[str, Any], n: int) -> None:
    """Refuse an envelope that was not signed by the key that its seat had at entry n."""
    say = envelope["say"]
    key = say.get("recovery") or c.key_at(say["seat"], n)
    unproven_if(
        not verify_sig(key, SAY, cj(dict(say)), str(envelope["sig"])),
        N_("The envelope is not signed by {seat}."),
        seat=say["seat"],
    )


def check_seen(c: Checked, say: Mapping[str, Any], oldest: int) -> None:
    """Raise Unproven if the statement was signed over another history, or over an entry before `oldest`."""
    seen, h = say["seen"]
    unproven_if(
        not oldest <= seen < len(c.entries) or c.entries[seen].hash != h,
        N_("It was signed after seeing another history than this log's."),
    )


def left_out_since(c: Checked, say: Mapping[str, Any], receipt: list[Any], n: int) -> str:
    """Return when a statement arrived, according to the receipt of the host at entry n.

    Raises Unproven if the paper is not such a receipt, and Unfounded if the statement is in the log.
    """
    digest = sha256_hex(cj(dict(say)))
    unproven_if(
        (why := line_fault(receipt)) or receipt[0] != "got",
        N_("The second paper is not a receipt: {why}."),
        why=why or _("it is another line"),
    )
    unproven_if(
        receipt[1:3] != [c.game, digest] or not verify_sig(c.host_at(n), GOT, cj(receipt[:4]), receipt[4]),
        N_("The receipt is not this host's receipt for this envelope."),
    )
    check_left_out(c, digest)
    return str(receipt[3])


def check_left_out(c: Checked, digest: str) -> None:
    """Raise Unfounded if the log contains the signed statement with this digest."""
    if digest in c.signed:
        found = c.signed[digest].n
        raise Unfounded(_("It was not left out: it is entry {n}.", n=found), found)


def answer_of(c: Checked, ask: int, seat: str) -> Entry:
    """Return the order or skip of a seat that closed its part of a question. Refuse a question that is open."""
    unproven_if(
        seat not in c.answers[ask],
        N_("Question {ask} is still open in this log: read what mail has come, and complain again when it is closed."),
        ask=ask,
    )
    return c.answers[ask][seat]


def dropped_at(c: Checked, n: int, reason: str) -> Verdict:
    """Return the verdict that the host left something out at an entry."""
    return Verdict("fault", n, "DROPPED", "host", reason, c.head)


# -- orders ----------------------------------------------------------------------------------------------------------------


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
    unproven_if(
        say["link_n"] > (most := asked.most_ahead(say["seat"], say["seen"][0])),
        N_("{seat} sent an order for mark {to} ahead; {most} was the most."),
        seat=say["seat"],
        to=say["link_n"],
        most=most,
    )
    return say, ask


def _ask_of(c: Checked, say: Mapping[str, Any]) -> int:
    """The question that an order answers; one that was sent ahead names its mark, and a question put again bears the same."""
    seat, ask = say["seat"], say.get("ask", 0)
    if say["act"] == "ahead":
        marked = (n for n, entry in c.asks.items() if entry.fields.get("mark") == say["link_n"])
        ask = max((n for n in marked if seat in c.asks[n].fields["to"]), default=0)
        unproven_if(not ask, N_("This log puts no question with mark {mark} to {seat}."), mark=say["link_n"], seat=seat)
    unproven_if(
        ask not in c.asks or seat not in c.asks[ask].fields["to"],
        N_("This log puts no question {ask} to {seat}."),
        ask=ask,
        seat=seat,
    )
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
        unfounded_if(
            (seat, ask) == (after["seat"], its_ask) and after["rev"] > say["rev"],
            None,
            N_("{seat} has replaced this order, revision {rev}, by revision {later}."),
            seat=seat,
            rev=say["rev"],
            later=after["rev"],
        )
    at = left_out_since(c, say, receipt, ask)
    for asked in c.asks[ask].fields["to"]:
        answer_of(c, ask, asked)
    _check_counts(c, say, ask, at)
    stands = c.answers[ask][seat]
    unfounded_if(
        stands.k == "order" and stands.fields["say"]["rev"] >= say["rev"],
        stands.n,
        N_("Entry {n} contains an order of {seat} with the same or a higher revision number."),
        n=stands.n,
        seat=seat,
    )
    if say["act"] == "ahead" and stands.k == "skip":
        _check_fitted(envelope, ask, fits)
    found = {"seat": seat, "ask": ask, "at": at, "n": stands.n}
    if stands.k == "skip":
        reason = _(
            "{seat}'s order to question {ask} arrived in time, at {at}, but entry {n} is a skip instead.", **found
        )
    else:
        reason = _(
            "{seat}'s order to question {ask} arrived in time, at {at}, but entry {n} contains revision {rev} instead.",
            rev=stands.fields["say"]["rev"],
            **found,
        )
    return dropped_at(c, stands.n, reason)


def _check_counts(c: Checked, say: Mapping[str, Any], ask: int, at: str) -> None:
    """Refuse an order that did not count: its seat had resigned, or it came too late."""
    seat, answers, due = say["seat"], c.answers[ask], c.due(ask)
    left = c.course.seats[seat].gone
    unfounded_if(
        left and left < answers[seat].n and c.entries[left].fields["by"] == seat,
        left,
        N_("{seat} resigned at entry {left}: orders of this seat no longer count."),
        seat=seat,
        left=left,
    )
    unfounded_if(
        c.course.terms.late == "default" and due and at > due,
        answers[seat].n,
        N_("By the host's signed receipt the order arrived at {at}, after the time to answer ({due})."),
        at=at,
        due=due,
    )
    # one that was sent ahead may have come long before its question; for one that is closed the host gives no receipt
    unfounded_if(
        say["act"] == "order" and at > max(entry.fields["at"] for entry in answers.values()),
        max(entry.n for entry in answers.values()),
        N_("The order arrived at {at}, when question {ask} had been closed by the last answer."),
        at=at,
        ask=ask,
    )


def _check_fitted(envelope: Mapping[str, Any], ask: int, fits: Fits | None) -> None:
    """Refuse an order sent ahead that did not answer its question; its text is believed where it is the one that was sealed."""
    say, openings = envelope["say"], envelope.get("openings")
    well = [line for line in openings if isinstance(line, list)] if isinstance(openings, list) else []
    lines = [line for line in well if line[4:5] == ["order"] and not line_fault(line)]
    sealed = bool(lines) and sha256_hex(cj(lines[0])) == say["seals"]["order"]
    fitted = fits(say["seat"], ask, str(lines[0][6])) if fits and sealed else None
    found = {"seat": say["seat"], "ask": ask}
    unproven_if(
        fitted is None,
        N_(
            "Whether the order that {seat} sent ahead fitted question {ask} these papers do not tell: bring its letter, and a "
            "copy that shows it."
        ),
        **found,
    )
    unfounded_if(not fitted, ask, N_("The order that {seat} sent ahead did not fit question {ask}."), **found)


def double(c: Checked, one_envelope: Mapping[str, Any], other_envelope: Mapping[str, Any]) -> Verdict:
    """7: two envelopes; the logged one counts."""
    (one, ask), (two, other_ask) = _order(c, one_envelope), _order(c, other_envelope)
    same = (one["seat"], ask, one["rev"]) == (two["seat"], other_ask, two["rev"])
    unfounded_if(
        not same or cj(one) == cj(two),
        None,
        N_("The envelopes are not two orders of one seat to one question with one revision number."),
    )
    logged = c.answers[ask].get(one["seat"])
    reason = _(
        "{seat} signed two orders to question {ask}, both with revision {rev}; the logged one counts.",
        seat=one["seat"],
        ask=ask,
        rev=one["rev"],
    )
    return Verdict("fault", logged.n if logged else ask, "DOUBLE", one["seat"], reason, c.head)


# -- what else is signed ------------------------------------------------------------------------------------------------
#
# A receipt shows when something arrived. When the host has to enter an offer or a resignation no rule tells, so that it came late
# cannot be judged; what can is that a seat lost something which it could not have lost had the statement been entered.


def left_out(c: Checked, envelope: Mapping[str, Any], receipt: list[Any]) -> Verdict:
    """Judge that something signed, with the host's receipt, was left out."""
    act = str(envelope["say"].get("act"))
    say = read_say(c, envelope, act if act in ("ready", "rekey") else "say")
    check_seen(c, say, 0)
    seen, seat = say["seen"][0], say["seat"]
    check_signed(c, envelope, seen + 1)
    at = left_out_since(c, say, receipt, seen)
    if verdict := _given_away(c, seat, at):
        return verdict
    match act:
        case "ready":
            return _lost_by_call(c, say, at)
        case "leave":
            return _skipped(c, say, at)
        case "claim":
            return _answered_after(c, say, at)
    raise Unproven(_("When a host has to enter this, no rule tells: that it came late cannot be judged."))


def _given_away(c: Checked, seat: str, at: str) -> Verdict | None:
    """3: a seat is given away only where nothing has come from its player since he was late."""
    for entry in c.entries:
        what = entry.fields.get("what")
        if entry.k == "amend" and isinstance(what, dict) and what.get("player", {}).get("say", {}).get("seat") == seat:
            late = [e.fields["at"] for e in c.entries[: entry.n] if e.k == "skip" and e.fields["to"] == seat]
            if max(late, default="") < at < entry.fields["at"]:
                reason = _(
                    "Entry {n} gives {seat} away as vanished, but something that he had signed arrived at {at}.",
                    n=entry.n, seat=seat, at=at,
                )  # fmt: skip
                return dropped_at(c, entry.n, reason)
    return None


def _lost_by_call(c: Checked, say: Mapping[str, Any], at: str) -> Verdict:
    """3: in a call a seat is out by a claim if it was not ready. Its ready statement, with the host's receipt, proves otherwise."""
    seat, seen = say["seat"], say["seen"][0]
    out = c.course.seats[seat].gone
    unfounded_if(
        not out or c.entries[out].fields["by"] == seat,
        None,
        N_("{seat} has not lost by anything that was claimed."),
        seat=seat,
    )
    above = [entry for entry in c.entries[:out] if _calls(entry) or entry.k == "ask"]
    unproven_if(
        above[-1].k == "ask" or not above[-1].n <= seen < out,
        N_("The ready does not answer the call in which the game was claimed."),
    )
    unfounded_if(at > c.entries[out].fields["at"], out, N_("The ready arrived at {at}, after the claim."), at=at)
    reason = _(
        "{seat} was ready, by a receipt of {at}, but by entry {out} is out for not being so.", seat=seat, at=at, out=out
    )
    return dropped_at(c, out, reason)


def _calls(entry: Entry) -> bool:
    what = entry.fields.get("what")
    return entry.k in ("rekey", "host", "renew") or (isinstance(what, dict) and "player" in what)


def _last_ask(c: Checked, seen: int) -> int:
    asks = [n for n in c.asks if n <= seen]
    unproven_if(not asks, N_("Nothing had been asked when this was signed."))
    return asks[-1]


def _skipped(c: Checked, say: Mapping[str, Any], at: str) -> Verdict:
    """3: leave that came in time adds to the time to answer."""
    seat, ask = say["seat"], _last_ask(c, say["seen"][0])
    answer = answer_of(c, ask, seat)
    unfounded_if(answer.k == "order", answer.n, N_("{seat} has answered question {ask}."), seat=seat, ask=ask)
    unfounded_if(at >= c.due(ask), answer.n, N_("The leave arrived at {at}, after the time to answer."), at=at)
    reason = _(
        "{seat} took leave in time, by a receipt of {at}, but entry {n} is a skip.", seat=seat, at=at, n=answer.n
    )
    return dropped_at(c, answer.n, reason)


def _answered_after(c: Checked, say: Mapping[str, Any], at: str) -> Verdict:
    """3: after a claim in time the answers that are not there come too late."""
    seat, ask = say["seat"], _last_ask(c, say["seen"][0])
    due = c.due(ask)
    unfounded_if(
        not due or at < due or c.course.terms.late != "claim",
        ask,
        N_("The claim arrived at {at}, when there was nothing to claim."),
        at=at,
    )
    late = [e for s, e in c.answers[ask].items() if s != seat and e.k == "order" and e.fields["at"] > at]
    unproven_if(not late, N_("No answer to question {ask} came after the claim."), ask=ask)
    reason = _(
        "By the host's receipt, {seat} claimed the game at {at}, but entry {n} contains an answer "
"that came after that.",
        seat=seat, at=at, n=late[0].n,
    )  # fmt: skip
    return dropped_at(c, late[0].n, reason)
