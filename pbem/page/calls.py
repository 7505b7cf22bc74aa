"""The calls by which one plays and reads: what goes into each, and what comes out, as models; `CALLS` is their list.

What goes in names its call and may name a language; what nobody expects is refused. All that is shown to people is text, never
markup, but for a drawing, which `pbem.look` makes of our own elements. A game is named by its id, or by the beginning of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

MAX_FILE = 48_000_000
"""So many letters of base64 a file may have that is dropped on the page."""
MAX_TEXT = 200_000
MAX_LINES = 2_000

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Word = Annotated[str, Field(max_length=200)]
File = Annotated[str, Field(max_length=MAX_FILE, description="the bytes of a file, in base64")]


class DeskCall(BaseModel):
    """What goes in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Word = Field(default="", description="in which it is to be answered; else the desk's own")


class Reply(BaseModel):
    """What comes out."""

    model_config = ConfigDict(frozen=True, extra="forbid")


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
    address: Word
    passphrase: Word = Field(default="", description="the key's file is locked with it; it is kept nowhere")
    take: File = Field(default="", description="the file of a key that one has, under that passphrase or none")
    recovery: bool = Field(
        default=False, description="make a second key, to be kept elsewhere in case this one is lost"
    )


class OneFile(Reply):
    name: str
    data: str = Field(description="in base64")


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
    words: str = Field(description="of the letter; nobody has signed them")
    seat: str = Field(description="which it is for; empty where only what was attached is here")
    seats: tuple[SeatName, ...] = Field(description="those of the game")
    others: str = Field(description="to whom it is written, if that is somebody else")
    terms: tuple[str, ...] = Field(description="what entry 0 of the log says: rules, options, terms; that counts")
    rules: str = Field(description="the fingerprint of its rules, if they are not known here")
    keys: tuple[OneKey, ...] = Field(description="what is to be compared by telephone before the answer is signed")


class Games(Reply):
    games: tuple[GameStands, ...]
    asks: tuple[Asks, ...]


# -- one game -----------------------------------------------------------------------------------------------------------


class OfGame(DeskCall):
    game: Word


class AskPosition(OfGame):
    """How a game stands, or stood after an entry."""

    call: Literal["position"] = "position"
    n: int | None = Field(default=None, ge=0, description="after this entry; else now")


class SvgDrawing(Reply):
    svg: str
    style: str = Field(description="the drawing's style sheet")


class Grid(Reply):
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


class Said(Reply):
    text: str
    depth: int = Field(description="how far it is set in: 0, 1 or 2")


class CardShown(Reply):
    """A card of a hand, or a piece of a pool."""

    name: str
    at: str = Field(description="what is touched with it: “card:Move 3”")
    figure: str = Field(description="what stands on it large")
    kind: str
    says: str
    colour: str = Field(pattern=r"^(#[0-9a-f]{6})?$", description="of its band; an ornament")


class CardsShown(Reply):
    """Cards that lie together."""

    title: str
    cards: tuple[CardShown, ...]
    backs: int = Field(description="so many more lie there face-down")
    small: bool


class Position(Reply):
    game: str
    title: str
    seat: str
    seat_name: str
    alone: bool
    n: int
    drawing: SvgDrawing | None
    scene: SvgDrawing | None = Field(
        description="what goes on within the position, such as a battle; it stands beside the drawing"
    )
    tables: tuple[Grid, ...]
    text: str = Field(description="the board in words, where the game has no tables")
    hand: tuple[Said, ...]
    cards: tuple[CardsShown, ...] = Field(description="the same as cards, where the game has any")
    seen: Grid | None
    watched: bool = Field(
        description="whether it is a log that was opened to be looked at, and nothing can be done in it"
    )
    offers: int = Field(description="how many offers of others this seat has not agreed to")
    ahead: tuple[str, ...] = Field(description="the questions for which an order can be sent ahead")
    asked: bool = Field(description="whether this seat is asked now")
    ask: int | None = Field(description="the number of the question, where it is; what is signed names it")
    answered: bool = Field(
        description="whether it has answered, as far as the desk knows: a further order takes that one's place"
    )
    question: tuple[Said, ...]
    waits_for: tuple[str, ...]
    since: str
    due: str
    over: str = Field(description="the result, in a sentence")
    template: str = Field(description="order lines to type over")
    plans: str = Field(description="the standing plans")
    doubt: str = Field(description="what is wrong with the time that the question gives")


