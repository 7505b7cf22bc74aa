"""Reading a message: any bytes in, and out of them what can be read.

`read_message` is a function of the bytes (and of the envelope, where a transport knew it), and never raises for what a stranger
sends. It believes nothing: who wrote a mail is told by the signature in its block, elsewhere.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from pbem.i18n import N_
from pbem.records import dataclass

from .address import NOWHERE, addresses, game_in
from .block import LANGUAGE, own_lines
from .codes import codes_in
from .door import DOOR_HEADER
from .finding import find_text
from .mime import Excess, MimePart, take_apart
from .press import press_in
from .robots import Bounce, bounce_in, is_of_a_list, mark_of_a_robot
from .text import words
from .unquoting import own_part
from .unread import Obstacle, why_unread

MAX_RAW = 1_000_000
"""What a host takes at its door: no order is larger."""
MAX_MAIL = 12_000_000
"""The maximum number of bytes that a host reads of a mail, from its beginning: photos may precede an order."""
MAX_FROM_HOST = 32_000_000
"""What a player's program reads: the last mail of a game opens everything."""
SEAT_HEADER = "X-Pbem-Seat"
"""Tells a player's program which seat a letter is for."""
WORDING_HEADER = "X-Pbem-Wording"
"""Is “own” where the host words its reports by a template of its own."""
ZONE_HEADER = "X-Pbem-Zone"
"""By which time zone a letter tells the moments."""
REGISTER_HEADER = "X-Pbem-Register"
"""How far the register of rated games goes, signed by the host, in a letter of a rated game."""
SHORT_HEADER = "X-Pbem-Short"
"""The header that tells a player's program that its host reads short blocks.

“1.2” means up to version 1, with dictionaries of the game up to number 2. “0.0” asks for the full form of a letter already sent.
"""

_ID = re.compile(r"<([^<>\s]{1,250})>")
_TAG = re.compile(r"\[pbem\s+([0-9a-z-]{1,64})\]", re.IGNORECASE)
_THREAD = re.compile(r"([0-9a-f]{16})\.[^@\s]*@")
_TOKEN = re.compile(r"^([ >|]{0,40})TOKEN[^\S\n]{1,20}([0-9a-f]{32})[^\S\n]{0,20}$", re.MULTILINE | re.IGNORECASE)
"""A line with a token; one that is quoted, as in a mail that was forwarded, has a mark before it."""
_DATE = re.compile(
    r"(\d{1,2})\s+([A-Za-z]{3})[a-z]{0,6}\s+(\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s+(?:([+-])(\d\d)(\d\d)|GMT|UTC?|Z)\b",
    re.ASCII,
)
_RECEIVERS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc", "resent-to")
_LONGEST = 4000
"""So much of a line Received is looked at, from its end."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_VERSIONS = re.compile(r"(\d{1,2})\.(\d{1,2})", re.ASCII)
_GAME_LINE = re.compile(r"GAME\s+([0-9a-z-]{1,64})(\s.*)?", re.IGNORECASE)
_COMMAND = re.compile(
    r"(?:PLEASE,?\s)?(HELP|STATUS|BOARD|RESEND|UNSUBSCRIBE)(?:\s+(?:SINCE\s+)?(\d{1,9}))?(?:,?\sPLEASE)?\s?[.!?]{0,3}",
    re.IGNORECASE,
)

_FEW = 30
"""The number of lines searched for a request below another line."""
_PICTURES = re.compile(r"PICTURES\s+(ON|SMALL|OFF)[.!]?", re.IGNORECASE)
_CLUB = re.compile(
    r"(GAMES|LEAVE(?=\s+CLUB\b))(?:\s+CLUB)?[.!]?|(REGISTER|NEW)(?:\s+(\S.{0,300}))?"
    r"|(JOIN|WITHDRAW|WATCH)\s+(\d\S{0,20}(?:\s+\w{1,40})?)[.!]?",
    re.IGNORECASE,
)
"""What members write to a club."""
_PAIR = re.compile(r"\w{1,40}=\S*|rated|open", re.IGNORECASE)
_CONFIRM = re.compile(r"CONFIRM\s+([0-9a-f]{32})[.!]?", re.IGNORECASE)
_PRESS = re.compile(r"PRESS(?:\s+TO)?(?:\s+([a-z][a-z0-9_]{0,39}))?\s*[.:]?", re.IGNORECASE)


class Named(NamedTuple):
    """A game as a mail names it, and where: by `address`, `line`, `subject` or `thread`.

    An address or a subject holds the host's number of a game, a thread the first 16 digits of its id, a line either.
    """

    where: str
    game: str


class Below(NamedTuple):
    """A request that does not count because another line is above it: a greeting, or a gateway's warning."""

    request: str
    above: str


