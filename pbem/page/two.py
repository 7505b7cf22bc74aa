"""What answers a page's calls in games of two, which have no host: each is what the commands do, by `pbem.player.pair`.

It decides nothing that the desk does not decide, and shows what the own seat may see. It comes later than the rest of a page
(`later`): nothing imports it before somebody plays such a game.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.errors import PbemError, UsageError
from pbem.games import GamePack, find, known
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import sha256_hex
from pbem.ledger.pair import KnownCourse, verify_pair
from pbem.ledger.pair.course import JOINS
from pbem.ledger.pair.papers import NO_PAPERS, Papers
from pbem.mail import check_address
from pbem.player.copy import sense
from pbem.player.pair.advance import heard_with, is_ahead_alone, marks_ahead, unmet, why_silent
from pbem.player.pair.laying import again, move_friend, name_witness
from pbem.player.pair.letters import game_of
from pbem.player.pair.offers import asked_back, awaits_opening, is_lapsed, is_offered
from pbem.player.pair.sayable import sayings_of_two
from pbem.player.pair.saying import plan, say, withdraw, write_words
from pbem.player.pair.showing import opened_at_the_end
from pbem.player.pair.turns import asked as asked_in
from pbem.player.pair.turns import go_on, order, play_on, send_ahead, standing
from pbem.player.reading import opened
from pbem.referee.pair import PairPlay, audit_pair
from pbem.reports.judged import names_in
from pbem.reports.of_two import PairReader
from pbem.reports.replay import Opened, page
from pbem.reports.told import Told

from . import acts, calls, drafts, friends, letters, playing, showing
from .chair import Chair, second_opinion

if TYPE_CHECKING:
    from pbem.ledger import Verdict
    from pbem.player import Desk
    from pbem.player.pair.shelf import PairSeat

Signs: TypeAlias = "Callable[[Callable[[], str]], calls.Signed]"
"""Signs something, and returns what was said with the letters that it laid ready."""
_MOST = 1000
"""So many answers one turn never holds."""


class OfTwo:
    """The games of two on one desk, for a page. A method that has the name of a call answers it."""

    def __init__(self, desk: Desk, now: Callable[[], str], signed: Signs) -> None:
        self.desk, self.now, self._signed = desk, now, signed
        self._sat: tuple[object, Chair] | None = None

    def seat_of(self, game: str) -> PairSeat:
        """Return the seat in a game. Raises UsageError where it is not here."""
        if found := self.desk.pairs.named(game):
            return self.desk.pairs.seat(found[0])
        raise UsageError(_("There is no game {game} on this desk.", game=game[:8]))

    def answer(self, name: str, asked: Any) -> calls.Reply:
        """Answer a call of a game of two. Raises UsageError for one that only games with a host have."""
        answers: Callable[[Any, PairSeat], calls.Reply] | None = getattr(self, f"_{name}", None)
        if answers is None or name.startswith("_"):
            raise UsageError(_("This is a game of two, without a host: there is no such thing in it."))
        return answers(asked, self.seat_of(asked.game))

    # -- how it stands --------------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[calls.GameStands]:
        """Go through how the games stand; one that makes no sense says so, and holds up no other."""
        for seat in map(self.desk.pairs.seat, self.desk.pairs.games()):
            try:
                yield self._row(seat)
            except PbemError as error:
                yield self._stands(seat, seat.notes.seat, "broken", str(error), ())

    def _row(self, seat: PairSeat) -> calls.GameStands:
        state, baton = seat.whose()
        if state == "lost":
            why = _("Its log is not here: ask your friend for the whole of it, and read that letter.")
            return self._stands(seat, seat.notes.seat, "broken", why, ())
        name = seat.table.pack.look.seat_name
        own = name(seat.notes.seat)
        match state:
            case "joining":
                return self._stands(seat, own, "joining", _("Your friend has not joined yet."), ())
            case "mine":
                return self._stands(seat, own, "mine", _("It is your turn."), ())
            case "theirs":
                says = " ".join(filter(None, [_("Waiting for {seats}.", seats=name(baton)), awaits_opening(seat)]))
                return self._stands(seat, own, "others", says, (name(baton),))
        return self._stands(seat, own, "over", _("It is over."), ())

    def _stands(self, seat: PairSeat, own: str, state: str, says: str, waits: tuple[str, ...]) -> calls.GameStands:
        return calls.GameStands.model_validate({
            "game": seat.notes.game, "title": seat.notes.title, "seat": seat.notes.seat, "seat_name": own,
            "state": state, "says": says,
            "waits_for": waits, "since": seat.notes.since, "due": "", "waiting": tuple(p.name for p in seat.waiting()),
            "missed": (), "alone": False, "of_two": True,
        })  # fmt: skip

    # -- the seat -------------------------------------------------------------------------------------------------------

    def _chair(self, seat: PairSeat) -> Chair:
        """The own seat as it stands. It is held until something is new: touches ask for it again and again."""
        table = seat.table
        mark = (table.head, repr(seat.notes))
        if self._sat is None or self._sat[0] != mark:
            if table.waits:
                raise UsageError(_("The game has not begun: your friend has not joined yet."))
            self._sat = mark, self._seated(seat, standing(seat), table.pack)
        return self._sat[1]

    def _seated(self, seat: PairSeat, play: PairPlay, pack: GamePack) -> Chair:
        is_asked = play.question is not None
        asked = (seat.notes.seat,) if is_asked else () if play.course.is_over else (play.course.baton,)
        view = play.peer.own if is_asked else play.shown
        heard = heard_with(seat.notes, play)
        told = [(n, tuple(fact for _n, fact in facts)) for n, facts in groupby(heard, lambda one: one[0])]
        n = seat.table.head[0]
        return Chair(
            game=seat.notes.game,
            pack=pack,
            seat=seat.notes.seat,
            tells=[Told(at, facts, view) for at, facts in told] or [Told(JOINS, (), view)],
            entry=n,
            asked=asked,
            ask=n * _MOST + len(seat.notes.answers) if is_asked else None,
            since=seat.notes.since,
            result=play.result,
            plans=seat.notes.plans,
            plans_shown=seat.notes.shows if play.knowing.has_contests else None,
            marks=marks_ahead(play),
            chances=play.course.first["terms"].get("odds") is not False,
            offers=int(bool(asked_back(seat)) or is_offered(seat, play)),
            of_two=True,
        )

    def _position(self, asked: playing.AskPosition, seat: PairSeat) -> playing.Position:
        chair = self._chair(seat)
        if asked.n is None or asked.n >= chair.tells[-1].n:
            return chair.position(None, asked.ground)
        return self._as_it_was(seat, asked.n).position(None, asked.ground)

    def _as_it_was(self, seat: PairSeat, n: int) -> Chair:
        """The own seat behind an entry: what is known of it follows from the log up to there, as it did then."""
        table = seat.table
        play = PairPlay.of(table.knowing, table.entries[: max(n, JOINS) + 1], seat.key)
        told = tuple(fact for _at, fact in play.news)
        return Chair(seat.notes.game, table.pack, seat.notes.seat, [Told(n, told, play.shown)], n, of_two=True)

    def _story(self, asked: playing.AskStory, seat: PairSeat) -> playing.Moments:
        return self._chair(seat).story(asked.since)

    def _template(self, _asked: playing.AskTemplate, seat: PairSeat) -> playing.OrderTemplate:
        return self._chair(seat).template()

    def _odds(self, _asked: playing.AskOdds, seat: PairSeat) -> playing.OddsShown:
        return self._chair(seat).odds()

    def _closing(self, _asked: playing.AskClosing, seat: PairSeat) -> playing.Ended:
        tells = tale.told[seat.notes.seat] if (tale := self._at_the_end(seat)) else self._all_along(seat)
        return replace(self._chair(seat), tells=list(tells)).closing(tale)

    def _opinion(self, _asked: playing.AskOpinion, seat: PairSeat) -> playing.ClosingShown:
        if tale := self._at_the_end(seat):
            return second_opinion(tale, seat.table.pack)
        return playing.ClosingShown(drawings=(), tables=())

    def _at_the_end(self, seat: PairSeat) -> Opened | None:
        """The whole game, once it is over: what lies on the desk was judged when it came."""
        entries = seat.table.entries
        course = KnownCourse.of(entries, goes_on=True)
        return opened_at_the_end(course, entries, entries[-1].n) if course.is_over else None

    def _all_along(self, seat: PairSeat) -> list[Told]:
        """What the own seat was told with each entry, and saw after it."""
        table, heard = seat.table, 0
        play = PairPlay.of(table.knowing, table.entries[: JOINS + 1], seat.key)
        found = []
        for entry in table.entries[JOINS + 1 :]:
            play.take_entry(entry)
            if facts := tuple(fact for _n, fact in play.news[heard:]):
                found.append(Told(entry.n, facts, play.shown))
            heard = len(play.news)
        return found

    def _touches(self, asked: playing.AskTouches, seat: PairSeat) -> playing.Touches:
        chair = self._chair(seat)
        chair.check_ask(asked.ask)
        return chair.touches(asked.draft, asked.ground)

    def _compare(self, _asked: acts.CompareHead, seat: PairSeat) -> acts.HeadCompared:
        n, head = seat.table.head
        return acts.HeadCompared(n=n, at=seat.notes.since, head=head, waits=False, says="")

    # -- what is signed -------------------------------------------------------------------------------------------------

    def invite(self, asked: friends.Invite) -> calls.Signed:
        """Make a game, and lay the invitation ready. Raises UsageError."""
        check_address(asked.friend)
        terms = {"hours": asked.hours} | ({} if asked.odds else {"odds": False})
        pack, begin = find(asked.game), self.desk.pair_joiner.begin

        def sign() -> str:
            return begin(pack, asked.options, asked.seat, asked.friend, terms, os.urandom(32).hex(), self.now())

        return self._signed(sign)

    def join(self, raw: bytes, friend: str) -> calls.Signed:
        """Join by a letter that invites. Raises UsageError, RecordError or Fault."""
        return self._signed(lambda: self.desk.pair_joiner.join(raw, self.now(), friend))

    def _sign(self, asked: playing.Sign, seat: PairSeat) -> calls.Signed:
        def sign() -> str:
            with seat.alone():
                self._chair(seat).check_ask(asked.ask)
                if is_ahead_alone(asked.text):
                    return send_ahead(seat, asked.text, asked.plans)
                return order(seat, asked_in(seat, self.now()), asked.text, self.now(), asked.plans)

        return self._signed(sign)

    def _plans(self, asked: playing.SetPlans, seat: PairSeat) -> calls.Done:
        return calls.Done(said=plan(seat, asked.text, shows=asked.shown))

    def _say(self, asked: playing.Say, seat: PairSeat) -> calls.Signed:
        def sign() -> str:
            match asked.what:
                case "withdraw":
                    return withdraw(seat)
                case "play_on":
                    play_on(seat, self.now())
                    return ""
                case "resign" | "draw" | "agree" | "takeback" | "let":
                    return say(seat, asked.what, self.now())
            raise UsageError(_("This is a game of two, without a host: there is no such thing in it."))

        return self._signed(sign)

    def _press(self, asked: playing.Press, seat: PairSeat) -> calls.Signed:
        return self._signed(lambda: write_words(seat, asked.text.strip(), self.now(), asked.to.lower()))

    def _sayings(self, _asked: acts.AskSayings, seat: PairSeat) -> acts.Sayings:
        found = sayings_of_two(seat)
        table = seat.table
        others = [] if table.waits else [one for one in table.beginning.names if one != seat.notes.seat]
        return acts.Sayings(
            says=tuple(acts.Sayable.model_validate(one._asdict()) for one in found),
            others=tuple(calls.SeatName(seat=one, name=table.pack.look.seat_name(one)) for one in others),
        )

    # -- letters --------------------------------------------------------------------------------------------------------

    def went_on(self, came: calls.Came) -> calls.Came:
        """Let the program sign what it owes without a decision, for the letters of friends that were read; say how all stands."""
        last = {one.game: one for one in came.came if one.kind == "pair"}
        told = {game: self._went_on(one) for game, one in last.items()}
        found = tuple(told[one.game] if one is last.get(one.game) else one for one in came.came)
        return came.model_copy(update={"came": found})

    def _went_on(self, one: calls.CameIn) -> calls.CameIn:
        seat, before = self.seat_of(one.game), set(self.desk.tray.unsent())
        if seat.state == "joining":
            return one
        says, wrong = [one.text], list(one.warnings)
        try:
            go_on(seat, self.now())
            says += self._stands_now(seat, laid=bool(set(self.desk.tray.unsent()) - before))
        except PbemError as error:
            wrong.append(str(error))
        return one.model_copy(update={"text": "\n".join(filter(None, says)), "warnings": tuple(wrong)})

    def _stands_now(self, seat: PairSeat, *, laid: bool) -> Iterator[str]:
        chair = self._chair(seat)
        if laid:
            yield _(
                "Nothing is to be decided by you now, but your friend's program waits for what yours has to say, or what your "
                "plans answer. It is signed, and waits to be sent."
            )
        if is_lapsed(seat, seat.play()):
            yield _(
                "Your friend had signed his turn before he read that you resign: that counts no more, and the game goes on. Say it "
                "again in the game, or play on."
            )
        if asked_back(seat):
            yield _("Your friend asks to take back what he answered last. You may let him in the game, or play on.")
        elif chair.offers:
            yield _("Your friend offers a draw. You may agree in the game, or play on.")
        if about := unmet(seat.table, seat.notes, standing(seat)):
            yield _(
                "Your friend had sealed plans for the battle of {about}. If you show yours, too (a switch beside your standing "
                "plans), they answer his at once, from the next battle on that both speak of.",
                about=about,
            )
        if chair.mine:
            yield _("It is your turn.")
        if silent := why_silent(seat.notes, standing(seat)):
            stands = standing(seat).question
            was_ahead = stands is not None and stands.mark
            said = (
                _("Your order sent ahead was not used, so you are asked:")
                if was_ahead
                else _("Your plan was not used, so you are asked:")
            )
            yield " ".join([said, *silent])
        if chair.result is not None:
            yield _("It is over.")

    def _again(self, _asked: calls.GiveAgain, seat: PairSeat) -> calls.Letters:
        again(seat, self.now())
        return self._letters(None, seat)

    def _resend(self, _asked: acts.AskResend, seat: PairSeat) -> calls.Signed:
        again(seat, self.now())
        return calls.Signed(said="", letters=letters.outgoing(self.desk, seat.waiting()), more=False)

    def _copy(self, _asked: acts.SendCopy, seat: PairSeat) -> calls.Signed:
        again(seat, self.now(), whole=True)
        return calls.Signed(said="", letters=letters.outgoing(self.desk, seat.waiting()), more=False)

    def _letters(self, _asked: object, seat: PairSeat) -> calls.Letters:
        return calls.Letters(letters=letters.outgoing(self.desk, seat.waiting()))

    def _write_to(self, asked: friends.WriteTo, seat: PairSeat) -> calls.Done:
        check_address(asked.friend)
        move_friend(seat, asked.friend, self.now())
        return calls.Done(
            said=_("{title}: your letters go to {new} from now on.", title=seat.notes.title, new=asked.friend)
        )

    def _witness(self, asked: friends.NameWitness, seat: PairSeat) -> calls.Signed:
        if asked.address:
            check_address(asked.address)

        def sign() -> str:
            name_witness(seat, asked.address, self.now())
            if not asked.address:
                return _("{title}: no copies go to a witness any longer.", title=seat.notes.title)
            return _(
                "{title}: copies of your letters go to {new} from now on.", title=seat.notes.title, new=asked.address
            )

        return self._signed(sign)

    def _read_instead(self, asked: friends.ReadInstead, seat: PairSeat) -> calls.Signed:
        raw = letters.file(asked.data)
        log = opened(raw)[0].log
        if not log or (game_of(log) or sha256_hex(log.split(b"\n", 1)[0])) != seat.notes.game:
            raise UsageError(_("This is no letter of this game: nothing has been changed."))

        def sign() -> str:
            said = self.desk.pair_inbox.read(raw, self.now(), instead=True).text
            go_on(self.seat_of(asked.game), self.now())
            return said

        return self._signed(sign)

    # -- what is kept ---------------------------------------------------------------------------------------------------

    def _keys(self, _asked: acts.AskKeys, seat: PairSeat) -> acts.KeysCompared:
        table = seat.table
        name, held = table.pack.look.seat_name, table.beginning.seats.items()
        return acts.KeysCompared(
            keys=tuple(letters.one_key(at, name(at), one.key, own=at == seat.notes.seat) for at, one in held)
        )

    def _notes(self, asked: playing.AskNotes, seat: PairSeat) -> calls.Done:
        return calls.Done(said=showing.notes(self.desk.home, seat.notes.game, asked.text))

    def _draft(self, asked: playing.KeepDraft, seat: PairSeat) -> playing.DraftKept:
        return drafts.answer(self.desk.home, seat.notes.game, asked)

    def _log(self, asked: calls.AskLog, seat: PairSeat) -> calls.OneFile:
        return calls.OneFile(name=f"{asked.game[:16]}.pbem", data=b64encode(seat.table.path.read_bytes()).decode())

    def _entries(self, _asked: acts.AskEntries, seat: PairSeat) -> acts.Entries:
        table = seat.table
        reader = PairReader(table.pack)
        with sense():
            return acts.Entries(lines=tuple(reader.line(entry) for entry in table.entries))

    def _replay(self, asked: acts.AskReplay, seat: PairSeat) -> calls.OneFile:
        """The page that steps through it: as the own seat saw it, and all of it once the game is over."""
        table = seat.table
        with sense():
            if tale := self._at_the_end(seat):
                made = page(tale, table.pack)
            else:
                told = self._all_along(seat)
                tale = Opened(seat.notes.game, table.beginning.names, {seat.notes.seat: told} if told else {})
                made = page(tale, table.pack, seat.notes.seat)
        return calls.OneFile(name=f"{seat.notes.game[:16]}.html", data=b64encode(made.encode()).decode())


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


def judged(log: bytes, papers: Papers = NO_PAPERS, *, rules: bool) -> Verdict:
    """Return the verdict on a log of two, as the commands have it."""
    from pbem.games.without_host import knowing_by_version, play_alike

    called = names_in(log)
    return audit_pair(log, knowing_by_version, called, play_alike, papers) if rules else verify_pair(log, called)
