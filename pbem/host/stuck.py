"""Mails over which the program stumbles, or dies: which, for which games they may be, and when they are tried again.

Each is a row of the store's `meta` and stands first in `status`. None is given up: it may hold an order that came in time, so it
is tried again after growing waits without being asked, and holds the deadlines of the games that it may be for. One over which
the program has died is decided on in a process of its own (`alone`).

Which games: as its raw bytes name them, without taking the mail apart, as it may be that over which the program dies. What it
says there can be forged; all that can be done by that is to hold a deadline up to the host's limit. What is put long after it came
it does not hold (`arrivals`).
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
"""How many minutes a mail waits after its first, second … try; after the last of these it stays so."""
LONGEST = 120
"""So many seconds the process of its own may take: one mail's work is bounded, and nothing else is decided meanwhile."""
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
        """Is it to be tried again? A wait that is longer than any was reckoned by a clock that has been put back since."""
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
    """Note what else is known of a mail, if it is stuck: when it came (`at`), when it is tried again (`next`)."""
    if one := next((one for one in mails(store) if one.number == number), None):
        store.put_note(f"stuck {number}", asdict(one) | now)


def forget(store: Store, number: int) -> None:
    """Note that a mail has been decided on."""
    store.forget(f"stuck {number}")


def games(store: Store, raw: bytes, recipient: str) -> tuple[int, ...]:
    """Return the games that a mail may be for: those it names, else those in which its sender has a seat."""
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
