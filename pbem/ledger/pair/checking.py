"""The verifier of logs of two: everything that such a file proves without a game's rules, and who is at fault.

It first checks the bytes and the chain of the whole file, then the form, signature, place and content (`course`) of each entry. The
first fault wins. A fault in signed content is the signer's, if it was signed for this place: anybody can copy here a statement that
was signed elsewhere. A join is signed by a key that it names itself, so its faults are nobody's either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pbem.errors import Fault, FormError, UsageError
from pbem.i18n import _
from pbem.ledger.canon import cj_read, same
from pbem.ledger.evidence import ExportedSig, exported
from pbem.ledger.keys import SAY, verify_sig
from pbem.ledger.log import ZERO, Entry
from pbem.ledger.pair.course import SUPPLIER, PairCourse, after, check_place, signer
from pbem.ledger.pair.forms import malformed
from pbem.ledger.pair.shown import ShownNumbers
from pbem.ledger.shuffle import ShuffleProofs
from pbem.ledger.verifier.lines import chained, object_in
from pbem.ledger.verifier.verdict import Outcome, Verdict


def lines_of(data: bytes, head: tuple[int, str] = (-1, ZERO)) -> list[Entry]:
    """Read the lines of a file, or of what it has grown by behind a head. Raises Fault, the supplier's."""
    return list(chained(data, head, lambda line, _number: object_in(line)))


def check_signed(course: PairCourse, entry: Entry) -> None:
    """Check the form, signature and place of the next entry, but not its content. Raises Fault."""
    fields, n = entry.fields, entry.n
    if n == 0:
        if why := malformed("game", fields):
            raise Fault(0, "FORM", SUPPLIER, _("Entry {n} is malformed: {why}.", n=0, why=why))
        return
    # what surrounds the signature is anybody's, what lies under it the signer's
    if why := malformed("envelope", fields):
        raise Fault(n, "FORM", SUPPLIER, _("Entry {n} is malformed: {why}.", n=n, why=why))
    if not _is_signed(signer(course, fields), fields):
        raise Fault(n, "SIG", SUPPLIER, _("The signature of entry {n} is not that of {seat}.", n=n, seat=fields["by"]))
    check_place(course, fields)
    if why := malformed(fields["k"], fields):
        party = SUPPLIER if fields["k"] == "join" else fields["by"]
        raise Fault(n, "FORM", party, _("Entry {n} is malformed: {why}.", n=n, why=why))


def _is_signed(key: str, fields: Mapping[str, Any]) -> bool:
    try:
        return verify_sig(key, SAY, cj_read(fields["say"]), fields["sig"])
    except FormError:
        return False


def checked(course: PairCourse, entry: Entry) -> PairCourse:
    """Judge an entry that follows, and return the course behind it. Raises Fault."""
    check_signed(course, entry)
    return after(course, entry)


def read_pair(data: bytes) -> tuple[PairCourse, list[Entry]]:
    """Read a whole log and check everything that needs no rules. Raises Fault."""
    course, entries, fault = _read(data)
    if fault is not None:
        raise fault
    return course, entries


def _read(data: bytes) -> tuple[PairCourse, list[Entry], Fault | None]:
    """Read a whole log and judge it; return its course, up to the first fault, its entries, and that fault."""
    try:
        entries = lines_of(data)
    except Fault as found:
        return PairCourse(), [], found
    course, fault = ShuffleProofs.judge(partial(_judged, entries))
    return course, entries, fault


def _judged(entries: Sequence[Entry], proofs: ShuffleProofs | None) -> tuple[PairCourse, Fault | None]:
    """Judge the entries of a whole log; return how far it has come, and the first fault."""
    course = PairCourse(shown=ShownNumbers(entries), proofs=proofs)
    try:
        for entry in entries:
            course = checked(course, entry)
    except Fault as found:
        return course, found
    return course, None


def united(one: bytes, other: bytes) -> bytes:
    """Return the longer of two copies of one game. Raises Fault FORK, by the seat that has signed the two turns."""
    shorter, longer = sorted((one, other), key=len)
    entries = [read_pair(data)[1] for data in (shorter, longer)]
    if longer.startswith(shorter):
        return longer
    if entries[0][0].hash != entries[1][0].hash:
        raise UsageError(_("These are copies of two games."))
    for a, b in zip(*entries, strict=False):
        if a.hash == b.hash:
            continue
        if "join" in (a.k, b.k):
            raise UsageError(_("These are copies of two games."))  # who joins in whose name, nobody can tell
        if same(a.fields["say"], b.fields["say"]):
            break  # signed twice, and the same: then what follows cannot be told apart by anything that was said
        why = _("{seat} has signed two different turns behind the same entry.", seat=a.fields["by"])
        raise Fault(a.n, "FORK", a.fields["by"], why)
    return longer


def export_pair_sig(data: bytes, n: int) -> ExportedSig:
    """The signature of entry n, as OpenSSH checks it; in the line of allowed signers the signer is called by his seat."""
    course, entries = PairCourse(), lines_of(data)
    if not 1 <= n < len(entries):
        last = len(entries) - 1
        raise UsageError(
            _("Entries 1 to {last} of this log are signed; there is no signature of entry {n}.", last=last, n=n)
        )
    for entry in entries[:n]:
        course = checked(course, entry)
    fields = entries[n].fields
    key = signer(course, fields)
    return exported(fields["by"], key, SAY, cj_read(fields["say"]), fields["sig"])


def verify_pair(data: bytes, called: Callable[[str], str] = str) -> Verdict:
    """Check everything in a log of two that needs no rules; `called` gives the name of a seat."""
    return verify_pair_checked(data, called)[0]


def verify_pair_checked(data: bytes, called: Callable[[str], str] = str) -> tuple[Verdict, PairCourse, Sequence[Entry]]:
    """As `verify_pair`, and gives the course, up to the fault if there is one, and the entries."""
    course, entries, fault = _read(data)
    head = (entries[-1].n, entries[-1].hash) if entries else None
    if fault is not None:
        return Verdict.of(fault, head), course, entries
    outcome: Outcome = "clean" if course.is_over else "unfinished"
    said = _("The game is finished and its log is in order.") if course.is_over else standing(course, called)
    return Verdict(outcome, None, None, None, said, head), course, entries


def standing(course: PairCourse, called: Callable[[str], str] = str) -> str:
    """Describe the state of an unfinished log: the seat to move, and since which entry."""
    if not course.baton:
        return _("So far the log is in order. A seat is free.")
    n = course.head[0]
    said = _("So far the log is in order. It is the turn of {seat}, since entry {n}.", seat=called(course.baton), n=n)
    if course.owes_opening != course.baton:
        return said
    owing = _(
        "The plans of {seat} are pledged but still sealed, although plans and a link of {other} are "
        "open. {seat} can already tell what the dice will be.",
        seat=called(course.baton),
        other=called(course.met),
    )
    return f"{said} {owing}"
