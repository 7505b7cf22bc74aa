"""Taking a seat: answers to an invitation and to the list of keys, and what is signed when a key changes.

It decides which answer a mail asks for, and whose keys are to be compared by telephone.
"""

from __future__ import annotations

import re

from pbem.errors import RecordError, UsageError
from pbem.ledger import Log, PrivateKey, Talk, fingerprint, sha256_hex
from pbem.mail import MAX_FROM_HOST, Incoming, read_message
from pbem.referee import Envelope, Pen
from pbem.words import _

from .notes import Notes
from .reading import Reader


class Joiner(Reader):
    """A desk at which seats are taken."""

    def join(self, raw: bytes, at: str) -> str:
        """Take up an invitation, or say ready to a roster: write the letter, and return what to compare by telephone."""
        self._change_seat(read_message(raw, MAX_FROM_HOST))
        reading = self.read(raw)
        if not reading.game:
            raise UsageError(_("This mail is neither an invitation nor a list of keys."))
        notes = self.notes(reading.game)
        log = self.copy(notes).log
        host_key = fingerprint(self.talk(notes).host)
        joined = {entry.fields["by"]: entry.fields["say"]["key"] for entry in log.entries if entry.k == "join"}
        seats = log.entries[0].fields["seats"]
        if not joined:
            self._take_seat(notes, log, at)
            return _(
                "You take the seat {seat} in game {game}.\nThe host's key is\n  {host_key}\nYours is\n  {own_key}\nCompare them by "
                "telephone.",
                seat=notes.seat,
                game=notes.game[:8],
                host_key=host_key,
                own_key=fingerprint(self.key_line),
            )
        talk = self.talk(notes)
        if notes.seat in talk.absent and talk.keys[notes.seat] != self.key_line:
            self._in_order(notes)
            self._take_seat(notes, log, at)
            return _(
                "You would take the seat {seat}; the others are asked.\nThe host's key is\n  {host_key}\nCompare it by "
                "telephone.",
                seat=notes.seat,
                host_key=host_key,
            )
        if talk.called:
            return self._ready_again(notes, talk, at)
        if set(joined) != set(seats) or any(entry.k == "ready" for entry in log.entries):
            raise UsageError(_("This mail asks for neither joining nor being ready. “pbem read MAIL” shows it."))
        if joined[notes.seat] != self.key_line:
            raise RecordError(
                _(
                    "The host has entered another key for {seat} than yours. Do not go on; tell the others.",
                    seat=notes.seat,
                )
            )
        verdict = self.copy(notes).verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                _(
                    "The host's log is at fault: entry {entry}, {code}. {reason}",
                    entry=verdict.entry,
                    code=verdict.code,
                    reason=verdict.reason,
                )
            )
        self._write(notes, "ready", self._pen(notes, log).ready(log.head), "I have seen the keys and am ready.", at)
        lines = [f"{seat}\n  {fingerprint(key)}" for seat, key in joined.items()]
        return "\n".join(
            [
                *lines,
                _("the host\n  {key}", key=host_key),
                _("Compare each with its owner by telephone before you send."),
            ]
        )

    def _take_seat(self, notes: Notes, log: Log, at: str) -> None:
        """Write the letter by which this player takes a seat."""
        self._write(notes, "join", self._pen(notes, log).join(self.recovery_line), f"I take the seat {notes.seat}.", at)

    def _ready_again(self, notes: Notes, talk: Talk, at: str) -> str:
        """Say again to be ready, after a seat has changed its key."""
        log = self.copy(notes).log
        if notes.seat not in talk.missing:
            raise UsageError(_("You have said that you are ready already, or nobody asks for it."))
        if talk.keys[notes.seat] != self.key_line:
            raise RecordError(
                _("By the log, {seat} has another key than yours. Do not go on; tell the others.", seat=notes.seat)
            )
        self._in_order(notes)
        # by this history no order could be sent ahead for that mark; but he may have given its link in another
        if notes.seat not in talk.fresh and talk.mark <= max(map(int, notes.ahead), default=0):
            raise RecordError(
                _(
                    "The host calls to be ready with a link that may be known already (mark {mark}). Do not go on; tell the "
                    "others.",
                    mark=talk.mark,
                )
            )
        ready = self._pen(notes, log).ready(log.head, talk.mark)
        self._write(notes, f"ready.{talk.mark}", ready, "I have seen the keys and am ready.", at)
        host = [_("the host") + f"\n  {fingerprint(talk.host)}"] if talk.moved else []
        said = [*(f"{seat}\n  {fingerprint(key)}" for seat, key in talk.keys.items()), *host]
        return "\n".join(said)

    def rekey(self, new: PrivateKey, at: str, recovery: PrivateKey | None = None) -> list[str]:
        """Put a new key in the place of the desk's, and write to every game that goes on; return the titles of those games.

        The key before signs, or the recovery key, if that is given. The key before is kept, as `key.before`.
        """
        signed: list[tuple[Notes, Envelope]] = []
        for notes in self.games():
            log, talk = self.copy(notes).log, self.talk(notes)
            if log.finished or notes.seat not in talk.keys or notes.seat in talk.gone:
                continue
            self._in_order(notes)
            pen = Pen(new, notes.game, log.entries[0].fields["nonce"], notes.seat)
            bound = talk.recovery[notes.seat] or (sha256_hex(self.recovery_line.encode()) if self.recovery_line else "")
            signer, no = recovery or self.key, talk.next_no(notes.seat)
            signed.append((notes, pen.rekey(signer, no, log.head, bound, recovery=recovery is not None)))
        # the key is kept before anything tells of it: one that was told of and lost would lose the seats
        (self.home / "key").replace(self.home / "key.before")
        (self.home / "key").touch(mode=0o600)
        (self.home / "key").write_bytes(new.dump(self._passphrase))
        (self.home / "key.pub").write_text(new.key_line + "\n", "utf-8")
        self._key = new
        for notes, envelope in signed:
            self._write(notes, f"rekey.{re.sub('[^0-9]', '', at)}", envelope, "I have another key from now on.", at)
        return [notes.title for notes, _ in signed]

    @property
    def recovery_line(self) -> str:
        """The line of the recovery key that new seats are taken with, or ""."""
        path = self.home / "recovery.pub"
        return path.read_text("utf-8").strip() if path.is_file() else ""

    def _change_seat(self, mail: Incoming) -> None:
        """Let another invitation to a game of which no more is known count instead, as when the first was for a friend."""
        for notes in self.games():
            log = self.copy(notes).log
            if len(log.lines) == 1 and mail.log == log.dump() and mail.seat in log.entries[0].fields["seats"]:
                notes.seat = mail.seat
                self._keep(notes)
                del self._copies[notes.game]
