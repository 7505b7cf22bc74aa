"""Copies of players who only reply: a host that was brought back from a backup asks them to forward its own letters.

Such a letter has the lines of the game attached that came with it. The host has signed them, so it needs no word of the player's
to believe them; they are taken as his copy, like one that a program sends (`catching_up`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from pbem.errors import PbemError
from pbem.i18n import _
from pbem.ledger import Log
from pbem.mail import read_message
from pbem.records import dataclass
from pbem.referee import Refused

from . import catching_up
from .about import game_of
from .codes import question_at
from .essence import Case
from .hosted import HostedGame
from .play import GamesInPlay
from .post import Post
from .store import Store
from .store.kept_rows import PutLetter
from .store.rows import Mail, SeatRow

FURTHER = 1000
"""So many entries behind the last one here a code is looked for."""


@dataclass(slots=True)
class Forwarded:
    """What one host makes of the mail of kept seats whose game stands still."""

    store: Store
    play: GamesInPlay
    post: Post

    def wanted(self, case: Case, seats: Sequence[SeatRow]) -> SeatRow | None:
        """Return the seat whose game stands still, or must from now on, as a mail answers a letter that is not known here."""
        unknown = [code for code in case.mail.codes[:1] if not self.store.find(PutLetter, code=code)]
        for row in seats:
            if any(self._has_gone_back(row.game, row.seat, code, case.at) for code in unknown):
                return row
        with suppress(Refused):
            number = game_of(self.store, case.mail)
            still = [row for row in seats if number in (None, row.game) and self.play.house.game(row.game).stands_still]
            if len(still) == 1 and not case.mail.robot and case.mail.command is None:
                return still[0]
        return None

    def _has_gone_back(self, game: int, seat: str, code: str, at: str) -> bool:
        """Has this host put a question with that code, and does not know of it any more? Then the game stands still.

        Once the operator has said that it goes on as it stands here, that is no reason to stop it again.
        """
        hosted = self.play.house.game(game)
        n = hosted.ledger.n
        put = question_at(self.play.house.root, code, hosted.g, [seat], n + 1, n + FURTHER)
        if put is None or self.store.note(f"went on {game}"):
            return False
        why = _("{seat} has seen entry {n}, which is not here", seat=hosted.name(seat), n=put.n)
        catching_up.hold(hosted, self.post, at, why)
        return True

    def take(self, case: Case, seat: str, game: HostedGame) -> str:
        """Take the lines that a forwarded letter brings back; all else waits until the game goes on."""
        mail, row = case.mail, game.seats[seat]
        more = self.store.values("more_addresses", "address", game=game.id, seat=seat)
        if not mail.log or mail.sender.lower() not in map(str.lower, [row.address, *more]):
            return catching_up.WAITS
        first = _("The file of your letter is here, and needs those before it. Forward the letter before it, too.")
        self.store.change("inbox", case.number, outcome=catching_up.WAITS)
        try:
            with self.store.decision():
                outcome = self._as_a_copy(game, seat, [*self._waiting(case, game.id), mail.log], case.at)
        except Refused as error:
            first, outcome = str(error), f"refused: FORM: {error}"
        if outcome.startswith("copy"):
            first = _("Your copy is here: thank you. The game goes on as soon as those of all players are.")
        if self.play.house.game(game.id).stands_still and self.post.may_answer("reply", row.address, case.at):
            self.post.about_a_copy(game, seat, case.at, first, case.digest)
        return outcome

    def _waiting(self, case: Case, game: int) -> list[bytes]:
        """The lines of letters that the same player has forwarded before, and that wait, as there are others between."""
        mails = [
            mail.id for mail in self.store.find(Mail, game=game, outcome=catching_up.WAITS) if mail.id != case.number
        ]
        found = [read_message(self.store.raw("inbox", number)) for number in mails]
        return [mail.log for mail in found if mail.log and mail.sender.lower() == case.mail.sender.lower()]

    def _as_a_copy(self, game: HostedGame, seat: str, pieces: Sequence[bytes], at: str) -> str:
        """Take forwarded lines as a seat's copy, unless some between them and the log here are missing."""
        theirs = Log(game.ledger.whole().entries)
        if all(_first_entry(lines) < 0 for lines in pieces):
            return catching_up.WAITS
        for lines in sorted(pieces, key=_first_entry):
            try:
                if further := catching_up.further(lines, theirs.head[0]):
                    theirs.grow(further)
            except PbemError:
                return catching_up.WAITS
        catching_up.keep_copy(game, seat, catching_up.read_copy(game, theirs.dump()))
        return f"copy: {seat}; {catching_up.look(self.play, game.id, at)}"


def _first_entry(lines: bytes) -> int:
    """The number of the first entry among some lines of a copy; -1 where there is none."""
    found = re.search(rb'"n":(\d{1,9})\b', b"".join(line for line in lines.splitlines() if line.startswith(b"{")))
    return int(found[1]) if found else -1
