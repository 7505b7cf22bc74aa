"""Changing keys: the desk's own, in all games that go on, or the links of one game alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import PrivateKey, sha256_hex
from pbem.records import dataclass
from pbem.referee import Envelope, Pen

from .seat import Seat
from .tray import digits

if TYPE_CHECKING:
    from .folder import Folder
    from .notes import Notes
    from .tray import Tray


@dataclass(frozen=True, slots=True)
class Keys:
    """Where a desk changes its keys."""

    folder: Folder
    tray: Tray

    def rekey(self, new: PrivateKey, at: str, recovery: PrivateKey | None = None) -> list[str]:
        """Put a new key in the place of the desk's, and write to every game that goes on; return the titles of those games.

        The key before signs, or the recovery key, if that is given. The key before is kept, as `key.before`. Raises UsageError
        where a change that was made before may still be under way: the host could enter that one, and its key would be gone.
        """
        signed: list[tuple[Notes, Envelope]] = []
        recovery_line = self.folder.recovery_line
        for seat in self._going_on():
            notes, course = seat.notes, seat.course
            holder = course.seats[notes.seat]
            seat.check()
            if recovery is None and holder.key != self.folder.key.key_line:
                raise UsageError(
                    _(
                        "{title}: another key counts there than the one in {home}. If you have changed it before, "
                        "send that letter, and read the host's answer first; if he has refused it, “pbem rekey --back” takes the "
                        "key before again. Without that key “pbem rekey --recovery FILE” takes your seat back.",
                        title=notes.title,
                        home=self.folder.home,
                    )
                )
            pen = Pen(new, notes.game, notes.seat, begun=course.next_no(notes.seat))
            bound = holder.next or (sha256_hex(recovery_line.encode()) if recovery_line else "")
            signer = recovery or self.folder.key
            rekeyed = pen.rekey(signer, seat.log.head, seat.after(), bound, recovery=recovery is not None)
            if objection := seat.objection("rekey", rekeyed.say, at):
                raise UsageError(_("{title}: {why}", title=notes.title, why=objection))
            signed.append((notes, rekeyed))
        # the key is kept before anything tells of it: one that was told of and lost would lose the seats
        self.folder.change_key(new)
        for notes, envelope in signed:
            self.tray.write(notes, f"rekey.{digits(at)}", envelope, "I have another key from now on.", at)
        return [notes.title for notes, _envelope in signed]

    def games(self) -> list[str]:
        """Return the titles of the games that go on, in which a new key would take the place of the desk's."""
        return [seat.notes.title for seat in self._going_on()]

    def key_back(self) -> list[Path]:
        """Take the key again that counts in the games that go on, one of those that were kept: the host has refused another.

        The letters that tell of the other are laid aside. Return those of them that had been sent, and of which nothing signed
        has come: the host may still take them. Raises UsageError where no key is there that counts in all games, or where it is
        the present one.
        """
        lines = {seat.course.seats[seat.notes.seat].key for seat in self._going_on()}
        home = self.folder.home
        if lines == {self.folder.key_line}:
            raise UsageError(_("The key in {home} is the one that counts: there is none to take back.", home=home))
        found = next((key for key in self.folder.keys_before() if lines == {key.key_line}), None)
        if found is None:
            raise UsageError(_("None of the keys that are kept in {home} counts in the games that go on.", home=home))
        self.folder.change_key(found)
        under_way: list[Path] = []
        for notes in self.folder.games():
            under_way += [path for path in self.tray.missed(notes) if path.name.split(".")[1] == "rekey"]
            self.tray.lay_aside(*self.tray.lying(notes, "rekey."))
        self.tray.lay_aside(*under_way)
        return under_way

    def renew(self, notes: Notes, at: str) -> None:
        """Go on in a game from a new chain of links, with the same key, where few links are left. Raises UsageError."""
        seat, course, key = Seat(self.folder, notes), self.folder.course(notes), self.folder.key
        seat.check()
        pen = Pen(key, notes.game, notes.seat, begun=course.next_no(notes.seat))
        renewed = pen.rekey(key, seat.log.head, seat.after(), course.seats[notes.seat].next)
        if objection := seat.objection("rekey", renewed.say, at):
            raise UsageError(objection)
        self.tray.write(notes, f"rekey.{digits(at)}", renewed, "I go on with other links from now on.", at)

    def _going_on(self) -> list[Seat]:
        """The seats that he holds in games that go on."""
        seats = [Seat(self.folder, notes) for notes in self.folder.games()]
        own = [(seat, seat.course.seats[seat.notes.seat]) for seat in seats if not seat.log.finished]
        return [seat for seat, holder in own if holder.key and not holder.gone]
