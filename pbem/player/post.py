"""A player's mail: fetched from the mailbox, read in order, and remembered.

This module decides which mails belong to a game, which are new, and what to tell the player about each. It believes only what
`reading` believes. It remembers here, by the mailbox's own numbers, which mails it has read. The mailbox does not change, so
another machine or program finds it as it was. A mail that could not be read is tried again with the next ones, because it may have
arrived before an earlier one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, field, replace
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pbem import private
from pbem.errors import LoginRefused, PbemError, WorldError
from pbem.i18n import _
from pbem.ledger import sha256_hex
from pbem.mail import MAX_FROM_HOST, Incoming, read_message
from pbem.mail.text import words
from pbem.records import dataclass

from .club import clubs
from .in_time import brings_paper
from .reading import lacks_lines, not_read, opened
from .tray import code_file

if TYPE_CHECKING:
    from pbem.mail.letterbox import Letterbox

    from .desk import Desk
    from .notes import Notes

Kind = Literal["report", "receipt", "paper", "asks", "confirm", "member", "words", "strange", "left", "pair"]
"""“confirm” asks at a new address whether its player reads his letters there. “member” is from a club, and has a code, too. “pair”
is from a friend in a game without a host. “paper” tells when an order was sent. “strange” was written by no host of ours. “left”
could not be read, and is tried again."""

_TAG = re.compile(r"\[pbem(?: [0-9a-z-]{1,64})?\]", re.IGNORECASE)
_CODE = re.compile(r"^\s*CONFIRM ([0-9a-f]{32})\s*$", re.MULTILINE)
_HELD = 2 * MAX_FROM_HOST
"""The maximum number of bytes of unreadable mails kept in memory, to be tried again at once."""
_INVITED = 20
"""The maximum number of invitations that wait for an answer; anybody can send more."""


@dataclass(slots=True)
class Remembered:
    """What of a mailbox has been read: every mail up to `upto`, but for those that wait, by number: how often they were tried."""

    box: str = ""
    validity: int = -1
    upto: int = 0
    waiting: dict[str, int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """The digests of mails that were shown and are in no copy."""
    shown: dict[str, int] = field(default_factory=dict)
    """By game, the entry up to which its player has been shown the report."""

    @classmethod
    def read(cls, path: Path) -> Remembered:
        """Read the notes from a file; if it is damaged, begin with empty notes, so that everything is read once more."""
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def write(self, path: Path) -> None:
        """Remember it."""
        private.put(path, f"{json.dumps(asdict(self), indent=1)}\n".encode())

    def of(self, name: str, validity: int) -> None:
        """Start over if this is another mailbox, or its mails have been renumbered."""
        if (self.box, self.validity) != (name, validity):
            self.box, self.validity, self.upto, self.waiting = name, validity, 0, {}


@dataclass(frozen=True, slots=True)
class News:
    """What came of one mail: of which kind, of which game ("" for none), the text to show, warnings; who wrote it, and what about.

    `code` is what an answer to a mail that asks for confirmation repeats; `raw` the mail itself.
    """

    kind: Kind
    game: str
    text: str
    warnings: tuple[str, ...] = ()
    sender: str = ""
    subject: str = ""
    code: str = ""
    raw: bytes = b""


class Fetcher:
    """The post of one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._path = desk.home / "mailbox.json"
        self.seen = Remembered.read(self._path)
        self.passed_over = 0
        """How many mails were too old to be looked at, the first time."""

    # -- fetching -------------------------------------------------------------------------------------------------------

    def fetch(self, box: Letterbox, *, file: bool = False) -> Iterator[News]:
        """Read the new mails in the order in which they came; yield the news of each mail that has any.

        `file`: move the mails that were read to the mailbox folder meant for them. Raises WorldError if the mailbox fails: mails
        already read are kept, and the rest is read the next time.
        """
        self.seen.of(box.name, box.validity())
        heads, self.passed_over = box.heads(self.seen.upto)
        ours = {head.number for head in heads if _is_of_a_game(head.lines)}
        numbers = sorted({*map(int, self.seen.waiting), *ours})
        there: set[str] = set()
        yield from self._read_all(box, _fetched(box, numbers, there), file=file)
        self.seen.upto = max([self.seen.upto, *(head.number for head in heads)])
        # after twenty times, the mail that one waits for was lost
        self.seen.waiting = {n: tries for n, tries in self.seen.waiting.items() if n in there and tries < 20}
        self.keep()

    def from_mailbox(self, trouble: Callable[[str], None], *, file: bool = False) -> Iterator[News]:
        """Read the new mails of the mailbox in the settings, as `fetch`; tell `trouble` why it fails a second time."""
        from pbem.mail.letterbox import Letterbox
        from pbem.mail.settings import Imap

        where = _("“imap” in {settings}", settings=self.desk.home / "settings.json")
        box = Letterbox(Imap.read(self.desk.settings.imap, where), self.desk.home)
        box.files = file
        with closing(box):
            for again in (True, False):
                try:
                    yield from self.fetch(box, file=file)
                    return
                except WorldError as error:
                    if not again or isinstance(error, LoginRefused):
                        trouble(_("Your mail cannot be fetched: {why}", why=error))
                        return

    def _read_all(self, box: Letterbox, came: Iterable[tuple[int, bytes]], *, file: bool) -> Iterator[News]:
        """Read mails as long as one of them can be read: it may bring what another waits for."""
        left: dict[int, News] = {}
        again = True
        while again:
            held: list[tuple[int, bytes]] = []
            again, room = False, _HELD
            for number, raw in came:
                news = self.take(raw)
                if news is not None and news.kind == "left":
                    left[number] = news
                    room -= len(raw)
                    held += [(number, raw)] if room >= 0 else []  # the others are tried again with the next ones
                    continue
                again = True
                left.pop(number, None)
                self.seen.waiting.pop(str(number), None)
                if news is not None:
                    yield news
                    self.keep()
                if file:
                    box.done(str(number))
            came, again = held, again and bool(held)
        for number, news in left.items():
            tries = self.seen.waiting.get(str(number), 0)
            self.seen.waiting[str(number)] = tries + 1
            if not tries:
                yield news

    def take(self, raw: bytes) -> News | None:
        """Read one mail; return its news, or None if nothing in it is new.

        Anybody may have sent it, so a mail that makes the program fail stops no other.
        """
        try:
            news = self._take(raw)
            if news and news.code:
                self._keep_code(news.code, raw)
            return replace(news, raw=raw) if news else None
        except (PbemError, OSError):
            raise  # of this machine
        except Exception as error:  # noqa: BLE001 - as above
            why = _("The program stumbles over it: {why}", why=f"{type(error).__name__}: {error}")
            return News("left", "", why, sender="?", subject="?")

    def _take(self, raw: bytes) -> News | None:
        mail, _bare = opened(raw)
        if not mail.log and not brings_paper(self.desk, raw, mail):
            return self._words(mail)
        before = self._heads()
        try:
            reading = self.desk.read(raw, mail.arrived, fetched=True)
        except PbemError as error:
            return _news(mail, "left", "", str(error))
        if reading.invites:
            if len(self.invitations()) >= _INVITED and not self._asking(reading.game).exists():
                why = _("{n} invitations wait for an answer already: “pbem turn” asks.", n=_INVITED)
                return _news(mail, "left", "", why)
            return self._note(reading.game, raw, _news(mail, "asks", reading.game, mail.text))
        if reading.goes_on:
            return _news(mail, "pair", reading.game, reading.text) if reading.is_new else None
        if not mail.log or mail.log.startswith(b'["got"'):
            found = _news(mail, "receipt" if mail.log else "paper", reading.game, reading.text, reading.warnings)
            return found if self._is_new(mail.log or mail.text.encode()) else None
        grown = self._heads().get(reading.game) != before.get(reading.game)
        notes = self.desk.notes(reading.game)
        self.seen.shown.setdefault(reading.game, before.get(reading.game, 0))
        if (grown or not self._asking(notes.game).exists()) and self._asks(notes, mail):
            return self._note(notes.game, raw, _news(mail, "asks", reading.game, reading.text, reading.warnings))
        return _news(mail, "report", reading.game, reading.text, reading.warnings) if grown else None

    def _note(self, game: str, raw: bytes, news: News) -> News:
        """Keep a letter that asks until it is answered."""
        private.make_folder(self.desk.home / "asking")
        private.write(self._asking(game), raw)
        return news

    def _words(self, mail: Incoming) -> News | None:
        """Return the news of a mail without log lines: a host's words, once. Words of others are not shown as a host's."""
        hosts = {notes.host.lower() for notes in self.desk.games()} | {c.address.lower() for c in clubs(self.desk.home)}
        if not self._is_new(f"{mail.message_id}\n{mail.text}".encode()):
            return None
        if lacking := lacks_lines(mail):
            return _news(mail, "strange", "", lacking)
        if mail.sender.lower() not in hosts:
            return _news(
                mail,
                "strange",
                "",
                not_read(mail)
                if mail.excess
                else _("It contains nothing from a log, and its sender is not one of your hosts."),
            )
        if mail.excess:
            return _news(mail, "left", "", not_read(mail))
        if (code := _CODE.search(mail.text)) is None:
            return _news(mail, "words", "", mail.text)
        return _asks_code(mail, code[1])

    def codes(self) -> list[News]:
        """Return the letters with a code that wait for an answer."""
        return [
            _asks_code(read_message(path.read_bytes(), MAX_FROM_HOST), path.stem)
            for path in sorted((self.desk.home / "asking").glob("*.code"))
        ]

    def _keep_code(self, code: str, raw: bytes) -> None:
        """Keep a letter with a code until it is answered; of those that anybody can write, a few."""
        folder = self.desk.home / "asking"
        private.make_folder(folder)
        if len(list(folder.glob("*.code"))) < _INVITED:
            private.write(code_file(self.desk.home, code), raw)

    def _is_new(self, what: bytes) -> bool:
        """Return whether these bytes are new here; from now on they count as told."""
        digest = sha256_hex(what)[:32]
        if digest in self.seen.told:
            return False
        self.seen.told = [*self.seen.told, digest][-300:]  # none of so many is told twice
        return True

    def _heads(self) -> dict[str, int]:
        return {notes.game: len(self.desk.lying(notes).log.entries) - 1 for notes in self.desk.games()}

    def keep(self) -> None:
        """Save which mails were read and shown."""
        self.seen.write(self._path)

    # -- what a game asks for -------------------------------------------------------------------------------------------

    def _asks(self, notes: Notes, mail: Incoming) -> bool:
        """Return whether a mail has what an answer to it needs: a token, or the keys to compare."""
        course = self.desk.course(notes)
        return bool(mail.token) or (course.phase in ("ready", "called") and notes.seat in course.missing)

    def _asking(self, game: str) -> Path:
        return self.desk.home / "asking" / f"{game[:16]}.eml"

    def invitations(self) -> list[tuple[str, bytes]]:
        """Return the invitations to games that are not on the desk: the beginning of each one's id, and the letter."""
        own = {one.notes.game[:16] for one in self.desk.speakers()}
        asking = (self.desk.home / "asking").glob("*.eml")
        return sorted((path.stem, path.read_bytes()) for path in asking if path.stem not in own)

    def asking(self, notes: Notes) -> bytes | None:
        """Return the letter that asks this player to join a game, or to be ready; None where none waits for an answer."""
        path, tray = self._asking(notes.game), self.desk.tray
        if not path.is_file() or self.desk.copy(notes).log.finished:
            return None
        course, raw = self.desk.course(notes), path.read_bytes()
        if course.seats[notes.seat].key == self.desk.key_line:
            answered = notes.seat not in course.missing or tray.said_ready(notes)
        else:
            answered = tray.written(notes, "join") and read_message(raw, MAX_FROM_HOST).token in ("", notes.token)
        return None if answered else raw

    def answered(self, game: str) -> None:
        """Forget the letter of a game that asked for an answer: the answer is signed, or no longer wanted."""
        self._asking(game).unlink(missing_ok=True)

    def since(self, notes: Notes) -> int | None:
        """Return the entry after which this player's report begins; None where he has been shown all there is."""
        copy = self.desk.copy(notes)
        shown = self.seen.shown.get(notes.game, copy.log.head[0])
        return (
            shown
            if any(told.n > shown for told in copy.tells()) or (shown < copy.log.head[0] and copy.log.finished)
            else None
        )

    def was_shown(self, notes: Notes) -> None:
        """Remember that this player has been shown the whole game so far."""
        self.seen.shown[notes.game] = self.desk.copy(notes).log.head[0]
        self.keep()


def _fetched(box: Letterbox, numbers: Iterable[int], there: set[str]) -> Iterator[tuple[int, bytes]]:
    """Fetch mails one by one, as strangers may have sent many that are large; note in `there` which there are."""
    for number in numbers:
        if (raw := box.fetch(number)) is not None:
            there.add(str(number))
            yield number, raw


def _asks_code(mail: Incoming, code: str) -> News:
    """Return the news of a letter with a code: in a game it is about a seat's address, otherwise it comes from a club."""
    return _news(mail, "confirm" if mail.seat or mail.games else "member", "", mail.text, code=code)


def _news(mail: Incoming, kind: Kind, game: str, text: str, warnings: tuple[str, ...] = (), code: str = "") -> News:
    return News(kind, game, text, warnings, mail.sender, mail.subject, code)


def _is_of_a_game(lines: bytes) -> bool:
    head = BytesHeaderParser().parsebytes(lines)
    return bool(head.get("X-Pbem-Seat") or _TAG.search(words(str(head.get("Subject", "")))))
