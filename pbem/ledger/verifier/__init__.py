"""The verifier: everything that a log proves without a game's rules (PROTOCOL 1 to 5 and 7).

First pass: bytes and chain of the whole file (`lines`). The second pass goes entry by entry in file order. Per entry it checks the
form (`entries`), then turn, signature, binding, marks and links (`play`). Dice and deals (`chance`) follow, then the content and
due dates of openings (`openings`), and the attachments there (`attached`). The first fault wins.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias, TypeVar

from pbem.errors import Fault, FormError
from pbem.i18n import _, _n
from pbem.ledger.course import Course
from pbem.ledger.forms import entry_fault, other_format
from pbem.ledger.keys import check_key_line, verify_sig_read
from pbem.ledger.log import Log
from pbem.ledger.verifier.attached import Attached, covered
from pbem.ledger.verifier.batches import CheckSig, in_batches
from pbem.ledger.verifier.chance import check_sealed
from pbem.ledger.verifier.checked import Bearer, Beside, Checked
from pbem.ledger.verifier.lines import read_file
from pbem.ledger.verifier.openings import check_due, check_opening, lost_to, owners
from pbem.ledger.verifier.play import check_turn
from pbem.ledger.verifier.verdict import CODES, Verdict, host_fault

__all__ = [
    "CODES",
    "Bearer",
    "Beside",
    "Checked",
    "Progress",
    "Verdict",
    "Watch",
    "host_fault",
    "verify",
    "verify_checked",
    "without_cycles",
]

T = TypeVar("T")
Progress: TypeAlias = Callable[[int, int], None]
"""Is called with how many entries are done, and how many there are."""


def verify(data: bytes | Log, seat: str | None = None) -> Verdict:
    """Check everything in a file that needs no rules.

    `seat` is the owner of the copy, so that missing openings due to that seat are noticed; "host" is the owner of the whole file.
    By default the owner follows from the file (`openings.owners`).
    """
    with without_cycles():
        # what was learned goes before the collector is back, which would search it
        return _checked(lambda check: _verify(data, seat, Checked(check_sig=check))[0])


def verify_checked(
    data: bytes | Log,
    seat: str | None = None,
    told: Progress | None = None,
    jobs: int = 1,
    courses: bool = False,
) -> tuple[Verdict, Checked]:
    """Return the verdict of `verify`, with the facts that were learned, up to any fault.

    `told` is called after each entry with the number of entries checked and their total. `jobs` is the number of processes; the
    verdict does not depend on it. With `courses`, the course after each entry is kept.
    """

    def run(check: CheckSig) -> tuple[Verdict, Checked]:
        return _verify(data, seat, Checked(check_sig=check, courses=[] if courses else None), told)

    with without_cycles():
        if jobs > 1:
            from pbem.ledger.verifier.processes import in_processes  # a page has none

            if found := in_processes(jobs, run):
                return found
        return _checked(run)


def _checked(run: Callable[[CheckSig], T]) -> T:
    """Return the result with signatures checked in batches; if one is invalid, the result with each checked in its place."""
    found = in_batches(run)
    return run(verify_sig_read) if found is None else found


@contextmanager
def without_cycles() -> Iterator[None]:
    """Keeps the collector of cycles from searching the many values of a log: JSON has no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _verify(data: bytes | Log, seat: str | None, c: Checked, told: Progress | None = None) -> tuple[Verdict, Checked]:
    try:
        _read(data.dump() if isinstance(data, Log) else data, c)
        if reason := other_format(c.entries[0].fields):
            return Verdict("cannot_judge", None, None, None, reason, c.head), c
        c.lost_to = lost_to(c)
        _check_entries(c, Attached(c), owners(c, seat), 0, 0, told)
    except Fault as fault:
        return Verdict.of(fault, c.head), c
    if c.finished:
        return Verdict("clean", None, None, None, _in_order(c), c.head), c
    shut = c.closed_seals
    reason = _("The game is not finished; so far its log is in order.")
    if shut:
        more = _n("{n} closed seal is not judged.", "{n} closed seals are not judged.", shut)
        reason = f"{reason} {more}"
    return Verdict("unfinished", None, None, None, reason, c.head), c


