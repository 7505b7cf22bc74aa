"""The calls of a desk, its letters and its solo games: their inputs and outputs as models; `CALLS` lists them.

The parts common to all calls are here too. `playing` has the calls of one game, `doorway` those of web addresses, `further_calls`
the others.

An input names its call and may name a language; unknown fields are refused. Everything shown to people is text, never markup,
except for drawings, which `pbem.look` makes of our own elements. A game is named by its id, or by the beginning of its id.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pbem.ledger.first_line import HOST, ModeName

MAX_FILE = 48_000_000
"""The maximum number of base64 characters of a file dropped on the page."""
MAX_TEXT = 200_000
MAX_LINES = 2_000

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Word = Annotated[str, Field(max_length=200)]
File = Annotated[str, Field(max_length=MAX_FILE, description="the bytes of a file, in base64")]

Says = Literal["resign", "draw", "agree", "takeback", "let", "leave", "claim", "rules", "withdraw", "play_on"]
"""The statements other than orders; “let”, “withdraw” (an invitation) and “play_on” are for games of two."""


class DeskCall(BaseModel):
    """What goes in."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    language: Word = Field(default="", description="in which it is to be answered; else the desk's own")


class Reply(BaseModel):
    """What comes out."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


# -- what there is ------------------------------------------------------------------------------------------------------


class AskAbout(DeskCall):
    """What this desk is, and what it can do."""

    call: Literal["about"] = "about"


class About(Reply):
    version: str
    address: str = Field(description="the player's; empty where there is no key yet")
    lost: bool = Field(description="whether there is a desk without its key, which a recovery key may take up again")
    fingerprint: str = Field(
        description="of the player's key, to be compared by telephone, and the same as words in a line of its own"
    )
    can_send: bool = Field(description="whether letters go by a mail server or a folder that is named in the settings")
    can_fetch: bool = Field(description="whether the settings name a mailbox from which letters are fetched")
    language: str
    languages: tuple[str, ...]
    unsaved: Literal["", "remind", "must"] = Field(
        description="in a browser: the key was never saved as a file; “must”: the browser may lose it, and nothing is signed "
        "before it is saved"
    )


class AskWords(DeskCall):
    """The texts of the face in a language."""

    call: Literal["words"] = "words"


class FaceWords(Reply):
    texts: dict[str, str] = Field(description="by name; values stand in braces")


class MakeKey(DeskCall):
    """Make a key, or take one of OpenSSH, for a desk that has none."""

    call: Literal["key"] = "key"
    address: Word = Field(default="", description="empty: for games by a relay alone")
    passphrase: Word = Field(default="", description="the key's file is locked with it; it is kept nowhere")
    take: File = Field(default="", description="the file of a key that one has, under that passphrase or none")
    recovery: bool = Field(
        default=False, description="make a second key, to be kept elsewhere in case this one is lost"
    )


class KeyMade(About):
    recovery: OneFile | None = Field(description="the second key, which is not kept here")


class Unlock(DeskCall):
    """Open the key with its passphrase, as long as the service runs."""

    call: Literal["unlock"] = "unlock"
    passphrase: Word


class SaveDesk(DeskCall):
    """The whole desk as one file, the key with it: to be kept elsewhere."""

    call: Literal["save"] = "save"


class RestoreDesk(DeskCall):
    """Let a desk without a key be one that was saved."""

    call: Literal["restore"] = "restore"
    data: File


class AskGames(DeskCall):
    """How all games stand."""

    call: Literal["games"] = "games"


class GameStands(Reply):
    game: str
    title: str
    seat: str
    seat_name: str
    state: Literal["joining", "ready", "mine", "answered", "others", "over", "gone", "broken"]
    says: str = Field(description="how it stands, in a sentence")
    waits_for: tuple[str, ...] = Field(description="seats, as they are called")
    since: str
    due: str
    waiting: tuple[str, ...] = Field(description="letters that are signed and not sent")
    missed: tuple[str, ...] = Field(description="letters that left and that the host has not confirmed")
    alone: bool = Field(description="against the built-in players")
    mode: ModeName = Field(default=HOST, description="who deals: a host, or the two who play")
    at_hand: bool = Field(default=True, description="whether its position can be shown at once")


class SeatName(Reply):
    seat: str
    name: str


class OneKey(Reply):
    who: str = Field(description="the seat, as it is called, or the host")
    seat: str = Field(description="empty for the host")
    own: bool
    fingerprint: str = Field(description="as OpenSSH shows it")
    words: str = Field(description="the same to be read out: six words")
    player: bool = Field(description="whether somebody has taken the seat; if not, there is no key")


class Asks(Reply):
    """A letter that asks its reader to join a game, or to be ready."""

    game: str
    what: Literal["join", "ready"]
    sender: str
    subject: str
    title: str = Field(
        default="", description="of the game, as entry 0 of the log names it; empty where that cannot be read"
    )
    words: str = Field(description="of the letter; nobody has signed them")
    seat: str = Field(description="which it is for; empty where only what was attached is here")
    seats: tuple[SeatName, ...] = Field(description="those of the game")
    others: str = Field(description="to whom it is written, if that is somebody else")
    terms: tuple[str, ...] = Field(description="what entry 0 of the log says: rules, options, terms; that counts")
    rules: str = Field(description="the fingerprint of its rules, if they are not known here")
    keys: tuple[OneKey, ...] = Field(
        description="what is to be compared by telephone before the answer is signed; empty where nothing is"
    )
    met: str = Field(default="", description="who is met for the first time, with the key that is trusted from now on")
    changed: str = Field(default="", description="why the game stops: somebody has another key than before")
    changed_of: str = Field(default="", description="whose key that is, for the call that joins")
    mode: ModeName = Field(default=HOST, description="who deals: a host, or the two who play")


class Games(Reply):
    games: tuple[GameStands, ...]
    asks: tuple[Asks, ...]


# -- one game -----------------------------------------------------------------------------------------------------------


class OfGame(DeskCall):
    game: Word


class Wrong(Reply):
    line: int = Field(description="of the draft, from 1; 0 is the whole of it")
    read: str
    why: str
    rule: str
    legal: str
    text: str = Field(description="all of that in a sentence")


class OneFile(Reply):
    name: str
    data: str = Field(description="in base64")


class Outgoing(Reply):
    """A letter that is signed."""

    name: str
    game: str
    kind: str = Field(description="what it says: order, press, join …")
    to: str
    subject: str
    text: str
    mailto: str = Field(description="a link that opens it in a mail program; empty where it is too long for one")
    eml: str = Field(description="the letter as a draft for a mail program, in base64")
    attached: OneFile | None = Field(
        default=None,
        description="what goes with it and counts, where its words alone say nothing: for who writes the mail himself",
    )
    door: str = Field(description="the address of the host's door to which it can be brought, if there is one")
    relay: str = Field(default="", description="the address of the relay that carries it, if there is one")


class Signed(Reply):
    said: str = Field(description="what was signed or played, canonical")
    letters: tuple[Outgoing, ...]
    more: bool = Field(description="whether a built-in player has to answer next: “go_on”")


class Done(Reply):
    said: str = ""


# -- letters ------------------------------------------------------------------------------------------------------------


class AskLetters(DeskCall):
    """The letters that are signed and wait to be sent."""

    call: Literal["letters"] = "letters"
    game: Word = ""


class Letters(Reply):
    letters: tuple[Outgoing, ...]


class Given(DeskCall):
    """A letter was handed to a mail program; it counts as given out until its receipt comes."""

    call: Literal["given"] = "given"
    name: Word


class GiveAgain(OfGame):
    """Lay ready once more what left and was not confirmed."""

    call: Literal["again"] = "again"


class Send(DeskCall):
    """Send what waits, where the settings name a way."""

    call: Literal["send"] = "send"


class ReadLetters(DeskCall):
    """Read what came: a mail, what was attached to one, an mbox, a zip of mails."""

    call: Literal["read"] = "read"
    name: Word = ""
    data: File


class CameIn(Reply):
    name: str
    kind: Literal["report", "receipt", "paper", "asks", "confirm", "member", "words", "strange", "left", "old", "pair"]
    game: str
    text: str
    warnings: tuple[str, ...]
    sender: str
    subject: str
    code: str = Field(default="", description="which an answer to a letter that asks for confirmation repeats")
    proposes: Literal["", "player", "host", "spare"] = Field(
        default="", description="whom it proposes in place of one who has vanished; spare: it takes a kept seat over"
    )
    eml: str = Field(default="", description="the letter, where it proposes somebody, in base64")


class Came(Reply):
    came: tuple[CameIn, ...]
    trouble: str = Field(default="", description="why not all could be fetched")


class FetchMail(DeskCall):
    """Fetch what has come into the player's own mailbox, where the settings name one; nothing is changed there."""

    call: Literal["fetch"] = "fetch"


