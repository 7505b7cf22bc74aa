"""The effect of each kind of entry on the course of a log: one function for each kind.

The entry is assumed to be allowed; `objections` checks that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.ledger.canon import cj_read, sha256_hex
from pbem.ledger.course.state import (
    REACH,
    REST,
    Call,
    Course,
    Holder,
    Offer,
    Owed,
    QuestionPut,
    ReturnPoint,
    Terms,
)
from pbem.ledger.patch import changed
from pbem.ledger.statements import SAYS, TAKEBACK

Fields = Mapping[str, Any]
_PUT = QuestionPut(0, (), "", "")
"""A question of which nothing is said yet."""


def after(course: Course, fields: Fields) -> Course:
    """Return the course after an allowed entry."""
    n = course.next
    if course.ends:
        course = course.but(ends=0)
    moved, clock = _AFTER[fields["k"]](course, n, fields), course.clock
    if (at := fields.get("at", "")) > clock:
        clock = at
    if moved is course:
        return changed(moved, next=n + 1, clock=clock)
    # made just now: nobody else has it yet
    moved.__dict__.update(next=n + 1, clock=clock)
    return moved


def _heard(course: Course, seat: str) -> Course:
    """A seat that signs something is there."""
    holder = course.seats[seat]
    return course.seat_but(seat, missed=0, late=False) if holder.missed or holder.late else course


# -- the roster ---------------------------------------------------------------------------------------------------------


def _game(course: Course, n: int, f: Fields) -> Course:
    terms = f["terms"]
    known = {name: terms[name] for name in ("late", "leave", "hours", "grace", "most") if name in terms}
    return Course(
        order=tuple(f["seats"]),
        seats={seat: Holder() for seat in f["seats"]},
        terms=Terms(**known),
        rules=f["rules"],
        hosts=((0, f["host"]),),
        chains={label: ((0, anchor),) for label, anchor in f["chains"].items()},
        trees=((0, f["deals"]),),
        keys=(f["host"],),
    )


def _join(course: Course, n: int, f: Fields) -> Course:
    course = _seated(course, f["by"], f["say"], base=0)
    joined = all(seat.key for seat in course.seats.values())
    return course.but(phase="ready" if joined else "roster", roster=n, since=n)


def _seated(course: Course, seat: str, say: Fields, base: int) -> Course:
    """A seat has the key and the chain of a statement from now on."""
    holder = course.seats[seat]
    keyed = course.seat_but(
        seat, key=say["key"], next=say["next"], anchor=say["chain"], base=base, begun=say.get("no", 0), fresh=True,
        anchors=(*holder.anchors, say["chain"]),
    )  # fmt: skip
    return keyed.but(keys=(*keyed.keys, say["key"]) if say["key"] not in keyed.keys else keyed.keys)


def _ready(course: Course, n: int, f: Fields) -> Course:
    seat, say = f["by"], f["say"]
    first = not course.call
    course = _heard(course, seat).seat_but(seat, is_ready=True, fresh=False, link_n=say["link_n"], link=say["link"])
    if first:
        course = course.seat_but(seat, mark=1)
    if course.missing:
        return course
    return _called_on(course) if course.call else course.but(phase="play")


# -- chance and what is told --------------------------------------------------------------------------------------------


def _rand(course: Course, n: int, f: Fields) -> Course:
    label, i = f["chain"], f["i"]
    rolls = (*course.rolls, i) if label == "pub" else course.rolls
    dealt = int(label[5:]) if label.startswith("deal:") else course.dealt
    indices = {**course.indices, label: i}
    return course.but(phase="play", indices=indices, rolls=rolls, dealt=dealt, back=(), here=None)


def _tell(course: Course, n: int, f: Fields) -> Course:
    shown = f["links"] or not set(course.in_the_open).issuperset(f["opens"])
    return course.but(
        phase="told", moved=0, rolls=(), in_the_open=(), back=() if shown else course.back,
        here=None if shown else course.here,
    )  # fmt: skip


# -- questions and answers ----------------------------------------------------------------------------------------------


def _ask(course: Course, n: int, f: Fields) -> Course:
    to, mark, seats = tuple(f["to"]), f.get("mark", 0), course.seats
    question = changed(
        _PUT,
        n=n,
        to=to,
        what=f["what"],
        secret=f["secret"],
        mark=mark,
        at=f["at"],
        due=f.get("due", ""),
        open=to,
    )
    marks, puts = {name: seat.mark for name, seat in seats.items()}, {name: seat.put for name, seat in seats.items()}
    here = ReturnPoint(n, to[0], marks, puts) if len(to) == 1 else None
    if mark:
        put = (n, mark, f["what"])
        asked = {seat: changed(seats[seat], mark=mark, put=(*puts[seat], put)[-REACH - 1 :]) for seat in to}
        seats = {**seats, **asked}
    return course.but(
        phase="asked", seats=seats, question=question, mark=max(course.mark, mark), here=here, claim=None,
    )  # fmt: skip


def _order(course: Course, n: int, f: Fields) -> Course:
    seat, say = f["by"], f["say"]
    holder, question = course.seats[seat], course.put
    given: dict[str, Any] = (
        {"ahead": (say["link_n"], say["rev"])} if say["act"] == "ahead" else {"answer": (say["ask"], say["rev"])}
    )
    if "link" in say:
        given |= {"link_n": say["link_n"], "link": say["link"], "fresh": False, "rested": min(holder.rested + 1, REST)}
    holder = changed(holder, missed=0, late=False, seen=max(holder.seen, say["seen"][0]), **given)
    back: tuple[ReturnPoint, ...] = ()
    # what was sent ahead is not taken back, nor what lies before an answer of another seat
    if course.here is not None and say["act"] != "ahead":
        back = (*(course.back if all(point.seat == seat for point in course.back) else ()), course.here)
    opened = (say["seals"]["order"],) if say.get("pub") else ()
    return _answered(
        course, seat, {"orders": (*question.orders, seat)}, seats={**course.seats, seat: holder}, back=back, here=None,
        in_the_open=course.in_the_open + opened, offers={}, pledges={},  # 3: an offer lapses at the next order
    )  # fmt: skip


def _skip(course: Course, n: int, f: Fields) -> Course:
    seat, late = f["to"], {}
    if not course.seats[seat].gone and f["why"] != "only":
        course = course.seat_but(seat, missed=course.seats[seat].missed + 1)
        late = {"silent": (*course.put.silent, seat)}
    return _answered(course, seat, late, back=(), here=None)


def _answered(course: Course, seat: str, of_question: dict[str, Any], **changes: Any) -> Course:
    """The seat's answer to the open question is in; more has changed with it, in the question and beside it."""
    open_ = tuple([other for other in course.put.open if other != seat])
    question = changed(course.put, open=open_, **of_question)
    course = course.but(question=question, phase="answered" if open_ else "play", **changes)
    if open_ or course.claim is None:
        return course
    claim, _seat = course.claim
    return _late(course.but(claim=None, owed=None), question.silent, claim)


