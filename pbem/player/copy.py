"""A player's copy of one game: it grows by the lines that mails bring, and is verified as it grows.

Lines are added only where they continue the copy; what contradicts it is a fork, and refused with the evidence named.
"""

from __future__ import annotations

import json
from pathlib import Path

from pbem.errors import Fault, FormError, RecordError, UsageError
from pbem.ledger import Log, Verdict, Watch, verify
from pbem.reports.told import Story, Told


class Copy:
    """The file `path`, held in memory as long as the desk is open."""

    def __init__(self, path: Path, seat: str) -> None:
        self.path, self.seat = path, seat
        self.log = Log()
        self._story = Story(seat)
        self._watch: Watch | None = Watch(seat)
        self._watched = 0
        self._have: set[bytes] = set()
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]  # a line that was cut off while it was written comes again with its mail
        self._size = len(whole)
        if whole:
            self.log.grow(whole)
            self._have.update(whole.splitlines())

    def tells(self) -> list[Told]:
        """Return all that this seat has been told."""
        return self._story.follow(self.log)

    def grow(self, data: bytes) -> int:
        """Add the lines that are new, all or none; return the entry after which the lines began."""
        more: list[bytes] = []
        since: int | None = None
        for line in data.splitlines():
            value = _read(line)
            if isinstance(value, dict):
                n = value.get("n")
                if not isinstance(n, int):
                    raise FormError("The mail holds a line that is no entry of a log.")
                since = n - 1 if since is None else since
                if 0 <= n < len(self.log.entries) and self.log.entries[n].line != line:
                    raise RecordError(
                        f"FORK: the mail holds another entry {n} than your copy. The host has shown two histories; keep "
                        f"this mail and {self.path.name}, they are the evidence."
                    )
                if n > len(self.log.entries) + sum(m.startswith(b"{") for m in more):
                    raise UsageError(
                        f"The mail begins at entry {n}, your copy ends before it: an earlier mail is missing."
                    )
            if line not in self._have:
                more.append(line)
        if more:
            grown = b"".join(line + b"\n" for line in more)
            self.log.grow(grown)
            self._have.update(more)
            self._write(grown)
        return len(self.log.entries) - 1 if since is None else since

    def _write(self, grown: bytes) -> None:
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.truncate(self._size)
            file.seek(self._size)
            file.write(grown)
        self._size += len(grown)

    def verdict(self) -> Verdict:
        """Verify the copy: what it has grown by, and where that finds a fault, the whole of it for the verdict."""
        lines = self.log.lines[self._watched :]
        if self._watch is not None:
            try:
                if lines:
                    self._watch.grow(b"".join(line.line + b"\n" for line in lines))
                    self._watched = len(self.log.lines)
            except Fault:
                self._watch = None
            else:
                if self.log.finished:
                    return Verdict(
                        "clean", None, None, None, "The game is over and your copy is in order.", self.log.head
                    )
                return Verdict(
                    "unfinished", None, None, None, "The game is on; so far your copy is in order.", self.log.head
                )
        return verify(self.log, self.seat)


def _read(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise FormError("The lines of the mail are damaged; ask for the mail again.") from error
