"""What a log is: bytes, entries, chain, keys, seals, dice and the file format (PROTOCOL.md).

Knows no game's rules, no mail, no database and no clock, and never reads the system's randomness: roots are passed in.
"""

from __future__ import annotations

from pbem.ledger.canon import Json, cj, read_line, sha256_hex
from pbem.ledger.chains import (
    DEAL_LENGTH,
    PRIV_LENGTH,
    PUB_LENGTH,
    SEAT_LENGTH,
    HashChain,
    Root,
    chain_length,
    link,
    player_root,
)
from pbem.ledger.choices import Choice, choices
from pbem.ledger.complaint import complaint
from pbem.ledger.course import (
    AGREED_DRAW,
    REACH,
    Course,
    Objection,
    after,
    agreed_host,
    objection,
    pledged,
    waits,
)
from pbem.ledger.entries import FORMER, PROTO
from pbem.ledger.evidence import ExportedSig, export_sig, write_evidence
from pbem.ledger.fields import plus_hours
from pbem.ledger.forms import json_schema
from pbem.ledger.keys import (
    ADDRESS,
    COPY,
    GOT,
    HEAD,
    MOVE,
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
from pbem.ledger.log import Attachment, Entry, Log, host_at, make_attachment, make_entry, merge, place_of, redact
from pbem.ledger.seals import Seal, seal
from pbem.ledger.statements import sealed_under
from pbem.ledger.stream import Stream, event_key, outcome
from pbem.ledger.tree import Deals
from pbem.ledger.verifier import CODES, Checked, Verdict, Watch, verify, verify_checked

__all__ = [
    "ADDRESS",
    "AGREED_DRAW",
    "CODES",
    "COPY",
    "DEAL_LENGTH",
    "FORMER",
    "GOT",
    "HEAD",
    "MOVE",
    "PRESS",
    "PRIV_LENGTH",
    "PROTO",
    "PUB_LENGTH",
    "REACH",
    "REQUEST",
    "SAY",
    "SEAT_LENGTH",
    "TIME",
    "Attachment",
    "Checked",
    "Choice",
    "Course",
    "Deals",
    "Entry",
    "ExportedSig",
    "HashChain",
    "Json",
    "Log",
    "Objection",
    "PrivateKey",
    "Root",
    "Seal",
    "Stream",
    "Verdict",
    "Watch",
    "after",
    "agreed_host",
    "armor",
    "chain_length",
    "check_key_line",
    "choices",
    "cj",
    "complaint",
    "event_key",
    "export_sig",
    "fingerprint",
    "host_at",
    "json_schema",
    "link",
    "make_attachment",
    "make_entry",
    "merge",
    "objection",
    "outcome",
    "place_of",
    "player_root",
    "pledged",
    "plus_hours",
    "read_line",
    "redact",
    "seal",
    "sealed_under",
    "sha256_hex",
    "verify",
    "verify_checked",
    "verify_sig",
    "waits",
    "write_evidence",
]
