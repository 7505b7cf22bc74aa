"""The lines beside the chain: each asked for, without repetition, heads and receipts signed by the host (PROTOCOL 3, 7).

Decides STRAY, HEADSIG and FORK. The content of an opening or link is checked at the entry that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.errors import Fault
from pbem.i18n import N_, _
from pbem.ledger.canon import cj_read
from pbem.ledger.forms import line_fault
from pbem.ledger.keys import GOT, HEAD
from pbem.ledger.log import Attachment
from pbem.ledger.verifier.checked import Beside, Checked


class Attached:
    """Checks the attachments of one file in their order."""

    def __init__(self, c: Checked) -> None:
        self._c = c
        self._known: set[Any] = set()
        self._last_head = -1

    def check(self, line: Beside) -> None:
        """Check one attachment. Raises Fault at the last entry above the line if it may not be there."""
        f = line.attachment.fields
        if not line.well_formed:
            raise self._fault(line, "FORM", _("A line beside the chain is malformed: {fault}.", fault=line_fault(f)))
        match f[0]:
            case "seal":
                self._seal(line)
            case "link":
                self._link(line, f)
            case "head":
                self._head(line, f)
            case _:
                self._receipt(line, f)

    def check_end(self) -> None:
        """2: the last signed head of a file covers its last entry."""
        n = self._c.entries[-1].n
        if self._last_head < n:
            reason = _(
                "No signed head covers the last entry; the last one covers entry {n}.",
                n=self._last_head,
            )
            if self._last_head < 0:
                reason = _("The file contains no signed head.")
            raise Fault(n, "HEADSIG", "supplier", reason)

    def _fault(self, line: Beside, code: str, reason: str) -> Fault:
        return Fault(line.after, code, "supplier", reason)

    def _blame_if(self, wrong: object, line: Beside, code: str, reason: str, /, **values: object) -> None:
        if wrong:
            raise self._fault(line, code, _(reason, name=_name(line), **values))

    def _once(self, line: Beside, key: Any) -> None:
        """3: none repeated."""
        self._blame_if(key in self._known, line, "STRAY", N_("{name} occurs in the file twice."))
        self._known.add(key)

    def _of_this_game(self, line: Beside) -> None:
        """3: G is always this game's."""
        self._blame_if(line.attachment.fields[1] != self._c.game, line, "STRAY", N_("{name} belongs to another game."))

    def _seal(self, line: Beside) -> None:
        # 2: an attachment stands anywhere after the entry that asks for it
        self._blame_if(
            line.digest not in self._c.bearers, line, "STRAY", N_("{name} fits no seal of the entries above it.")
        )
        self._once(line, line.digest)

    def _link(self, line: Beside, f: list[Any]) -> None:
        self._of_this_game(line)
        self._blame_if(
            f[2] == "pub" or (f[2], f[3]) not in self._c.events,
            line,
            "STRAY",
            N_("{name} belongs to no random event above it."),
        )
        self._once(line, (f[2], f[3]))

    def _head(self, line: Beside, f: list[Any]) -> None:
        c, n, h = self._c, f[2], f[3]
        self._of_this_game(line)
        c.work.signatures += 1
        self._blame_if(
            not c.check_sig(c.host_at(n), HEAD, _message(line), f[4]),
            line,
            "HEADSIG",
            N_("The head over entry {n} is not signed by the host."),
            n=n,
        )
        self._once(line, (n, h))
        if n >= len(c.entries) or c.entries[n].hash != h:
            # 7: a valid head that does not fit is HEADSIG, unless the file holds another valid head for the same n
            if any(head.fields[3] != h and _signed(c, head, c.host_at(n)) for head in c.heads.get(n, ())):
                raise Fault(line.after, "FORK", "host", _("The host signed two different heads over entry {n}.", n=n))
            raise self._fault(line, "HEADSIG", _("The signed head over entry {n} does not fit this file.", n=n))
        self._blame_if(n > line.after, line, "STRAY", N_("The head over entry {n} comes before that entry."), n=n)
        self._last_head = max(n, self._last_head)

    def _receipt(self, line: Beside, f: list[Any]) -> None:
        c, digest = self._c, f[2]
        self._of_this_game(line)
        signed = c.signed.get(digest)
        c.work.signatures += 1
        self._blame_if(
            not c.check_sig(c.host_at(signed.n) if signed else c.course.host, GOT, _message(line), f[4]),
            line,
            "HEADSIG",
            N_("A receipt is not signed by the host."),
        )
        self._blame_if(signed is None, line, "STRAY", N_("A receipt names nothing signed that is logged above it."))
        self._once(line, digest)


def _name(line: Beside) -> str:
    f = line.attachment.fields
    match f[0]:
        case "seal":
            return _("The opening of “{name}” ({who}, {n})", name=f[4], who=f[2], n=f[3])
        case "link":
            return _("Link {i} of {label}", i=f[3], label=f[2])
        case "head":
            return _("The head over entry {n}", n=f[2])
        case _:
            return _("The receipt for the order {digest}…", digest=f[2][:12])


def _message(line: Beside) -> bytes:
    """What the host signed: the line, which is canonical, without its last field, a signature of 88 letters."""
    return line.attachment.line[:-92] + b"]"


def covered(c: Checked, n: int) -> bool:
    """Whether a valid head of the current host covers entry n: then that host made the entry as it is.

    A host who takes over counts only once the `host` entry has been found valid, because anybody can make a key and sign.
    """
    return any(_heads(c, n, len(c.entries), c.course.host))


def signs(c: Checked, n: int) -> bool:
    """Whether the host in office has signed the head over entry n itself."""
    return any(_heads(c, n, n + 1, c.course.host))


def _heads(c: Checked, first: int, until: int, key: str) -> Iterator[int]:
    """The entries from `first` on and before `until` over which a valid head signed by that key fits."""
    for n in range(first, min(until, len(c.entries))):
        for head in c.heads.get(n, ()):
            if head.fields[3] == c.entries[n].hash and _signed(c, head, key):
                yield n


def _signed(c: Checked, head: Attachment, key: str) -> bool:
    c.work.signatures += 1
    return c.check_sig(key, HEAD, cj_read(head.fields[:4]), head.fields[4])