class AskStory(OfGame):
    """What happened, step by step."""

    call: Literal["story"] = "story"
    since: int = Field(default=-1, ge=-1, description="only what was told after this entry")


class StoryPart(Reply):
    name: str
    depth: int


class StoryItem(Reply):
    text: str
    heads: bool = Field(description="whether it is a heading")


class DieShown(Reply):
    shows: int
    counts: bool = Field(description="such as a hit")


class StruckShown(Reply):
    """Whom it cost something, such as steps."""

    at: str
    says: str
    gone: bool


class RolledShown(Reply):
    """Dice that were rolled at once, with whom they struck; without dice, whom something else struck."""

    at: str = Field(description="what rolled them: “block:Wallace”")
    name: str
    dice: tuple[DieShown, ...]
    says: str = Field(description="what came of it")
    struck: tuple[StruckShown, ...]


class Moment(Reply):
    n: int
    chapters: tuple[StoryPart, ...] = Field(description="parts of the game that begin here")
    items: tuple[StoryItem, ...]
    rolls: tuple[RolledShown, ...] = ()


class TurnShown(Reply):
    """A part of the game, for a list of its turns."""

    n: int = Field(description="the entry at which it begins")
    depth: int
    name: str
    came: str = Field(description="what came of it; empty as long as nothing has")


class Moments(Reply):
    moments: tuple[Moment, ...]
    turns: tuple[TurnShown, ...] = Field(description="all of the game's, whatever was asked for")


class AskOdds(OfGame):
    """What may come of what is going on, such as a battle, reckoned from what this seat knows."""

    call: Literal["odds"] = "odds"


class OddsShown(Reply):
    tables: tuple[Grid, ...] = Field(description="none where nothing goes on, or the game reckons nothing")


class OfQuestion(OfGame):
    ask: int | None = Field(
        default=None,
        ge=0,
        description="the question that it is for, as the position had it: where another is open, “moved”",
    )


class AskTouches(OfQuestion):
    """What may come next after a draft, and how the draft reads as an order."""

    call: Literal["touches"] = "touches"
    draft: tuple[Text, ...] = Field(default=(), max_length=MAX_LINES)


class OneTouch(Reply):
    at: str = Field(description="what is touched: “area:Fife”, “choice:PASS”")
    label: str
    draft: tuple[str, ...]
    note: str
    closes: bool


class Wrong(Reply):
    line: int = Field(description="of the draft, from 1; 0 is the whole of it")
    read: str
    why: str
    rule: str
    legal: str
    text: str = Field(description="all of that in a sentence")


class Touches(Reply):
    touches: tuple[OneTouch, ...]
    closed: bool = Field(description="whether the draft is a whole and legal order")
    order: str = Field(description="the canonical text of it")
    wrong: tuple[Wrong, ...] = Field(description="why it is none")


class Sign(OfQuestion):
    """Sign an order; in a game alone, play it."""

    call: Literal["sign"] = "sign"
    text: Text
    plans: Text = ""
    anyway: bool = Field(default=False, description="though the time that the question gives is in doubt")


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
    door: str = Field(description="the address of the host's door to which it can be brought, if there is one")


class Signed(Reply):
    said: str = Field(description="what was signed or played, canonical")
    letters: tuple[Outgoing, ...]
    more: bool = Field(description="whether a built-in player has to answer next: “go_on”")


class GoOn(OfGame):
    """Let the built-in players answer once, in a game alone."""

    call: Literal["go_on"] = "go_on"


class SetPlans(OfGame):
    """Let these be the standing plans."""

    call: Literal["plans"] = "plans"
    text: Text


class Done(Reply):
    said: str = ""


class AskNotes(OfGame):
    """A player's private notes on a game, or other ones in their place."""

    call: Literal["notes"] = "notes"
    text: Text | None = None


class Say(OfGame):
    """Say something besides orders: sign it, and lay the letter ready."""

    call: Literal["say"] = "say"
    what: Literal["resign", "draw", "agree", "takeback", "leave", "claim", "rules"]
    number: int | None = Field(default=None, ge=0, description="the offer, the question, or the hours")


