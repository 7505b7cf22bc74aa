"""Further calls: to take a seat, make statements, change settings, and check and view files; `ACTS` lists them.

They follow the conventions in `calls`. A signed statement is put in the tray as a letter, and is sent like an order. Until then
you can set it aside.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .calls import (
    About,
    DeskCall,
    Done,
    File,
    InOut,
    Letters,
    LogJudged,
    OfGame,
    OneFile,
    OneKey,
    Reply,
    Says,
    SeatName,
    Signed,
    Word,
)

# -- seats and keys -----------------------------------------------------------------------------------------------------


class AskKeys(OfGame):
    """Whose key is which in a game, by the log: to be compared by telephone."""

    call: Literal["keys"] = "keys"


class KeysCompared(Reply):
    keys: tuple[OneKey, ...]


class Decline(OfGame):
    """Let a letter that asks to join, or to be ready, ask no more; nothing is signed, and the host is told nothing."""

    call: Literal["decline"] = "decline"


class LayAside(DeskCall):
    """Lay a letter aside that is signed and not sent: it is not sent any more."""

    call: Literal["lay_aside"] = "lay_aside"
    name: Word


class InFull(DeskCall):
    """Let a letter that waits go with its signed block in full, as a host asks where he cannot read short ones."""

    call: Literal["in_full"] = "in_full"
    name: Word


class Rekey(DeskCall):
    """Put a new key in the place of one's own in all games that go on; the recovery key signs, if it is brought."""

    call: Literal["rekey"] = "rekey"
    recovery: File = ""
    passphrase: Word = Field(default="", description="of the recovery key's file")


class Rekeyed(Signed):
    fingerprint: str = Field(description="of the key that is one's own now, and as words in a line of its own")


class KeyBack(DeskCall):
    """Take the key before again, as the host has refused the change."""

    call: Literal["key_back"] = "key_back"


class CompareHead(OfGame):
    """Compare a copy that came from the host alone with what another player says of his, before anything is signed upon it."""

    call: Literal["compare"] = "compare"
    head: Word = Field(default="", description="of the other's copy: the number of an entry, and its hash in groups")
    anyway: bool = Field(default=False, description="nobody can be asked, and one goes on all the same")


class HeadCompared(Reply):
    n: int = Field(description="the last entry of the copy")
    at: str
    head: str
    waits: bool = Field(description="whether it is still to be compared")
    says: str = Field(description="what is to be compared, and why; empty where nothing is")


class Renew(OfGame):
    """Keep the key, but take other links in a game, where few are left."""

    call: Literal["renew"] = "renew"


class Welcome(DeskCall):
    """Agree to what a letter proposes: a newcomer in a seat, or another host; or take a kept seat over with spare.json."""

    call: Literal["welcome"] = "welcome"
    data: File
    another: bool = Field(default=False, description="though one has agreed to another host before")


class Stay(OfGame):
    """Take back that one agreed to another host, before that letter is sent."""

    call: Literal["stay"] = "stay"


class Confirm(DeskCall):
    """Answer a host's letter that asks whether one reads one's letters at this address."""

    call: Literal["confirm"] = "confirm"
    to: Word
    code: Word


# -- what may be said ---------------------------------------------------------------------------------------------------


class AskSayings(OfGame):
    """What may be said in a game besides orders, and what each of it would mean."""

    call: Literal["sayings"] = "sayings"


class Sayable(Reply):
    what: Says
    number: int | None = Field(description="goes with it as it is; of leave, how many hours there are at the most")
    label: str
    means: str = Field(description="what follows if it is signed, to be read before")
    why_not: str = Field(description="why it cannot be said now; empty where it can")


class Sayings(Reply):
    says: tuple[Sayable, ...]
    others: tuple[SeatName, ...] = Field(description="the seats to which words can go")


# -- what a player has settled ------------------------------------------------------------------------------------------


class AskMe(DeskCall):
    """What is settled on this desk, and in each game with its host."""

    call: Literal["me"] = "me"


class MyGame(Reply):
    game: str
    title: str
    seat_name: str
    host: str = Field(description="the host's address")
    door: str = Field(description="the address of his door, if he has signed one")
    over: bool
    leaving: bool = Field(description="whether one has agreed that another host goes on with it")


class Me(Reply):
    address: str
    language: str = Field(description="in which hosts are asked to write; empty where nothing was said")
    has_recovery: bool
    can_go_back: bool = Field(description="whether a key from before is kept")
    games: tuple[MyGame, ...]


class Speak(DeskCall):
    """Read and be written to in this language from now on: the desk answers in it, and letters ask every host for it."""

    call: Literal["speak"] = "speak"
    wanted: Word


class OfGames(DeskCall):
    game: Word = Field(default="", description="one game; else all")
    number: int | None = Field(default=None, ge=1, description="of the statement, when the host asks for another")


class MoveLetters(OfGames):
    """Have the host's letters go to another address."""

    call: Literal["address"] = "address"
    new: Word


