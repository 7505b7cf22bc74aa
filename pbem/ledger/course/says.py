"""Statements of players other than orders, and their consequences (PROTOCOL 3): resignations, offers, claims, leave, time.

A statement binds only until its seat gives an order later than the one it names, so a statement that was held back is worthless.
Each check raises Objection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.i18n import N_, _
from pbem.ledger import statements
from pbem.ledger.course.state import Course, Objection, object_if
from pbem.ledger.course.steps import completes, pledged
from pbem.ledger.course.times import check_extension
from pbem.ledger.fields import plus_hours

Fields = Mapping[str, Any]

AGREED_DRAW = {"winner": "", "why": "agreed"}
"""The result of a game that ends by an agreed draw."""


def check_speaks(course: Course, seat: str, say: Fields) -> None:
    """A seat may say something by this statement."""
    holder = course.seats[seat]
    # 3: no counts the seat's says
    object_if(
        say["no"] != (due := course.next_no(seat)),
        "ORDERING",
        N_("{seat}'s say is numbered {no}; {due} was next."),
        seat=seat,
        no=say["no"],
        due=due,
    )
    object_if(
        holder.gone,
        "ORDERING",
        N_("{seat} is out since entry {gone} and has no say any more."),
        seat=seat,
        gone=holder.gone,
    )
    # 3: it names the last orders that its seat had signed; a later one of that seat makes it void
    answer = max((tuple(pair) for pair in say["after"] if pair[0] >= 0), default=(-1, 0))
    ahead = max(((-ref, rev) for ref, rev in say["after"] if ref < 0), default=(-1, 0))
    object_if(
        holder.answer > answer or holder.ahead > ahead or holder.seen > say["seen"][0],
        "SEEN",
        N_("{seat} signed this before his order above: it no longer binds."),
        seat=seat,
    )


def waits(course: Course, seat: str, say: Fields) -> bool:
    """Does a say count only behind an order that its seat signed before it, and that answers the open question?"""
    question = course.question
    if say["act"] not in ("resign", "draw") or question is None or seat not in course.waiting:
        return False
    return any(pair[0] == question.n for pair in say.get("after", ()))


def check_say(course: Course, f: Fields) -> None:
    """A seat may say this now."""
    seat, say, act = f["by"], f["say"], f["say"]["act"]
    check_speaks(course, seat, say)
    object_if(
        waits(course, seat, say),
        "ORDERING",
        N_("{seat} says this after an order that must be entered first."),
        seat=seat,
    )
    match act:
        case statements.TAKEBACK:
            _check_takeback(course, seat, say["about"])
        case "agree" if "what" in say:
            _check_agree_to_amendment(course, seat, say["what"])
        case "agree":
            _check_agree(course, seat, say)
        case "resign" if course.phase != "called":
            _check_asked(course, _("{seat} resigns while no question is open.", seat=seat))
        case "claim" if course.phase == "called":
            _check_claim_of_missing(course, seat, f["at"])
        case "claim":
            _check_claim(course, seat, f["at"])
        case "leave":
            _check_leave(course, seat, say["hours"], f["at"])


def _check_asked(course: Course, else_said: str) -> None:
    if course.phase != "asked":
        raise Objection("ORDERING", else_said)


def _check_takeback(course: Course, seat: str, about: int) -> None:
    object_if(
        not any(point.n == about and point.seat == seat for point in course.back),
        "BIND",
        N_(
            "{seat} wants to go back to entry {about}. Either this seat did not answer that question "
            "last, or a random event or a disclosure has followed."
        ),
        seat=seat,
        about=about,
    )
    _check_asked(course, _("{seat} asks to take back while no question is open.", seat=seat))


def _check_agree_to_amendment(course: Course, seat: str, what: str) -> None:
    object_if(
        seat in course.pledges.get(what, ()),
        "BIND",
        N_("{seat} agrees to {what}…, to which he has agreed before."),
        seat=seat,
        what=what[:12],
    )
    # while all are to be ready there may be another host or a newcomer to agree to
    if course.phase != "called":
        _check_asked(course, _("{seat} agrees to an amendment while no question is open.", seat=seat))


def _check_agree(course: Course, seat: str, say: Fields) -> None:
    """3: one agrees to another seat's offer, which lapses at the next order."""
    about = say["about"]
    offer = course.offers.get(about)
    if offer is None:
        why = _(
            "{seat} agrees to entry {about}, which is not an offer, or is one that has lapsed.", seat=seat, about=about
        )
        raise Objection("BIND", why)
    object_if(offer.seat == seat, "BIND", N_("{seat} agrees to entry {about}, his own offer."), seat=seat, about=about)
    object_if(
        seat in offer.agreed,
        "BIND",
        N_("{seat} agrees to entry {about}, to which he has agreed before."),
        seat=seat,
        about=about,
    )
    object_if(
        say["seen"][0] < about,
        "SEEN",
        N_("{seat} agrees to the offer of entry {about}, which he had not seen."),
        seat=seat,
        about=about,
    )
    fit = ("told", "asked") if offer.act == "draw" else ("asked",)
    object_if(
        completes(course, offer, seat) and course.phase not in fit,
        "ORDERING",
        N_("{seat} agrees to entry {about} while answers are being written."),
        seat=seat,
        about=about,
    )


