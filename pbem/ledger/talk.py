"""What players say besides their orders, and what must follow (PROTOCOL 3): resignations, offers, claims, leave, time.

A `Talk` follows a log entry by entry (`standing`) and knows, without any game's rules, what may be said now and what the log
then owes. The verifier asks it of every entry that was written, the host before it writes one: so both come to the same
answer. It knows no clock: moments stand in the entries, or are handed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pbem.ledger.marks import mark_of_call
from pbem.ledger.standing import Standing
from pbem.words import _

AGREED_DRAW = {"winner": "", "why": "agreed"}
"""The result of a game that ends by an agreed draw."""


class Objection(NamedTuple):
    """Why an entry may not stand where it stands: a code of the closed list, and a sentence."""

    code: str
    reason: str


@dataclass(slots=True)
class Talk(Standing):
    """How far the talk of a game has come, and what may be said next."""

    def owed(self, kind: str) -> Objection | None:
        """Why no entry of this kind may come next, whatever it holds."""
        if self._owed is None or kind in self._owed[0]:
            return None
        kinds, n = self._owed
        return Objection(
            "ORDERING",
            _("Entry {n} calls for “{due}” right after it; here is “{kind}”.", n=n, due=kinds[0], kind=kind),
        )

    def objection(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        """Why this say, extension, answer or end may not stand as entry `n`; whether it is signed and bound is not asked."""
        match fields["k"]:
            case "say":
                return self._say(n, fields)
            case "rekey":
                return self._rekey(fields["by"], fields["say"])
            case "ready" if self.called and fields["by"] not in self.missing:
                return Objection("ORDERING", _("{seat} says to be ready, but is not called to.", seat=fields["by"]))
            case "extend":
                return self._extend(fields)
            case "skip":
                return self._skip(fields["to"], fields["at"], fields["why"] == "only")
            case "order" if fields["by"] in self.gone:
                return Objection(
                    "ORDERING",
                    _(
                        "{seat} is out since entry {gone}, but answers.",
                        seat=fields["by"],
                        gone=self.gone[fields["by"]],
                    ),
                )
            case "order" if self.claim is not None and self._open == [fields["by"]] and not self._silent:
                return Objection(
                    "ORDERING", _("Entry {claim} claims the game by time, but nobody is late.", claim=self.claim)
                )
            case "end" if "cause" in fields:
                return self._end(fields)
            case "amend":
                return self._amend(n, fields["what"], fields["agreed"])
            case "host":
                return self._host(n, fields)
        return None

    def _rekey(self, seat: str, say: Mapping[str, Any]) -> Objection | None:
        if objection := self._speaks(seat, say):
            return objection
        if self.phase not in ("asked", "called"):
            return Objection("ORDERING", _("{seat} changes the key while no question stands open.", seat=seat))
        # a thief who has the key is undone by the recovery key, and cannot exchange that
        if (seat, "recovery" in say) in self._rekeyed:
            return Objection(
                "ORDERING", _("{seat} changes the key a second time without an order in between.", seat=seat)
            )
        if "recovery" not in say and self.recovery[seat] not in ("", say["next"]):
            return Objection("BIND", _("{seat} binds another recovery key without the one that was bound.", seat=seat))
        if say["key"] in self.keys.values():
            return Objection("BIND", _("{seat} changes to a key that a seat of this game has.", seat=seat))
        return None

    def _speaks(self, seat: str, say: Mapping[str, Any]) -> Objection | None:
        # 3: no counts the seat's says
        if say["no"] != self.next_no(seat):
            return Objection(
                "ORDERING",
                _(
                    "{seat}'s say is numbered {no}; {due} was next.",
                    seat=seat,
                    no=say["no"],
                    due=self.next_no(seat),
                ),
            )
        if seat in self.gone:
            return Objection(
                "ORDERING",
                _("{seat} is out since entry {gone} and has no say any more.", seat=seat, gone=self.gone[seat]),
            )
        return None

    def _say(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        seat, say = fields["by"], fields["say"]
        if objection := self._speaks(seat, say):
            return objection
        match say["act"]:
            case "takeback":
                return self._takeback(seat, say["about"]) or self._asked(
                    _("{seat} asks to take back while no question stands open.", seat=seat)
                )
            case "agree" if "what" in say:
                if seat in self.pledges.get(say["what"], ()):
                    return Objection(
                        "BIND",
                        _("{seat} agrees to {what}…, to which he has agreed before.", seat=seat, what=say["what"][:12]),
                    )
                # while all are to be ready there may be another host to agree to
                if self.phase == "called":
                    return None
                return self._asked(_("{seat} agrees to an amendment while no question stands open.", seat=seat))
            case "agree":
                return self._agree(n, seat, say)
            case "resign":
                return self._asked(_("{seat} resigns while no question stands open.", seat=seat))
            case "claim" if self.phase == "called":
                return self._claim_of_missing(seat, fields["at"])
            case "claim":
                return self._asked(
                    _("{seat} claims the game while no question stands open.", seat=seat)
                ) or self._claim(seat, fields["at"])
            case "leave":
                return self._asked(_("{seat} takes leave while no question stands open.", seat=seat)) or self._leave(
                    seat, say["hours"]
                )
        return None

    def _takeback(self, seat: str, about: int) -> Objection | None:
        if self.back.get(about) == seat:
            return None
        return Objection(
            "BIND",
            _(
                "{seat} wants to go back to entry {about}, which is none of the questions that this seat answered last, or "
                "chance has spoken or something was shown since.",
                seat=seat,
                about=about,
            ),
        )

    def _asked(self, else_said: str) -> Objection | None:
        return None if self.phase == "asked" else Objection("ORDERING", else_said)

    def _agree(self, n: int, seat: str, say: Mapping[str, Any]) -> Objection | None:
        """3: one agrees to another seat's offer, which lapses at the next order."""
        about = say["about"]
        offer = self.offers.get(about)
        if offer is None or about >= n:
            return Objection(
                "BIND",
                _("{seat} agrees to entry {about}, which is no offer, or one that has lapsed.", seat=seat, about=about),
            )
        if offer.seat == seat:
            return Objection("BIND", _("{seat} agrees to entry {about}, his own offer.", seat=seat, about=about))
        if seat in offer.agreed:
            return Objection(
                "BIND", _("{seat} agrees to entry {about}, to which he has agreed before.", seat=seat, about=about)
            )
        if say["seen"][0] < about:
            return Objection(
                "SEEN", _("{seat} agrees to the offer of entry {about}, which he had not seen.", seat=seat, about=about)
            )
        if self._completes(offer, seat) and self.phase not in (
            ("told", "asked") if offer.act == "draw" else ("asked",)
        ):
            return Objection(
                "ORDERING", _("{seat} agrees to entry {about} while answers are being written.", seat=seat, about=about)
            )
        return None

    def _amend(self, n: int, what: Mapping[str, Any], agreed: Sequence[int]) -> Objection | None:
        if "takeback" in what or self._owed is not None:
            if self._owed is None or what != self._what or agreed != self._agreed:
                return Objection("BIND", _("Entry {n} amends what was not agreed on right above.", n=n))
            return None
        if "player" in what and what["player"]["say"]["seat"] not in self.absent:
            return Objection(
                "BIND",
                _("Entry {n} gives away a seat that is not one of this game, or whose player has not vanished.", n=n),
            )
        if agreed != self.pledged(what):
            return Objection("BIND", _("Entry {n} amends what not every seat agreed to since the last order.", n=n))
        if self.phase != "asked":
            return Objection("ORDERING", _("Entry {n} amends the game while no question stands open.", n=n))
        if "player" in what:
            return None
        if what["rules"]["id"] != self.rules["id"] or what["rules"]["ver"] <= self.rules["ver"]:
            return Objection("ORDERING", _("Entry {n} does not take in a newer version of this game's rules.", n=n))
        return None

    def _host(self, n: int, fields: Mapping[str, Any]) -> Objection | None:
        """3: a new host, to whose key, anchors and beginning every seat has agreed."""
        agreed = fields["agreed"]
        if agreed != self.pledged(another_host(fields)) or agreed != list(range(fields["seen"][0] + 1, n)):
            return Objection("BIND", _("Entry {n} names another host than every seat agreed to right above.", n=n))
        if self.phase not in ("asked", "called"):
            return Objection("ORDERING", _("Entry {n} names another host while no question stands open.", n=n))
        if fields["key"] in self.keys.values():
            return Objection("BIND", _("Entry {n} makes a host of a key that a seat of this game has.", n=n))
        # what he signed before, beyond the place from which the game goes on, would be a second history of his
        if fields["key"] in self.hosts:
            return Objection("BIND", _("Entry {n} makes a host again of a key that a host of this game had.", n=n))
        # 5, fair 1: a link of a lower mark may have been sent ahead
        if fields["mark"] < (least := mark_of_call(self.mark)):
            found = {"n": n, "mark": fields["mark"], "least": least}
            return Objection(
                "ORDERING", _("Entry {n} calls all to be ready with mark {mark}; {least} is the least.", **found)
            )
        return None

    def _claim(self, seat: str, at: str) -> Objection | None:
        if self.late != "claim":
            return Objection("ORDERING", _("{seat} claims the game, but its terms know no win by time.", seat=seat))
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} claims the game before the time to answer was over.", seat=seat))
        if self._open == [seat]:
            return Objection("ORDERING", _("{seat} claims the game, but it waits for nobody else.", seat=seat))
        return None

    def _claim_of_missing(self, seat: str, at: str) -> Objection | None:
        """Nobody holds a game up by not being ready, whatever its terms say about late answers."""
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} claims the game before the time to be ready was over.", seat=seat))
        if seat in self.missing:
            return Objection("ORDERING", _("{seat} claims the game, without being ready.", seat=seat))
        return None

    def _leave(self, seat: str, hours: int) -> Objection | None:
        if seat not in self._open or self.due is None:
            return Objection(
                "ORDERING", _("{seat} takes leave, but no answer with a time limit is asked of this seat.", seat=seat)
            )
        left = self.leave - self.taken.get(seat, 0)
        if hours > left:
            return Objection(
                "ORDERING",
                _("{seat} takes {hours} hours of leave, but has {left} left.", seat=seat, hours=hours, left=left),
            )
        if plus_hours(self.due, hours) is None:
            return Objection("ORDERING", _("{seat} takes leave beyond the end of the calendar.", seat=seat))
        return None

    def _extend(self, fields: Mapping[str, Any]) -> Objection | None:
        if self.phase != "asked" or fields["ask"] != self.ask or self.due is None:
            return Objection(
                "ORDERING", _("Time is added to question {ask}, which is not open, or has no limit.", ask=fields["ask"])
            )
        if fields.get("cause") != (self._owed[1] if self._owed else None):
            return Objection("BIND", _("Time is added for leave that nobody took right above."))
        hours = 0 if self._owed is None else self._hours
        if fields["due"] <= self.due or (hours and fields["due"] != plus_hours(self.due, hours)):
            return Objection(
                "ORDERING",
                _(
                    "The time to answer goes from {before} to {due}: not what was added.",
                    before=self.due,
                    due=fields["due"],
                ),
            )
        return None

    def _skip(self, seat: str, at: str, only: bool) -> Objection | None:
        if seat in self.gone:
            return None
        if self.claim is not None:
            if seat == self._claimant:
                return Objection("ORDERING", _("{seat} claims the game by time, and is late as well.", seat=seat))
            if only and self._open == [seat] and not self._silent:
                return Objection(
                    "ORDERING", _("Entry {claim} claims the game by time, but nobody is late.", claim=self.claim)
                )
            return None
        # 3: not before due
        if self.due is None or at < self.due:
            return Objection("ORDERING", _("{seat} was skipped before the time to answer was over.", seat=seat))
        if self.late != "default" and not only:
            return Objection(
                "ORDERING", _("{seat} was skipped, but by the terms of this game a late answer is claimed.", seat=seat)
            )
        return None

    def _end(self, fields: Mapping[str, Any]) -> Objection | None:
        if fields["cause"] != self.ends:
            return Objection(
                "ORDERING", _("The game ends by entry {cause}, which does not end it here.", cause=fields["cause"])
            )
        if self._owed is not None and fields["result"] != AGREED_DRAW:
            return Objection("TELL", _("A draw was agreed, but the result says {result}.", result=fields["result"]))
        return None


def another_host(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is agreed to when another host is: his key and anchors, the mark of being ready, the head he goes on from."""
    return {"host": {name: fields[name] for name in ("chains", "key", "mark", "seen")}}


def plus_hours(moment: str, hours: int) -> str | None:
    """Return the moment so many hours later, or None where the calendar has no such year.

    >>> plus_hours("2030-01-31T20:00:00Z", 5)
    '2030-02-01T01:00:00Z'
    """
    try:
        later = datetime.fromisoformat(moment[:-1]) + timedelta(hours=hours)
    except OverflowError:
        return None
    return later.isoformat(timespec="seconds") + "Z"
