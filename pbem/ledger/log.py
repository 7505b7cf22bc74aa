"""One `.pbem` file: an ordered list of chained entries and of attachments beside them (PROTOCOL 2).

Decides how a log grows and where each attachment belongs. It trusts its input no further than its bytes: whether a log is honest
is for the verifier.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, dataclass_transform

from pydantic_core import from_json

from pbem.errors import FormError, OtherFormat, UsageError
from pbem.i18n import _
from pbem.ledger.canon import MAX_LINE, cj, cj_read, read_line, sha256_hex
from pbem.ledger.entries import SIGNED_KINDS
from pbem.ledger.forms import entry_fault, line_fault, other_format, read_as_usual
from pbem.ledger.keys import HEAD, verify_sig_read
from pbem.records import dataclass

T = TypeVar("T")
ZERO = "0" * 64


@dataclass_transform(frozen_default=True)
def _line(cls: type[T]) -> type[T]:
    """Make a dataclass, frozen to the type checker alone: at run time that would make it several times as slow to make."""
    return dataclass(slots=True)(cls)


@_line
class Entry:
    """A chained entry: its number, its hash h_n, its fields and its bytes without LF."""

    n: int
    hash: str
    fields: dict[str, Any]
    line: bytes

    @property
    def k(self) -> str:
        """The kind."""
        return str(self.fields["k"])


@_line
class Attachment:
    """A line outside the chain: ["seal",…], ["link",…], ["head",…] or ["got",…]."""

    fields: list[Any]
    line: bytes

    @property
    def k(self) -> str:
        """The kind."""
        return str(self.fields[0])

    @property
    def digest(self) -> str:
        """The SHA-256 of the line: the chain's reference to a seal."""
        return sha256_hex(self.line)


def is_signed(head: Attachment, key: str) -> bool:
    """Return whether a head with a checked form is signed by this key."""
    return verify_sig_read(key, HEAD, cj_read(head.fields[:4]), head.fields[4])


Line: TypeAlias = Entry | Attachment


def make_entry(
    n: int, prev: str, fields: Mapping[str, Any], fault: Callable[[dict[str, Any]], str | None] = entry_fault
) -> Entry:
    """Entry n after the head `prev`; FormError when the fields have not the form of their kind, by which there is a `fault`."""
    whole = {**fields, "n": n, "prev": prev}
    line = cj(whole)
    if len(line) > MAX_LINE:
        raise FormError(
            _("entry {n} would have {count} bytes; {max_line} are allowed", n=n, count=len(line), max_line=MAX_LINE)
        )
    whole = read_line(line)
    if why := fault(whole):
        raise FormError(_("entry {n} ({kind}): {why}", n=n, kind=fields.get("k"), why=why))
    return Entry(n, sha256_hex(line), whole, line)


def make_attachment(fields: Iterable[Any] | bytes) -> Attachment:
    """An attachment from its fields or its line; FormError when it has not the form of its kind."""
    line = fields if isinstance(fields, bytes) else cj(list(fields))
    value = read_as_usual(line)
    if value is None:
        value = read_line(line)
        why = line_fault(value) if isinstance(value, list) else _("an attachment is an array")
        if why:
            raise FormError(_("attachment {line}: {why}", line=line[:80].decode(errors="replace"), why=why))
    return Attachment(value, line)


