"""Players who take a seat by reply, apart from those invited to a new game: members at a club's tables, and replacements.

This module says which seats of a table may be kept, which replies are for the club, and why a JOIN takes no seat.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.kept import join_field, words_of
from pbem.mail import Command, Incoming
from pbem.records import dataclass
from pbem.referee import Refused

from . import banned, evidence, newcomers, succession
from .essence import Case
from .hosted import HostedGame, House
from .kept import HowKept
from .kept_seats import keeper, shared, sign_join
from .post import Post
from .store.rows import MAY_BE_KEPT, ClubTable
from .tongues import understood


def that_may_be(terms: Json, seats: Collection[str]) -> list[str]:
    """Return the seats that may be kept in a game with these terms: not a built-in player's, and none in a rated game."""
    return [seat for seat in seats if seat not in terms.get("built_in", {}) and not terms.get("rated")]


def is_asked(post: Post, command: Command, *, is_invited: bool) -> bool:
    """Is a word in a reply to a letter of a game the club's? To an invitation, JOIN is so with the number of a table alone."""
    if is_invited and command.word == "JOIN":
        return command.to.split()[0] in [str(table.id) for table in post.house.store.find(ClubTable, opened=0)]
    return bool(post.playable) and command.word in banned.WORDS


def not_joined(house: House, mail: Incoming, number: int | None) -> str:
    """Why JOIN takes no seat in a mail without the invitation's code; "" where it does not say JOIN, or nobody is invited there."""
    invited = [row for row in house.seats_at(mail.sender) if not row.key and number in (None, row.game)]
    if not invited or evidence.words_behind_join(mail.own) is None:
        return ""
    if any(row.kept == MAY_BE_KEPT for row in invited):
        return _("JOIN counts only in a reply to the invitation: open that letter, press Reply, and write JOIN there.")
    return _(
        "In this game each player signs with a key of his own, and the host keeps none: the invitation says how you take the seat. "
        "In rated games and events it is always so."
    )


@dataclass(frozen=True, slots=True)
class KeptNewcomers:
    """Handles the mail of people who are invited to replace a player who has vanished."""

    post: Post

    def take(self, case: Case, game: HostedGame, seat: str) -> str:
        """Take JOIN from somebody who was invited: the others are asked, as they are about one with a key of his own."""
        said = evidence.words_behind_join(case.mail.own)
        if said is None:
            why = _("To take the seat, reply to the invitation with JOIN and a few words. Nothing before that is read.")
            return self._told(case, game, seat, why, "ignored: not JOIN")
        if newcomers.has_answered(game, seat):
            return self._told(
                case, game, seat, _("Your JOIN is here. The others have been asked."), "duplicate: joined"
            )
        if why := shared(game, seat, case.mail.sender):
            return self._told(case, game, seat, why, "refused: BIND: two seats with one address")
        by = HowKept(words_of(said), later=True)
        if keeper(game).pen(seat, by).chain.anchor in game.course.seats[seat].anchors:
            why = _("Somebody before you had this seat with the same words: reply JOIN with others.")
            return self._told(case, game, seat, why, "refused: BIND: words that were used")
        wants = understood(case.mail.wants)
        try:
            with game.house.store.decision():
                outcome = self._joins(case, game, seat, by, wants)
        except Refused as error:
            return self._told(case, game, seat, str(error), f"refused: {error.code}: {error}")
        first = _("Your words are “{words}”. The game continues with you when all others have agreed.", words=by.words)
        return self._told(case, game, seat, first, outcome)

    def _joins(self, case: Case, game: HostedGame, seat: str, by: HowKept, wants: str) -> str:
        raw = game.house.store.raw("inbox", case.number)
        joined = sign_join(game, seat, by, self.post.token(game, seat), raw, case.at)
        beside = join_field(by.words, evidence.mail_of(game.house.store, game.id, joined.say))
        return succession.take(game, replace(joined, beside=beside), self.post, case.at, wants, case.mail.sender)

    def _told(self, case: Case, game: HostedGame, seat: str, first: str, outcome: str) -> str:
        address = case.mail.sender
        if self.post.may_answer("reply", address, case.at):
            language = self.post.at_hand(understood(case.mail.wants))
            self.post.to_newcomer(game, seat, case.at, address, first, case.digest, language=language)
        return outcome
