"""A complaint between two players without a host: one of them brings evidence, and anybody can judge it against a log.

It decides what a letter, or evidence kept by a program, proves by the log: a faulty turn, two turns for one place, or nothing. Two
players have no receipts, so nobody can prove that a letter was sent or read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pbem.errors import Fault, FormError
from pbem.i18n import N_, _
from pbem.ledger.canon import read_line, same
from pbem.ledger.complaint import Unproven, unproven_if
from pbem.ledger.first_line import WORD, WORDS
from pbem.ledger.log import ZERO, Entry
from pbem.ledger.verifier.verdict import Verdict

from .checking import checked, lines_of, verify_pair_checked
from .course import PairCourse
from .papers import COMMON, NO_PAPERS, SECRET, Papers


class Complained(NamedTuple):
    """The result of a complaint, and the log that proves it to others, including the lines brought if those are at fault."""

    verdict: Verdict
    shows: bytes


def complaint_of_two(log: bytes, brought: bytes, judged: Callable[[bytes, Papers], Verdict]) -> Complained:
    """Judge lines from a letter or kept evidence against a log of two; `judged` audits a log that continues with them.

    Papers among the lines show what only one seat can see: its secret, or the common key. Lines that the log already has are
    `unfounded`; lines that prove nothing without the secrets are `cannot_judge`. A log that is itself at fault gets its own
    verdict, whatever else somebody signed.
    """
    papers, own = Papers.of(brought), judged(log, NO_PAPERS)
    if own.verdict == "fault":
        return Complained(own, log)
    _verified, course, entries = verify_pair_checked(log)
    head = course.head
    try:
        n, lines = _behind(entries, brought)
        if not lines and not papers.lines:
            why = _("All of the evidence is already in the log, unchanged.")
            return Complained(Verdict("unfounded", None, None, None, why, head), log)
        shows = b"".join(entry.line + b"\n" for entry in entries[:n]) + lines
        if n < len(entries):
            return Complained(_other_turn(entries, n, lines, head), shows)
        found = judged(shows, papers)
    except Unproven as unproven:
        return Complained(Verdict("cannot_judge", None, None, None, str(unproven), head), log)
    if found.verdict == "unfinished":
        why = _(
            "The signatures, seals, links and decks of the evidence are in order, and so is everything "
            "that all can work out. If a player's program refuses it, the reason is something that only "
            "its seat knows. That player may be able to prove it (“pbem say prove”). When both have "
            "shown their secrets, “pbem audit” says who was right."
        )
        return Complained(Verdict("cannot_judge", None, None, None, why, found.head), shows)
    if found.verdict == "clean":
        why = _("The evidence ends the game, and everything in it is in order.")
        return Complained(Verdict("unfounded", None, None, None, why, found.head), shows)
    return Complained(found, shows)


def _behind(entries: Sequence[Entry], brought: bytes) -> tuple[int, bytes]:
    """Return the lines that the log has not got just so, and the number of the first: none where it has all of them."""
    read = [(line, _fields(line)) for line in brought.split(b"\n") if line]
    turns = [(line, fields) for line, fields in read if fields.get("do") not in (WORD, WORDS, SECRET, COMMON)]
    unproven_if(
        not read,
        N_(
            "The evidence contains no line of a log. Save the whole mail with its attachment, or only "
            "the attached file (….pbem), and give that."
        ),
    )
    unproven_if(
        not turns and not Papers.of(brought).lines,
        N_(
            "Words are not part of a log: nobody can tell whether a player had read them before he "
            "signed his turn. Words that a turn quotes are in the turn."
        ),
    )
    for place, (line, fields) in enumerate(turns):
        n = fields.get("n")
        if type(n) is not int or not 0 <= n <= len(entries):
            why = N_(
                "The evidence does not connect to the log, which ends with entry {last}. Give the whole log "
                "of the other player (“pbem copy” sends it)."
            )
            raise Unproven(_(why, last=len(entries) - 1))
        if n < len(entries) and entries[n].line == line:
            continue
        unproven_if(
            fields.get("prev") != (entries[n - 1].hash if n else ZERO) or not n,
            N_("The evidence is from another game, or continues from another entry {n}."),
            n=max(n - 1, 0),
        )
        return n, b"".join(one + b"\n" for one, _said in turns[place:])
    return len(entries), b""


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = read_line(line)
    except FormError as why:
        raise Unproven(_("The evidence is damaged ({why}). Give it again as it came.", why=why)) from None
    return fields if isinstance(fields, dict) else {}


def _other_turn(entries: Sequence[Entry], n: int, lines: bytes, head: tuple[int, str]) -> Verdict:
    """Return the verdict on a different entry in place of one of the log."""
    course = PairCourse()
    for entry in entries[:n]:
        course = checked(course, entry)
    try:
        other = lines_of(lines.split(b"\n", 1)[0] + b"\n", course.head)[0]
        checked(course, other)
    except Fault as found:
        return Verdict.of(found, head)
    ours = entries[n]
    unproven_if(
        "join" in (ours.k, other.k),
        N_("Two have joined by one invitation. Anybody can sign a join: these are two games."),
    )
    if same(ours.fields["say"], other.fields["say"]):
        why = _("It says the same as entry {n} of the log.", n=n)
        return Verdict("unfounded", n, None, None, why, head)
    why = _("{seat} has signed two different turns behind the same entry.", seat=ours.fields["by"])
    return Verdict.of(Fault(n, "FORK", ours.fields["by"], why), head)
