"""How much choice between dice that they knew a host and one player could have had together: counted, and never more than this.

Nobody can choose a die. But two who work together know beforehand what would fall, and can now and then bring it about
that something else falls in its place: by leaving a marked question unanswered, by taking an answer that came too late,
by another key, chain, player or host. Each gives at the most one bit: this, or that. It is no sign of a misdeed; it is the
most that there can have been."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.ledger.course import Course
from pbem.ledger.statements import TAKEBACK

CHOICES = ("skips", "late", "keys", "players")
"""What gives a seat, or the host, one bit each: answers to marked questions skipped for time, or taken late; changes of key or
chain, and of who holds the seat."""
NONE = ("takebacks", "extensions", "holds")
"""What is counted, and gives none; `holds` are extensions because a mail of the seat could not be read."""
_HOLD = re.compile(r"a mail of ([a-z0-9_]{1,40}) could not be read", re.ASCII)


def hold_of(seat: str) -> str:
    """Return the `why` of an extension because a mail of a seat could not be read: the same in every language."""
    return f"a mail of {seat} could not be read"


def held_for(why: str) -> str:
    """Return the seat whose mail could not be read, by the `why` of an extension; "" for every other `why`."""
    found = _HOLD.fullmatch(why)
    return found[1] if found else ""


def choices(steps: Iterable[tuple[Course, Mapping[str, Any]]]) -> dict[str, dict[str, int]]:
    """Return by seat, and for "host" where another took over or chains were renewed, what there was of choice in a log,
    from the fields of its entries, each with the course before it: what there was of each, and how many `bits` these gave at most.

    The log has been verified.
    """
    found: dict[str, Counter[str]] = {}
    for course, fields in steps:
        question, kind = course.question, fields["k"]
        marked = question is not None and question.mark
        match kind:
            case "game":
                found = {seat: Counter() for seat in fields["seats"]}
            case "skip" if marked and fields["why"] in ("due", "late"):
                found[fields["to"]]["skips"] += 1
            case "order" if marked and question and question.due and fields["at"] > question.due:
                found[fields["by"]]["late"] += 1
            case "rekey":
                found[fields["by"]]["keys"] += 1
            case "amend" if "player" in fields["what"]:
                found[fields["what"]["player"]["say"]["seat"]]["players"] += 1
            case "amend" if TAKEBACK in fields["what"]:
                seat = next(point.seat for point in course.back if point.n == fields["what"][TAKEBACK])
                found[seat]["takebacks"] += 1
            case "extend" if held_for(fields["why"]) in found:
                found[held_for(fields["why"])]["holds"] += 1
            case "extend" if "cause" not in fields:
                for seat in course.missing or course.waiting:
                    found[seat]["extensions"] += 1
            case "host" | "renew":
                found.setdefault("host", Counter())["players" if kind == "host" else "keys"] += 1
    return {who: _told(counted) for who, counted in found.items()}


def without_bound(found: Mapping[str, int]) -> dict[str, int]:
    """Return what there was of choice for a seat that nothing bounds: no other seat held its own key."""
    return {what: n for what, n in found.items() if what != "bits"} | {"unbounded": 1}


def _told(counted: Counter[str]) -> dict[str, int]:
    """What there was, in one order, less what there was not."""
    bits = sum(counted[what] for what in CHOICES)
    return {what: n for what in (*CHOICES, *NONE) if (n := counted[what])} | ({"bits": bits} if bits else {})
