"""Changing keys: the desk's own, in all running games, or the links of one game alone."""

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
        """Replace the desk's key by a new one, and write to every game in progress; return the titles of those games.

        The old key signs, or the recovery key if one is given. The old key is kept as `key.before`. Raises UsageError while an
        earlier change may still be under way: the host could enter that earlier key, which would then be lost.
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
                        "{title}: the valid key is not the one in {home}. If you have changed your key before, send "
                        "that letter and read the host's answer first. If he has refused the change, “pbem rekey "
                        "--back” restores the previous key. If you no longer have that key, “pbem rekey --recovery "
                        "FILE” takes your seat back.",
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
        """Return the titles of the running games in which a new key would replace the desk's."""
        return [seat.notes.title for seat in self._going_on()]

    def key_back(self) -> list[Path]:
        """Return to the kept key that counts in the running games, after the host has refused another.

        The letters about the other key are laid aside. Return those that had been sent without a signed reply so far: the host may
        still take them. Raises UsageError if no kept key counts in all games, or if it is the present one.
        """
        lines = {seat.course.seats[seat.notes.seat].key for seat in self._going_on()}
        home = self.folder.home
        if lines == {self.folder.key_line}:
            raise UsageError(
                _("The key in {home} is already the valid one: there is no key change to take back.", home=home)
            )
        found = next((key for key in self.folder.keys_before() if lines == {key.key_line}), None)
        if found is None:
            raise UsageError(_("No key kept in {home} is valid in your current games.", home=home))
        self.folder.change_key(found)
        under_way: list[Path] = []
        for notes in self.folder.games():
            under_way += [path for path in self.tray.missed(notes) if path.name.split(".")[1] == "rekey"]
            self.tray.lay_aside(*self.tray.lying(notes, "rekey."))
        self.tray.lay_aside(*under_way)
        return under_way

    def renew(self, notes: Notes, at: str) -> None:
        """Continue a game from a new chain of links, with the same key, if few links are left. Raises UsageError."""
        seat, course, key = Seat(self.folder, notes), self.folder.course(notes), self.folder.key
        seat.check()
        pen = Pen(key, notes.game, notes.seat, begun=course.next_no(notes.seat))
        renewed = pen.rekey(key, seat.log.head, seat.after(), course.seats[notes.seat].next)
        if objection := seat.objection("rekey", renewed.say, at):
            raise UsageError(objection)
        self.tray.write(notes, f"rekey.{digits(at)}", renewed, "I go on with other links from now on.", at)

    def _going_on(self) -> list[Seat]:
        """Return his seats in running games."""
        seats = [Seat(self.folder, notes) for notes in self.folder.games()]
        own = [(seat, seat.course.seats[seat.notes.seat]) for seat in seats if not seat.log.finished]
        return [seat for seat, holder in own if holder.key and not holder.gone]