# -- what is said -------------------------------------------------------------------------------------------------------


def _say(course: Course, n: int, f: Fields) -> Course:
    seat, say = f["by"], f["say"]
    course = _heard(course, seat).seat_but(seat, said=say["no"])
    match say["act"]:
        case act if SAYS[act].is_offer:
            offer = Offer(seat, act, say.get("about", 0))
            return course.but(offers={**course.offers, n: offer})
        case "agree" if "what" in say:
            agreed = {**course.pledges.get(say["what"], {}), seat: n}
            return course.but(pledges={**course.pledges, say["what"]: agreed})
        case "agree":
            return _agreed(course, n, seat, say["about"])
        case "resign":
            course = _ends(_leaves(course, seat, n), n)
            return _called_on(course) if course.phase == "called" else course
        case "claim" if course.phase == "called":
            return _called_on(_late(course, course.missing, n))
        case "claim":
            return course.but(claim=(n, seat), owed=Owed(("order", "skip"), n))
        case "leave":
            course = course.seat_but(seat, leave=course.seats[seat].leave + say["hours"])
            return course.but(owed=Owed(("extend",), n, hours=say["hours"]))
    return course


def _agreed(course: Course, n: int, seat: str, about: int) -> Course:
    offer = course.offers[about]
    offer = changed(offer, agreed={**offer.agreed, seat: n})
    course = course.but(offers={**course.offers, about: offer})
    if not completes(course, offer, seat):
        return course
    if offer.act == "draw":
        return course.but(ends=n, owed=Owed(("end",), n))
    return course.but(owed=Owed(("amend",), n, takeback=offer.about, agreed=(about, *offer.agreed.values())))


def completes(course: Course, offer: Offer, seat: str) -> bool:
    """Has every seat that plays on agreed once `seat` has?"""
    return set(course.order) - course.gone.keys() <= {offer.seat, seat, *offer.agreed}


def _leaves(course: Course, seat: str, n: int) -> Course:
    offers = {m: offer for m, offer in course.offers.items() if offer.seat != seat}
    return course.seat_but(seat, gone=n).but(offers=offers, back=(), here=None)


def _late(course: Course, seats: Iterable[str], n: int) -> Course:
    """These are out by the claim at entry n."""
    for seat in seats:
        course = _leaves(course, seat, n).seat_but(seat, late=True)
    return _ends(course, n)


def _ends(course: Course, n: int) -> Course:
    """The game may end by the statement at entry n. With one seat left it ends at once: by the rules of any game, that seat has
    won."""
    is_over = len(course.order) - len(course.gone) == 1
    return course.but(ends=n, owed=Owed(("end",), n, last=True) if is_over else course.owed)


def _extend(course: Course, n: int, f: Fields) -> Course:
    on, leave = course.on, course.owed.hours if course.owed else 0
    if on is None:
        return course
    more = changed(on, due=f["due"], added=on.added + leave)
    return course.but(owed=None, **{"call" if course.phase == "called" else "question": more})


# -- what voids a question ----------------------------------------------------------------------------------------------


