"""Puts the host's letters into the outbox, in the transaction of the decision they report; other modules word them.

A letter's Message-ID follows from its subject matter. So the same letter made twice is the same letter, and is queued once. Headers
tell other robots that a robot writes (RFC 3834). They do not claim to be a list's, or bulk mail, and do not ask to suppress reports
of failed delivery (ADR 54).

Letters go to registered addresses only. An answer to a mail has an empty envelope sender, so that nothing comes back from it. Every
other letter has a way back of its own, with a token that is in its head, too. If the envelope cannot have that sender, the token
identifies a bounce.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import field, replace
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from pbem.games.words import newest
from pbem.i18n import ENGLISH, _, languages, speaking, spoken
from pbem.ledger import sha256_hex
from pbem.ledger.register import head_said
from pbem.mail import (
    REGISTER_HEADER,
    SEAT_HEADER,
    SHORT_HEADER,
    VERSION,
    WAY_BACK_HEADER,
    WORDING_HEADER,
    ZONE_HEADER,
    Deadline,
    Letter,
    way_back,
)
from pbem.mail.above import below, page_below
from pbem.mail.door import DOOR_HEADER, announcement
from pbem.mail.letter import fold_lines
from pbem.mail.robots import OUR_LOOP, is_nobody
from pbem.mail.text import plain
from pbem.mail.unquoting import letter_lines
from pbem.records import dataclass
from pbem.referee import Refused

from . import budgets
from .codes import answered_at, code_of_letter, coded, noted
from .hosted import HostedGame, House
from .moments import later
from .registering import register_head
from .store import SENT, WAITING, Store
from .store.keeping import WORDS_SENT
from .store.rows import LetterRow
from .wording import Wording

ANSWERS = ("receipt", "refusal", "wanted", "reply", "told", "resent", "register", "club")
"""Kinds of letters that answer a mail."""
_ANSWERING = (*ANSWERS, "ahead")
CAPS = {
    "refusal": (10, 1, 10), "wanted": (10, 1, 10), "reply": (60, 6, 20), "told": (60, 12, 40), "resent": (60, 6, 20),
    "moving": (60, 10, 20), "register": (60, 2, 4), "club": (60, 20, 60),
}  # fmt: skip
"""The limits per kind of letter to one address: minutes, letters within them, and letters per day.

- refusal: refusals of unsigned mail,
- wanted: questions for the full form of a block (counted separately, so that an answer to one follows at once),
- reply: answers to unsigned requests,
- told: news to a kept seat about its mails (so that small talk costs nobody an answer to a request),
- resent: answers to signed requests,
- moving: questions whether a player reads his letters at an address,
- register: questions whether somebody wants to be a member,
- club: answers to members.
"""

WAITS_FOR = 10
"""A receipt waits this many minutes for a report that has its lines among its own."""
TOLD_HOW = ".how."
"""The part of a letter's name that marks instructions to a stranger for becoming a member; these have a budget of their own."""
WORDS = 24_000
"""The number of letters and digits kept of the latest words to a seat, to distinguish them from its player's words."""
_NOT_KEPT = ("press", "invitation")
"""Letters that hold words of players, or a token that is for one reader."""
KEPT_AT_DOOR = 40
"""The maximum number of letters kept at the web address for a seat; a player who has missed more asks for his copy again."""


class TooMany(Refused):
    """A request made too often; its sender is told so once a day."""

    def __init__(self, why: str) -> None:
        super().__init__("ASK", why)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A letter's content beside its text: HTML with its pictures, and a self-contained page."""

    html: str = ""
    images: Mapping[str, bytes] = field(default_factory=dict)
    page: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A letter as its writer words it. `name` tells it from all others of its game, and begins with its kind; `log` are the lines
    that go with it; `to` is an address, "" where it goes to that of its seat. `full`: it asks for a block in its full form.
    """

    name: str
    subject: str
    text: str
    log: bytes = b""
    to: str = ""
    deadline: Deadline | None = None
    drawn: Drawn = Drawn()
    full: bool = False
    asks: str = ""
    """The question that it puts, if any: a short mail contains its beginning."""
    brief: str = ""
    """The letter in two lines, for players who want no more by mail of a host without a web address; "" to send it unchanged.

    The line for replies is above them only if a reply counts as its reader's answer.
    """
    whole: bool = False
    """Does it come by mail whatever its reader wants by mail?"""
    waits: bool = False
    """Does it wait for a report that would bring its lines, and go by itself only where none comes within `WAITS_FOR`?"""
    code: str = ""
    """The code that identifies its answer, if that is not a question's."""