class Log:
    """The lines of one game in order; only `append`, `attach` and `grow` change it, and they add at the end."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.lines: list[Line] = []
        self.entries: list[Entry] = []
        self.attachments: list[Attachment] = []
        for line in lines:
            self._add(line)

    def _add(self, line: Line) -> None:
        self.lines.append(line)
        if isinstance(line, Entry):
            self.entries.append(line)
        else:
            self.attachments.append(line)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def parse(cls, data: bytes, *, known: bool = False) -> Log:
        """Reads a file; FormError names the line that is not one, or where the chain breaks. `known`: it has read these bytes."""
        log = cls()
        log.grow(data, known=known)
        return log

    def grow(self, data: bytes, *, known: bool = False) -> None:
        """Adds the lines of a file, or of its continuation, at the end: all of them, or none and FormError."""
        if not data.endswith(b"\n"):
            raise FormError(_("the file does not end in a line feed"))
        grown: list[Line] = []
        n, prev = len(self.entries), self.entries[-1].hash if self.entries else ZERO
        for number, line in enumerate(data[:-1].split(b"\n"), len(self.lines) + 1):
            try:
                if line.startswith(b"["):
                    grown.append(Attachment(from_json(line), line) if known else make_attachment(line))
                    continue
                fields = from_json(line) if known else read_line(line)
                if isinstance(fields, dict):
                    if not n and (other := other_format(fields)):
                        raise OtherFormat(other)
                    why = None if known else entry_fault(fields)
                else:
                    why = _("a line is an object or an array")
            except OtherFormat:
                raise
            except FormError as error:
                why = str(error)
            if why:
                raise FormError(_("line {number}: {why}", number=number, why=why))
            if fields["n"] != n or fields["prev"] != prev:
                raise FormError(_("line {number}: the chain breaks at entry {n}", number=number, n=n))
            grown.append(Entry(n, prev := sha256_hex(line), fields, line))
            n += 1
        for made in grown:
            self._add(made)

    def dump(self) -> bytes:
        """The file, byte for byte as it was read or grew."""
        return b"".join(line.line + b"\n" for line in self.lines)

    def append(self, fields: Mapping[str, Any]) -> Entry:
        """Chains an entry: `n` and `prev` are added to its fields."""
        entry = make_entry(len(self.entries), self.entries[-1].hash if self.entries else ZERO, fields)
        self._add(entry)
        return entry

    def attach(self, fields: Iterable[Any] | bytes) -> Attachment:
        """Adds an attachment, given as its fields or as its line."""
        attachment = make_attachment(fields)
        self._add(attachment)
        return attachment

    @property
    def game(self) -> str:
        """The game id G = h_0."""
        if not self.entries:
            raise UsageError(_("This log is empty: it names no game."))
        return self.entries[0].hash

    @property
    def head(self) -> tuple[int, str]:
        """(n, h_n) of the last entry."""
        if not self.entries:
            raise UsageError(_("This log is empty: it has no head."))
        return self.entries[-1].n, self.entries[-1].hash

    @property
    def finished(self) -> bool:
        """Whether the last entry is `end`."""
        return bool(self.entries) and self.entries[-1].k == "end"

    def cut(self, n: int) -> Log:
        """The log as it was after entry n: all entries up to n, and the attachments before the next entry."""
        return Log(itertools.takewhile(lambda line: not (isinstance(line, Entry) and line.n > n), self.lines))

    def tidy(self) -> Log:
        """The export: each attachment right after the entry that asks for it, in a fixed order, once."""
        place = place_of(self.entries)
        return arrange(self.entries, ((where[0], where, a) for a in self.attachments if (where := place(a))))


Place: TypeAlias = tuple[int, int]
"""The entry that asks for an attachment, and the attachment's rank among all that this entry asks for."""

_LAST = 1 << 20


def seal_order(entry: Mapping[str, Any]) -> list[str]:
    """The names of an entry's seals in the order in which their lines follow it: req, places by number, state last."""
    seals = entry["say"]["seals"] if entry["k"] == "order" else entry.get("seals", {})
    return sorted(
        seals, key=lambda name: (name == "state", name != "req", len(name) if name[1:].isdigit() else 0, name)
    )


def place_of(entries: Iterable[Entry]) -> Callable[[Attachment], Place | None]:
    """Return a function that returns an attachment's place among these entries, or None if no entry calls for it."""
    asked: dict[tuple[Any, ...], Place] = {}
    for entry in entries:
        fields, n = entry.fields, entry.n
        asked["head", n] = (n, _LAST)
        seals = fields["say"]["seals"] if entry.k == "order" else fields.get("seals", {})
        for rank, name in enumerate(seal_order(fields)):
            asked.setdefault(("seal", seals[name]), (n, rank))
        if entry.k == "rand" and fields["chain"] != "pub":
            of_deal = fields["chain"].startswith(("deal:", "anew:"))
            asked.setdefault(("link", fields["chain"], fields["i"]), (n, -1 if of_deal else 1))
        if entry.k in SIGNED_KINDS:
            asked.setdefault(("got", sha256_hex(cj_read(fields["say"]))), (n, _LAST - 1))

    def place(attachment: Attachment) -> Place | None:
        f = attachment.fields
        match f[0]:
            case "seal":
                return asked.get(("seal", attachment.digest))
            case "link":
                return asked.get(("link", f[2], f[3]))
            case _:
                return asked.get((f[0], f[2]))

    return place


def arrange(entries: Iterable[Entry], after: Iterable[tuple[int, Place, Attachment]]) -> Log:
    """The entries, each followed by the attachments released there, sorted by place and without duplicates."""
    released: dict[int, list[tuple[Place, bytes, Attachment]]] = {}
    seen = set()
    for n, place, attachment in after:
        if attachment.line not in seen:
            seen.add(attachment.line)
            released.setdefault(n, []).append((place, attachment.line, attachment))

    def lines() -> Iterator[Line]:
        for entry in entries:
            yield entry
            yield from (attachment for *_order, attachment in sorted(released.get(entry.n, []), key=lambda x: x[:2]))

    return Log(lines())


def host_at(entries: Sequence[Entry], n: int) -> str:
    """The key line of the host in charge at entry n."""
    moves = [entry.fields["key"] for entry in entries[: n + 1] if entry.k == "host"]
    return str(moves[-1] if moves else entries[0].fields["host"])
