"""Why an entry may not come next: its turn, moment, marks and question. A check for each kind, which raises Objection.

`says` and `calls` treat statements other than orders, and the causes of ready rounds. The verifier checks signatures, hashes,
links, seals and dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.i18n import N_, _
from pbem.ledger.course.calls import check_host, check_newcomer, check_rekey, check_renew
from pbem.ledger.course.says import check_amend, check_end, check_extend, check_say
from pbem.ledger.course.state import Course, Objection, QuestionPut, object_if
from pbem.ledger.course.times import check_due, check_moment

Fields = Mapping[str, Any]

_OUT_OF_TURN: Mapping[str, Mapping[str, tuple[str, str]]] = {
    # 5, fair 1: no random event before every seat's `ready` link
    "rand": dict.fromkeys(
        ("roster", "ready", "called"),
        ("EARLY", N_("A random event fell before every seat had said that it is ready.")),
    )
    # 7: none while a question is open; only says stand between a tell and its question
    | dict.fromkeys(("asked", "answered"), ("ORDERING", N_("A random event fell while a question was open.")))
    | {"told": ("ORDERING", N_("A random event fell between a tell and its question."))},
    "tell": dict.fromkeys(("roster", "ready", "called"), ("ORDERING", N_("A tell comes before all are ready.")))
    | dict.fromkeys(("asked", "answered"), ("ORDERING", N_("A tell comes while a question is open.")))
    | {"told": ("ORDERING", N_("A tell comes directly after another."))},
    # 7: no question without a tell, none while another is open
    "ask": dict.fromkeys(
        ("roster", "ready", "play", "called"), ("ORDERING", N_("A question is put without a tell before it."))
    )
    | dict.fromkeys(("asked", "answered"), ("ORDERING", N_("A question is put while another is open."))),
}
"""For entries that the host writes by the rules: the phases in which each may not come, with the objection."""


def check_turn(course: Course, kind: str) -> None:
    """Check that an entry of this kind may come next, whatever its content: the game is not over, and no entry is owed first."""
    object_if(course.phase == "over", "ORDERING", N_("An entry follows the end of the game."))
    if course.owed is not None and kind not in course.owed.kinds:
        due, n = course.owed.kinds[0], course.owed.n
        raise Objection(
            "ORDERING", _("Entry {n} calls for “{due}” right after it; here is “{kind}”.", n=n, due=due, kind=kind)
        )


def check(course: Course, fields: Fields) -> None:
    """This entry may come next. Whether it is signed is not asked."""
    kind = fields["k"]
    check_turn(course, kind)
    check_moment(course, fields)
    if found := _OUT_OF_TURN.get(kind, {}).get(course.phase):
        raise Objection(found[0], _(found[1]))
    _CHECKS[kind](course, fields)


def objection(course: Course, fields: Fields) -> Objection | None:
    """Return why this entry may not come next; None: it may. Whether it is signed is not asked."""
    try:
        check(course, fields)
    except Objection as found:
        return found.with_traceback(None)
    return None


# -- the roster ---------------------------------------------------------------------------------------------------------


def _check_game(_course: Course, f: Fields) -> None:
    labels = {"pub", *(f"priv:{seat}" for seat in f["seats"])}
    # 5: one chain for the public, one for each seat
    object_if(
        set(f["chains"]) != labels,
        "FORM",
        N_("The chains of this game should be {labels}."),
        labels=", ".join(sorted(labels)),
    )


def _check_join(course: Course, f: Fields) -> None:
    seat, key = f["by"], f["say"]["key"]
    object_if(
        course.phase != "roster" or course.seats[seat].key,
        "ORDERING",
        N_("{seat} joins, but the seat is taken."),
        seat=seat,
    )
    object_if(key in course.keys, "BIND", N_("{seat} joins with a key that another has in this game."), seat=seat)


def _check_ready(course: Course, f: Fields) -> None:
    seat, seen = f["by"], f["say"]["seen"][0]
    object_if(
        course.phase not in ("ready", "called"),
        "ORDERING",
        N_("{seat} is ready, but this is not the time to say so."),
        seat=seat,
    )
    object_if(seat not in course.missing, "ORDERING", N_("{seat} says to be ready, but is not called to."), seat=seat)
    # 4: not older than the last join, or than what called
    call = course.phase == "called" and course.call
    _check_seen(seat, seen, call.n if call else course.roster, N_("the call") if call else N_("the last join"))


def _check_seen(seat: str, seen: int, oldest: int, what: str) -> None:
    """Check that a seat that has seen entries up to `seen` may say this."""
    object_if(
        seen < oldest,
        "SEEN",
        N_("{seat} signed having seen entry {n}, which is older than {what}."),
        seat=seat,
        n=seen,
        what=_(what),
    )


# -- chance and what is told --------------------------------------------------------------------------------------------


def _check_rand(course: Course, f: Fields) -> None:
    label, i = f["chain"], f["i"]
    object_if(
        not _is_next(course, label, i),
        "REQ",
        N_("Event {i} of {label} is not the next one of a chain that this game has."),
        i=i,
        label=label,
    )
    object_if(
        label.startswith("priv:") and label[5:] not in f["seals"],
        "FORM",
        N_("A draw on {label} is sealed for another seat."),
        label=label,
    )


def _is_next(course: Course, label: str, i: int) -> bool:
    """5, fair 3: always the next index of a chain; deals have one event each, and come by their numbers."""
    if label.startswith("deal:"):
        return label == f"deal:{course.dealt + 1}" and i == 1
    if label.startswith("anew:"):
        return bool(course.moved) and label == course.dealt_anew_on and label not in course.indices
    return label in course.chains and i == course.indices.get(label, 0) + 1


def _check_tell(course: Course, f: Fields) -> None:
    # 3: seals for every seat, and "state"
    object_if(
        f["seals"].keys() != {*course.order, "state"},
        "FORM",
        N_("A tell seals one report for every seat, and the state; one is missing or too many."),
    )
    # 3: the public events since the last tell, in order
    object_if(
        tuple(f["rolls"]) != course.rolls,
        "REQ",
        N_("The tell reports the rolls {rolls}, but {fallen} fell since the last one."),
        rolls=f["rolls"],
        fallen=list(course.rolls),
    )


# -- questions and answers ----------------------------------------------------------------------------------------------


def _check_ask(course: Course, f: Fields) -> None:
    # 3: orders are appended in seat order, so seats are asked in it
    object_if(
        f["to"] != [seat for seat in course.order if seat in f["to"]],
        "FORM",
        N_("The seats asked are seats of this game, in its order."),
    )
    for seat in f["to"] if "mark" in f else ():
        # 5, fair 2: a seat's marked questions are numbered on, without a gap
        object_if(
            f["mark"] != (mark := course.seats[seat].mark) + 1,
            "ORDERING",
            N_("Mark {mark} is put to {seat}, who is at mark {marks}."),
            mark=f["mark"],
            seat=seat,
            marks=mark,
        )
    check_due(course, f)


def _answered(course: Course, seat: str, ask: int) -> QuestionPut:
    """3: an answer goes to the open question, from a seat it was put to, and once."""
    question = course.question
    if question is None or course.phase not in ("asked", "answered") or ask != question.n:
        raise Objection("ASK", _("{seat} answers question {ask}, which is not open.", seat=seat, ask=ask))
    object_if(
        seat not in question.to,
        "ASK",
        N_("{seat} answers question {ask}, which was not put to this seat."),
        seat=seat,
        ask=ask,
    )
    object_if(seat not in question.open, "ASK", N_("{seat} answers question {ask} a second time."), seat=seat, ask=ask)
    return question


def _check_order(course: Course, f: Fields) -> None:
    seat, say = f["by"], f["say"]
    question = _answered(course, seat, say.get("ask", course.question.n if course.question else 0))
    # 3: orders are appended in seat order
    object_if(
        any(course.order.index(other) > course.order.index(seat) for other in question.orders),
        "ORDERING",
        N_("{seat}'s order is out of seat order."),
        seat=seat,
    )
    if say["act"] == "ahead":
        _check_sent_ahead(course, question, seat, say)
    else:
        # 4: any head not older than the question
        _check_seen(seat, say["seen"][0], question.n, N_("the question"))
    object_if(
        gone := course.seats[seat].gone,
        "ORDERING",
        N_("{seat} is out since entry {gone}, but answers."),
        seat=seat,
        gone=gone,
    )
    _check_somebody_late(course, question, seat)
    _check_carries(question, seat, say)


def _check_sent_ahead(course: Course, question: QuestionPut, seat: str, say: Fields) -> None:
    """4: it answers the question of its mark; the head he saw is not older than what voided a question last, nor too far back."""
    seen, mark = say["seen"][0], question.mark
    object_if(
        not mark,
        "ASK",
        N_("{seat}'s order for mark {mark} answers a question without a mark."),
        seat=seat,
        mark=say["link_n"],
    )
    _check_seen(seat, seen, course.since, N_("what voided it"))
    object_if(
        mark > (most := course.most_ahead(seat, seen)),
        "SEEN",
        N_("{seat} sent an order for mark {to} ahead; {most} was the most."),
        seat=seat,
        to=mark,
        most=most,
    )


def _check_somebody_late(course: Course, question: QuestionPut, seat: str) -> None:
    """3: with the last answer after a claim some seat was late."""
    object_if(
        course.claim and question.open == (seat,) and not question.silent,
        "ORDERING",
        N_("Entry {claim} claims the game by time, but nobody is late."),
        claim=course.claim and course.claim[0],
    )


def _check_carries(question: QuestionPut, seat: str, say: Fields) -> None:
    """3: a link on marked questions only; `pub` is {order: text} if secret is no, otherwise {}."""
    object_if(question.mark and "link" not in say, "LINK", N_("{seat} gives no link on a marked question."), seat=seat)
    object_if(
        "link" in say and not question.mark, "LINK", N_("{seat} gives a link on an unmarked question."), seat=seat
    )
    object_if(
        question.mark and say["link_n"] != question.mark,
        "LINK",
        N_("{seat} gives link {link_n} on mark {mark}."),
        seat=seat,
        link_n=say.get("link_n"),
        mark=question.mark,
    )
    if say["act"] == "ahead" or (question.secret == "no") == ("order" in say["pub"]):
        return
    if question.secret == "no":
        why = _("The question's secrecy is “{secret}”, but its text is missing.", secret=question.secret)
    else:
        why = _("The question's secrecy is “{secret}”, but its text is in the open.", secret=question.secret)
    raise Objection("FORM", why)


def _check_skip(course: Course, f: Fields) -> None:
    seat, at, why, only = f["to"], f["at"], f["why"], f["why"] == "only"
    question = _answered(course, seat, f["ask"])
    gone = course.seats[seat].gone
    # 3: the reason is the true one: a seat is out or it is not, and is late where another claims the game
    true = ("out",) if gone else ("only", "late" if course.claim else "due")
    object_if(
        why not in true,
        "ORDERING",
        N_("{seat} was skipped as “{why}”; here it can be “{true}”."),
        seat=seat,
        why=why,
        true=true[-1],
    )
    if gone:
        return
    # 5: the one answer's link is the player's share in the dice, and he has to give it himself
    object_if(
        only and question.mark,
        "ORDERING",
        N_("{seat} was skipped on a marked question as having one answer only: its link is missing."),
        seat=seat,
    )
    if course.claim is not None:
        object_if(
            seat == course.claim[1], "ORDERING", N_("{seat} claims the game by time, and is late as well."), seat=seat
        )
        if only:
            _check_somebody_late(course, question, seat)
        return
    # 3: not before due
    object_if(
        not question.due or at < question.due,
        "ORDERING",
        N_("{seat} was skipped at {at}, before the time to answer was over ({due})."),
        seat=seat,
        at=at,
        due=question.due or "–",
    )
    object_if(
        course.terms.late != "default" and not only,
        "ORDERING",
        N_("{seat} was skipped, but by the terms of this game a late answer is claimed."),
        seat=seat,
    )


_CHECKS: dict[str, Callable[[Course, Fields], None]] = {
    "game": _check_game, "join": _check_join, "ready": _check_ready, "rand": _check_rand, "tell": _check_tell, "ask": _check_ask,
    "order": _check_order, "skip": _check_skip, "say": check_say, "rekey": check_rekey, "host": check_host,
    "amend": lambda course, f: (check_newcomer if "player" in f["what"] else check_amend)(course, f),
    "renew": check_renew, "extend": check_extend, "end": check_end,
}  # fmt: skip