def _check_claim(course: Course, seat: str, at: str) -> None:
    _check_asked(course, _("{seat} claims the game while no question is open.", seat=seat))
    object_if(
        course.terms.late != "claim",
        "ORDERING",
        N_("{seat} claims the game, but its terms know no win by time."),
        seat=seat,
    )
    object_if(
        not course.due or at < course.due,
        "ORDERING",
        N_("{seat} claims the game before the time to answer was over."),
        seat=seat,
    )
    object_if(
        course.put.open == (seat,),
        "ORDERING",
        N_("{seat} claims the game, but the game waits for no other seat."),
        seat=seat,
    )


def _check_claim_of_missing(course: Course, seat: str, at: str) -> None:
    """A seat cannot delay a game by not being ready, and cannot win by a call that it made itself."""
    object_if(
        not course.due or at < course.due,
        "ORDERING",
        N_("{seat} claims the game before the time to be ready was over."),
        seat=seat,
    )
    object_if(seat in course.missing, "ORDERING", N_("{seat} claims the game, without being ready."), seat=seat)
    object_if(
        course.call and seat in course.call.makers,
        "ORDERING",
        N_("{seat} claims the game for others not being ready, having called them himself."),
        seat=seat,
    )


def _check_leave(course: Course, seat: str, hours: int, at: str) -> None:
    called = course.phase == "called"
    if not called:
        _check_asked(course, _("{seat} takes leave while no question is open.", seat=seat))
    object_if(
        seat not in (course.missing if called else course.waiting) or not course.due,
        "ORDERING",
        N_("{seat} takes leave, but nothing with a time limit is asked of this seat."),
        seat=seat,
    )
    object_if(at >= course.due, "ORDERING", N_("{seat} takes leave after the time to answer was over."), seat=seat)
    left = course.terms.leave - course.seats[seat].leave
    object_if(
        hours > left,
        "ORDERING",
        N_("{seat} takes {hours} hours of leave, but has {left} left."),
        seat=seat,
        hours=hours,
        left=left,
    )
    object_if(
        plus_hours(course.due, hours) is None,
        "ORDERING",
        N_("{seat} takes leave beyond the end of the calendar."),
        seat=seat,
    )


# -- what follows -------------------------------------------------------------------------------------------------------


def check_extend(course: Course, f: Fields) -> None:
    """Time may be added so: to the open question or call only, and after leave exactly as much."""
    on, leave = course.on, course.owed
    if on is None or f["ask"] != on.n or not on.due:
        raise Objection("ORDERING", _("Time is added to {ask}, which is not open, or has no limit.", ask=f["ask"]))
    object_if(
        f.get("cause") != (leave.n if leave else None),
        "BIND",
        N_("Time is added for leave that nobody took right above."),
    )
    object_if(
        f["due"] <= on.due or (leave and f["due"] != plus_hours(on.due, leave.hours)),
        "ORDERING",
        N_("The time to answer changes from {before} to {due}, which is not the time added."),
        before=on.due,
        due=f["due"],
    )
    if not leave:
        check_extension(course, f)


def check_amend(course: Course, f: Fields) -> None:
    """An answer may be taken back so, or other rules count."""
    n, what, owed = course.next, f["what"], course.owed
    object_if("due" in f, "FORM", N_("Entry {n} names a time to be ready, but calls nobody."), n=n)
    if statements.TAKEBACK in what or owed is not None:
        object_if(
            owed is None or what != {statements.TAKEBACK: owed.takeback} or f["agreed"] != list(owed.agreed),
            "BIND",
            N_("Entry {n} amends something other than the agreement directly above it."),
            n=n,
        )
        return
    object_if(
        f["agreed"] != pledged(course, what),
        "BIND",
        N_("Entry {n} amends what not every seat agreed to since the last order."),
        n=n,
    )
    _check_asked(course, _("Entry {n} amends the game while no question is open.", n=n))
    object_if(
        what["rules"]["id"] != course.rules["id"] or what["rules"]["ver"] <= course.rules["ver"],
        "ORDERING",
        N_("Entry {n} does not take in a newer version of this game's rules."),
        n=n,
    )


def check_end(course: Course, f: Fields) -> None:
    """Check that the game may end here: in place of a question, or by the statement directly above."""
    owed, result = course.owed, f["result"]
    if "cause" not in f:
        object_if(course.phase != "told", "ORDERING", N_("The game ends without a tell before it."))
        if owed is not None:
            raise Objection("ORDERING", _("The game ends by entry {n}, but the end does not name it.", n=owed.n))
    elif not course.ends or f["cause"] != course.ends:
        raise Objection("ORDERING", _("The game ends by entry {cause}, which does not end it here.", cause=f["cause"]))
    object_if(
        result["winner"] not in ("", *course.order),
        "FORM",
        N_("The winner is {winner}, which is not a seat of this game."),
        winner=result["winner"],
    )
    object_if(
        "cause" in f and owed is not None and not owed.last and result != AGREED_DRAW,
        "TELL",
        N_("A draw was agreed, but the result says {result}."),
        result=result,
    )
