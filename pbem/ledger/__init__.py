"""Logs: bytes, entries, chain, keys, seals, dice and the file format (docs/reference/log-format.md).

Knows no game's rules, no mail, no database and no clock, and never reads the system's randomness: roots are passed in.
"""

from __future__ import annotations

from pbem.ledger.aloud import to_compare
from pbem.ledger.canon import Json, cj, read_line, same, sha256_hex
from pbem.ledger.chains import (
    DEAL_LENGTH,
    PRIV_LENGTH,
    PUB_LENGTH,
    SEAT_LENGTH,
    HashChain,
    Root,
    chain_length,
    link,
    links_down,
    player_root,
)
from pbem.ledger.choices import choices, held_for, hold_of
from pbem.ledger.complaint import complaint
from pbem.ledger.copies import merge, redact
from pbem.ledger.course import (
    AGREED_DRAW,
    REACH,
    Course,
    Objection,
    after,
    agreed_host,
    check,
    objection,
    pledged,
    waits,
)
from pbem.ledger.course.times import longest
from pbem.ledger.entries import PROTO
from pbem.ledger.evidence import ExportedSig, export_sig, write_evidence
from pbem.ledger.fields import plus_hours, plus_seconds
from pbem.ledger.forms import entry_fault, json_schema, line_fault
from pbem.ledger.keys import (
    ADDRESS,
    COPY,
    DOOR,
    GOT,
    HEAD,
    MOVE,
    POST,
    PRESS,
    REQUEST,
    SAY,
    TIME,
    PrivateKey,
    armor,
    check_key_line,
    fingerprint,
    verify_sig,
)
from pbem.ledger.line_ends import repaired, with_repaired
from pbem.ledger.log import Attachment, Entry, Log, host_at, make_attachment, make_entry, place_of
from pbem.ledger.seals import salt_from, seal
from pbem.ledger.statements import SAYS, TAKEBACK, sealed_under
from pbem.ledger.stream import Stream, event_key, outcome
from pbem.ledger.telling import heard, own_part, seen
from pbem.ledger.tree import Deals
from pbem.ledger.verifier import (
    CODES,
    Checked,
    Progress,
    Verdict,
    Watch,
    host_fault,
    verify,
    verify_checked,
    without_cycles,
)

__all__ = [
    "ADDRESS",
    "AGREED_DRAW",
    "CODES",
    "COPY",
    "DEAL_LENGTH",
    "DOOR",
    "GOT",
    "HEAD",
    "MOVE",
    "POST",
    "PRESS",
    "PRIV_LENGTH",
    "PROTO",
    "PUB_LENGTH",
    "REACH",
    "REQUEST",
    "SAY",
    "SAYS",
    "SEAT_LENGTH",
    "TAKEBACK",
    "TIME",
    "Attachment",
    "Checked",
    "Course",
    "Deals",
    "Entry",
    "ExportedSig",
    "HashChain",
    "Json",
    "Log",
    "Objection",
    "PrivateKey",
    "Progress",
    "Root",
    "Stream",
    "Verdict",
    "Watch",
    "after",
    "agreed_host",
    "armor",
    "chain_length",
    "check",
    "check_key_line",
    "choices",
    "cj",
    "complaint",
    "entry_fault",
    "event_key",
    "export_sig",
    "fingerprint",
    "heard",
    "held_for",
    "hold_of",
    "host_at",
    "host_fault",
    "json_schema",
    "line_fault",
    "link",
    "links_down",
    "longest",
    "make_attachment",
    "make_entry",
    "merge",
    "objection",
    "outcome",
    "own_part",
    "place_of",
    "player_root",
    "pledged",
    "plus_hours",
    "plus_seconds",
    "read_line",
    "redact",
    "repaired",
    "salt_from",
    "same",
    "seal",
    "sealed_under",
    "seen",
    "sha256_hex",
    "to_compare",
    "verify",
    "verify_checked",
    "verify_sig",
    "waits",
    "with_repaired",
    "without_cycles",
    "write_evidence",
]