class Press(OfGame):
    """Sign words for another seat, or for all."""

    call: Literal["press"] = "press"
    text: Text
    to: Word = ""


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
    kind: Literal["report", "receipt", "asks", "confirm", "words", "strange", "left", "old"]
    game: str
    text: str
    warnings: tuple[str, ...]
    sender: str
    subject: str
    code: str = Field(default="", description="which an answer to a letter that asks for confirmation repeats")
    proposes: Literal["", "player", "host"] = Field(
        default="", description="whom it proposes in place of one who has vanished"
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


class Check(DeskCall):
    """Judge a log, or the one that lies in mails: verify it, or audit it by the rules."""

    call: Literal["check"] = "check"
    data: File
    name: Word = ""
    audit: bool = False


class LogJudged(Reply):
    """A verdict, as `pbem verify` and its like print it."""

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


# -- the door -----------------------------------------------------------------------------------------------------------


class AskDoors(DeskCall):
    """The games whose hosts have a door, as far as it is known here."""

    call: Literal["doors"] = "doors"


class DoorOfGame(Reply):
    game: str
    title: str
    door: str = Field(description="its address")
    over: bool


class DoorsKnown(Reply):
    doors: tuple[DoorOfGame, ...]


class VisitDoor(OfGame):
    """Bring what waits of a game to its host's door, and fetch what lies there; whoever carries calls carries the requests."""

    call: Literal["visit"] = "visit"


class ListenAtDoor(OfGame):
    """Ask for the numbers of what lies at a game's door; the last request's answer goes on and on."""

    call: Literal["listen"] = "listen"


class CarriedThere(DeskCall):
    """What was answered to a request to a door; what is to be carried next comes out."""

    call: Literal["carried"] = "carried"
    errand: Word
    status: int = Field(ge=0, le=999, description="of HTTP; 0 where the door was not reached")
    data: File = ""
    why: Word = Field(default="", description="why it was not reached")


class RequestAtDoor(Reply):
    """A request, to be carried as it stands, without cookies, redirects or a cache."""

    method: Literal["GET", "POST"]
    address: str
    headers: dict[str, str]
    body: str = Field(description="in base64")
    streams: bool = Field(description="an answer of 200 is a stream: it is read, and not handed back")


class WasBrought(Reply):
    """A letter that was brought to a door, or was not, and waits to go by mail."""

    name: str
    game: str
    became: str = Field(description="by the door's word; empty where it was not brought")
    says: str = Field(description="the same in a sentence, or why it was not brought; nobody has signed it")


class DoorStep(Reply):
    """How far an errand at a door has come: what is to be asked next, and what has come of it since the last step."""

    errand: str
    ask: RequestAtDoor | None = Field(description="none where the errand is done")
    brought: tuple[WasBrought, ...]
    came: tuple[CameIn, ...]
    trouble: tuple[str, ...]


# -- alone --------------------------------------------------------------------------------------------------------------


class AskChoices(DeskCall):
    """What can be played alone."""

    call: Literal["choices"] = "choices"
    game: Word = ""
    options: dict[str, Any] = Field(default_factory=dict, description="of this game: its seats follow from them")


class Setting(Reply):
    """An option of a game, as a form shows it."""

    name: str
    text: str
    kind: Literal["one of", "yes or no", "number"]
    values: tuple[str, ...] = ()
    value: str | bool | int
    least: int | None = None
    most: int | None = None


class Playable(Reply):
    game: str
    title: str
    settings: tuple[Setting, ...]
    seats: tuple[SeatName, ...]
    against: tuple[str, ...] = Field(description="the built-in players, the best first")


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
    "position": InOut(AskPosition, Position),
    "story": InOut(AskStory, Moments),
    "odds": InOut(AskOdds, OddsShown),
    "touches": InOut(AskTouches, Touches),
    "sign": InOut(Sign, Signed),
    "go_on": InOut(GoOn, Signed),
    "plans": InOut(SetPlans, Done),
    "notes": InOut(AskNotes, Done),
    "say": InOut(Say, Signed),
    "press": InOut(Press, Signed),
    "letters": InOut(AskLetters, Letters),
    "given": InOut(Given, Letters),
    "again": InOut(GiveAgain, Letters),
    "send": InOut(Send, Letters),
    "read": InOut(ReadLetters, Came),
    "fetch": InOut(FetchMail, Came),
    "doors": InOut(AskDoors, DoorsKnown),
    "visit": InOut(VisitDoor, DoorStep),
    "listen": InOut(ListenAtDoor, DoorStep),
    "carried": InOut(CarriedThere, DoorStep),
    "join": InOut(Join, Signed),
    "check": InOut(Check, LogJudged),
    "choices": InOut(AskChoices, Choices),
    "begin": InOut(Begin, Begun),
    "forget": InOut(Forget, Done),
    "log": InOut(AskLog, OneFile),
}
"""By the name of the call: what goes in, and what comes out. `listing` has these with those of `acts`."""
