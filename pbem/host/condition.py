"""The state of a host: games, mail, troubles and their times, read from its store.

Everything is read and nothing noted, so it works on a disk that cannot be written to, and without the host's key.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pbem.errors import RecordError, WorldError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import PrivateKey

from . import banned, beneath, budgets, found_well, metrics, stuck, unread
from .arrivals import CLOCK, HANDED, LETTER, Arrivals
from .clubroom import exhausted
from .endless import noted, rank
from .hosted import covered, row_of
from .senders import Senders
from .settings import Settings
from .sound import damaged, log_fault
from .store import FAILED, KEPT_BY, STORE, Store, StoredLedger, place_of, unusable
from .store.backup import back_up
from .store.keeping import standing
from .store.rows import LetterRow
from .troubles import unwritten

BACKED_UP, CHECKED = "backed up", "checked"
"""The notes of the last backup and the last check that found nothing wrong: when."""


def note_well(path: Path | str, what: str, at: str) -> None:
    """Note in the store at a path that a backup or a check found nothing wrong, if it can be written to."""
    with suppress(WorldError), closing(Store(path)) as store:
        store.put_note(what, at)


def figures(store: Store) -> dict[str, Json]:
    """Return the figures of a host: games by stage, mail in and out, since when some waits, addresses that take no mail."""
    now = standing(store)
    told: dict[str, Json] = {f"games_{stage}": count for stage, count in now.games.items()}
    told |= {
        "mails_in": now.mails_in, "mails_undecided": now.mails_undecided, "mails_refused": now.mails_refused,
        "mails_stuck": now.mails_stuck, "mails_out": now.mails_out, "mails_unsent": now.mails_unsent,
        "addresses_marked": [f"{mark.address} ({mark.why})" for mark in now.marked],
    }  # fmt: skip
    times = {
        "undecided_since": now.undecided_since,
        "unsent_since": now.unsent_since,
        "clock_leapt_at": now.clock_leapt_at,
        "fingerprint": store.note(KEPT_BY),
        "last_backup": store.note(BACKED_UP),
        "last_check": store.note(CHECKED),
    }
    return told | {name: at for name, at in times.items() if at} | banned.told(store)


class Condition:
    """The state of the host of a folder, by its store, which may be open for reading alone."""

    def __init__(self, folder: Path, settings: Settings, store: Store, arrivals: Arrivals | None = None) -> None:
        self.folder, self.settings, self.store, self.club = folder, settings, store, settings.club
        limit = settings.hold_days
        self.arrivals = arrivals or Arrivals(store, settings.queue_minutes, None if limit == "never" else limit)

    @classmethod
    @contextmanager
    def of(cls, folder: Path) -> Iterator[Condition]:
        """Look at a host without its key and without writing anything; close its store at the end. Raises UsageError, StoreError
        or WorldError."""
        settings = Settings.of(folder / "host.toml")
        try:
            with closing(Store(place_of(folder, settings.store), reading=True)) as store:
                yield cls(folder, settings, store)
        except sqlite3.Error as error:
            raise unusable(folder / STORE, error) from error

    def exported(self, number: int, passphrase: bytes | None = None) -> bytes:
        """Return a game's log with all that the host has, unless it is damaged (RecordError). Without the host's key, it ends with
        the last entry that the host has signed for. Raises KeyFileError if the key is here and locked."""
        path = self.folder / "key"
        key = PrivateKey.load(path.read_bytes(), passphrase) if path.exists() else None
        row = row_of(self.store, number)
        if why := log_fault(self.store, row, held=False):
            raise RecordError(damaged(row, why))
        ledger = StoredLedger(self.store, number, ())
        return covered(ledger.whole(), row.g, ledger.course.host, key).dump()

    def back_up(self, to: Path, at: str) -> list[str]:
        """Write the store into a file of its own, as `back_up` does; return the damage, and note when none was found."""
        if not (found := back_up(self.store, to, found_well.faults)):
            note_well(self.store.path, BACKED_UP, at)
        return found

    def status(self, now: str = "") -> dict[str, Json]:
        """Return the figures on games and mails, the number of letters refused for good, and all troubles.

        Damage comes first, then what the program comes to no end with (`rank`); then troubles that no host at work can note: a full
        disk and, with `now`, a host that has not looked around.

        `senders_refused` are the envelope senders that the host's own address replaces.
        """
        senders = Senders(self.store, self.settings.address)
        told = {
            "letters_refused": len(self.store.find(LetterRow, sent=FAILED)),
            "senders_refused": [
                f"{senders.shown(kind)} ({since}: {why})" for kind, (since, why) in senders.refused().items()
            ],
            "troubles": sorted(
                beneath.troubles(self.folder, self.arrivals.clock(), now) + self.troubles() + self._budgets(now),
                key=rank,
            ),
        }
        return figures(self.store) | told

    def metrics(self) -> str:
        """Return the same as numbers for a monitor, without anybody's name or address."""
        return metrics.told(self.status(), self.arrivals.clock(), self.store.size(), beneath.free_bytes(self.folder))

    def troubles(self) -> list[dict[str, Json]]:
        """Return what does not work: ways in that fail, letters that wait for another try, letters that were refused."""
        return (
            self._waiting()
            + [{"way": way, "since": since, "why": why} for way, (since, why) in unwritten(self.folder).items()]
            + [noted(name, *text.partition(" ")[::2]) for name, text in self.store.notes("trouble ").items()]
            + [
                {"letter": letter.message_id, "to": letter.address, "tries": letter.attempts, "why": letter.last_error}
                | ({"failed": True} if letter.sent == FAILED else {"failed": False, "next": letter.not_before})
                for letter in self.store.letters_in_trouble()
            ]
        )

    def _waiting(self) -> list[dict[str, Json]]:
        """What may be undecided of what came in time: mails over which the program stumbles, and deadlines that wait."""
        mails = [
            {"mail": one.number, "games": list(one.games), "since": one.since, "tries": one.tries, "next": one.next, "why": one.why}
            | ({"died": True} if one.died else {})
            for one in stuck.mails(self.store)
        ]  # fmt: skip
        mails += [
            {
                "mail": one.mail,
                "games": [one.game],
                "seat": one.seat,
                "since": one.at,
                "until": one.until,
                "why": one.why,
            }
            for one in unread.mails(self.store)
        ]
        return mails + [
            {"held": game, "due": due, "since": since, "why": ", ".join(map(_unread, what))}
            for game, due, since, what in self.arrivals.held()
        ]

    def _budgets(self, now: str) -> list[dict[str, Json]]:
        """Return which budgets for letters are used up."""
        if at := now or self.arrivals.clock():
            return budgets.exhausted(self.store, at) + (exhausted(self.store, self.club, at) if self.club else [])
        return []


def _unread(what: str) -> str:
    """What may be unread, in words."""
    if what == HANDED:
        return _("what a mail server kept while the host stood still")
    if what == CLOCK:
        return _("the clock has leapt, and may be wrong")
    if what.startswith(LETTER):
        return _("the letter with the question has not been sent to {seat}", seat=what.removeprefix(LETTER))
    return what
