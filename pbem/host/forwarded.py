"""Copies from players who only reply: a host that was restored from a backup asks them to forward its own letters.

Such a letter has lines of the game attached. The host has signed them, so it can believe them without the player's signature. They
count as his copy, like one that a program sends (`catching_up`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import reduce

from pbem.errors import PbemError
from pbem.i18n import _
from pbem.ledger import Log, merge
from pbem.mail import attached_messages, read_message
from pbem.records import dataclass
from pbem.referee import Refused

from . import catching_up
from .about import game_of
from .codes import question_at
from .essence import Case
from .found_again import found_again
from .hosted import HostedGame
from .play import GamesInPlay
from .post import Post
from .store import Store
from .store.kept_rows import PutLetter
from .store.rows import Mail, SeatRow

_HOW_IT_STANDS = ("the game continues", "wanted: ", "behind: ")
"""The beginning of the text from `catching_up.look` when no order is missing."""
FURTHER = 1000
"""The number of entries after the last one here for which a code is looked up."""


@dataclass(slots=True)
class Forwarded:
    """Handles the mail of kept seats in paused games."""

    store: Store
    play: GamesInPlay
    post: Post
    stopped_by: int = 0  # the mail by which a game came to stand still: its sender is asked for his letters at once

    def wanted(self, case: Case, seats: Sequence[SeatRow]) -> SeatRow | None:
        """Return the seat with a game that is paused, or must be because the mail answers a letter unknown here."""
        unknown = [code for code in case.mail.codes[:1] if not self.store.find(PutLetter, code=code)]
        for row in seats:
            stood = self.play.house.game(row.game).stands_still
            if any(self._has_gone_back(row.game, row.seat, code, case.at) for code in unknown):
                self.stopped_by = self.stopped_by if stood else case.number
                return row
        with suppress(Refused):
            number = game_of(self.store, case.mail)
            still = [row for row in seats if number in (None, row.game) and self.play.house.game(row.game).stands_still]
            if len(still) == 1 and not case.mail.robot and case.mail.command is None:
                return still[0]
        return None

    def _has_gone_back(self, game: int, seat: str, code: str, at: str) -> bool:
        """Return whether this host once put a question with that code but has lost it; if so, suspend the game.

        Once the operator has said that the game continues as it is here, that is no reason to suspend it again.
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
        """Take the lines that a forwarded letter restores; the rest waits until the game continues."""
        row, more = game.seats[seat], self.store.values("more_addresses", "address", game=game.id, seat=seat)
        if case.mail.sender.lower() not in map(str.lower, [row.address, *more]):
            return catching_up.WAITS
        pieces = _lines_in(self.store.raw("inbox", case.number))
        first = (
            _("The file of your letter is here, and needs those before it. Forward the letter before it, too.")
            if pieces
            else _(
                "Your mail waits, and is read when the game continues. For that, the host needs your last "
                "letter with its attached file. If your program leaves the file out, save it and attach it "
                "to a mail."
            )
        )
        self.store.change("inbox", case.number, outcome=catching_up.WAITS)
        is_here, stands = not pieces and seat not in catching_up.copies_wanted(game.house.store, game.id), ""
        try:
            with self.store.decision():
                outcome = self._as_a_copy(game, seat, [*self._waiting(case, game.id), *pieces], case.at)
                stands = self._look(game, case.at) if is_here else outcome.partition("; ")[2]
        except Refused as error:
            first, outcome = str(error), f"refused: FORM: {error}"
        if outcome.startswith("copy") or is_here:
            first = _("Your copy is here: thank you. The game continues when the copies of all players are here.")
            if stands and not stands.startswith(_HOW_IT_STANDS):
                first = f"{first} {stands}"
        if (
            case.number != self.stopped_by
            and self.play.house.game(game.id).stands_still
            and self.post.may_answer("reply", row.address, case.at)
        ):
            self.post.about_a_copy(game, seat, case.at, first, case.digest)
        return outcome

    def _waiting(self, case: Case, game: int) -> list[bytes]:
        """The lines of letters that the same player has forwarded before, and that wait, as there are others between."""
        waiting = self.store.find(Mail, game=game, outcome=catching_up.WAITS)
        found = [self.store.raw("inbox", mail.id) for mail in waiting if mail.id != case.number]
        return [
            log
            for raw in found
            if read_message(raw).sender.lower() == case.mail.sender.lower()
            for log in _lines_in(raw)
        ]

    def _as_a_copy(self, game: HostedGame, seat: str, pieces: Sequence[bytes], at: str) -> str:
        """Take forwarded lines as a seat's copy, unless some between them and the log here are missing."""
        # an older letter that is forwarded after a later one takes nothing away
        here = self.store.values("copies", "log", game=game.id, seat=seat)
        theirs = Log.parse(bytes(here[0])) if here else Log(game.ledger.whole().entries)
        if all(_first_entry(lines) < 0 for lines in pieces):
            return catching_up.WAITS
        for lines in sorted(pieces, key=_first_entry):
            try:
                if further := catching_up.further(lines, theirs.head[0]):
                    theirs.grow(further)
            except PbemError:
                return catching_up.WAITS
        catching_up.keep_copy(game, seat, catching_up.read_copy(game, theirs.dump()))
        return f"copy: {seat}; {self._look(game, at)}"

    def _look(self, game: HostedGame, at: str) -> str:
        """Continue if possible, also with orders of kept seats that no copy opens but that are found again."""
        whole = reduce(merge, catching_up.copies(self.store, game.id), game.ledger.whole())
        waiting = self.store.find(Mail, game=game.id, outcome=catching_up.WAITS)
        if found_again(game, whole, [read_message(self.store.raw("inbox", mail.id)).own for mail in waiting]):
            catching_up.keep_copy(game, "found again", whole)
        return catching_up.look(self.play, game.id, at)


def _lines_in(raw: bytes) -> list[bytes]:
    """The lines of all letters that were forwarded in a mail: below its text, or as messages that are attached."""
    return [log for one in (raw, *attached_messages(raw)) if (log := read_message(one).log)]


def _first_entry(lines: bytes) -> int:
    """Return the number of the first entry in some lines of a copy; -1 if there is none."""
    found = re.search(rb'"n":(\d{1,9})\b', b"".join(line for line in lines.splitlines() if line.startswith(b"{")))
    return int(found[1]) if found else -1
