"""The upper bound on how often a host and one player together could have chosen between dice that they knew.

Nobody can choose a die. But two who collude know the next dice in advance, and can sometimes get others instead. They can leave a
marked question unanswered, accept a late answer, or take another key, chain, player or host. Each gives at most one bit. The count
is only an upper bound, not a sign of misconduct.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.ledger.course import Course
from pbem.ledger.statements import TAKEBACK

CHOICES = ("skips", "late", "keys", "players")
"""The events that give a seat, or the host, one bit each: marked questions skipped for time or answered late, and changes of key,
chain or player."""
NONE = ("takebacks", "extensions", "holds")
"""Counted events that give no bits; `holds` are extensions because a mail of the seat could not be read."""
_HOLD = re.compile(r"a mail of ([a-z0-9_]{1,40}) could not be read", re.ASCII)


def hold_of(seat: str) -> str:
    """Return the `why` of an extension because a mail of a seat could not be read: the same in every language."""
    return f"a mail of {seat} could not be read"


def held_for(why: str) -> str:
    """Return the seat that sent unreadable mail, by the `why` of an extension; "" for every other `why`."""
    found = _HOLD.fullmatch(why)
    return found[1] if found else ""


def choices(steps: Iterable[tuple[Course, Mapping[str, Any]]]) -> dict[str, dict[str, int]]:
    """Return the choices in a log by seat: how many of each kind, and at most how many `bits` they gave.

    "host" is included if another host took over or chains were renewed. `steps` are the fields of each entry with the course before
    it. The log has been verified.
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
