"""What a player's program knew behind an entry of a log of two, kept so that the next letter is answered at once.

It can be thrown away at any time: the log tells all of it again, in a few seconds. It is bound to the entry's hash, to this version
of pbem and to the player's key, so that what somebody else has laid there counts for nothing.
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
    """Return what is to be kept of a play: one line that its mark begins; None while it has said what is not signed yet."""
    kept = play.kept()
    if kept is None:
        return None
    data = cj({"pbem": __version__, "rules": play.course.first["rules"], "head": list(play.course.head), "play": kept})
    return _mark(play.vault, data) + b" " + data + b"\n"


def restored(data: bytes, knowing: Knowing, entries: Sequence[Entry], vault: Vault) -> PairPlay | None:
    """Return the play behind the last entry, from what was kept there or before; None where that does not fit.

    Raises Fault for an entry behind it that is at fault.
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
    """What nobody can make who has not the player's secret of this game; it is used for nothing else."""
    return hmac.digest(bytes.fromhex(vault.secret), b"pbem snapshot\n" + data, "sha256").hex().encode()
