"""A player's copy of one game, which grows with the lines that mails bring, and is verified as it grows.

Lines are added only if they continue the copy and the host has signed them. Invented or damaged lines are refused, and the copy
stays as it was. Faulty lines that the host has signed are kept as evidence. A history that contradicts the copy is refused, and
its lines are saved next to the copy. A damaged file does not count as a copy, and is set aside once the host has sent it again.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem import cached, private
from pbem.errors import EarlierWanted, Fault, FormError, RecordError
from pbem.i18n import N_, _
from pbem.ledger import (
    HEAD,
    Course,
    Entry,
    Log,
    Verdict,
    Watch,
    after,
    agreed_host,
    cj,
    host_at,
    read_line,
    sha256_hex,
    verify,
    verify_sig,
)
from pbem.ledger.course import read
from pbem.ledger.forms import entry_fault
from pbem.reports import told
from pbem.reports.told import Story, Told


@contextmanager
def sense() -> Iterator[None]:
    """Turn what breaks on a report that makes no sense into a RecordError."""
    nonsense = _(
        "The host's report is signed, but it makes no sense in this game. Either your version of the "
        "rules differs from his, or he lies. Do not play on; an audit will show which."
    )
    with told.sense(nonsense):
        yield


_LOST = N_(
    "Your copy of {title}, game {game}, is not here ({copy}). Nothing is lost: “pbem resend --game {game}” asks the host for it, "
    "and “pbem read” takes what he sends."
)
_DAMAGED = N_(
    "Your copy of {title}, game {game}, is damaged ({copy}: {why}). Nothing is lost: “pbem resend --game {game}” asks the host for "
    "it, and “pbem read” puts what he sends in its place."
)


_BY = "pbem.ledger"
"""The code that finds a copy in order. A copy with one other byte, or for other code, is verified from its first line."""


class Copy:
    """The file `path`, held in memory as long as the desk is open."""

    def __init__(self, path: Path, seat: str) -> None:
        self.path, self.seat = path, seat
        self._open()

    def _open(self) -> None:
        """Read the file."""
        self.log = Log()
        self._story, self._public = Story(self.seat), Story(None)
        self._watch: Watch | None = Watch(self.seat)
        self._course, self._watched = Course(), 0
        self._have: set[bytes] = set()
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]  # a line that was cut off while it was written comes again with its mail
        self._size, self.damage = len(whole), ""
        try:
            self.log = Log.parse(whole, known=cached.is_known(_BY, "read", [whole])) if whole else Log()
            self._have.update(whole.splitlines())
            cached.note(_BY, "read", [whole])
        except FormError as why:
            self.log, self._size, self.damage = Log(), 0, str(why)

    def check_here(self, title: str, game: str) -> None:
        """Raise RecordError, saying of which game, where it is lost or damaged, and what brings it again."""
        if not self.log.entries:
            raise RecordError(
                _(_DAMAGED if self.damage else _LOST, title=title, game=game[:8], copy=self.path, why=self.damage)
            )

    @property
    def size(self) -> int:
        """The number of bytes of its file in the copy."""
        return self._size

    @property
    def course(self) -> Course:
        """How far the copy has come. Raises RecordError where what the host has signed makes no sense."""
        with sense():
            for entry in self.log.entries[self._course.next :]:
                self._course = after(self._course, entry.fields)
        return self._course

    def lines_after(self, n: int) -> bytes:
        """Return its lines from entry n + 1 on, as it grew."""
        behind = itertools.dropwhile(lambda line: not (isinstance(line, Entry) and line.n > n), self.log.lines)
        return b"".join(line.line + b"\n" for line in behind)

    def public(self) -> list[Told]:
        """Return all that the public has been told."""
        return self._public.follow(self.log)

    def tells(self) -> list[Told]:
        """Return all that this seat has been told."""
        return self._story.follow(self.log)

    def grow(self, data: bytes, agreed: str = "") -> int:
        """Add the lines that are new, all or none; return the entry after which the lines began.

        `agreed` is the digest of what this seat has agreed to last about another host, if that is still to be seen in the copy.
        """
        lines = data.removesuffix(b"\n").split(b"\n")
        entries = [line for line in lines if line.startswith(b"{")]
        numbers = [_number(line) for line in entries]
        since = numbers[0] - 1 if numbers else len(self.log.entries) - 1
        ours = {entry.n: entry.line for entry in self.log.entries[max(since, 0) :]}
        hosts = [what for line in entries if (what := _new_host(line))]
        if hosts and agreed not in ("", *hosts):
            raise RecordError(
                _(
                    "The mail continues under another host, but not in the way you last agreed to. Nothing was "
                    "taken from it. Tell the others."
                )
            )
        if any(ours.get(n, line) != line for n, line in zip(numbers, entries, strict=True)):
            if hosts:
                return self._move(lines, since, agreed)
            raise RecordError(self._another_history(lines, numbers[0]))
        if since >= len(self.log.entries):
            raise EarlierWanted(
                _(
                    "The mail begins at entry {n}, your copy ends before it: an earlier mail is missing. To have its lines once "
                    "more, write to the host a mail with the line “RESEND since {last}”.",
                    n=since + 1,
                    last=len(self.log.entries) - 1,
                )
            )
        more = [line for line in dict.fromkeys(lines) if line not in self._have]
        if more:
            grown = b"".join(line + b"\n" for line in more)
            self._check(grown, moves=bool(hosts))
            self.log.grow(grown)
            self._have.update(more)
            self._write(grown)
        return since

    def _move(self, lines: list[bytes], since: int, agreed: str) -> int:
        """Let the copy continue under another host, from entry `since` on; its later entries of the former host are kept beside it.

        All have agreed to that, including this seat; otherwise it does not belong to this game. It must be this seat's latest
        agreement, so that nobody winds the copy back by an agreement that was not used.
        """
        if self.log.finished:
            raise RecordError(
                _(
                    "According to your copy this game is over, so nobody can continue it. Tell the others about "
                    "this mail."
                )
            )
        moved = Log(itertools.takewhile(lambda line: not isinstance(line, Entry) or line.n <= since, self.log.lines))
        moved.grow(b"".join(line + b"\n" for line in lines))
        found = verify(moved, self.seat)
        if found.verdict == "fault":
            raise _no_host(found)
        if not agreed and self.seat not in read(entry.fields for entry in moved.entries).gone:
            raise RecordError(
                _(
                    "Another host continues this game from entry {n}. But your copy is longer, and you have not "
                    "agreed to that host here. If you agreed on another machine, enter the proposal here too: "
                    "“pbem welcome MAIL”.",
                    n=since,
                )
            )
        private.put(self.path.with_suffix(".former"), self.log.dump())
        private.put(self.path, moved.dump())
        self._open()
        return since

    def _check(self, grown: bytes, *, moves: bool) -> None:
        """Refuse lines that no signature of the host covers, and those that are damaged or not whole."""
        if not self.log.entries and grown.count(b"\n") == 1:
            return  # an invitation: whose key it names is compared by telephone
        if self._follows(grown):
            return
        whole = Log(self.log.lines)
        whole.grow(grown)
        found = verify(whole, self.seat)
        if found.verdict == "fault" and found.party == "supplier":
            self._watch, self._watched = Watch(self.seat), 0
            if moves:
                raise _no_host(found)
            raise RecordError(
                _(
                    "The mail is not as the host sent it, and your copy stays as it is. Entry {entry}: {reason} Ask for "
                    "the mail again.",
                    entry=found.entry,
                    reason=found.reason,
                )
            )

    def _follows(self, grown: bytes = b"") -> bool:
        """Let the watch continue over the copy's unseen part and its new lines. Return whether everything is in order."""
        if self._watch is None:
            return False
        try:
            self._watch.grow(b"".join(line.line + b"\n" for line in self.log.lines[self._watched :]) + grown)
        except Fault:
            self._watch = None
            return False
        self._watched = len(self.log.lines) + grown.count(b"\n")
        return True

    def _another_history(self, lines: list[bytes], n: int) -> str:
        """Keep the lines of a mail that contradict the copy, if the host signed them; return the message to show."""
        other = Log(itertools.takewhile(lambda line: not isinstance(line, Entry) or line.n < n, self.log.lines))
        host = host_at(self.log.entries, n)
        if any(entry.k == "host" for entry in self.log.entries[n:]):
            return _(
                "This mail is not from the present host of this game. Letters from the former host are no "
                "longer valid. Nothing was taken from it."
            )
        try:
            other.grow(b"".join(line + b"\n" for line in lines))
            (*_before, last) = (a.fields for a in other.attachments if a.k == "head")
            signed = last[2:4] == list(other.head) and verify_sig(host, HEAD, cj(last[:4]), last[4])
        except (FormError, ValueError):
            signed = False
        if not signed:
            return _(
                "From entry {n} on, the mail differs from your copy, and the host has not signed that entry. "
                "Either the mail is not from him, or it was damaged on the way. Your copy stays as it is.",
                n=n,
            )
        beside = self.path.with_suffix(".fork")
        private.put(beside, other.dump())
        return _(
            "FORK: the mail contains another history from entry {n} on, and the host has signed both. "
            "Continue with neither. {copy} and {beside} are the evidence; show them to the other players.",
            n=n,
            copy=self.path.name,
            beside=beside.name,
        )

    def _write(self, grown: bytes) -> None:
        if self.damage:
            self.path.replace(self.path.with_suffix(".damaged"))
            self.damage = ""
        with private.opened(self.path, "r+b" if self.path.exists() else "wb") as file:
            file.truncate(self._size)
            file.seek(self._size)
            file.write(grown)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(grown)

    def verdict(self) -> Verdict:
        """Verify the copy's new part; if that finds a fault, verify the whole copy for the verdict."""
        if len(self.log.lines) == 1:
            return Verdict("unfinished", None, None, None, _("The game has not begun."), self.log.head)
        if not cached.true(_BY, "in order", [self.log.dump(), self.seat], self._follows):
            return verify(self.log, self.seat)
        if self.log.finished:
            return Verdict("clean", None, None, None, _("The game is over and your copy is in order."), self.log.head)
        return Verdict(
            "unfinished", None, None, None, _("The game is on; so far your copy is in order."), self.log.head
        )


def check_lines(log: bytes, damaged: Callable[[object], RecordError]) -> None:
    """Check that the lines of a log are complete; raise the error that `damaged` makes if they are cut off or damaged."""
    try:
        for line in log.removesuffix(b"\n").split(b"\n"):
            read_line(line)
    except FormError as error:
        raise damaged(error) from error


def _new_host(line: bytes) -> str:
    """The digest of what all have to have agreed to where another host takes over with this entry, or ""."""
    value = read_line(line)
    if not isinstance(value, dict) or value.get("k") != "host" or entry_fault(value):
        return ""
    return sha256_hex(cj(agreed_host(value)))


def _no_host(found: Verdict) -> RecordError:
    return RecordError(
        _(
            "The mail says that another host continues this game, but that is not true. Your copy stays "
            "as it is. Entry {entry}, {code}: {reason}",
            entry=found.entry,
            code=found.code,
            reason=found.reason,
        )
    )


def _number(line: bytes) -> int:
    """The number of an entry of the log. Raises FormError."""
    value = read_line(line)
    n = value.get("n") if isinstance(value, dict) else None
    if type(n) is not int:
        raise FormError(_("The mail contains a line that is not an entry of a log."))
    return n