class Command(NamedTuple):
    """A plain line to the robot: its word. RESEND also has the entry since which, or None; PRESS its receiver, or ""; PICTURES on,
    small or off; CONFIRM a code; a line for a club the rest of the line.

    LANGUAGE is a command only if the mail asks for nothing more.
    """

    word: str
    since: int | None = None
    to: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Incoming:
    """The readable contents of a message. `excess` says why not all was read, if the part read has no block, request or log.

    `sender` is the address in From; `to` has the addresses it was sent to, `references` the Message-IDs it answers. `games` are in
    order of precedence; if they contradict each other, the mail must be refused. `robot` says what marks an automatic mail.
    `bounce` is what it says about a letter of ours. `command` is set only if there is no signed block. `language` is the mail's
    declared language, `wants` the language that a line LANGUAGE asks for: codes such as "fr", or "".

    `token` is an invitation's proof that its reader was invited; `arrived` is when the reader's own server took the mail.
    `own_words` says that a host uses its own words in reports. `reads` is the version and dictionary up to which the host reads
    short blocks (none: ()). `cut` says that not all of the mail was searched.
    """

    message_id: str = ""
    sender: str = ""
    subject: str = ""
    text: str = ""
    shown: str = ""
    """The same as it was written, to be shown to a reader, where that is another."""
    log: bytes = b""
    seat: str = ""
    token: str = ""
    arrived: str = ""
    excess: Excess | None = None
    to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    games: tuple[Named, ...] = ()
    robot: str = ""
    bounce: Bounce | None = None
    command: Command | None = None
    press: str = ""
    """What the line PRESS hands on: the writer's own lines below it, and nothing that he quotes."""
    own: str = ""
    """What its writer wrote himself, where nothing is signed: his lines, as his mail program had them before it wrapped them."""
    codes: tuple[str, ...] = ()
    """The reply codes that it brings, the one first that counts."""
    below: Below | None = None
    unread: Obstacle | None = None
    """Why nothing that counts was found in it, where that can be seen: it is encrypted, packed, or a picture."""
    language: str = ""
    wants: str = ""
    own_words: bool = False
    reads: tuple[int, ...] = ()
    cut: bool = False
    door: str = ""
    """What it says of the host's door, as `door.announced` reads it."""
    register: str = ""
    """What it says of the host's register, as `register.head_read` reads it."""
    zone: str = ""
    """By which time zone a host's letter tells the moments; "": it does not say."""
    players: tuple[tuple[str, str], ...] = ()
    """Who plays the other seats, as the file of an invitation says it."""

    @property
    def problem(self) -> str:
        """Why not all was read where nothing that counts was found, as a sentence; "" when all is well."""
        return str(self.excess) if self.excess else ""

    @property
    def automatic(self) -> bool:
        """Was it written by a robot, or sent on by one? Without a signed block such mail is never answered."""
        return bool(self.robot)


def read_message(
    raw: bytes, most: int = MAX_MAIL, *, own: str = "", envelope: str | None = None, recipient: str | None = None
) -> Incoming:
    """Read a message, at most `most` bytes; whatever it is, return its readable contents.

    `own` is the reader's address. `envelope` and `recipient` are the envelope's sender ("" for the empty one) and recipient, if
    the transport knew them.
    """
    message, leaves = take_apart(raw[:most])
    excess = Excess(N_("It has more than {n} bytes."), most) if len(raw) > most else message.excess
    to = _to(message, recipient or "")
    robot, bounce = mark_of_a_robot(message, envelope, own), bounce_in(message, leaves, to)
    if bounce and not robot:
        robot = "sent to the way back of a letter"
    # what a robot sends back it has not written; but a list may hand a mail on as an attachment
    opens = not bounce and message.type != "multipart/report" and (not robot or is_of_a_list(robot))
    found = find_text(leaves, opens=opens)
    text, signed, log, excess = found.text, found.signed, found.log, excess or found.excess
    wants, lines = _wanted(own_lines(text, found.page), signed=signed)
    named = _GAME_LINE.fullmatch(lines[0]) if lines else None
    subject, references = words(message.get("subject")), _references(message)
    command = _command(lines[1:] if named else lines, subject, wants) if not signed and not robot else None
    nothing = not signed and command is None
    games = (
        *(Named("address", game) for game in map(game_in, to) if game),
        *([Named("line", named[1].lower().replace("-", ""))] if named else ()),
        *(Named("subject", game.lower()) for game in _TAG.findall(subject)),
        *(Named("thread", found[1]) for found in map(_THREAD.match, references) if found),
    )
    return Incoming(
        message_id=_printable(message.get("message-id")).strip("<> ")[:250],
        sender=next((one for one in addresses(_printable(message.get("from"))) if one != NOWHERE), ""),
        subject=subject,
        text=text,
        shown=found.shown if found.shown != text else "",
        log=log,
        seat=_printable(message.get(SEAT_HEADER.lower()))[:40],
        token=_token(text),
        arrived=_arrived(message),
        to=to,
        references=references,
        games=tuple(dict.fromkeys(games)),
        robot=_printable(robot),
        bounce=bounce,
        command=command,
        press=press_in(text, found.page) if command and command.word == "PRESS" else "",
        own="" if signed else own_part(text, found.page, unwrapped=True),
        codes=() if signed else codes_in(to, references, text),
        below=_below(lines[1:] if named else lines) if nothing else None,
        unread=why_unread(leaves, text) if nothing and not log else None,
        language=_printable(message.get("content-language")).partition(",")[0].strip().lower()[:20],
        wants=wants,
        own_words=message.get(WORDING_HEADER.lower()).strip().lower() == "own",
        reads=_reads(message.get(SHORT_HEADER.lower())),
        cut=found.cut or bool(excess),
        excess=None if signed or command or log else excess,
        door=_printable(message.get(DOOR_HEADER.lower()))[:250],
        register=_printable(message.get(REGISTER_HEADER.lower()))[:250],
        zone=_printable(message.get(ZONE_HEADER.lower()))[:40],
    )


