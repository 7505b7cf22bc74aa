"""Complaints about what a player signed besides orders: that he was ready, was there, took leave, claimed the game.

A receipt shows when something arrived. When the host has to enter an offer or a resignation no rule tells, so that it came late
cannot be judged; what can is that a seat lost something which it could not have lost had the statement been entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from pbem.ledger.log import Entry
from pbem.ledger.verifier import Checked, Verdict
from pbem.words import _


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
    """3: in a call a seat is out by a claim if it was not ready; its ready, with the host's receipt, shows that it was."""
    seat, seen = say["seat"], say["seen"][0]
    out = c.course.seats[seat].gone
    if not out or c.entries[out].fields["by"] == seat:
        raise Unfounded(_("{seat} has not lost by anything that was claimed.", seat=seat))
    above = [entry for entry in c.entries[:out] if _calls(entry) or entry.k == "ask"]
    if above[-1].k == "ask" or not above[-1].n <= seen < out:
        raise Unproven(_("The ready does not answer the call in which the game was claimed."))
    if at > c.entries[out].fields["at"]:
        raise Unfounded(_("The ready arrived at {at}, after the claim.", at=at), out)
    reason = _(
        "{seat} was ready, by a receipt of {at}, but by entry {out} is out for not being so.", seat=seat, at=at, out=out
    )
    return dropped_at(c, out, reason)


def _calls(entry: Entry) -> bool:
    what = entry.fields.get("what")
    return entry.k in ("rekey", "host", "renew") or (isinstance(what, dict) and "player" in what)


def _last_ask(c: Checked, seen: int) -> int:
    asks = [n for n in c.asks if n <= seen]
    if not asks:
        raise Unproven(_("Nothing had been asked when this was signed."))
    return asks[-1]


def _skipped(c: Checked, say: Mapping[str, Any], at: str) -> Verdict:
    """3: leave that came in time adds to the time to answer."""
    seat, ask = say["seat"], _last_ask(c, say["seen"][0])
    answer = answer_of(c, ask, seat)
    if answer.k == "order":
        raise Unfounded(_("{seat} has answered question {ask}.", seat=seat, ask=ask), answer.n)
    if at >= c.due(ask):
        raise Unfounded(_("The leave arrived at {at}, after the time to answer.", at=at), answer.n)
    reason = _(
        "{seat} took leave in time, by a receipt of {at}, but entry {n} holds a skip.", seat=seat, at=at, n=answer.n
    )
    return dropped_at(c, answer.n, reason)


def _answered_after(c: Checked, say: Mapping[str, Any], at: str) -> Verdict:
    """3: after a claim in time the answers that are not there come too late."""
    seat, ask = say["seat"], _last_ask(c, say["seen"][0])
    due = c.due(ask)
    if not due or at < due or c.course.terms.late != "claim":
        raise Unfounded(_("The claim arrived at {at}, when there was nothing to claim.", at=at), ask)
    late = [e for s, e in c.answers[ask].items() if s != seat and e.k == "order" and e.fields["at"] > at]
    if not late:
        raise Unproven(_("No answer to question {ask} came after the claim.", ask=ask))
    reason = _(
        "{seat} claimed the game at {at}, by the host's receipt, but entry {n} holds an answer that came after that.",
        seat=seat, at=at, n=late[0].n,
    )  # fmt: skip
    return dropped_at(c, late[0].n, reason)