class SetClock(OfGames):
    """Say when time counts for oneself."""

    call: Literal["time"] = "time"
    zone: Word = Field(description="“Europe/Paris”")
    quiet: Word = Field(default="off", description="hours of the day that do not count, “22-08”; or “off”")
    weekends: Word = Field(default="on", description="“off”, “on”, or days that do not count: “fri,sat”")


class ByMail(OfGames):
    """Say what comes by mail of the letters that lie at the host's door."""

    call: Literal["by_mail"] = "by_mail"
    mail: Literal["all", "short", "none"]


class SendCopy(OfGame):
    """Send the host one's copy, as he asks for it: he has gone back to a backup."""

    call: Literal["copy"] = "copy"
    since: int = Field(default=-1, ge=-1, description="what he has; only what comes after is sent")


class AskResend(OfGame):
    """Ask the host for one's copy once more."""

    call: Literal["resend"] = "resend"
    since: int = Field(default=-1, ge=-1, description="the last entry that one has")


# -- files: judged, and looked at ---------------------------------------------------------------------------------------


class Proof(DeskCall):
    """The evidence of a fault in a log, in English, as a zip to be shown to others."""

    call: Literal["proof"] = "proof"
    data: File
    name: Word = ""
    audit: bool = True


class Merge(DeskCall):
    """Unite two copies of one game: what either of them opens is open in the result."""

    call: Literal["merge"] = "merge"
    first: File
    second: File


class TakeSignature(DeskCall):
    """What OpenSSH needs to check the signature of an entry without this program, as a zip."""

    call: Literal["signature"] = "signature"
    data: File
    entry: int = Field(ge=0)
    name: Word = ""


class SignatureTaken(OneFile):
    command: str = Field(description="which is typed beside the unpacked files")


class AskSent(OfGame):
    """The letters of a game that left, of which one may complain."""

    call: Literal["left"] = "left"


class SentLetter(Reply):
    name: str
    kind: str
    text: str = Field(description="what it says, as far as people read it")
    has_receipt: bool


class SentLetters(Reply):
    letters: tuple[SentLetter, ...]


class Complain(DeskCall):
    """Judge what a log alone cannot show: an order that was sent and left out, or two orders to one question."""

    call: Literal["complain"] = "complain"
    game: Word = Field(default="", description="of this desk: its copy, its letters, its receipts")
    name: Word = Field(default="", description="of a letter that left")
    log: File = Field(default="", description="else a log; and so on")
    letter: File = ""
    receipts: File = Field(default="", description="the host's: was the order left out?")
    other: File = Field(default="", description="another letter of the seat: did it sign two orders, or replace one?")
    mark: int | None = Field(default=None, ge=0, description="of an order that the letter sends ahead")


class WatchLog(DeskCall):
    """Open a log to be looked at, as one seat saw it, or as all did; it is kept in memory only."""

    call: Literal["watch"] = "watch"
    data: File
    name: Word = ""
    seat: Word = Field(default="", description="as this seat saw it; else as all could see it")


class Watched(Reply):
    game: str = Field(description="by which name it is asked for: position, story, entries, replay")
    title: str
    seat: str
    seats: tuple[SeatName, ...] = Field(description="those whose reports are open in it; an empty one is what all saw")


class AskEntries(OfGame):
    """What the entries of a log say, in sentences."""

    call: Literal["entries"] = "entries"


class Entries(Reply):
    lines: tuple[str, ...]


class AskReplay(OfGame):
    """The whole game as a page of its own that steps through it."""

    call: Literal["replay"] = "replay"


ACTS: dict[str, InOut] = {
    "keys": InOut(AskKeys, KeysCompared),
    "decline": InOut(Decline, Done),
    "lay_aside": InOut(LayAside, Letters),
    "in_full": InOut(InFull, Letters),
    "rekey": InOut(Rekey, Rekeyed),
    "key_back": InOut(KeyBack, Rekeyed),
    "compare": InOut(CompareHead, HeadCompared),
    "renew": InOut(Renew, Signed),
    "welcome": InOut(Welcome, Signed),
    "stay": InOut(Stay, Done),
    "confirm": InOut(Confirm, Letters),
    "sayings": InOut(AskSayings, Sayings),
    "me": InOut(AskMe, Me),
    "speak": InOut(Speak, About),
    "address": InOut(MoveLetters, Signed),
    "time": InOut(SetClock, Signed),
    "by_mail": InOut(ByMail, Signed),
    "copy": InOut(SendCopy, Signed),
    "resend": InOut(AskResend, Signed),
    "proof": InOut(Proof, OneFile),
    "merge": InOut(Merge, OneFile),
    "signature": InOut(TakeSignature, SignatureTaken),
    "left": InOut(AskSent, SentLetters),
    "complain": InOut(Complain, LogJudged),
    "watch": InOut(WatchLog, Watched),
    "entries": InOut(AskEntries, Entries),
    "replay": InOut(AskReplay, OneFile),
}
"""By the name of the call: what goes in, and what comes out."""
