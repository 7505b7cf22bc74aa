"""Writing to the friend: with the turn that waits to be sent, or in a letter of its own where none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

from .busy import in_turn
from .turns import PairTurns

if TYPE_CHECKING:
    from .notes import PairNotes


class PairTalking(PairTurns):
    """Lets a player write to his friend."""

    @in_turn
    def write_words(self, notes: PairNotes, text: str, at: str, to: str = "") -> str:
        """Sign words for the friend, and lay them ready; return what is to be said. Raises UsageError."""
        table = self.table(notes)
        if table.waits:
            raise UsageError(_("The game has not begun: your friend has not joined yet."))
        other = next(seat for seat in table.beginning.names if seat != notes.seat)
        if to not in ("", "all", other):
            raise UsageError(_("In a game of two press goes to your friend alone, {seat}.", seat=other))
        self.must_have_friend(notes)
        self.talk(notes).write(
            notes, self.key(table), text, self.last_of_friend(notes), at, len(self.words_unsent(notes))
        )
        if self.turn_waits(notes):
            self.again(notes, at)
            return _("Signed. It goes along with your turn, which waits to be sent.")
        self.lay_words(notes, at)
        return _("Signed, for your friend.")
