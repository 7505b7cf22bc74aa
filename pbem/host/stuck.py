"""Mails over which the program fails or dies: the games they may be for, and when they are tried again.

Each is a row of the store's `meta`, and is listed first in `status`. They are never given up, because they may contain an order
that came in time. So each is tried again automatically after growing delays, and stops the deadlines of the games that it may be
for. A mail over which the program has died is decided in a process of its own (`alone`).

Its games are read from its raw bytes without parsing, because parsing may be what kills the program. They can be forged, but a
forgery can only hold a deadline up to the host's limit. It does not hold questions put long after it came (`arrivals`).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from pbem.errors import LATER
from pbem.records import dataclass

from .moments import later
from .store import Store
from .store.rows import Mail

WAITS = (1, 5, 15, 60, 240, 720)
"""The minutes that a mail waits after its first, second … try; the last value repeats."""
LONGEST = 120
"""The maximum number of seconds for the separate process. One mail's work is bounded, because other decisions wait for it."""
_LOOKED_AT = 262_144
_GAME = re.compile(rb"(?:\+g|\[pbem {1,20}|^GAME {1,20})(\d{1,9})\b", re.IGNORECASE | re.MULTILINE)
_FROM = re.compile(
    rb"^From:[^\n]{0,998}?([^\s<>()\[\],;:\"\\@]{1,64}@[A-Za-z0-9.-]{1,255})", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Stuck:
    """A mail, when it came, the games it may be for; how often it was tried, since when, and when it is next; what happened."""

    number: int
    at: str
    games: tuple[int, ...]
    tries: int
    since: str
    next: str
    why: str
    died: bool

    def is_due(self, now: str) -> bool:
        """Return whether it is due for another try. A wait beyond the maximum was set by a clock that has been put back since."""
        return not now < self.next <= later(now, minutes=WAITS[-1])


def mails(store: Store) -> list[Stuck]:
    """Return the mails that are stuck, the first that came first."""
    found = map(json.loads, store.notes("stuck ").values())
    return sorted(
        (Stuck(**one | {"games": tuple(one["games"])}) for one in found), key=lambda one: (one.at, one.number)
    )


def note(store: Store, number: int, why: str, now: str, *, died: bool = False) -> None:
    """Note that a mail was tried in vain."""
    mail = store.get(Mail, id=number)
    if mail is None:
        return
    before = next((one for one in mails(store) if one.number == number), None)
    tries, now = before.tries + 1 if before else 1, max(now, mail.at)
    one = Stuck(
        number, mail.at, games(store, store.raw("inbox", number), mail.recipient or ""), tries, before.since if before else now,
        later(now, minutes=WAITS[min(tries, len(WAITS)) - 1]), why, died or bool(before and before.died),
    )  # fmt: skip
    store.put_note(f"stuck {number}", asdict(one))


def change(store: Store, number: int, **now: str) -> None:
    """Update the note of a stuck mail: when it came (`at`), when it is tried again (`next`)."""
    if one := next((one for one in mails(store) if one.number == number), None):
        store.put_note(f"stuck {number}", asdict(one) | now)


def forget(store: Store, number: int) -> None:
    """Note that a mail has been decided on."""
    store.forget(f"stuck {number}")


def games(store: Store, raw: bytes, recipient: str) -> tuple[int, ...]:
    """Return the games that a mail may be for: those it names, or otherwise those in which its sender has a seat."""
    looked_at = recipient.encode("utf-8", "replace") + b"\n" + raw[:_LOOKED_AT]
    named = {int(number) for number in _GAME.findall(looked_at)}
    if here := store.games_here(named):
        return tuple(sorted(here))
    return tuple(sorted({seat.game for sender in senders(raw, recipient) for seat in store.registered(sender)}))


def senders(raw: bytes, recipient: str) -> set[str]:
    """Return who may have sent a mail, as its raw bytes say."""
    looked_at = recipient.encode("utf-8", "replace") + b"\n" + raw[:_LOOKED_AT]
    return {found.decode("ascii", "replace").lower() for found in _FROM.findall(looked_at)}


def decide_alone(folder: Path, number: int, passphrase: bytes | None) -> bool:
    """Let a mail be decided on by another process; did that come to its end?"""
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", "-c", "from pbem.host.alone import run; run()", str(folder.absolute()), str(number)],
            input=passphrase or b"",
            stdout=subprocess.DEVNULL,
            timeout=LONGEST,
            check=False,
            env=os.environ | {"PYTHONPATH": paths},
        )
    except (subprocess.TimeoutExpired, OSError):
        return False
    return done.returncode in (0, LATER)
