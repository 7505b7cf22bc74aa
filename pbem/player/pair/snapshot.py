"""The state of a player's program after an entry of a log of two, kept so that the next letter is answered at once.

You can delete it at any time: it is computed again from the log in a few seconds. It is bound to the entry's hash, to this version
of pbem and to the player's key. A file planted by somebody is therefore ignored.
"""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING

from pbem import __version__
from pbem.errors import PbemError
from pbem.ledger import cj
from pbem.ledger.pair import known_course
from pbem.referee.pair import PairPlay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.kernel.knowing import Knowing
    from pbem.ledger import Entry
    from pbem.ledger.pair import Vault


def snapshot(play: PairPlay) -> bytes | None:
    """Return the snapshot of a play as one line that begins with its mark; None while the play has something unsigned."""
    kept = play.kept()
    if kept is None:
        return None
    data = cj({"pbem": __version__, "rules": play.course.first["rules"], "head": list(play.course.head), "play": kept})
    return _mark(play.vault, data) + b" " + data + b"\n"


def restored(data: bytes, knowing: Knowing, entries: Sequence[Entry], vault: Vault) -> PairPlay | None:
    """Return the play after the last entry, from a snapshot at that entry or before; None if the snapshot does not fit.

    Raises Fault for a faulty entry after the snapshot.
    """
    mark, _blank, line = data.rstrip(b"\n").partition(b" ")
    if not line or not hmac.compare_digest(mark, _mark(vault, line)):
        return None
    kept = json.loads(line)
    n, head = kept["head"]
    if kept["pbem"] != __version__ or not 2 <= n < len(entries) or entries[n].hash != head:
        return None
    try:
        play = PairPlay.again(knowing, known_course(entries[: n + 1]), vault, kept["play"])
    except (PbemError, LookupError, TypeError, ValueError):  # this version has been worked on since
        return None
    for entry in entries[n + 1 :]:
        play.take_entry(entry)
    return play


def reaches(data: bytes, vault: Vault) -> int:
    """Return the entry behind which something was kept, by whatever version; -1 where this player has not made it."""
    mark, _blank, line = data.rstrip(b"\n").partition(b" ")
    if not line or not hmac.compare_digest(mark, _mark(vault, line)):
        return -1
    return int(json.loads(line)["head"][0])


def _mark(vault: Vault, data: bytes) -> bytes:
    """Return a code that nobody can compute without the player's secret of this game. It is used only for this."""
    return hmac.digest(bytes.fromhex(vault.secret), b"pbem snapshot\n" + data, "sha256").hex().encode()
