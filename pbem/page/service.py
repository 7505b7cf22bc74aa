"""The desk's service: one call in, one answer out, both JSON. `Service.answer` is all that a carrier needs.

It decides which parts of the program answer a call, and reports errors so that a page can show them. It keeps a desk's folder open
between calls, and reads the key only to sign. Answers contain only data that the player may see. They have no secrets of other
seats, no passphrase and no token of an invitation. Only two calls return a key: saving a whole desk, and making a recovery key,
which is not kept here.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from pbem import __version__, private
from pbem.errors import (
    KeyFileError,
    KeyLockedError,
    OrderError,
    PbemError,
    PlayerError,
    RecordError,
    UsageError,
    system_said,
)
from pbem.games import GamePack, find
from pbem.i18n import ENGLISH, _, languages, speaking
from pbem.ledger import Log, PrivateKey, Progress, to_compare
from pbem.mail import check_address
from pbem.player import Desk, Notes, PlayerSettings
from pbem.player.newcomers import about
from pbem.player.partners import forget

from . import (
    calls,
    doorway,
    drafts,
    friends,
    further_calls,
    keeping,
    lent,
    lessons,
    letters,
    looking,
    playing,
    recovered,
    relays,
    showing,
    words,
)
from .alone import Shelf, is_alone
from .chair import Chair, MovedError, wrong
from .doing import Acts
from .held import Held, OfLog
from .listing import ALL
from .puzzles import PUZZLE, STEP
from .relay_errands import RelayErrands
from .watched import Watching, is_watched

if TYPE_CHECKING:
    from pbem.player.speaker import Speaker

    from .solving import Solving


Handler = Callable[[Any], calls.Reply]
_PASSPHRASE = "PBEM_PASSPHRASE"


def _now() -> str:
    """The time, UTC, in whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Service(Acts):
    """The service for one player's folder, which need not exist: solo games need neither key nor mail."""

    def __init__(self, folder: Path | str, now: Callable[[], str] = _now) -> None:
        self.home, self.now = Path(folder), now
        self.told: Progress = lambda _done, _all: None
        """Is told by a call that takes long how far it is; a carrier may set it."""
        self.lends: lent.Lends = lent.nothing
        """Opens what lends rules of other versions; a carrier sets it."""
        self.fleeting: bool | None = None
        """Whether the browser may throw the folder away; None outside of a browser. A carrier sets it."""
        self.alone, self.watching = Shelf(self.home), Watching()
        self.errands = RelayErrands(lambda: self.desk, now, self._gone_on)
        self.alone.told = self._tell
        secret = os.environ.get(_PASSPHRASE)
        self._passphrase = secret.encode() if secret else None
        self._desk: Desk | None = None
        self._sat: dict[str, tuple[object, Chair]] = {}
        self._seen: tuple[tuple[str, int, int], ...] = ()
        passed_on = self._passed_on()
        self._handlers: dict[str, Handler] = {name: passed_on.get(name) or getattr(self, f"_{name}") for name in ALL}

    def _passed_on(self) -> dict[str, Handler]:
        """Return the calls that one part of the program answers by itself."""
        own: dict[str, Handler] = {
            "words": lambda _asked: calls.FaceWords(texts=words.face()),
            "story": lambda asked: self._held(asked.game).chair().story(asked.since),
            "template": lambda asked: self._held(asked.game).chair().template(),
            "odds": lambda asked: self._held(asked.game).chair().odds(),
            "closing": lambda asked: self._held(asked.game).closing(),
            "opinion": lambda asked: self._held(asked.game).opinion(),
            "compare": lambda asked: self._held(asked.game).compare(asked.head, anyway=asked.anyway),
            "entries": lambda asked: further_calls.Entries(lines=self._held(asked.game).lines()),
            "rules": lambda _asked: looking.rules_here(),
            "place": looking.placed,
            "puzzles": lambda _asked: self.solving.list(),
            "puzzle": lambda asked: self.solving.task(asked.game),
            "solve": lambda asked: self.solving.solve(asked),  # noqa: PLW0108 - it comes later than the rest of a page
            "solution": lambda asked: self.solving.solution(asked.game),
            "visit": lambda asked: self.errands.visit(asked.game),
            "listen": lambda asked: self.errands.listen(asked.game),
            "link": lambda asked: relays.link_of(self.desk, asked.game),
            "open_link": lambda asked: self.errands.open_link(asked.link),
        }
        return own | dict.fromkeys(lessons.LESSONS, lessons.taught)

    def _tell(self, done: int, all_: int) -> None:
        self.told(done, all_)

    def answer(self, request: str) -> str:
        """Return the answer to a call: `{"ok": …}` as its model says, or `{"error": …}` (`calls.CallRefused`)."""
        try:
            asked = json.loads(request)
            name = asked.get("call") if isinstance(asked, dict) else None
            language = asked.get("language", "") if isinstance(asked, dict) else ""
        except (ValueError, RecursionError):
            name = language = None
        with speaking(self._language(language)):
            if not isinstance(name, str) or name not in ALL:
                said = _("There is no such call; the calls are {calls}.", calls=", ".join(ALL))
                return _refused("call", said)
            if self._seen != self._stamps():  # a command beside us has changed them
                self._desk = None
            try:
                return self._answered(name, request)
            finally:
                self._seen = self._stamps()
                self._let_go()

    def _let_go(self) -> None:
        """Keep in memory only what the next call or two will need, however many games are viewed in turn."""
        self.alone.let_go()
        if self._desk:
            self._desk.let_go()

    def _language(self, wanted: object) -> str:
        """Return the wanted language if it is available, otherwise the desk's own."""
        if wanted in languages():
            return str(wanted)
        own = self._settings.language if self._settings else ""
        return own if own in languages() else ENGLISH

    @property
    def _settings(self) -> PlayerSettings | None:
        try:
            return PlayerSettings.read(self.home / "settings.json")
        except (PbemError, OSError):
            return None

    def _answered(self, name: str, request: str) -> str:
        try:
            asked = ALL[name].goes_in.model_validate_json(request)
        except ValidationError as error:
            return _refused("call", _("The call “{name}” is not right: {why}.", name=name, why=_why(error)))
        try:
            if issubclass(ALL[name].comes_out, calls.Signed) and name not in recovered.FREE:
                self._check_compared(asked)
            made = self._handlers[name](asked)
            if isinstance(asked, playing.Sign):
                drafts.forget(self.home, self._whole_name(asked))
        except OrderError as error:
            return _refused("order", str(error), wrong(error))
        except MovedError as error:
            return _refused("moved", str(error))
        except recovered.NotComparedError as error:
            return _refused("compare", str(error))
        except KeyLockedError:
            return _refused("locked", _("The key is locked with a passphrase, and nothing was signed."))
        except KeyFileError as error:
            return _refused("player" if name == "unlock" else "locked", str(error))
        except PlayerError as error:
            return _refused("player", str(error))
        except RecordError as error:
            return _refused("record", str(error))
        except PbemError as error:
            return _refused("world", str(error))
        except OSError as error:
            return _refused("world", _("The disk does not do it: {why}.", why=system_said(error)))
        except Exception as error:  # noqa: BLE001 - what the program stumbles over is told to whoever asked, and ends no page
            return _refused("program", _("The program stumbles: {why}", why=f"{type(error).__name__}: {error}"))
        return json.dumps({"ok": made.model_dump(mode="json")}, ensure_ascii=False)

    # -- the desk -------------------------------------------------------------------------------------------------------

    @property
    def _has_key(self) -> bool:
        return (self.home / "key").is_file()

    @property
    def desk(self) -> Desk:
        """The desk. Raises UsageError without a key."""
        if not self._has_key:
            raise UsageError(_("This desk has no key yet. Games by mail are signed: make a key first."))
        if self._desk is None:
            self._desk = Desk(self.home, self._passphrase)
            self._desk.clock = self.now
        return self._desk

    def _stamps(self) -> tuple[tuple[str, int, int], ...]:
        """Return the state of the files that a desk keeps in memory. If a command changes them, the next call reopens the desk."""
        paths = [self.home / "key", self.home / "settings.json", *sorted((self.home / "games").glob("*.pbem"))]
        return tuple((path.name, (on := path.stat()).st_mtime_ns, on.st_size) for path in paths if path.is_file())

    def _about(self, asked: calls.AskAbout) -> calls.About:
        desk = self.desk if self._has_key else None
        return calls.About(
            version=__version__,
            address=desk.settings.address if desk else "",
            lost=not desk and (self.home / "recovery.pub").is_file(),
            fingerprint=to_compare(desk.key_line) if desk else "",
            can_send=bool(desk and desk.settings.ways),
            can_fetch=bool(desk and desk.settings.imap),
            language=self._language(asked.language),
            languages=tuple(languages()),
            unsaved=self._unsaved(),
        )

    def _key(self, asked: calls.MakeKey) -> calls.KeyMade:
        if asked.address:
            check_address(asked.address)
        passphrase = asked.passphrase.encode() or None
        key = PrivateKey.load(letters.file(asked.take), passphrase) if asked.take else _fresh()
        settings, spare = PlayerSettings(asked.address, language=self._language(asked.language)), _fresh()
        self._desk = Desk.create(self.home, key, settings, passphrase)
        self._passphrase, recovery = passphrase, None
        if asked.take:
            recovered.begin(self.home)
        if asked.recovery:
            private.put(self.home / "recovery.pub", f"{spare.key_line}\n".encode())
            recovery = calls.OneFile(name="pbem-recovery-key", data=b64encode(spare.dump(passphrase)).decode())
        return calls.KeyMade(**dict(self._about(calls.AskAbout(language=asked.language))), recovery=recovery)

    def _keyless(self) -> Desk:
        if not (self.home / "settings.json").is_file():
            raise UsageError(_("There is no desk here, so no key can be replaced."))
        self._desk = None
        return Desk(self.home, self._passphrase, keyless=True)

    def _unlock(self, asked: calls.Unlock) -> calls.About:
        before, self._passphrase, self._desk = self._passphrase, asked.passphrase.encode() or None, None
        try:
            to_compare(self.desk.key.key_line)  # it is read here, or cannot be
        except PbemError:
            self._passphrase, self._desk = before, None
            raise
        return self._about(calls.AskAbout(language=asked.language))

    def _save(self, _asked: calls.SaveDesk) -> calls.OneFile:
        data = keeping.saved(self.desk.home)
        keeping.note(self.home, self.desk.key_line)
        return calls.OneFile(name=keeping.NAME, data=b64encode(data).decode())

    def _unsaved(self) -> Literal["", "remind", "must"]:
        """Return “remind” or “must” if a key kept in a browser has not been saved; otherwise ""."""
        if self.fleeting is None or not self._has_key or keeping.is_noted(self.home, self.desk.key_line):
            return ""
        return "must" if self.fleeting else "remind"

    def _restore(self, asked: calls.RestoreDesk) -> calls.About:
        keeping.restore(self.home, letters.file(asked.data))
        self._desk = None
        keeping.note(self.home, self.desk.key_line)
        return self._about(calls.AskAbout(language=asked.language))

    def _games(self, _asked: calls.AskGames) -> calls.Games:
        rows = [showing.row_alone(self.alone, name, newest=not n) for n, name in enumerate(self.alone.names())]
        if not self._has_key:
            return calls.Games(games=tuple(rows), asks=())
        self.desk.tray.settle()
        rows += map(showing.row, self.desk.speakers())
        return calls.Games(games=tuple(rows), asks=letters.asks(self.desk))

    # -- one game -------------------------------------------------------------------------------------------------------

    def _held(self, game: str) -> Held:
        """Return a game that is open, whatever it is. Raises UsageError where it is not here."""

        def log() -> tuple[Log, GamePack]:
            seat = self.desk.seat(self._notes_of(game))
            return seat.log, seat.pack

        def compared(head: str, anyway: bool) -> further_calls.HeadCompared:
            return recovered.compare(self.desk, self._notes_of(game), head, anyway=anyway)

        if is_watched(game):
            seat = self.watching.seat_of(game)
            return OfLog(lambda: self.watching.chair(game), lambda: self.watching.log_of(game), compared, seat)
        if game.startswith((PUZZLE, STEP)):
            return OfLog(lambda: (lessons if game.startswith(STEP) else self.solving).chair(game), log, compared)
        if is_alone(game):
            solo = self.alone.get(game)
            return OfLog(lambda: Chair.of(solo), lambda: (Log.parse(solo.log()), solo.pack), compared, solo=solo)
        for friend in self.desk.friends(game) if game else ():
            from .pair.held import OfTwo  # it comes later than the rest of a page

            return OfTwo(friend, self._sat)
        return OfLog(lambda: Chair.by_mail(self.desk.speaker(self._notes_of(game))), log, compared)

    def _speaker(self, game: str) -> Speaker:
        """Return who plays a game by mail, with a host or without. Raises UsageError where it is not here."""
        _must_be_mail(game)
        return self.desk.meant(game)

    def _notes_of(self, game: str) -> Notes:
        _must_be_mail(game)
        return self.desk.notes(game)

    def _check_compared(self, asked: Any) -> None:
        """Of a desk that was set up from its key alone nothing is signed before its copy was compared."""
        game = about(letters.file(asked.data)) if isinstance(asked, further_calls.Welcome) else asked.game
        if not self._has_key or is_alone(game):
            return
        if not game:
            recovered.check_all(self.desk)
        elif notes := self._known(game):
            recovered.check(self.desk, notes)

    def _known(self, game: str) -> Notes | None:
        return next((notes for notes in self.desk.games() if game and notes.game.startswith(game.lower())), None)

    def _position(self, asked: playing.AskPosition) -> playing.Position:
        held = self._held(asked.game)
        return (held.chair() if asked.n is None else held.then(asked.n)).position(asked.n, asked.ground)

    def _touches(self, asked: playing.AskTouches) -> playing.Touches:
        chair = self._held(asked.game).chair()
        chair.check_ask(asked.ask)
        return chair.touches(asked.draft, asked.ground)

    def _sign(self, asked: playing.Sign) -> calls.Signed:
        if is_alone(asked.game):
            self._held(asked.game).chair().check_ask(asked.ask)
            solo = self.alone.get(asked.game)
            return calls.Signed(said=solo.answer(asked.text, asked.plans), letters=(), more=solo.more)
        speaker = self._speaker(asked.game)

        def sign() -> str:
            with speaker.alone():
                self._held(asked.game).chair().check_ask(asked.ask)
                return speaker.answer(asked.text, asked.plans, self.now(), anyway=asked.anyway).said

        return self._signed(sign)

    def _signed(self, sign: Callable[[], str]) -> calls.Signed:
        """Sign something, and return the resulting message with the letters put in the tray.

        Raises UsageError if a browser may lose a key that was never saved: its signatures would bind the player for nothing.
        """
        if self._unsaved() == "must":
            raise UsageError(
                _(
                    "This browser may throw away what a page has kept, and your key with it. Save the desk as a file first, on "
                    "the first screen; then sign."
                )
            )
        return letters.signed(self.desk, sign)

    def _go_on(self, asked: playing.GoOn) -> calls.Signed:
        solo = self.alone.get(asked.game)
        return calls.Signed(said=solo.go_on(), letters=(), more=solo.more)

    def _plans(self, asked: playing.SetPlans) -> calls.Done:
        return calls.Done(said=self._speaker(asked.game).plan(asked.text, shows=asked.shown)[0])

    def _notes(self, asked: playing.AskNotes) -> calls.Done:
        return calls.Done(said=showing.notes(self.home, self._whole_name(asked), asked.text))

    def _draft(self, asked: playing.KeepDraft) -> playing.DraftKept:
        kept = drafts.answer(self.home, self._whole_name(asked), asked)
        said = self._held(asked.game).chair().called(kept.lines) if asked.lines is None else ()
        return kept.model_copy(update={"said": said})

    def _whole_name(self, asked: calls.OfGame) -> str:
        """Return the full name of a game; a call may give its beginning."""
        if is_alone(asked.game):
            return self.alone.get(asked.game).name
        return self._speaker(asked.game).notes.game

    def _say(self, asked: playing.Say) -> calls.Signed:
        if is_alone(asked.game) and asked.what == "takeback":
            self.alone.get(asked.game).take_back()
            return calls.Signed(said="", letters=(), more=False)
        speaker = self._speaker(asked.game)
        return self._signed(lambda: speaker.declare(asked.what, asked.number, self.now()))

    def _press(self, asked: playing.Press) -> calls.Signed:
        speaker = self._speaker(asked.game)
        return self._signed(lambda: speaker.write(asked.text.strip(), asked.to.lower(), self.now()))

    # -- letters --------------------------------------------------------------------------------------------------------

    def _letters(self, asked: calls.AskLetters) -> calls.Letters:
        return calls.Letters(letters=letters.waiting(self.desk, asked.game))

    def _given(self, asked: calls.Given) -> calls.Letters:
        self.desk.tray.given_out(letters.named(self.desk, asked.name))
        return calls.Letters(letters=letters.waiting(self.desk, ""))

    def _again(self, asked: calls.GiveAgain) -> calls.Letters:
        return calls.Letters(letters=letters.outgoing(self.desk, self._speaker(asked.game).again(self.now())))

    def _send(self, _asked: calls.Send) -> calls.Letters:
        self.desk.tray.send(but=self.desk.relays.not_by_mail() if self.desk.friends() else ())
        return calls.Letters(letters=letters.waiting(self.desk, ""))

    def _read(self, asked: calls.ReadLetters) -> calls.Came:
        return self._gone_on(letters.take(self.desk, asked.name, letters.file(asked.data)))

    def _fetch(self, _asked: calls.FetchMail) -> calls.Came:
        return self._gone_on(letters.fetch(self.desk))

    def _gone_on(self, came: calls.Came) -> calls.Came:
        """What came, and where it is of friends what their games ask by it: their programs go on first."""
        from .pair.held import OfTwo

        last = {one.game: one for one in came.came if one.kind == "pair"}
        told = {game: OfTwo(self.desk.friends(game)[0], self._sat).came(one, self.now()) for game, one in last.items()}
        found = tuple(told[one.game] if one is last.get(one.game) else one for one in came.came)
        return came.model_copy(update={"came": found})

    # -- games without a host -------------------------------------------------------------------------------------------

    def _pairable(self, asked: friends.AskPairable) -> calls.Choices:
        from .pair.held import pairable

        return pairable(asked.game, asked.options)

    def _invite(self, asked: friends.Invite) -> calls.Signed:
        if asked.friend:
            check_address(asked.friend)
        terms = {"hours": asked.hours} | ({} if asked.odds else {"odds": False})
        pack, begin, nonce, link = (
            find(asked.game), self.desk.pair_joiner.begin, os.urandom(32).hex(), relays.new_link(asked.relay)
        )  # fmt: skip
        return self._signed(
            lambda: begin(pack, asked.options, asked.seat, asked.friend, terms, nonce, self.now(), relay=link)
        )

    def _write_to(self, asked: friends.WriteTo) -> calls.Done:
        check_address(asked.friend)
        return calls.Done(said=self._speaker(asked.game).send_to("friend", asked.friend, self.now()))

    def _witness(self, asked: friends.NameWitness) -> calls.Signed:
        if asked.address:
            check_address(asked.address)
        speaker = self._speaker(asked.game)
        return self._signed(lambda: speaker.send_to("witness", asked.address, self.now()))

    def _read_instead(self, asked: friends.ReadInstead) -> calls.Signed:
        speaker, raw = self._speaker(asked.game), letters.file(asked.data)

        def sign() -> str:
            said = self.desk.read(raw, self.now(), instead=True, game=speaker.notes.game).text
            self._speaker(asked.game).standing(self.now())
            return said

        return self._signed(sign)

    # -- puzzles --------------------------------------------------------------------------------------------------------

    @property
    def solving(self) -> Solving:
        """Who answers where puzzles are solved."""
        from .solving import Solving  # it comes later than the rest of a page

        return Solving(self.home)

    # -- the door -------------------------------------------------------------------------------------------------------

    def _doors(self, _asked: doorway.AskDoors) -> doorway.DoorsKnown:
        return self.errands.known() if self._has_key else doorway.DoorsKnown(doors=())

    def leads_to_a_door(self, address: str) -> bool:
        """Return whether a request of this desk may go there: only to the web addresses of its own games."""
        return self._has_key and self.errands.leads_to_a_door(address)

    def _carried(self, asked: doorway.CarriedThere) -> doorway.DoorStep:
        return self.errands.carried(asked.errand, asked.status, letters.file(asked.data), asked.why)

    # -- joining, judging -----------------------------------------------------------------------------------------------

    def _join(self, asked: calls.Join) -> calls.Signed:
        game, raw = letters.asking(self.desk, asked.game)  # it asks again where the answer is laid aside, not sent
        if asked.forget:
            forget(self.desk, asked.forget)
        return self._signed(lambda: relays.join(self.desk, game, raw, self.now(), asked))

    def _check(self, asked: calls.Check) -> calls.LogJudged:
        from . import judging

        return judging.checked(asked.name, letters.file(asked.data), self.lends if asked.audit else None, self.told)

    # -- alone ----------------------------------------------------------------------------------------------------------

    def _choices(self, asked: calls.AskChoices) -> calls.Choices:
        return showing.choices(asked.game, asked.options, picture=asked.picture)

    def _begin(self, asked: calls.Begin) -> calls.Begun:
        solo = self.alone.begin(asked.game, asked.options, asked.seat, asked.against, asked.seed)
        return calls.Begun(game=solo.name, more=solo.more)

    def _forget(self, asked: calls.Forget) -> calls.Done:
        self.alone.forget(asked.game)
        drafts.forget(self.home, asked.game)
        return calls.Done()

    def _log(self, asked: calls.AskLog) -> calls.OneFile:
        return calls.OneFile(name=f"{asked.game[:16]}.pbem", data=b64encode(self._held(asked.game).data()).decode())


def _must_be_mail(game: str) -> None:
    """Raise UsageError if that is the name of something other than a game by mail."""
    if is_alone(game):
        raise UsageError(_("A game alone has no letters: there is nobody to write to."))
    if is_watched(game):
        raise UsageError(_("This log is only looked at: nothing can be signed here."))
    if game.startswith((PUZZLE, STEP)):
        raise UsageError(_("A puzzle is not a game: an order is judged there, and nothing is signed."))


def _fresh() -> PrivateKey:
    return PrivateKey.from_seed(os.urandom(32))


def _refused(kind: str, text: str, problems: tuple[calls.Wrong, ...] = ()) -> str:
    made = calls.CallRefused.model_validate({"kind": kind, "text": text, "wrong": problems})
    return json.dumps({"error": made.model_dump(mode="json")}, ensure_ascii=False)


def _why(error: ValidationError) -> str:
    """Return the faults of a call, without its values, which may be large or secret."""
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or '?'}: {one['msg']}" for one in error.errors()[:5])
