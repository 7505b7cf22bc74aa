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
from pbem.ledger.complaint import complaint
from pbem.ledger.entries import json_schema
from pbem.ledger.evidence import ExportedSig, export_sig, write_evidence
from pbem.ledger.keys import (
    ADDRESS,
    GOT,
    HEAD,
    MOVE,
    PRESS,
    SAY,
    TIME,
    PrivateKey,
    armor,
    check_key_line,
    fingerprint,
    verify_sig,
)
from pbem.ledger.log import Attachment, Entry, Log, host_at, make_attachment, make_entry, merge, place_of, redact
from pbem.ledger.marks import REACH, Stand, mark_of_call, sealed_under, stand
from pbem.ledger.seals import Seal, seal
from pbem.ledger.stream import Stream, event_key, outcome
from pbem.ledger.talk import AGREED_DRAW, Objection, Talk, another_host, plus_hours
from pbem.ledger.verifier import CODES, Checked, Verdict, Watch, verify, verify_checked

__all__ = [
    "ADDRESS",
    "AGREED_DRAW",
    "CODES",
    "DEAL_LENGTH",
    "GOT",
    "HEAD",
    "MOVE",
    "PRESS",
    "PRIV_LENGTH",
    "PUB_LENGTH",
    "REACH",
    "SAY",
    "SEAT_LENGTH",
    "TIME",
    "Attachment",
    "Checked",
    "Entry",
    "ExportedSig",
    "HashChain",
    "Json",
    "Log",
    "Objection",
    "PrivateKey",
    "Root",
    "Seal",
    "Stand",
    "Stream",
    "Talk",
    "Verdict",
    "Watch",
    "another_host",
    "armor",
    "chain_length",
    "check_key_line",
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
    "mark_of_call",
    "merge",
    "outcome",
    "place_of",
    "player_root",
    "plus_hours",
    "read_line",
    "redact",
    "seal",
    "sealed_under",
    "sha256_hex",
    "stand",
    "verify",
    "verify_checked",
    "verify_sig",
    "write_evidence",
]
