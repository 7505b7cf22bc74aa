"""What one hands to others when a log shows a fault (PROTOCOL 7), or to prove who signed what (PROTOCOL 4).

Decides which lines of a file are enough to show its verdict again, and writes signatures in the form that the tools of
OpenSSH check. It judges nothing itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger.canon import cj_read
from pbem.ledger.course import read
from pbem.ledger.keys import HEAD, SAY, armor
from pbem.ledger.log import Log, host_at, is_signed
from pbem.ledger.verifier import Verdict, verify, verify_checked

_READ_ME = """The evidence for: {reason}

verdict.json         entry, code and party
evidence.pbem        the log up to the first signed head over entry {entry}, with the openings that
                     show the fault; “pbem verify evidence.pbem” finds it again
contradiction.jsonl  (two histories only) the game entry with the host's key, and two heads, both
                     signed by that key, over one entry number

Codes and forms are described in the log format's reference page; any other checker will do as well.
"""


_NEAR = 8
"""The first ends are tried one after the other, up to this number; then the distance doubles each time."""


def write_evidence(data: bytes, verdict: Verdict) -> dict[str, bytes]:
    """The files that show a fault to others, by name: the shortest part of the log in which it is found again."""
    if verdict.verdict != "fault" or verdict.entry is None:
        raise UsageError(_("There is no fault to prove."))
    files = {
        "README.txt": _READ_ME.format(reason=verdict.reason, entry=verdict.entry).encode(),
        "verdict.json": json.dumps(verdict.to_json(), indent=1, ensure_ascii=False).encode() + b"\n",
        "evidence.pbem": next((part for part in _parts(data, verdict.entry) if _shows(part, verdict)), data),
    }
    if verdict.code == "FORK":
        files["contradiction.jsonl"] = b"".join(line + b"\n" for line in _contradiction(data))
    return files


def _contradiction(data: bytes) -> list[bytes]:
    """The game entry, and two heads over one entry number that its host signed."""
    _verdict, c = verify_checked(data)
    for n, heads in c.heads.items():
        signed = {head.fields[3]: head.line for head in heads if is_signed(head, c.host_at(n))}
        if len(signed) > 1:
            return [c.entries[0].line, *list(signed.values())[:2]]
    return []


def _shows(part: bytes, verdict: Verdict) -> bool:
    found = verify(part)
    return (found.entry, found.code, found.party) == (verdict.entry, verdict.code, verdict.party)


def _parts(data: bytes, entry: int) -> Iterator[bytes]:
    """Longer and longer beginnings of the file, each up to a head over the entry or a later one; only a few, whatever the file's
    size.

    Openings and links from further down are added, because one of them may show the fault.
    """
    lines = data.split(b"\n")
    passed, ends = -1, []
    for at, line in enumerate(lines):
        passed += line.startswith(b"{")
        if passed > entry or (passed == entry and line.startswith(b'["head",')):
            ends.append(at)
    ends = ends[:_NEAR] + [ends[2**k] for k in range(1, len(ends).bit_length()) if _NEAR <= 2**k < len(ends)]
    for at in ends:
        beside = [x for x in lines[at + 1 :] if x.startswith((b'["seal",', b'["link",'))]
        yield b"\n".join([*lines[: at + 1], b""])
        yield b"\n".join([*lines[: at + 1], *beside, b""])


class ExportedSig(NamedTuple):
    """A signature for `ssh-keygen -Y verify -f allowed_signers -I <who> -n <namespace> -s sig < message`."""

    message: bytes
    signature: str
    allowed_signers: str
    namespace: str


def export_sig(log: Log, n: int) -> ExportedSig:
    """The player's signature of entry n, or otherwise the host's head over it, in the form that OpenSSH checks.

    In the line of allowed signers, the signer's name is the seat, or “host”.
    """
    if not 0 <= n < len(log.entries):
        raise UsageError(_("This log has entries 0 to {last}; there is no entry {n}.", last=len(log.entries) - 1, n=n))
    fields = log.entries[n].fields
    if "sig" in fields:
        course = read(entry.fields for entry in log.entries[: n + (fields["k"] == "join")])
        key_line = fields["say"].get("recovery", course.seats[fields["by"]].key)
        return exported(fields["by"], key_line, SAY, cj_read(fields["say"]), fields["sig"])
    for line in log.attachments:
        if line.k == "head" and line.fields[2] == n:
            return exported("host", host_at(log.entries, n), HEAD, cj_read(line.fields[:4]), line.fields[4])
    heads = [line.fields[2] for line in log.attachments if line.k == "head" and line.fields[2] > n]
    if heads:
        raise UsageError(
            _(
                "Nobody signed entry {n} by itself; the host's signature over entry {above} covers it.",
                n=n,
                above=min(heads),
            )
        )
    raise UsageError(_("Nobody signed entry {n} by itself; no signature in this copy covers it.", n=n))


def exported(who: str, key_line: str, namespace: str, message: bytes, sig: str) -> ExportedSig:
    """A signature as OpenSSH checks it, and the line of who may have made it."""
    return ExportedSig(
        message, armor(key_line, namespace, sig), f'{who} namespaces="{namespace}" {key_line}\n', namespace
    )
