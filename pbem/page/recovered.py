"""A desk set up from its key alone: what to compare before it signs anything in a game in progress.

Its copies come from the host, who could send an older one. An order signed on that copy could answer a question that was already
answered, and open links that belong to it. The page therefore shows the last entry and its time, and asks for the head of another
player's copy. Nothing is signed until a head fits, the key has been changed, or the player chooses to continue anyway.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from pbem import private
from pbem.errors import PlayerError, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger import Log
from pbem.player import Desk, Notes
from pbem.reports.text import groups

from .further_calls import HeadCompared

NAME = "recovered.json"
FREE = ("rekey", "key_back", "resend", "go_on", "invite", "witness", "read_instead")
"""Of the calls that sign, those that need no comparing:

- another key, or the one before, which are ways out;
- the request to the host for his later letters;
- games alone, which have no host;
- an invitation, which begins a game;
- two friends' copies, which come from no host.

All others are refused until their game has been compared.
"""
_HEAD = re.compile(r"([0-9]{1,7})[^0-9a-f]{1,9}((?:[0-9a-f]{4}[ \t\n]*){4,16})")
"""A head in the form of reports, verdicts and this page: the number of the entry, then its hash, or the hash's beginning, in
groups."""


class NotComparedError(PlayerError):
    """Something was to be signed upon a copy of which nobody but the host has said that it is the latest."""


def begin(home: Path) -> None:
    """Note that a desk was set up from its key alone: no game is compared yet."""
    _write(home, ())


def settle(home: Path, games: Iterable[str]) -> None:
    """Note that in these games may be signed."""
    if (home / NAME).is_file():
        _write(home, sorted({*_compared(home), *games}))


def check(desk: Desk, notes: Notes) -> None:
    """Raises NotComparedError where a copy is still to be compared; one that is lost, or a seat that is taken only now, is not."""
    if desk.lying(notes).log.entries and (desk.home / NAME).is_file() and notes.game not in _compared(desk.home):
        if not _holds_seat(desk, notes):
            settle(desk.home, [notes.game])
            return
        raise NotComparedError(_asks(desk.copy(notes).log))


def check_all(desk: Desk) -> None:
    """Check that no copy of a game in progress still has to be compared. Raises NotComparedError."""
    for notes in desk.games():
        if not desk.lying(notes).log.finished:
            check(desk, notes)


def compare(desk: Desk, notes: Notes, head: str, *, anyway: bool) -> HeadCompared:
    """Compare a copy with the head of another player's copy; return how far it goes. `anyway`: accept without a comparison.

    Raises UsageError for an invalid head, or the head of a later entry; RecordError if the histories differ.
    """
    log = desk.copy(notes).log
    if head.strip():
        _check(log, head)
    if head.strip() or anyway:
        settle(desk.home, [notes.game])
    last = log.entries[-1]
    waits = (desk.home / NAME).is_file() and notes.game not in _compared(desk.home) and _holds_seat(desk, notes)
    return HeadCompared(
        n=last.n, at=_moment(log), head=groups(last.hash), waits=waits, says=_asks(log) if waits else ""
    )


def _check(log: Log, head: str) -> None:
    found = _HEAD.search(head.lower())
    if found is None:
        raise UsageError(
            _(
                "That is not the head of a copy. A head is an entry's number and the groups of its hash, "
                "such as “entry 40: 3f29 aa00 1122 3344”. The other player's program shows it where he "
                "judges his copy."
            )
        )
    n, digest, last = int(found[1]), "".join(found[2].split()), log.entries[-1].n
    if n > last:
        raise UsageError(
            _(
                "The other has entry {n}, and this copy ends at entry {last}: it is older. Sign nothing. Write to the host a mail "
                "with the line “RESEND since {last}”, and tell the others if nothing later comes.",
                n=n,
                last=last,
            )
        )
    if not log.entries[n].hash.startswith(digest):
        raise RecordError(
            _(
                "Entry {n} of this copy is another than the other's: the host has told each of you another game. Sign nothing, "
                "keep this copy as it is, and compare both with the other players.",
                n=n,
            )
        )


def _asks(log: Log) -> str:
    return _(
        "This desk was set up from its key. Its copy of the game came only from the host, who could "
        "hand out an older one. The copy ends at entry {n}, of {at}. Is that as late as you "
        "remember? If you have any later mail of this game, read it in first. Also ask another "
        "player for the head of his copy. Until then nothing is signed here.",
        n=log.entries[-1].n,
        at=_moment(log),
    )


def _moment(log: Log) -> str:
    """When the last entry that bears a time was made."""
    return next((str(entry.fields["at"]) for entry in reversed(log.entries) if "at" in entry.fields), "")


def _holds_seat(desk: Desk, notes: Notes) -> bool:
    return desk.copy(notes).course.seats[notes.seat].key == desk.key_line


def _compared(home: Path) -> tuple[str, ...]:
    try:
        found = json.loads((home / NAME).read_text("utf-8"))
        return tuple(map(str, found["compared"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _write(home: Path, games: Iterable[str]) -> None:
    private.put(home / NAME, json.dumps({"compared": [*games]}).encode())