def _rekey(course: Course, n: int, f: Fields) -> Course:
    seat, say = f["by"], f["say"]
    course = _heard(course, seat).seat_but(seat, said=say["no"])
    renewed = say["key"] == course.seats[seat].key
    course = _called(course, n, f, course.next_mark_of_call, maker=seat)
    course = _seated(course, seat, say, base=course.mark - 1)
    return course if renewed else course.seat_but(seat, rested=0, by_key="recovery" not in say)


def _amend(course: Course, n: int, f: Fields) -> Course:
    what = f["what"]
    if "player" in what:
        say = what["player"]["say"]
        course = _called(course, n, f, course.next_mark_of_call, maker=say["seat"], back=say["seat"])
        course = _seated(course, say["seat"], say, base=course.mark - 1)
        # what his predecessor signed he cannot name
        return course.seat_but(
            say["seat"], missed=0, late=False, rested=REST, by_key=False, answer=(-1, 0), ahead=(-1, 0), seen=-1
        )
    if TAKEBACK in what:
        point = next(p for p in course.back if p.n == what[TAKEBACK])
        for name, mark in point.marks.items():
            course = course.seat_but(name, mark=mark, put=tuple(point.put[name]))
        course = course.but(back=tuple(p for p in course.back if p.n < point.n))
    else:
        course = _void(course).but(rules=what["rules"], back=())
    return course.but(phase="play", offers={}, pledges={}, owed=None, here=None, since=n)


def _void(course: Course) -> Course:
    """The open question, if it bears a mark, was not put."""
    question = course.question
    if course.phase != "asked" or question is None or not question.mark:
        return course
    for seat in question.to:
        holder = course.seats[seat]
        course = course.seat_but(seat, mark=holder.mark - 1, put=tuple(p for p in holder.put if p[0] != question.n))
    return course


def _host(course: Course, n: int, f: Fields) -> Course:
    course = _called(course, n, f, f["mark"])
    chains = _begun(course, f["chains"])
    return course.but(
        hosts=(*course.hosts, (n, f["key"])), keys=(*course.keys, f["key"]), chains=chains,
        trees=(*course.trees, (course.dealt, f["deals"])), moved=n, moves=course.moves + 1,
    )  # fmt: skip


def _renew(course: Course, n: int, f: Fields) -> Course:
    course = _called(course, n, f, course.next_mark_of_call)
    trees = (*course.trees, (course.dealt, f["deals"])) if "deals" in f else course.trees
    return course.but(chains=_begun(course, f["chains"]), trees=trees)


def _begun(course: Course, chains: Mapping[str, str]) -> dict[str, tuple[tuple[int, str], ...]]:
    """The host's chains, those named going on from new anchors."""
    begun = {label: (*course.chains.get(label, ()), (course.indices.get(label, 0), x)) for label, x in chains.items()}
    return {**course.chains, **begun}


def _called(course: Course, n: int, f: Fields, mark: int, maker: str = "", back: str = "") -> Course:
    """5, fair 1: after a new anchor all say again that they are ready, with links that nobody has seen; the open question is void.

    Who stood ahead of others, having answered in this round, does so still. `back` is a seat that plays again.
    """
    length = course.call_length()
    on = course.call if course.phase == "called" else None
    call = Call(
        on.first if on else n, n, mark, f["at"], f.get("due", ""), length,
        makers=(*(on.makers if on else ()), *([maker] if maker else [])),
    )  # fmt: skip
    course = _void(course)
    least = min(seat.mark for seat in course.seats.values())
    seats = {
        name: changed(seat, mark=mark + seat.mark - least, is_ready=False, gone=0 if name == back else seat.gone)
        for name, seat in course.seats.items()
    }
    return course.but(
        phase="called", seats=seats, call=call, mark=mark, floor=mark, since=n, offers={}, pledges={}, back=(), here=None,
    )  # fmt: skip


def _called_on(course: Course) -> Course:
    """Continue once everybody is ready: the question is put again. After a change of host, unknown cards are dealt again first, and
    told.
    """
    return course if course.missing else course.but(phase="play" if course.moved else "told")


def _end(course: Course, n: int, f: Fields) -> Course:
    return course.but(phase="over", owed=None)


_AFTER: dict[str, Callable[[Course, int, Fields], Course]] = {
    "game": _game, "join": _join, "ready": _ready, "rand": _rand, "tell": _tell, "ask": _ask, "order": _order, "skip": _skip,
    "say": _say, "rekey": _rekey, "amend": _amend, "host": _host, "renew": _renew, "extend": _extend, "end": _end,
}  # fmt: skip


def agreed_host(fields: Fields) -> dict[str, Any]:
    """Return the content of an agreement to another host: key, anchors, the mark of the ready round, and the head to
    continue from."""
    return {"host": {name: fields[name] for name in ("chains", "deals", "key", "mark", "seen")}}


def pledged(course: Course, what: Fields) -> list[int] | None:
    """Return the entries by which every remaining seat agreed to an amendment, or None if one is missing.

    The agreement of a seat to be replaced is not needed.
    """
    found = course.pledges.get(sha256_hex(cj_read(what)), {})
    needed = set(course.order) - course.gone.keys()
    if "player" in what:
        needed.discard(what["player"]["say"]["seat"])
    return sorted(found[seat] for seat in needed) if needed <= found.keys() else None