def _read(data: bytes, c: Checked) -> None:
    """Reads the whole file. Unreadable parts are not the fault of a new host who never came into office."""
    try:
        read_file(data, c)
    except Fault as fault:
        if fault.party == "host" and any(entry.fields.get("k") == "host" for entry in c.entries):
            with suppress(Fault):
                _check_entries(c, Attached(c), {}, 0, 0)
            if len(c.course.hosts) <= sum(entry.fields.get("k") == "host" for entry in c.entries):
                raise Fault(fault.entry, fault.code, "supplier", fault.reason) from None
        raise


def _check_entries(
    c: Checked, attached: Attached, own: dict[str, int], first: int, beside: int, told: Progress | None = None
) -> None:
    """Checks entries from `first` on, and the lines beside them from the `beside`-th on."""
    lines = deque(c.beside[beside:])

    def check_lines(n: int) -> None:
        while lines and lines[0].after <= n:
            attached.check(lines.popleft())

    check_lines(first - 1)
    for entry in c.entries[first:]:
        try:
            # 2: unknown fields and kinds are refused
            if why := entry_fault(entry.fields):
                raise host_fault(entry, "FORM", _("Entry {n} is malformed: {why}.", n=entry.n, why=why))
            check_turn(c, entry)
        except Fault as fault:
            # 7: nothing is the host's that no valid later head of his covers
            if fault.party == "host" and not _host_made(c, entry.n):
                raise Fault(fault.entry, fault.code, "supplier", fault.reason) from None
            raise
        check_due(c, entry, own)
        check_lines(entry.n)
        if told:
            told(entry.n + 1, len(c.entries))
    attached.check_end()


def _in_order(c: Checked) -> str:
    """Return the message about a finished game, including one that changed hosts."""
    if len(c.course.hosts) < 2:
        return _("The game is finished and its log is in order.")
    seals, links = c.lost
    return _(
        "The game is finished and its log is in order. Another host took over (entry {at}). Lost "
        "with the former host, so not judged: closed seals of positions and of dealt cards that no "
        "tell names ({seals}). Also lost, so not judged: whether his deals were fair ({links}). The "
        "rules know which of those cards a player was shown: the audit asks for them.",
        at=", ".join(str(since) for since, _key in c.course.hosts[1:]),
        seals=seals,
        links=links,
    )


class Watch:
    """Verifies one seat's copy while it grows, each line once: what `verify` would find, at the cost of the new lines.

    Whether a copy is in order does not depend on how it is read; which of several faults is named may, so after a fault
    `verify` over the whole copy gives the verdict.
    """

    def __init__(self, seat: str) -> None:
        self._c = Checked()
        self._attached = Attached(self._c)
        self._own = {seat: 1 << 53}

    def grow(self, data: bytes) -> None:
        """Checks what the copy has grown by, up to a signed head; raises Fault."""
        c = self._c
        first, beside = len(c.entries), len(c.beside)
        read_file(data, c)
        late = set()
        for line in c.beside[beside:]:
            f, bearer = line.attachment.fields, c.bearers.get(line.digest)
            if bearer is not None:
                check_opening(c, bearer, line.digest)
                late.add(bearer.n)
            elif line.well_formed and f[0] == "link" and (f[2], f[3]) in c.events:
                late.add(c.events[f[2], f[3]])
        for n in sorted(late):
            if c.entries[n].k == "rand":
                check_sealed(c, c.entries[n])
        _check_entries(c, self._attached, self._own, first, beside)


def _host_made(c: Checked, n: int) -> bool:
    if not c.course.host:
        # entry 0 itself is at fault: the key it names is asked
        try:
            check_key_line(key := str(c.entries[0].fields.get("host")))
        except FormError:
            return n == 0
        c.course = Course(hosts=((0, key),))
    return covered(c, n)
