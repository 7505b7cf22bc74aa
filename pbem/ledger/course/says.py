"""What players say besides their orders, and what must follow (PROTOCOL 3): resignations, offers, claims, leave, time.

A say binds only while its seat has given no later order than the one it names: a statement that was kept back is worth nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger.course.state import Course, Objection
from pbem.ledger.course.steps import completes, pledged
from pbem.ledger.course.times import extension_objection
from pbem.ledger.fields import plus_hours
from pbem.words import _

Fields = Mapping[str, Any]

AGREED_DRAW = {"winner": "", "why": "agreed"}
"""The result of a game that ends by an agreed draw."""


def speaks(course: Course, seat: str, say: Fields) -> Objection | None:
    """Return why a seat may not say anything by this statement."""
    holder = course.seats[seat]
    # 3: no counts the seat's says
    if say["no"] != (due := course.next_no(seat)):
        why = _("{seat}'s say is numbered {no}; {due} was next.", seat=seat, no=say["no"], due=due)
        return Objection("ORDERING", why)
    if holder.gone:
        why = _("{seat} is out since entry {gone} and has no say any more.", seat=seat, gone=holder.gone)
        return Objection("ORDERING", why)
    return None if course.former else _kept_back(course, seat, say)


def _kept_back(course: Course, seat: str, say: Fields) -> Objection | None:
    """3: it names the last orders that its seat had signed; a later one of that seat makes it void."""
    holder = course.seats[seat]
    answer = max((tuple(pair) for pair in say["after"] if pair[0] >= 0), default=(-1, 0))
    ahead = max(((-ref, rev) for ref, rev in say["after"] if ref < 0), default=(-1, 0))
    if holder.answer <= answer and holder.ahead <= ahead and holder.seen <= say["seen"][0]:
        return None
    why = _("{seat} signed this before an order of his that stands above: it binds no more.", seat=seat)
    return Objection("SEEN", why)


def waits(course: Course, seat: str, say: Fields) -> bool:
    """Does a say count only behind an order that its seat signed before it, and that answers the open question?"""
    question = course.question
    if say["act"] not in ("resign", "draw") or question is None or seat not in course.waiting:
        return False
    return any(pair[0] == question.n for pair in say.get("after", ()))


def say_objection(course: Course, f: Fields) -> Objection | None:
    """Return why a seat may not say this now."""
    seat, say, act = f["by"], f["say"], f["say"]["act"]
    if found := speaks(course, seat, say):
        return found
    if waits(course, seat, say):
        why = _("{seat} says this behind an order that is to be entered first.", seat=seat)
        return Objection("ORDERING", why)
    match act:
        case "takeback":
            return _takeback(course, seat, say["about"]) or _asked(
                course, _("{seat} asks to take back while no question stands open.", seat=seat)
            )
        case "agree" if "what" in say:
            return _agree_to_amendment(course, seat, say["what"])
        case "agree":
            return _agree(course, seat, say)
        case "resign":
            why = _("{seat} resigns while no question stands open.", seat=seat)
            return None if course.phase == "called" and not course.former else _asked(course, why)
        case "claim":
            return _claim(course, seat, f["at"])
        case "leave":
            return _leave(course, seat, say["hours"], f["at"])
    return None


def _asked(course: Course, else_said: str) -> Objection | None:
    return None if course.phase == "asked" else Objection("ORDERING", else_said)


def _takeback(course: Course, seat: str, about: int) -> Objection | None:
    if any(point.n == about and point.seat == seat for point in course.back):
        return None
    why = _(
        "{seat} wants to go back to entry {about}, which is none of the questions that this seat answered last, or "
        "chance has spoken or something was shown since.",
        seat=seat,
        about=about,
    )
    return Objection("BIND", why)


def _agree_to_amendment(course: Course, seat: str, what: str) -> Objection | None:
    if seat in course.pledges.get(what, ()):
        why = _("{seat} agrees to {what}…, to which he has agreed before.", seat=seat, what=what[:12])
        return Objection("BIND", why)
    # while all are to be ready there may be another host or a newcomer to agree to
    if course.phase == "called":
        return None
    return _asked(course, _("{seat} agrees to an amendment while no question stands open.", seat=seat))


def _agree(course: Course, seat: str, say: Fields) -> Objection | None:
    """3: one agrees to another seat's offer, which lapses at the next order."""
    about = say["about"]
    offer = course.offers.get(about)
    if offer is None:
        why = _("{seat} agrees to entry {about}, which is no offer, or one that has lapsed.", seat=seat, about=about)
        return Objection("BIND", why)
    if offer.seat == seat:
        return Objection("BIND", _("{seat} agrees to entry {about}, his own offer.", seat=seat, about=about))
    if seat in offer.agreed:
        why = _("{seat} agrees to entry {about}, to which he has agreed before.", seat=seat, about=about)
        return Objection("BIND", why)
    if say["seen"][0] < about:
        why = _("{seat} agrees to the offer of entry {about}, which he had not seen.", seat=seat, about=about)
        return Objection("SEEN", why)
    fit = ("told", "asked") if offer.act == "draw" else ("asked",)
    if completes(course, offer, seat) and course.phase not in fit:
        why = _("{seat} agrees to entry {about} while answers are being written.", seat=seat, about=about)
        return Objection("ORDERING", why)
    return None