class Join(DeskCall):
    """Answer a letter that asks to join, or to be ready: what is to be compared is returned, the letter lies ready."""

    call: Literal["join"] = "join"
    game: Word
    seat: Word = Field(default="", description="which is meant for its player, whoever the letter is written to")
    rules: Word = Field(
        default="", description="the fingerprint of rules that are not known here, to play by them all the same"
    )
    token: Word = Field(
        default="", description="of an invitation of which only what was attached is here; so is the next"
    )
    host: Word = Field(default="", description="the host's address")
    forget: Word = Field(default="", description="whose new key is right, as its owner has said by telephone")


class Check(DeskCall):
    """Judge a log, or the one that lies in mails: verify it, or audit it by the rules."""

    call: Literal["check"] = "check"
    data: File
    name: Word = ""
    audit: bool = False


class LogJudged(Reply):
    """A verdict, as `pbem verify` and its like print it."""

    taken: tuple[str, ...] = Field(description="rules of other versions that were taken for it, in sentences")
    outcome: str
    words: tuple[str, ...] = Field(description="what happened, who can have done it, what next")
    entry: int | None
    code: str
    party: str
    fault: str = Field(description="entry, code and party in a sentence; empty where there is no fault")
    reason: str
    head: str
    chosen: tuple[str, ...] = Field(description="what there was of choice between dice")
    doubt: str = Field(description="what is said of a file that seems to be no log")
    text: str = Field(description="all of it, as the command prints it")


