"""What a host would write who takes whatever he is given: entries added to the log of a game at a table.

`fault_of` says by what a copy shows that the last of them may not stand there, `objected` what the course says to it
without any key. So one line of a test is an attack, and beside it stands what an honest host would have taken.
"""

from __future__ import annotations

from typing import Any

from pbem.ledger import Course, Log, after, objection, verify
from pbem.ledger.fields import plus_seconds
from pbem.referee import Envelope, signed_head
from pbem.referee.table import Table

Fields = dict[str, Any]


def log_with(table: Table, *entries: Fields) -> Log:
    """Return a table's log with entries added, and the host's head over the last."""
    log = Log(table.ledger.log.lines)
    for fields in entries:
        log.append(fields)
    log.attach(signed_head(table.host_key, table.id, *log.head))
    return log


def fault_of(table: Table, *entries: Fields) -> str:
    """Return the code of the fault that lies in the last of the entries, or "" where it may stand there."""
    log = log_with(table, *entries)
    verdict = verify(log)
    if verdict.verdict in ("clean", "unfinished"):
        return ""
    assert (verdict.verdict, verdict.entry, verdict.party) == ("fault", log.head[0], "host"), verdict
    return str(verdict.code)


def objected(table: Table, *entries: Fields) -> str:
    """Return what the course alone says to the last of the entries: the code, or ""."""
    course: Course = table.course
    for fields in entries[:-1]:
        course = after(course, fields)
    found = objection(course, entries[-1])
    return found.code if found else ""


def later(table: Table, seconds: int = 0) -> str:
    """Return a moment so many seconds after the last one in the log."""
    return plus_seconds(table.course.clock, seconds)


def signed_now(table: Table, seat: str, act: str, **more: Any) -> Envelope:
    """Return what a seat signs in this moment, or the same with other fields; nobody has entered it."""
    said = {
        "act": act,
        "no": table.course.next_no(seat),
        "seen": list(table.ledger.log.head),
        "after": table.after(seat),
    }
    return table.pens[seat].say({**said, **more})


def say(table: Table, seat: str, act: str, at: str = "", **more: Any) -> Fields:
    """Return the entry by which that is said."""
    return entry(table, "say", signed_now(table, seat, act, **more), at)


def entry(table: Table, kind: str, envelope: Envelope, at: str = "", **more: Any) -> Fields:
    """Return the entry that holds what a player signed."""
    say = dict(envelope.say)
    return {"k": kind, "by": say["seat"], "say": say, "sig": envelope.sig, "at": at or later(table), **more}


def skip(table: Table, seat: str, at: str = "", why: str = "due") -> Fields:
    """Return the entry by which a seat's answer is its default."""
    question = table.course.question
    assert question
    return {"k": "skip", "to": seat, "ask": question.n, "why": why, "at": at or table.course.due}


def extend(table: Table, due: str, at: str = "", **more: Any) -> Fields:
    """Return the entry by which the host adds time to what stands open."""
    on = table.course.call if table.course.phase == "called" else table.course.question
    assert on
    return {"k": "extend", "at": at or later(table), "ask": on.n, "due": due, "why": "kindness", **more}