P = ParamSpec("P")
T = TypeVar("T")
Writer: TypeAlias = Callable[Concatenate[Any, "HostedGame", str, str, P], T]


def letter(write: Writer[P, Draft]) -> Writer[P, None]:
    """Decorate a writer so that its draft is put into the outbox, in the language of the recipient's seat.

    A writer takes a game, a seat and the time first. If it takes a `language`, that replaces the seat's own.
    """

    @wraps(write)
    def lay(post: Outbox, game: HostedGame, seat: str, at: str, /, *args: P.args, **kwargs: P.kwargs) -> None:
        with post.telling(game, seat, str(kwargs.get("language", ""))):
            post.lay(game, seat, at, write(post, game, seat, at, *args, **kwargs))

    return lay


class Outbox:
    """The letters of one host, as mail.

    `tags`: mail to its address with a part after `+` comes to it as well; `pictures`: its reports come as HTML, too, with the
    game's map. `language` is that of seats which have chosen none; `templates` a folder with templates of the host's own.
    """

    def __init__(
        self,
        house: House,
        address: str,
        *,
        tags: bool = True,
        pictures: bool = False,
        language: str = ENGLISH,
        templates: Path | None = None,
    ) -> None:
        self.house, self.address, self.tags, self.pictures, self.language = house, address, tags, pictures, language
        self.wording = Wording(house.store, templates)
        self.door = ""
        """Where the host's door is, for players; "" where it has none."""
        self.watch = "nothing"
        """The public parts of the web address, for games with an invitation that says so."""
        self.page = ""
        """Where the host shows a page to play on; "" where it shows none."""
        self.program = ""
        """Where players find the program; "" where they have to ask."""
        self.by_door = False
        """Was the mail that is decided on brought to the door?"""
        self._domain = re.sub(r"[^A-Za-z0-9.-]", "", address.rpartition("@")[2]) or "localhost"

    def at_hand(self, language: str) -> str:
        """Return a language that is stored, or the host's own where none is, or where it has no words here any more."""
        return language if language in languages() else self.language

    def telling(self, game: HostedGame, seat: str, language: str = "") -> AbstractContextManager[None]:
        """Switch to the language of a seat, or to `language` if given."""
        return speaking(language or self.at_hand(game.seats[seat].language))

    def may_answer(self, kind: str, address: str, at: str) -> bool:
        """May an address get one more letter of that kind? Two robots that do not know each other must rest."""
        minutes, few, many = CAPS[kind]
        today = self.house.store.letters_since(address, kind, later(at, hours=-24), but=TOLD_HOW)
        return len(today) < many and sum(then > later(at, minutes=-minutes) for then in today) < few

    def token(self, game: HostedGame, seat: str) -> str:
        """Return the token of the last invitation to a seat, 32 hex digits: it follows from the host's root secret."""
        return self.house.root.token(f"seat {game.g} {seat} {game.seats[seat].invited}")

    def is_own(self, address: str) -> bool:
        """Is it the host's own address, or a way to it?"""
        local, _at, domain = address.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}" == self.address.lower()

    def doubt(self, address: str) -> str:
        """Return why nobody may read what goes to an address, "" where nothing speaks for that."""
        if self.is_own(address):
            return _(
                "Warning: {address} is the host's own address. It takes plain mail from there for its own, and does not answer it. "
                "Give the player or the host another address.",
                address=address,
            )
        if is_nobody(address):
            return _(
                "Warning: {address} looks like an address that nobody reads, and plain mail from it gets no answer. Ask the player "
                "for another one.",
                address=address,
            )
        return ""

    def _register_of(self, game: HostedGame) -> str:
        """Return the signed statement about the register for the head of a letter; "" if there is none."""
        head = register_head(game)
        return head_said(self.house.key, game.g, game.ledger.n, head) if head else ""

    def _growth(self, game: HostedGame, seat: str) -> bytes:
        """Return the lines that the seat's copy grows by with the letter being written."""
        lines = game.ledger.lines_for(seat, game.seats[seat].sent_n)
        game.change_seat(seat, sent_n=game.ledger.n)
        return joined(lines)

    def lay(self, game: HostedGame, seat: str, at: str, draft: Draft) -> None:
        """Lay a letter in the outbox, in the language that is spoken; one of its name is there once."""
        code, drawn = draft.code or code_of_letter(game, seat), draft.drawn
        to, store = draft.to or game.seats[seat].address, self.house.store
        message_id, kind = f"{game.g[:16]}.{coded(draft.name, code)}@{self._domain}", draft.name.partition(".")[0]
        if store.get(LetterRow, message_id=message_id):
            return
        left = budgets.left(store, kind, to, at)
        if left is not None and left <= 0:
            budgets.hold_back(store, kind, to, at, game.id, seat)
            return
        text = draft.text if left != 1 else f"{draft.text.rstrip()}\n\n{budgets.last_one(kind)}\n"
        automatic = kind in ANSWERS
        token = None if automatic else self.house.root.token(message_id)
        letter = Letter(
            sender=f"pbem <{self.address}>",
            to=to,
            subject=f"[pbem {game.id}] " + _("{title}: {subject}", title=game.title, subject=draft.subject),
            text=below(text, code),
            message_id=message_id,
            date=datetime.fromisoformat(at),
            thread=f"{game.g[:16]}.{f'invitation.{seat}' if seat else observer(to)}@{self._domain}",
            headers={
                "Auto-Submitted": "auto-replied" if automatic else "auto-generated",
                "X-Auto-Response-Suppress": "OOF, AutoReply",
                "X-Loop": f"{OUR_LOOP}{self.address}",
            }
            | ({WAY_BACK_HEADER: token} if token else {})
            | ({WORDING_HEADER: "own"} if self.wording.has("report.txt.j2") else {})
            | (
                {SEAT_HEADER: seat, SHORT_HEADER: "0.0" if draft.full else f"{VERSION}.{newest(game.pack)}"}
                if seat
                else {}
            )
            | ({ZONE_HEADER: zone} if (zone := game.seats[seat].zone if seat else "") else {})
            | ({DOOR_HEADER: self._door_of(game)} if seat and self.door else {})
            | ({REGISTER_HEADER: said} if seat and (said := self._register_of(game)) else {})
            | ({"Reply-To": answered_at(self.address, game.id, code)} if self.tags else {}),
            html=drawn.html and page_below(drawn.html, code),
            images=drawn.images,
            page=drawn.page,
            language=spoken(),
            log=draft.log,
            log_name=f"{game.g[:8]}.pbem",
            deadline=draft.deadline,
            return_path="" if token is None else way_back(self.address, token) if self.tags else self.address,
        )
        letter = noted(game, seat, at, letter, code) if code else letter
        mailed: Letter | None = letter
        if self.door and seat and not draft.to and (key := game.seats[seat].key):
            store.lay_at_door(game.id, seat, key, at, letter.raw(), KEPT_AT_DOOR)
            mailed = letter if draft.whole else self._by_mail(game.seats[seat].mail, kind, letter, draft, code)
        elif seat and draft.brief and game.seats[seat].mail == "short" and not self.door:
            mailed = replace(
                letter, text=below(draft.brief, code) if code else draft.brief, html="", images={}, page=""
            )
        store.insert(
            "outbox", message_id=message_id, game=game.id, seat=seat, address=to, at=at, kind=kind, token=token,
            sender=letter.return_path, sent=WAITING if mailed else SENT, attempts=0,
            not_before=later(at, minutes=WAITS_FOR) if draft.waits else "", last_error="", raw=mailed.raw() if mailed else b"",
        )  # fmt: skip
        if seat and not draft.to and kind not in _NOT_KEPT:
            self._keep_words(game, seat, fold_lines(draft.text), plain(drawn.html))

    def words_sent(self, game: HostedGame, seat: str) -> list[str]:
        """Return the lines of the last letters to a seat, as `ours_among` compares them."""
        return self.house.store.note(f"{WORDS_SENT}{game.id} {seat}").split()

    def _keep_words(self, game: HostedGame, seat: str, *texts: str) -> None:
        lines = dict.fromkeys([*letter_lines(*texts), *self.words_sent(game, seat)])
        self.house.store.put_note(f"{WORDS_SENT}{game.id} {seat}", "\n".join(lines)[:WORDS])

    def lay_alone(self, kind: str, name: str, address: str, subject: str, text: str, at: str) -> None:
        """Lay a letter of no game in the outbox, in the language that is spoken; one of its name is there once."""
        message_id, store = f"{kind}.{name}@{self._domain}", self.house.store
        if store.get(LetterRow, message_id=message_id):
            return
        left = budgets.left(store, kind, address, at)
        if left is not None and left <= 0:
            budgets.hold_back(store, kind, address, at, None, "")
            return
        text = text if left != 1 else f"{text.rstrip()}\n\n{budgets.last_one(kind)}\n"
        automatic = kind in ANSWERS
        token = None if automatic else self.house.root.token(message_id)
        alone = Letter(
            sender=f"pbem <{self.address}>",
            to=address,
            subject=f"[pbem] {subject}",
            text=text,
            message_id=message_id,
            date=datetime.fromisoformat(at),
            headers={
                "Auto-Submitted": "auto-replied" if automatic else "auto-generated",
                "X-Auto-Response-Suppress": "OOF, AutoReply",
                "X-Loop": f"{OUR_LOOP}{self.address}",
            }
            | ({WAY_BACK_HEADER: token} if token else {}),
            language=spoken(),
            return_path="" if token is None else way_back(self.address, token) if self.tags else self.address,
        )
        store.insert(
            "outbox", message_id=message_id, game=None, seat="", address=address, at=at, kind=kind, token=token,
            sender=alone.return_path, sent=WAITING, attempts=0, not_before="", last_error="", raw=alone.raw(),
        )  # fmt: skip

    def _by_mail(self, wanted: str, kind: str, letter: Letter, draft: Draft, code: str) -> Letter | None:
        """Return the part of a letter at the web address that also goes by mail; None for nothing.

        Mail is always answered by mail.
        """
        if wanted == "all" or (kind in _ANSWERING and not self.by_door):
            return letter
        if wanted == "none" or kind in _ANSWERING:
            return None
        said = f"{(draft.asks or draft.subject).strip().splitlines()[0]}\n{self.door}\n"
        return replace(letter, text=below(said, code) if code else said, html="", images={}, page="", log=b"")

    def _door_of(self, game: HostedGame) -> str:
        """What a letter says of the door, signed by the host."""
        return announcement(self.house.key, game.g, game.ledger.n, self.door)


def lay_aside(store: Store, number: int) -> None:
    """Note that a letter has been sent; what tells it from others stays, what it said follows from the log.

    Its bytes go: RESEND sends the same lines once more, and the token of an invitation is its reader's alone.
    """
    store.put_again("outbox", number, sent=SENT, last_error="", raw=b"")


def joined(lines: Iterable[bytes]) -> bytes:
    """Return lines of a log as a letter bears them."""
    return b"".join(line + b"\n" for line in lines)


def reported(message_id: str) -> int:
    """Return up to which entry a letter of the kind “report” tells, by its Message-ID."""
    return int(message_id.split(".")[2])


def observer(address: str) -> str:
    """What tells the letters to one who looks on from those to others."""
    return f"observer.{sha256_hex(address.lower().encode())[:16]}"