def _reads(value: str) -> tuple[int, ...]:
    """Up to which version and dictionary a host reads short blocks, by what its letter says."""
    found = _VERSIONS.fullmatch(value.strip())
    return (int(found[1]), int(found[2])) if found else ()


def _printable(value: str) -> str:
    return "".join(letter for letter in " ".join(value.split()) if letter.isprintable())


def _to(message: MimePart, recipient: str) -> tuple[str, ...]:
    values = [recipient, *(value for name in _RECEIVERS for value in message.all(name))]
    return tuple(dict.fromkeys(address for value in values for address in addresses(value)))[:100]


def _token(text: str) -> str:
    """The token that a mail brings, "" without one: its own before one that it quotes."""
    found = list(_TOKEN.finditer(text))
    own = next((one for one in found if not one[1].strip()), None) or next(iter(found), None)
    return own[2].lower() if own else ""


def _arrived(message: MimePart) -> str:
    """Return when the mail came to the reader's own server, by its first Received line; "" without such a line.

    A stranger may have chosen the text before the date in that line, so the last date counts.
    """
    dates = list(_DATE.finditer(next(iter(message.all("received")), "")[-_LONGEST:]))
    if not dates or dates[-1][2].lower() not in _MONTHS:
        return ""
    day, month, year, hour, minute, second, sign, hours, minutes = dates[-1].groups()
    if (sign and (int(hours) > 14 or int(minutes) > 59)) or not 1970 <= int(year) < 9999:
        return ""
    east = timedelta(hours=int(hours or 0), minutes=int(minutes or 0)) * (-1 if sign == "-" else 1)
    try:
        clock = (int(hour), int(minute), min(int(second or 0), 59))  # a leap second is none to a calendar
        here = datetime(int(year), _MONTHS.index(month.lower()) + 1, int(day), *clock, tzinfo=UTC)
        return (here - east).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def _references(message: MimePart) -> tuple[str, ...]:
    """The Message-IDs that a mail answers, the nearest first."""
    nearest = _ID.findall(message.get("in-reply-to"))
    return tuple(dict.fromkeys([*nearest, *reversed(_ID.findall(message.get("references")))]))[:50]


def _wanted(lines: list[str], *, signed: bool) -> tuple[str, list[str]]:
    """Return the language that a line LANGUAGE asks for ("" without one), and the other lines.

    The line must be above a request, or anywhere above a signed block.
    """
    for no, line in enumerate(lines):
        if found := LANGUAGE.fullmatch(line):
            return found[1].lower(), [*lines[:no], *lines[no + 1 :]]
        if not signed and not _GAME_LINE.fullmatch(line):
            break
    return "", lines


def _unwrapped(lines: list[str]) -> str:
    """Return the first line with its continuations: mail programs fold long lines, and parts “name=value” continue the line."""
    rest = takewhile(lambda line: all(map(_PAIR.fullmatch, line.split())), lines[1:])
    return " ".join([*lines[:1], *(line for line in rest if line.strip())])


def _below(lines: list[str]) -> Below | None:
    """Return the request below the first line by a mail's writer, or None without one."""
    found = next((line for line in lines[1:_FEW] if _COMMAND.fullmatch(line) or _PICTURES.fullmatch(line)), "")
    return Below(found, lines[0][:100]) if found else None


def _command(lines: list[str], subject: str, wants: str) -> Command | None:
    """Return the request in the first line by the writer, otherwise in the subject if that contains nothing more."""
    if press := _PRESS.fullmatch(lines[0]) if lines else None:
        return Command("PRESS", to=press[1] or "")
    if confirmed := _CONFIRM.fullmatch(lines[0]) if lines else None:
        return Command("CONFIRM", code=confirmed[1].lower())
    for line in (*lines[:1], _TAG.sub("", subject).strip()):
        if pictures := _PICTURES.fullmatch(line):
            return Command("PICTURES", to=pictures[1].lower())
        found = _COMMAND.fullmatch(line)
        if found and (not found[2] or found[1].upper() == "RESEND"):
            return Command(found[1].upper(), int(found[2]) if found[2] else None)
    for line in (_unwrapped(lines), _TAG.sub("", subject).strip() if not lines else ""):
        if club := _CLUB.fullmatch(line):
            return Command((club[1] or club[2] or club[4]).upper(), to=(club[3] or club[5] or "").strip())
    return Command("LANGUAGE") if wants else None
