"""The log of two players without a host: `pbem-peer/2` (docs/reference/log-format.md).

One file, the same for both players and for spectators. Each entry in play is a `turn`: what one seat signed in one mail, having
seen everything before it. Hidden content is encrypted for those who may read it. At the end each seat shows one secret, which opens
everything it hid. Knows no game's rules, no mail and no clock.
"""

from __future__ import annotations

from pbem.ledger.first_line import PEER_PROTO
from pbem.ledger.pair.checking import (
    check_signed,
    checked,
    export_pair_sig,
    lines_of,
    read_pair,
    standing,
    united,
    verify_pair,
    verify_pair_checked,
)
from pbem.ledger.pair.complaint import complaint_of_two
from pbem.ledger.pair.course import PairCourse, Spoken, known_course
from pbem.ledger.pair.vault import Vault
from pbem.ledger.pair.writing import append, first_entry, joined, signed_turn, signed_word

__all__ = [
    "PEER_PROTO",
    "PairCourse",
    "Spoken",
    "Vault",
    "append",
    "check_signed",
    "checked",
    "complaint_of_two",
    "export_pair_sig",
    "first_entry",
    "joined",
    "known_course",
    "lines_of",
    "read_pair",
    "signed_turn",
    "signed_word",
    "standing",
    "united",
    "verify_pair",
    "verify_pair_checked",
]