def _claim(course: Course, seat: str, at: str) -> Objection | None:
    if course.phase == "called":
        return _claim_of_missing(course, seat, at)
    if found := _asked(course, _("{seat} claims the game while no question stands open.", seat=seat)):
        return found
    if course.terms.late != "claim":
        return Objection("ORDERING", _("{seat} claims the game, but its terms know no win by time.", seat=seat))
    if not course.due or at < course.due:
        return Objection("ORDERING", _("{seat} claims the game before the time to answer was over.", seat=seat))
    if course.question and course.question.open == (seat,):
        return Objection("ORDERING", _("{seat} claims the game, but it waits for nobody else.", seat=seat))
    return None


def _claim_of_missing(course: Course, seat: str, at: str) -> Objection | None:
    """Nobody holds a game up by not being ready; and nobody wins by a call that he made himself."""
    if not course.due or at < course.due:
        return Objection("ORDERING", _("{seat} claims the game before the time to be ready was over.", seat=seat))
    if seat in course.missing:
        return Objection("ORDERING", _("{seat} claims the game, without being ready.", seat=seat))
    if course.call and seat in course.call.makers:
        why = _("{seat} claims the game for others not being ready, having called them himself.", seat=seat)
        return Objection("ORDERING", why)
    return None


def _leave(course: Course, seat: str, hours: int, at: str) -> Objection | None:
    called = course.phase == "called" and not course.former
    if not called and (found := _asked(course, _("{seat} takes leave while no question stands open.", seat=seat))):
        return found
    awaited = course.missing if called else course.waiting
    if seat not in awaited or not course.due:
        why = _("{seat} takes leave, but nothing with a time limit is asked of this seat.", seat=seat)
        return Objection("ORDERING", why)
    if at >= course.due and not course.former:
        return Objection("ORDERING", _("{seat} takes leave after the time to answer was over.", seat=seat))
    left = course.terms.leave - course.seats[seat].leave
    if hours > left:
        why = _("{seat} takes {hours} hours of leave, but has {left} left.", seat=seat, hours=hours, left=left)
        return Objection("ORDERING", why)
    if plus_hours(course.due, hours) is None:
        return Objection("ORDERING", _("{seat} takes leave beyond the end of the calendar.", seat=seat))
    return None


# -- what follows -------------------------------------------------------------------------------------------------------


def extend_objection(course: Course, f: Fields) -> Objection | None:
    """Return why time may not be added so: to the open question or call only, and after leave exactly as much."""
    on = course.call if course.phase == "called" else course.question if course.phase == "asked" else None
    if on is None or f["ask"] != on.n or not on.due:
        return Objection("ORDERING", _("Time is added to {ask}, which is not open, or has no limit.", ask=f["ask"]))
    leave = course.owed
    if f.get("cause") != (leave.n if leave else None):
        return Objection("BIND", _("Time is added for leave that nobody took right above."))
    if f["due"] <= on.due or (leave and f["due"] != plus_hours(on.due, leave.hours)):
        why = _("The time to answer goes from {before} to {due}: not what was added.", before=on.due, due=f["due"])
        return Objection("ORDERING", why)
    return None if leave else extension_objection(course, f)


def amend_objection(course: Course, f: Fields) -> Objection | None:
    """Return why an answer may not be taken back so, or other rules not count."""
    n, what, owed = course.next, f["what"], course.owed
    if "due" in f:
        return Objection("FORM", _("Entry {n} names a time to be ready, but calls nobody.", n=n))
    if "takeback" in what or owed is not None:
        if owed is None or what != {"takeback": owed.takeback} or f["agreed"] != list(owed.agreed):
            return Objection("BIND", _("Entry {n} amends what was not agreed on right above.", n=n))
        return None
    if f["agreed"] != pledged(course, what):
        return Objection("BIND", _("Entry {n} amends what not every seat agreed to since the last order.", n=n))
    if course.phase != "asked":
        return Objection("ORDERING", _("Entry {n} amends the game while no question stands open.", n=n))
    if what["rules"]["id"] != course.rules["id"] or what["rules"]["ver"] <= course.rules["ver"]:
        return Objection("ORDERING", _("Entry {n} does not take in a newer version of this game's rules.", n=n))
    return None


def end_objection(course: Course, f: Fields) -> Objection | None:
    """Return why the game may not end here: it ends in the place of a question, or by a say right above."""
    if "cause" not in f:
        if course.phase != "told":
            return Objection("ORDERING", _("The game ends without a tell before it."))
        return None
    if not course.ends or f["cause"] != course.ends:
        return Objection("ORDERING", _("The game ends by entry {cause}, which does not end it here.", cause=f["cause"]))
    if course.owed is not None and f["result"] != AGREED_DRAW:
        return Objection("TELL", _("A draw was agreed, but the result says {result}.", result=f["result"]))
    return None
