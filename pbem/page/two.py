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
from pbem.player.pair.letters import game_of
from pbem.player.pair.sayable import sayings_of_two
from pbem.player.pair.showing import opened_at_the_end
from pbem.player.reading import opened
from pbem.referee.pair import PairPlay, audit_pair
from pbem.reports.judged import names_in
from pbem.reports.of_two import PairReader
from pbem.reports.replay import Opened, page
from pbem.reports.told import Told

from . import acts, calls, drafts, friends, letters, playing, showing
from .chair import Chair, second_opinion

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.ledger import Verdict
    from pbem.player import Desk
    from pbem.player.pair.notes import PairNotes
    from pbem.player.pair.pairs import Pairs

Signs: TypeAlias = "Callable[[Callable[[], str]], calls.Signed]"
"""Signs something, and returns what was said with the letters that it laid ready."""
_MOST = 1000
"""So many answers one turn never holds."""


class OfTwo:
    """The games of two on one desk, for a page. A method that has the name of a call answers it."""

    def __init__(self, desk: Desk, now: Callable[[], str], signed: Signs) -> None:
        self.desk, self.now, self._signed = desk, now, signed
        self._sat: tuple[object, Chair] | None = None

    @property
    def _pairs(self) -> Pairs:
        return self.desk.pairs

    def notes_of(self, game: str) -> PairNotes:
        """Return the notes of a game. Raises UsageError where it is not here."""
        if found := self._pairs.named(game):
            return found[0]
        raise UsageError(_("There is no game {game} on this desk.", game=game[:8]))

    def answer(self, name: str, asked: Any) -> calls.Reply:
        """Answer a call of a game of two. Raises UsageError for one that only games with a host have."""
        answers: Callable[[Any, PairNotes], calls.Reply] | None = getattr(self, f"_{name}", None)
        if answers is None or name.startswith("_"):
            raise UsageError(_("This is a game of two, without a host: there is no such thing in it."))
        return answers(asked, self.notes_of(asked.game))

    # -- how it stands --------------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[calls.GameStands]:
        """Go through how the games stand; one that makes no sense says so, and holds up no other."""
        for notes in self._pairs.games():
            try:
                yield self._row(notes)
            except PbemError as error:
                yield self._stands(notes, notes.seat, "broken", str(error), ())

    def _row(self, notes: PairNotes) -> calls.GameStands:
        state, baton = self._pairs.state(notes)
        if state == "lost":
            why = _("Its log is not here: ask your friend for the whole of it, and read that letter.")
            return self._stands(notes, notes.seat, "broken", why, ())
        name = self._pairs.table(notes).pack.look.seat_name
        own = name(notes.seat)
        match state:
            case "joining":
                return self._stands(notes, own, "joining", _("Your friend has not joined yet."), ())
            case "mine":
                return self._stands(notes, own, "mine", _("It is your turn."), ())
            case "theirs":
                says = " ".join(
                    filter(None, [_("Waiting for {seats}.", seats=name(baton)), self._pairs.awaits_opening(notes)])
                )
                return self._stands(notes, own, "others", says, (name(baton),))
        return self._stands(notes, own, "over", _("It is over."), ())

    def _stands(self, notes: PairNotes, own: str, state: str, says: str, waits: tuple[str, ...]) -> calls.GameStands:
        return calls.GameStands.model_validate({
            "game": notes.game, "title": notes.title, "seat": notes.seat, "seat_name": own, "state": state, "says": says,
            "waits_for": waits, "since": notes.since, "due": "", "waiting": tuple(p.name for p in self._waiting(notes)),
            "missed": (), "alone": False, "of_two": True,
        })  # fmt: skip

    def _waiting(self, notes: PairNotes) -> list[Path]:
        return [path for path in self.desk.tray.unsent() if path.name.startswith(f"{notes.game[:8]}.")]

    # -- the seat -------------------------------------------------------------------------------------------------------

    def _chair(self, notes: PairNotes) -> Chair:
        """The own seat as it stands. It is held until something is new: touches ask for it again and again."""
        table = self._pairs.table(notes)
        mark = (table.head, repr(notes))
        if self._sat is None or self._sat[0] != mark:
            if table.waits:
                raise UsageError(_("The game has not begun: your friend has not joined yet."))
            self._sat = mark, self._seated(notes, self._pairs.standing(notes), table.pack)
        return self._sat[1]

    def _seated(self, notes: PairNotes, play: PairPlay, pack: GamePack) -> Chair:
        is_asked = play.question is not None
        asked = (notes.seat,) if is_asked else () if play.course.is_over else (play.course.baton,)
        view = play.peer.own if is_asked else play.shown
        heard = heard_with(notes, play)
        told = [(n, tuple(fact for _n, fact in facts)) for n, facts in groupby(heard, lambda one: one[0])]
        n = self._pairs.table(notes).head[0]
        return Chair(
            game=notes.game,
            pack=pack,
            seat=notes.seat,
            tells=[Told(at, facts, view) for at, facts in told] or [Told(JOINS, (), view)],
            entry=n,
            asked=asked,
            ask=n * _MOST + len(notes.answers) if is_asked else None,
            since=notes.since,
            result=play.result,
            plans=notes.plans,
            plans_shown=notes.shows if play.knowing.has_contests else None,
            marks=marks_ahead(play),
            chances=play.course.first["terms"].get("odds") is not False,
            offers=int(bool(self._pairs.asked_back(notes)) or self._pairs.is_offered(notes, play)),
            of_two=True,
        )

    def _position(self, asked: playing.AskPosition, notes: PairNotes) -> playing.Position:
        chair = self._chair(notes)
        if asked.n is None or asked.n >= chair.tells[-1].n:
            return chair.position(None, asked.ground)
        return self._as_it_was(notes, asked.n).position(None, asked.ground)

    def _as_it_was(self, notes: PairNotes, n: int) -> Chair:
        """The own seat behind an entry: what is known of it follows from the log up to there, as it did then."""
        table = self._pairs.table(notes)
        play = PairPlay.of(table.knowing, table.entries[: max(n, JOINS) + 1], self._pairs.key(table))
        told = tuple(fact for _at, fact in play.news)
        return Chair(notes.game, table.pack, notes.seat, [Told(n, told, play.shown)], n, of_two=True)

    def _story(self, asked: playing.AskStory, notes: PairNotes) -> playing.Moments:
        return self._chair(notes).story(asked.since)

    def _template(self, _asked: playing.AskTemplate, notes: PairNotes) -> playing.OrderTemplate:
        return self._chair(notes).template()

    def _odds(self, _asked: playing.AskOdds, notes: PairNotes) -> playing.OddsShown:
        return self._chair(notes).odds()

    def _closing(self, _asked: playing.AskClosing, notes: PairNotes) -> playing.Ended:
        tells = tale.told[notes.seat] if (tale := self._at_the_end(notes)) else self._all_along(notes)
        return replace(self._chair(notes), tells=list(tells)).closing(tale)

    def _opinion(self, _asked: playing.AskOpinion, notes: PairNotes) -> playing.ClosingShown:
        if tale := self._at_the_end(notes):
            return second_opinion(tale, self._pairs.table(notes).pack)
        return playing.ClosingShown(drawings=(), tables=())

    def _at_the_end(self, notes: PairNotes) -> Opened | None:
        """The whole game, once it is over: what lies on the desk was judged when it came."""
        entries = self._pairs.table(notes).entries
        course = KnownCourse.of(entries, goes_on=True)
        return opened_at_the_end(course, entries, entries[-1].n) if course.is_over else None

    def _all_along(self, notes: PairNotes) -> list[Told]:
        """What the own seat was told with each entry, and saw after it."""
        table, heard = self._pairs.table(notes), 0
        play = PairPlay.of(table.knowing, table.entries[: JOINS + 1], self._pairs.key(table))
        found = []
        for entry in table.entries[JOINS + 1 :]:
            play.take_entry(entry)
            if facts := tuple(fact for _n, fact in play.news[heard:]):
                found.append(Told(entry.n, facts, play.shown))
            heard = len(play.news)
        return found

    def _touches(self, asked: playing.AskTouches, notes: PairNotes) -> playing.Touches:
        chair = self._chair(notes)
        chair.check_ask(asked.ask)
        return chair.touches(asked.draft, asked.ground)

    def _compare(self, _asked: acts.CompareHead, notes: PairNotes) -> acts.HeadCompared:
        n, head = self._pairs.table(notes).head
        return acts.HeadCompared(n=n, at=notes.since, head=head, waits=False, says="")

    # -- what is signed -------------------------------------------------------------------------------------------------

    def invite(self, asked: friends.Invite) -> calls.Signed:
        """Make a game, and lay the invitation ready. Raises UsageError."""
        check_address(asked.friend)
        terms = {"hours": asked.hours} | ({} if asked.odds else {"odds": False})
        pack, pairs = find(asked.game), self._pairs

        def sign() -> str:
            return pairs.begin(pack, asked.options, asked.seat, asked.friend, terms, os.urandom(32).hex(), self.now())

        return self._signed(sign)

    def join(self, raw: bytes, friend: str) -> calls.Signed:
        """Join by a letter that invites. Raises UsageError, RecordError or Fault."""
        return self._signed(lambda: self._pairs.join(raw, self.now(), friend))

    def _sign(self, asked: playing.Sign, notes: PairNotes) -> calls.Signed:
        pairs = self._pairs

        def sign() -> str:
            with pairs.alone(notes):
                self._chair(notes).check_ask(asked.ask)
                if is_ahead_alone(asked.text):
                    return pairs.send_ahead(notes, asked.text, asked.plans)
                return pairs.order(notes, pairs.asked(notes, self.now()), asked.text, self.now(), asked.plans)

        return self._signed(sign)

    def _plans(self, asked: playing.SetPlans, notes: PairNotes) -> calls.Done:
        return calls.Done(said=self._pairs.plan(notes, asked.text, shows=asked.shown))

    def _say(self, asked: playing.Say, notes: PairNotes) -> calls.Signed:
        pairs = self._pairs

        def sign() -> str:
            match asked.what:
                case "withdraw":
                    return pairs.withdraw(notes)
                case "play_on":
                    pairs.play_on(notes, self.now())
                    return ""
                case "resign" | "draw" | "agree" | "takeback" | "let":
                    return pairs.say(notes, asked.what, self.now())
            raise UsageError(_("This is a game of two, without a host: there is no such thing in it."))

        return self._signed(sign)

    def _press(self, asked: playing.Press, notes: PairNotes) -> calls.Signed:
        return self._signed(lambda: self._pairs.write_words(notes, asked.text.strip(), self.now(), asked.to.lower()))

    def _sayings(self, _asked: acts.AskSayings, notes: PairNotes) -> acts.Sayings:
        found = sayings_of_two(self._pairs, notes)
        table = self._pairs.table(notes)
        others = [] if table.waits else [one for one in table.beginning.names if one != notes.seat]
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
        notes, before = self.notes_of(one.game), set(self.desk.tray.unsent())
        if self._pairs.state(notes)[0] == "joining":
            return one
        says, wrong = [one.text], list(one.warnings)
        try:
            self._pairs.go_on(notes, self.now())
            says += self._stands_now(notes, laid=bool(set(self.desk.tray.unsent()) - before))
        except PbemError as error:
            wrong.append(str(error))
        return one.model_copy(update={"text": "\n".join(filter(None, says)), "warnings": tuple(wrong)})

    def _stands_now(self, notes: PairNotes, *, laid: bool) -> Iterator[str]:
        chair = self._chair(notes)
        if laid:
            yield _(
                "Nothing is to be decided by you now, but your friend's program waits for what yours has to say, or what your "
                "plans answer. It is signed, and waits to be sent."
            )
        if self._pairs.is_lapsed(notes, self._pairs.play(self._pairs.table(notes))):
            yield _(
                "Your friend had signed his turn before he read that you resign: that counts no more, and the game goes on. Say it "
                "again in the game, or play on."
            )
        if self._pairs.asked_back(notes):
            yield _("Your friend asks to take back what he answered last. You may let him in the game, or play on.")
        elif chair.offers:
            yield _("Your friend offers a draw. You may agree in the game, or play on.")
        if about := unmet(self._pairs.table(notes), notes, self._pairs.standing(notes)):
            yield _(
                "Your friend had sealed plans for the battle of {about}. If you show yours, too (a switch beside your standing "
                "plans), they answer his at once, from the next battle on that both speak of.",
                about=about,
            )
        if chair.mine:
            yield _("It is your turn.")
        if silent := why_silent(notes, self._pairs.standing(notes)):
            stands = self._pairs.standing(notes).question
            was_ahead = stands is not None and stands.mark
            said = (
                _("Your order sent ahead was not used, so you are asked:")
                if was_ahead
                else _("Your plan was not used, so you are asked:")
            )
            yield " ".join([said, *silent])
        if chair.result is not None:
            yield _("It is over.")

    def _again(self, _asked: calls.GiveAgain, notes: PairNotes) -> calls.Letters:
        self._pairs.again(notes, self.now())
        return self._letters(None, notes)

    def _resend(self, _asked: acts.AskResend, notes: PairNotes) -> calls.Signed:
        self._pairs.again(notes, self.now())
        return calls.Signed(said="", letters=letters.outgoing(self.desk, self._waiting(notes)), more=False)

    def _copy(self, _asked: acts.SendCopy, notes: PairNotes) -> calls.Signed:
        self._pairs.again(notes, self.now(), whole=True)
        return calls.Signed(said="", letters=letters.outgoing(self.desk, self._waiting(notes)), more=False)

    def _letters(self, _asked: object, notes: PairNotes) -> calls.Letters:
        return calls.Letters(letters=letters.outgoing(self.desk, self._waiting(notes)))

    def _write_to(self, asked: friends.WriteTo, notes: PairNotes) -> calls.Done:
        check_address(asked.friend)
        self._pairs.move_friend(notes, asked.friend, self.now())
        return calls.Done(said=_("{title}: your letters go to {new} from now on.", title=notes.title, new=asked.friend))

    def _witness(self, asked: friends.NameWitness, notes: PairNotes) -> calls.Signed:
        if asked.address:
            check_address(asked.address)

        def sign() -> str:
            self._pairs.name_witness(notes, asked.address, self.now())
            if not asked.address:
                return _("{title}: no copies go to a witness any longer.", title=notes.title)
            return _("{title}: copies of your letters go to {new} from now on.", title=notes.title, new=asked.address)

        return self._signed(sign)

    def _read_instead(self, asked: friends.ReadInstead, notes: PairNotes) -> calls.Signed:
        raw = letters.file(asked.data)
        log = opened(raw)[0].log
        if not log or (game_of(log) or sha256_hex(log.split(b"\n", 1)[0])) != notes.game:
            raise UsageError(_("This is no letter of this game: nothing has been changed."))

        def sign() -> str:
            said = self._pairs.read(raw, self.now(), instead=True).text
            self._pairs.go_on(self.notes_of(asked.game), self.now())
            return said

        return self._signed(sign)

    # -- what is kept ---------------------------------------------------------------------------------------------------

    def _keys(self, _asked: acts.AskKeys, notes: PairNotes) -> acts.KeysCompared:
        table = self._pairs.table(notes)
        name, held = table.pack.look.seat_name, table.beginning.seats.items()
        return acts.KeysCompared(
            keys=tuple(letters.one_key(seat, name(seat), one.key, own=seat == notes.seat) for seat, one in held)
        )

    def _notes(self, asked: playing.AskNotes, notes: PairNotes) -> calls.Done:
        return calls.Done(said=showing.notes(self.desk.home, notes.game, asked.text))

    def _draft(self, asked: playing.KeepDraft, notes: PairNotes) -> playing.DraftKept:
        return drafts.answer(self.desk.home, notes.game, asked)

    def _log(self, asked: calls.AskLog, notes: PairNotes) -> calls.OneFile:
        return calls.OneFile(
            name=f"{asked.game[:16]}.pbem", data=b64encode(self._pairs.table(notes).path.read_bytes()).decode()
        )

    def _entries(self, _asked: acts.AskEntries, notes: PairNotes) -> acts.Entries:
        table = self._pairs.table(notes)
        reader = PairReader(table.pack)
        with sense():
            return acts.Entries(lines=tuple(reader.line(entry) for entry in table.entries))

    def _replay(self, asked: acts.AskReplay, notes: PairNotes) -> calls.OneFile:
        """The page that steps through it: as the own seat saw it, and all of it once the game is over."""
        table = self._pairs.table(notes)
        with sense():
            if tale := self._at_the_end(notes):
                made = page(tale, table.pack)
            else:
                told = self._all_along(notes)
                tale = Opened(notes.game, table.beginning.names, {notes.seat: told} if told else {})
                made = page(tale, table.pack, notes.seat)
        return calls.OneFile(name=f"{notes.game[:16]}.html", data=b64encode(made.encode()).decode())


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
