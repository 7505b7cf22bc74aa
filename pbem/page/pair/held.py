"""A game of two, which has no host, as a page shows it: a `Held`.

It decides nothing that the desk does not decide, and shows what the own seat may see. It comes later than the rest of a page
(`later`): nothing imports it before somebody plays such a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from pbem.errors import PbemError
from pbem.games import GamePack, find, known
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.first_line import TWO
from pbem.ledger.pair import known_course
from pbem.ledger.pair.course import JOINS
from pbem.page import calls, further_calls, playing, showing
from pbem.page.chair import Chair, second_opinion
from pbem.player.copy import sense
from pbem.player.pair.advance import heard_with, marks_ahead, unmet, why_silent
from pbem.player.pair.tale import opened_at_the_end
from pbem.player.pair.turns import asked_back, go_on, is_lapsed, is_offered, standing
from pbem.referee.pair import PairPlay
from pbem.reports.friends import PairReader
from pbem.reports.replay import Opened, page
from pbem.reports.told import Told

if TYPE_CHECKING:
    from pbem.player.pair.speaking import FriendSpeaker

_MOST = 1000
"""More answers than one turn can contain."""


class OfTwo:
    """A game of two as its seat has it before it: a `Held`. Chairs are kept in `sat` until something is new: touches ask for
    them again and again."""

    def __init__(self, friend: FriendSpeaker, sat: dict[str, tuple[object, Chair]]) -> None:
        self.friend, self.seat, self._sat = friend, friend.seat, sat

    def chair(self) -> Chair:
        """Return the current view of the seat. Raises UsageError before the friend has joined."""
        seat = self.seat
        mark, kept = (seat.table.head, repr(seat.notes)), self._sat.get(seat.notes.game)
        if kept is None or kept[0] != mark:
            seat.must_have_begun()
            kept = self._sat[seat.notes.game] = mark, self._seated(standing(seat))
        return kept[1]

    def _seated(self, play: PairPlay) -> Chair:
        seat = self.seat
        is_asked = play.question is not None
        view = play.peer.own if is_asked else play.shown
        heard = heard_with(seat.notes, play)
        told = [(n, tuple(fact for _n, fact in facts)) for n, facts in groupby(heard, lambda one: one[0])]
        n = seat.table.head[0]
        return Chair(
            game=seat.notes.game,
            pack=seat.table.pack,
            seat=seat.notes.seat,
            tells=[Told(at, facts, view) for at, facts in told] or [Told(JOINS, (), view)],
            entry=n,
            asked=play.asked,
            ask=n * _MOST + len(seat.notes.answers) if is_asked else None,
            since=seat.notes.since,
            result=play.result,
            plans=seat.notes.plans,
            plans_shown=seat.notes.shows if play.knowing.has_contests else None,
            marks=marks_ahead(play),
            chances=play.course.first["terms"].get("odds") is not False,
            offers=int(bool(asked_back(seat)) or is_offered(seat, play)),
            mode=TWO,
        )

    def then(self, n: int) -> Chair:
        """Return the seat's view after an entry, computed from the log up to that entry."""
        if n >= (chair := self.chair()).tells[-1].n:
            return chair
        seat, table = self.seat, self.seat.table
        play = PairPlay.of(table.knowing, table.entries[: max(n, JOINS) + 1], seat.key)
        told = tuple(fact for _at, fact in play.news)
        return Chair(seat.notes.game, table.pack, seat.notes.seat, [Told(n, told, play.shown)], n, mode=TWO)

    def closing(self) -> playing.Ended:
        """Return how the game ended and went."""
        tale = self._tale()
        return replace(self.chair(), tells=list(self._tells(tale))).closing(tale)

    def opinion(self) -> playing.ClosingShown:
        """Return which side stood better, turn by turn; empty while the game continues."""
        if tale := self._tale():
            return second_opinion(tale, self.friend.seat.pack)
        return playing.ClosingShown(drawings=(), tables=())

    def data(self) -> bytes:
        """Return the log."""
        return self.seat.table.path.read_bytes()

    def lines(self) -> tuple[str, ...]:
        """Return what the entries say, a sentence each."""
        reader = PairReader(self.friend.seat.pack)
        with sense():
            return tuple(reader.line(entry) for entry in self.seat.table.entries)

    def replay(self) -> str:
        """Return the replay page: as the own seat saw it, and in full once the game is over."""
        table, own, tale = self.seat.table, self.seat.notes.seat, self._tale()
        with sense():
            if tale:
                return page(tale, table.pack)
            told = self._tells(None)
            return page(Opened(table.game, table.beginning.names, {own: told} if told else {}), table.pack, own)

    def compare(self, _head: str, *, anyway: bool) -> further_calls.HeadCompared:
        """Return where the copy ends: it came from no host, and nothing waits to be compared."""
        n, head = self.seat.table.head
        return further_calls.HeadCompared(n=n, at=self.seat.notes.since, head=head, waits=False, says="")

    def _tale(self) -> Opened | None:
        """Return the whole game once it is over; the log on the desk was checked when it came."""
        entries = self.seat.table.entries
        course = known_course(entries, goes_on=True)
        return opened_at_the_end(course, entries, entries[-1].n) if course.is_over else None

    def _tells(self, tale: Opened | None) -> Sequence[Told]:
        """What the own seat was told with each entry, and saw after it."""
        if tale:
            return tale.told[self.seat.notes.seat]
        table, heard = self.seat.table, 0
        play = PairPlay.of(table.knowing, table.entries[: JOINS + 1], self.seat.key)
        found = []
        for entry in table.entries[JOINS + 1 :]:
            play.take_entry(entry)
            if facts := tuple(fact for _n, fact in play.news[heard:]):
                found.append(Told(entry.n, facts, play.shown))
            heard = len(play.news)
        return found

    def came(self, one: calls.CameIn, now: str) -> calls.CameIn:
        """After a friend's letter, let the program sign what needs no decision; return the letter's news with the game's state."""
        seat, tray = self.seat, self.seat.tray
        if seat.state == "joining":
            return one
        says, wrong, before = [one.text], list(one.warnings), set(tray.unsent())
        try:
            go_on(seat, now)
            says += self._stands_now(laid=bool(set(tray.unsent()) - before))
        except PbemError as error:
            wrong.append(str(error))
        return one.model_copy(update={"text": "\n".join(filter(None, says)), "warnings": tuple(wrong)})

    def _stands_now(self, *, laid: bool) -> Iterator[str]:
        seat, chair, play = self.seat, self.chair(), standing(self.seat)
        if laid:
            yield _(
                "You have nothing to decide now. Your friend's program needs a letter from yours (what it "
                "has to say, or your plans' answers). The letter is signed, and waits to be sent."
            )
        if is_lapsed(seat, seat.play()):
            yield _(
                "Your friend signed his turn before he read that you resign. Your resignation is no longer "
                "valid, and the game continues. Resign again in the game, or play on."
            )
        if asked_back(seat):
            yield _("Your friend asks to take back what he answered last. You may let him in the game, or play on.")
        elif chair.offers:
            yield _("Your friend offers a draw. You may agree in the game, or play on.")
        if about := unmet(seat.table, seat.notes, play):
            yield _(
                "Your friend had sealed plans for the battle of {about}. If you show yours, too (a switch beside your standing "
                "plans), they answer his at once, from the next battle on that both speak of.",
                about=about,
            )
        if chair.mine:
            yield _("It is your turn.")
        if silent := why_silent(seat.notes, play):
            ahead = _("Your order sent ahead was not used, so you are asked:")
            marked = play.question and play.question.mark
            yield " ".join([ahead if marked else _("Your plan was not used, so you are asked:"), *silent])
        if chair.result is not None:
            yield _("It is over.")


def pairable(game: str, options: Mapping[str, Json]) -> calls.Choices:
    """Return what two can play without a host; `options` are of this game, and its seats follow from them. Raises UsageError."""
    packs = [find(game)] if game else [pack for pack in map(find, known()) if pack.knowing is not None]
    found = (showing.playable(pack, {**_for_two(pack), **options}) for pack in packs)
    return calls.Choices(games=tuple(one for one in map(_without_number, found) if len(one.seats) == 2))


def _for_two(pack: GamePack) -> dict[str, Json]:
    many = pack.rules.options_model.model_fields.get("players")
    return {"players": 2} if many is not None and many.annotation is int else {}


def _without_number(one: calls.Playable) -> calls.Playable:
    """It is two who play: that is no option."""
    return one.model_copy(update={"settings": tuple(each for each in one.settings if each.name != "players")})