# -- alone --------------------------------------------------------------------------------------------------------------


class AskChoices(DeskCall):
    """What can be played alone."""

    call: Literal["choices"] = "choices"
    game: Word = ""
    options: dict[str, Any] = Field(default_factory=dict, description="of this game: its seats follow from them")
    picture: bool = Field(default=False, description="with the picture of this game at its beginning")


class Setting(Reply):
    """An option of a game, as a form shows it."""

    name: str
    text: str
    kind: Literal["one of", "yes or no", "number"]
    values: tuple[str, ...] = Field(default=(), description="a number that has some is chosen from a list")
    labels: tuple[str, ...] = Field(default=(), description="the values in plain words, in their order")
    value: str | bool | int
    least: int | None = None
    most: int | None = None


class Playable(Reply):
    game: str
    title: str
    settings: tuple[Setting, ...]
    seats: tuple[SeatName, ...]
    against: tuple[str, ...] = Field(description="the built-in players, the best first")
    says: str = Field(default="", description="what the game is, in a sentence")
    players: str = Field(default="", description="how many can play: “2–5”")
    minutes: str = Field(default="", description="how long a game usually takes: “20–45”")
    taught: bool = Field(default=False, description="whether it has rules to read, and a first lesson")
    picture: str = Field(default="", description="a drawing of its beginning, as SVG; empty where none was asked for")


class Choices(Reply):
    games: tuple[Playable, ...]


class Begin(DeskCall):
    """Begin a game alone, against the built-in players."""

    call: Literal["begin"] = "begin"
    game: Word
    options: dict[str, Any] = Field(default_factory=dict)
    seat: Word = ""
    against: Word = ""
    seed: Word = ""


class Begun(Reply):
    game: str
    more: bool


class Forget(OfGame):
    """Throw a game alone away."""

    call: Literal["forget"] = "forget"


class AskLog(OfGame):
    """The log of a game alone, or the copy of another: to be kept, replayed, audited."""

    call: Literal["log"] = "log"


class CallRefused(Reply):
    """What comes out where a call could not be done."""

    kind: Literal["call", "order", "player", "moved", "compare", "locked", "record", "world", "program"] = Field(
        description="“call”: it is none of the list; “order”, “player”: what the player can mend; “moved”: the question is another "
        "one by now, ask for the position anew; “compare”: a copy that came from the host alone is to be compared first; “locked”: "
        "the key wants its passphrase, by “unlock”; “record”: what is wrong with a log; “world”: what the world did; “program”: it "
        "stumbles"
    )
    text: str
    wrong: tuple[Wrong, ...] = ()


class InOut(NamedTuple):
    """The models of a call."""

    goes_in: type[DeskCall]
    comes_out: type[Reply]


CALLS: dict[str, InOut] = {
    "about": InOut(AskAbout, About),
    "words": InOut(AskWords, FaceWords),
    "key": InOut(MakeKey, KeyMade),
    "unlock": InOut(Unlock, About),
    "save": InOut(SaveDesk, OneFile),
    "restore": InOut(RestoreDesk, About),
    "games": InOut(AskGames, Games),
    "letters": InOut(AskLetters, Letters),
    "given": InOut(Given, Letters),
    "again": InOut(GiveAgain, Letters),
    "send": InOut(Send, Letters),
    "read": InOut(ReadLetters, Came),
    "fetch": InOut(FetchMail, Came),
    "join": InOut(Join, Signed),
    "check": InOut(Check, LogJudged),
    "choices": InOut(AskChoices, Choices),
    "begin": InOut(Begin, Begun),
    "forget": InOut(Forget, Done),
    "log": InOut(AskLog, OneFile),
}
"""By the name of the call: what goes in, and what comes out. `listing` has all of them."""
