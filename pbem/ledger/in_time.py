"""Complaints that other players support: they acknowledged an order that is missing from the log.

Decides WITNESSED and DENIED from a signed order, the number from which its box follows, and the others' acknowledgements. An
acknowledgement proves that its writer had the order, readable only by the host, at that moment. A writer who nevertheless claims
the game for lateness denies their own signature. The acknowledgement does not prove that the host had the order too: that verdict
rests on the word of two players, and says so. Statements signed by the host are for `complaint`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pbem.errors import FormError
from pbem.i18n import N_, _
from pbem.ledger.canon import cj, sha256_hex
from pbem.ledger.complaint import (
    Unproven,
    answer_of,
    check_envelope,
    check_left_out,
    check_seen,
    check_signed,
    read_say,
    ruled,
    unfounded_if,
    unproven_if,
)
from pbem.ledger.log import Entry, Log
from pbem.ledger.sealed import boxed, is_signed, paper_fault, reply_digest
from pbem.ledger.verifier import Checked, Verdict

Heard: TypeAlias = Mapping[str, tuple[str, str]]
"""By seat, when something came to its player, and when his program signed that it had."""


def unheard(
    payload: Mapping[str, Any],
    papers: Sequence[Mapping[str, Any]],
    log: bytes | Log,
    unfit: Callable[[Mapping[str, Any]], str | None],
) -> Verdict:
    """Judge a complaint about an order that others had acknowledged in time.

    `payload` is all that was sent: {say, sig, openings}, with what went along. `papers` are acknowledgements, with their `number`s.
    `unfit` says by the rules why no host had to take it; "" where he had to; None: not to be told.
    """

    def judge(c: Checked) -> Verdict:
        check_envelope(payload)
        say = read_say(c, payload, "order")
        _check_asked(c, say["seat"], say["ask"])
        check_signed(c, payload, say["ask"])
        check_seen(c, say, say["ask"])
        check_left_out(c, digest := sha256_hex(cj(say)))
        heard = dict(_heard(c, say["seat"], say["ask"], papers, digest, cj(dict(payload))))
        unfounded_if(why := unfit(payload), say["ask"], N_("No host had to take this order: {why}"), why=why)
        unproven_if(
            why is None,
            N_("Whether a host had to take this order these papers do not tell: bring the copy of its seat."),
        )
        return _judged(c, say["seat"], say["ask"], heard)

    return ruled(log, judge)


def reply_unheard(seat: str, ask: int, own: str, papers: Sequence[Mapping[str, Any]], log: bytes | Log) -> Verdict:
    """Judge the same of a reply by mail to a host that keeps the seat's key; `own` are its writer's lines.

    Nobody has signed such a reply, so that nobody is shown to deny it. Whether an order can be read in it is not judged here.
    """

    def judge(c: Checked) -> Verdict:
        _check_asked(c, seat, ask)
        heard = dict(_heard(c, seat, ask, papers, reply_digest(c.game, seat, ask, own), b""))
        return _judged(c, seat, ask, heard, denies=False)

    return ruled(log, judge)


def _check_asked(c: Checked, seat: str, ask: int) -> None:
    unproven_if(
        ask not in c.asks or seat not in c.asks[ask].fields["to"],
        N_("This log puts no question {ask} to {seat}."),
        ask=ask,
        seat=seat,
    )


def _heard(
    c: Checked, seat: str, ask: int, papers: Sequence[Mapping[str, Any]], digest: str, payload: bytes
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each seat that has acknowledged the order, with the moments. Raises Unproven if there is none."""
    why, found = _("These acknowledgements are not for this order."), False
    for paper in papers:
        if paper_fault(paper, "heard"):
            continue
        said = paper["say"]
        if (said["game"], said["of"], said["ask"], said["order"]) != (c.game, seat, ask, digest):
            continue
        by = said["seat"]
        if by == seat or by not in c.course.seats or not is_signed(paper, c.key_at(by, ask)):
            why = _("An acknowledgement of this order is not signed by the player of another seat.")
        elif payload and said["box"] != sha256_hex(_box(c, ask, paper, payload)):
            why = _("The box that {seat} acknowledged did not hold this order for the host of the game.", seat=by)
        elif min(said["came"], said["at"]) < c.asks[ask].fields["at"]:
            why = _("{seat} dates the acknowledgement before the question was put: it shows no moment.", seat=by)
        else:
            found = True
            yield by, (said["came"], said["at"])
    if not found:
        raise Unproven(why)


def _box(c: Checked, ask: int, paper: Mapping[str, Any], payload: bytes) -> bytes:
    try:
        return boxed(c.host_at(ask), str(paper.get("number")), payload).encode()
    except FormError:
        return b""


def _judged(c: Checked, seat: str, ask: int, heard: Heard, *, denies: bool = True) -> Verdict:
    """Return who is responsible for the skip in place of an order that the `heard` seats had acknowledged."""
    stands, due = answer_of(c, ask, seat), c.due(ask)
    unfounded_if(
        stands.k == "order",
        stands.n,
        N_("Entry {n} contains an order of {seat} to question {ask}: nobody was skipped."),
        n=stands.n,
        seat=seat,
        ask=ask,
    )
    unfounded_if(
        (why_skipped := stands.fields["why"]) not in ("due", "late"),
        stands.n,
        N_("{seat} was not passed over for being late."),
        seat=seat,
    )
    claim = _claim_above(c, stands) if why_skipped == "late" else None
    by = str(claim.fields["by"]) if claim else ""
    came, at = heard.get(by, ("", ""))
    if denies and claim and by in heard and came <= due and at <= claim.fields["at"]:
        reason = _(
            "{by} claimed the game because {seat} was late with question {ask}, and had signed at {at} that the order came at "
            "{came}.",
            by=by, seat=seat, ask=ask, at=at, came=came,
        )  # fmt: skip
        return Verdict("fault", claim.n, "DENIED", by, reason, c.head)
    at, by = min((max(times), by) for by, times in heard.items())
    unfounded_if(
        at > due,
        stands.n,
        N_("{by} acknowledged the order at {at}, after the time to answer ({due})."),
        by=by,
        at=at,
        due=due,
    )
    reason = _(
        "{by} acknowledged {seat}'s order to question {ask} at {at}, in time, but entry {n} is a "
"skip instead. Only the word of {seat} and {by} says that the host had it.",
        by=by, seat=seat, ask=ask, at=at, n=stands.n,
    )  # fmt: skip
    return Verdict("fault", stands.n, "WITNESSED", "host", reason, c.head)


def _claim_above(c: Checked, stands: Entry) -> Entry | None:
    """The claim because of which a seat was passed over."""
    above = reversed(c.entries[: stands.n])
    return next((one for one in above if one.k == "say" and one.fields["say"]["act"] == "claim"), None)
