"""First pass: bytes and chain of the whole file (PROTOCOL 2 and 7), and who answers for a malformed entry.

Decides whether the file is lines of canonical JSON whose entries follow each other. The content of entries is checked afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pbem.errors import Fault, FormError
from pbem.i18n import _
from pbem.ledger.canon import cj, read_line, sha256_hex
from pbem.ledger.forms import is_line, read_as_usual
from pbem.ledger.keys import HEAD, check_key_line, verify_sig
from pbem.ledger.line_ends import is_whole
from pbem.ledger.log import ZERO, Attachment, Entry
from pbem.ledger.verifier.checked import Beside, Checked


def object_in(line: bytes) -> dict[str, Any]:
    """Read the line of an entry. Raises FormError."""
    value = read_line(line)
    if not isinstance(value, dict):
        raise FormError(_("an object was expected"))
    return value


def chained(
    data: bytes,
    head: tuple[int, str],
    fields_of: Callable[[bytes, int], dict[str, Any] | None],
    blamed: Callable[[list[bytes], int, int], tuple[int, str]] = lambda _lines, _at, n: (n, "supplier"),
) -> Iterator[Entry]:
    """Yield the entries of a file, or of its continuation after a head. Raises Fault: FORM or CHAIN.

    `fields_of` parses a line as entry n, and keeps an attachment for itself (returning None). For an unreadable line, `blamed`
    returns the entry and the party at fault, given the lines, the line's index and its entry.
    """
    last, prev = head
    lines = data.split(b"\n")
    end = lines.pop()
    for number, line in enumerate(lines):
        n = last + 1
        try:
            value = fields_of(line, n)
        except FormError as why:
            entry, party = blamed(lines, number, n)
            raise Fault(entry, "FORM", party, _("Line {number}: {why}.", number=number + 1, why=why)) from None
        if value is None:
            continue
        # 2: entry n bears n and h_{n-1}; 64 zeros for n = 0
        if type(value.get("n")) is not int or value["n"] != n or value.get("prev") != prev:
            said = _("Line {number} does not follow entry {n}: the chain breaks here.", number=number + 1, n=last)
            raise Fault(n, "CHAIN", "supplier", said)
        last, prev = n, sha256_hex(line)
        yield Entry(n, prev, value, line)
    if end:
        raise Fault(
            max(last, 0),
            "FORM",
            "supplier",
            _("The file ends in the middle of a line: it was cut off.")
            if not is_whole(end)
            else _("The last line does not end in a line feed."),
        )
    if last < 0:
        raise Fault(0, "FORM", "supplier", _("The file is empty."))


def read_file(data: bytes, c: Checked) -> None:
    """Reads every line of a file, or of its new part, into `c`. Raises Fault FORM or CHAIN at the first that does not fit."""
    entries, beside, openings = c.entries, c.beside, c.openings

    def fields_of(line: bytes, n: int) -> dict[str, Any] | None:
        value = read_as_usual(line)
        well_formed = value is not None
        if value is None:
            value = read_line(line)
        if isinstance(value, dict):
            return value
        if not isinstance(value, list):
            raise FormError(_("a line is an object or an array"))
        if not n:
            raise FormError(_("the file begins with an attachment; entry 0 was expected"))
        attachment, digest = Attachment(value, line), ""
        if not (well_formed := well_formed or is_line(value)):
            pass
        elif value[0] == "seal":
            digest = sha256_hex(line)
            openings.setdefault(digest, attachment)
        elif value[0] == "link" and value[2] != "pub":
            c.links.setdefault((value[2], value[3]), value[4])
        elif value[0] == "head" and value[1] == entries[0].hash:
            c.heads.setdefault(value[2], []).append(attachment)
        beside.append(Beside(n - 1, attachment, well_formed, digest))
        return None

    def blamed(lines: list[bytes], at: int, n: int) -> tuple[int, str]:
        # 7: an attachment's fault is reported at the last entry above it
        if lines[at][:1] == b"[":
            return max(n - 1, 0), "supplier"
        return n, "host" if covered_by_head(lines, at, n, c) else "supplier"

    for entry in chained(data, c.head or (-1, ZERO), fields_of, blamed):
        entries.append(entry)


def covered_by_head(lines: list[bytes], at: int, n: int, c: Checked) -> bool:
    """Whether the line at index `at`, as entry n, is covered by an intact chain and a valid head of this host.

    If so, the host made it as it is (7); otherwise the supplier of the file may have altered it.
    """
    first = _readable(lines[0])
    host = first.get("host") if isinstance(first, dict) else None
    for line in lines[1:at]:
        if line.startswith(b"{") and isinstance(value := _readable(line), dict) and value.get("k") == "host":
            host = value.get("key")
    try:
        check_key_line(host if isinstance(host, str) else "")
    except FormError:
        return False
    game = sha256_hex(lines[0])
    hashes = {n: sha256_hex(lines[at])}
    fits, m = True, n
    for line in lines[at + 1 :]:
        value = _readable(line)
        if isinstance(value, dict) and value.get("k") == "host" and fits:
            return False  # from here on another host signs, who has written nothing of this
        if isinstance(value, dict) and fits:
            fits = value.get("prev") == hashes[m]
            if fits:
                m += 1
                hashes[m] = sha256_hex(line)
        elif isinstance(value, list) and _is_head(value, game) and hashes.get(value[2]) == value[3]:
            c.work.signatures += 1
            if verify_sig(str(host), HEAD, cj(value[:4]), value[4]):
                return True
    return False


class Break(NamedTuple):
    """A break in the chain at an entry.

    `number` is the entry's own number. `above` and `here` say whether the entry above and this one are as the host signed them.
    `follows` says whether this entry's `prev` matches the entry above.
    """

    number: int | None
    above: bool
    here: bool
    follows: bool


def broken(data: bytes, n: int) -> Break:
    """Return what the signed heads of a file tell of its chain, which breaks between the entries n - 1 and n."""
    lines, c = data.split(b"\n"), Checked()
    places = [at for at, line in enumerate(lines) if line.startswith(b"{")]
    above, here = places[n - 1], places[n]
    fields = read if isinstance(read := _readable(lines[here]), dict) else {}
    number = fields.get("n")
    return Break(
        number if type(number) is int else None,
        covered_by_head(lines[:here], above, n - 1, c),
        number == n and covered_by_head(lines, here, n, c),
        fields.get("prev") == sha256_hex(lines[above]),
    )


def _readable(line: bytes) -> Any:
    if line[:1] not in (b"{", b"["):
        return None
    try:
        return read_line(line)
    except FormError:
        return None


def _is_head(value: list[Any], game: str) -> bool:
    return value[:2] == ["head", game] and is_line(value)
