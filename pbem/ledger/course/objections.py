"""Why an entry may not come next: its turn, its moment, marks, and what it answers. A function for each kind.

What players say besides orders, and what calls all to be ready again, stands in `says` and `calls`. Signatures, hashes,
links, seals and dice are the verifier's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.ledger.course.calls import host_objection, newcomer_objection, rekey_objection, renew_objection
from pbem.ledger.course.says import amend_objection, end_objection, extend_objection, say_objection
from pbem.ledger.course.state import Course, Objection, Question
from pbem.ledger.course.times import due_objection, moment_objection
from pbem.words import _

Fields = Mapping[str, Any]


def owed(course: Course, kind: str) -> Objection | None:
    """Return why no entry of this kind may come next, whatever it holds."""
    if course.phase == "over":
        return Objection("ORDERING", _("An entry stands after the end of the game."))
    if course.owed is None or kind in course.owed.kinds:
        return None
    due, n = course.owed.kinds[0], course.owed.n
    return Objection(
        "ORDERING", _("Entry {n} calls for “{due}” right after it; here is “{kind}”.", n=n, due=due, kind=kind)
    )


def objection(course: Course, fields: Fields) -> Objection | None:
    """Return why this entry may not come next; None: it may. Whether it is signed is not asked."""
    kind = fields["k"]
    return owed(course, kind) or moment_objection(course, fields) or _OBJECTIONS[kind](course, fields)


# -- the roster ---------------------------------------------------------------------------------------------------------


def _game(_course: Course, f: Fields) -> Objection | None:
    labels = {"pub", *(f"priv:{seat}" for seat in f["seats"])}
    if "deals" not in f:  # as it was in pbem-log/0
        deals = sum(label.startswith("deal:") for label in f["chains"])
        labels |= {f"deal:{i}" for i in range(1, deals + 1)}
    # 5: one chain for the public, one for each seat
    if set(f["chains"]) != labels:
        return Objection("FORM", _("The chains of this game should be {labels}.", labels=", ".join(sorted(labels))))
    return None


def _join(course: Course, f: Fields) -> Objection | None:
    seat, key = f["by"], f["say"]["key"]
    if course.phase != "roster" or course.seats[seat].key:
        return Objection("ORDERING", _("{seat} joins, but the seat is taken.", seat=seat))
    if key in course.keys and not course.former:
        return Objection("BIND", _("{seat} joins with a key that another has in this game.", seat=seat))
    return None


def _ready(course: Course, f: Fields) -> Objection | None:
    seat, seen = f["by"], f["say"]["seen"][0]
    if course.phase not in ("ready", "called"):
        return Objection("ORDERING", _("{seat} is ready, but this is not the time to say so.", seat=seat))
    if seat not in course.missing:
        return Objection("ORDERING", _("{seat} says to be ready, but is not called to.", seat=seat))
    # 4: not older than the last join, or than what called
    call = course.phase == "called" and course.call
    return seen_objection(seat, seen, call.n if call else course.roster, _("the call") if call else _("the last join"))


def seen_objection(seat: str, seen: int, oldest: int, what: str) -> Objection | None:
    """Return why a seat that has seen no more than entry `seen` may not say this."""
    if seen >= oldest:
        return None
    why = _("{seat} signed having seen entry {n}, which is older than {what}.", seat=seat, n=seen, what=what)
    return Objection("SEEN", why)


# -- chance and what is told --------------------------------------------------------------------------------------------


def _rand(course: Course, f: Fields) -> Objection | None:
    # 5, fair 1: no random event before every seat's `ready` link
    if course.phase in ("roster", "ready", "called"):
        return Objection("EARLY", _("A random event fell before every seat had said that it is ready."))
    # 7: none while a question is open; only says stand between a tell and its question
    if course.phase in ("asked", "answered"):
        return Objection("ORDERING", _("A random event fell while a question was open."))
    if course.phase != "play":
        return Objection("ORDERING", _("A random event fell between a tell and its question."))
    label, i = f["chain"], f["i"]
    if not _is_next(course, label, i):
        why = _("Event {i} of {label} is not the next one of a chain that this game has.", i=i, label=label)
        return Objection("REQ", why)
    if label.startswith("priv:") and label[5:] not in f["seals"]:
        return Objection("FORM", _("A draw on {label} is sealed for another seat.", label=label))
    return None


def _is_next(course: Course, label: str, i: int) -> bool:
    """5, fair 3: always the next index of a chain; deals have one event each, and come by their numbers."""
    if label.startswith("deal:") and not course.former:
        return label == f"deal:{course.dealt + 1}" and i == 1
    if label.startswith("anew:"):
        return bool(course.moved) and label == course.dealt_anew_on and label not in course.indices
    once = label.startswith("deal:") and i > 1
    return label in course.chains and not once and i == course.indices.get(label, 0) + 1


def _tell(course: Course, f: Fields) -> Objection | None:
    if course.phase in ("asked", "answered"):
        return Objection("ORDERING", _("A tell stands while a question is open."))
    if course.phase == "told":
        return Objection("ORDERING", _("A tell stands right after another."))
    if course.phase != "play":
        return Objection("ORDERING", _("A tell stands before all are ready."))
    # 3: seals for every seat, and "state"
    if f["seals"].keys() != {*course.order, "state"}:
        why = _("A tell seals one report for every seat, and the state; one is missing or too many.")
        return Objection("FORM", why)
    # 3: the public events since the last tell, in order
    if tuple(f["rolls"]) != course.rolls:
        why = _(
            "The tell reports the rolls {rolls}, but {fallen} fell since the last one.",
            rolls=f["rolls"],
            fallen=list(course.rolls),
        )
        return Objection("REQ", why)
    return None


# -- questions and answers ----------------------------------------------------------------------------------------------


def _ask(course: Course, f: Fields) -> Objection | None:
    # 7: no question without a tell, none while another is open
    if course.phase in ("asked", "answered"):
        return Objection("ORDERING", _("A question is put while another is open."))
    if course.phase != "told":
        return Objection("ORDERING", _("A question is put without a tell before it."))
    # 3: orders are appended in seat order, so seats are asked in it
    if f["to"] != [seat for seat in course.order if seat in f["to"]]:
        return Objection("FORM", _("The seats asked are seats of this game, in its order."))
    for seat in f["to"] if "mark" in f else ():
        # 5, fair 2: a seat's marked questions are numbered on, without a gap
        if f["mark"] != (mark := course.seats[seat].mark) + 1:
            why = _("Mark {mark} is put to {seat}, who stands at {marks}.", mark=f["mark"], seat=seat, marks=mark)
            return Objection("ORDERING", why)
    return due_objection(course, f)


def _answered(course: Course, seat: str, ask: int) -> Question | Objection:
    """3: an answer goes to the open question, from a seat it was put to, and once."""
    question = course.question
    if question is None or course.phase not in ("asked", "answered") or ask != question.n:
        return Objection("ASK", _("{seat} answers question {ask}, which is not open.", seat=seat, ask=ask))
    if seat not in question.to:
        why = _("{seat} answers question {ask}, which was not put to this seat.", seat=seat, ask=ask)
        return Objection("ASK", why)
    if seat not in question.open:
        return Objection("ASK", _("{seat} answers question {ask} a second time.", seat=seat, ask=ask))
    return question


def _order(course: Course, f: Fields) -> Objection | None:
    seat, say = f["by"], f["say"]
    question = _answered(course, seat, say.get("ask", course.question.n if course.question else 0))
    if isinstance(question, Objection):
        return question
    # 3: orders are appended in seat order
    if any(course.order.index(other) > course.order.index(seat) for other in question.orders):
        return Objection("ORDERING", _("{seat}'s order stands out of the order of seats.", seat=seat))
    seen = say["seen"][0]
    if say["act"] == "ahead":
        found = _sent_ahead(course, question, seat, say)
    else:
        # 4: any head not older than the question
        found = seen_objection(seat, seen, question.n, _("the question"))
    if found:
        return found
    if course.seats[seat].gone:
        gone = course.seats[seat].gone
        return Objection("ORDERING", _("{seat} is out since entry {gone}, but answers.", seat=seat, gone=gone))
    if course.claim and question.open == (seat,) and not question.silent:
        why = _("Entry {claim} claims the game by time, but nobody is late.", claim=course.claim[0])
        return Objection("ORDERING", why)
    return _carries(question, seat, say)


def _sent_ahead(course: Course, question: Question, seat: str, say: Fields) -> Objection | None:
    """4: it answers the question of its mark; the head he saw is not older than what voided a question last, nor too far back."""
    seen, mark = say["seen"][0], question.mark
    if not mark:
        why = _("{seat}'s order for mark {mark} answers a question without a mark.", seat=seat, mark=say["link_n"])
        return Objection("ASK", why)
    if found := seen_objection(seat, seen, course.since, _("what voided it")):
        return found
    if mark > (most := course.most_ahead(seat, seen)):
        why = _("{seat} sent an order for mark {to} ahead; {most} was the most.", seat=seat, to=mark, most=most)
        return Objection("SEEN", why)
    return None


def _carries(question: Question, seat: str, say: Fields) -> Objection | None:
    """3: a link on marked questions only; `pub` is {order: text} where secret is no, else {}."""
    if bool(question.mark) != ("link" in say):
        if question.mark:
            return Objection("LINK", _("{seat} gives no link on a marked question.", seat=seat))
        return Objection("LINK", _("{seat} gives a link on an unmarked question.", seat=seat))
    if question.mark and say["link_n"] != question.mark:
        why = _("{seat} gives link {link_n} on mark {mark}.", seat=seat, link_n=say["link_n"], mark=question.mark)
        return Objection("LINK", why)
    if say["act"] == "ahead" or (question.secret == "no") == ("order" in say["pub"]):
        return None
    if question.secret == "no":
        why = _("The question's secrecy is “{secret}”, but its text is missing.", secret=question.secret)
    else:
        why = _("The question's secrecy is “{secret}”, but its text stands in the open.", secret=question.secret)
    return Objection("FORM", why)


def _skip(course: Course, f: Fields) -> Objection | None:
    seat, at, only = f["to"], f["at"], f["why"] == "only"
    question = _answered(course, seat, f["ask"])
    if isinstance(question, Objection):
        return question
    if course.seats[seat].gone:
        return None
    # 5: the one answer's link is the player's share in the dice, and he has to give it himself
    if only and question.mark and not course.former:
        why = _("{seat} was skipped on a marked question as having one answer only: its link is missing.", seat=seat)
        return Objection("ORDERING", why)
    if course.claim is not None:
        n, claimant = course.claim
        if seat == claimant:
            return Objection("ORDERING", _("{seat} claims the game by time, and is late as well.", seat=seat))
        if only and question.open == (seat,) and not question.silent:
            return Objection("ORDERING", _("Entry {claim} claims the game by time, but nobody is late.", claim=n))
        return None
    # 3: not before due
    if not question.due or at < question.due:
        return Objection("ORDERING", _("{seat} was skipped before the time to answer was over.", seat=seat))
    if course.terms.late != "default" and not only:
        why = _("{seat} was skipped, but by the terms of this game a late answer is claimed.", seat=seat)
        return Objection("ORDERING", why)
    return None


def _amend(course: Course, f: Fields) -> Objection | None:
    return newcomer_objection(course, f) if "player" in f["what"] else amend_objection(course, f)


_OBJECTIONS: dict[str, Callable[[Course, Fields], Objection | None]] = {
    "game": _game, "join": _join, "ready": _ready, "rand": _rand, "tell": _tell, "ask": _ask, "order": _order, "skip": _skip,
    "say": say_objection, "rekey": rekey_objection, "amend": _amend, "host": host_objection, "renew": renew_objection,
    "extend": extend_objection, "end": end_objection,
}  # fmt: skip
