"""The calls of one game: its position, what happened, what is possible next, and signing an order; `PLAYING` lists them.

They follow the conventions in `calls`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from pbem.ledger.first_line import ModeName

from .calls import MAX_LINES, Done, InOut, OfGame, Reply, Says, Signed, Text, Word, Wrong


class AskPosition(OfGame):
    """How a game stands, or stood after an entry."""

    call: Literal["position"] = "position"
    n: int | None = Field(default=None, ge=0, description="after this entry; else now")
    ground: Word = Field(default="", description="the ground of a drawing that the page has, by its name")


class SvgDrawing(Reply):
    """A drawing: `below` and `svg` together are the whole of it."""

    svg: str = Field(description="the drawing; where it has a ground, the lines that lie over that, up to the end")
    style: str = Field(description="the drawing's style sheet; empty where the page has the ground")
    ground: str = Field(default="", description="what its ground is called; empty where it has none")
    below: str = Field(default="", description="the ground, with the beginning; empty where the page has it")


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
    rules: str = Field(description="the id of the game, where it has rules to read; else empty")
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
    mode: ModeName = Field(description="who deals: a host, or the two who play")
    offers: int = Field(description="how many offers of others this seat has not agreed to")
    back: bool = Field(description="a game alone: whether the last answer can be taken back, by “say” with “takeback”")
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
    plans: str = Field(description="the standing plans")
    plans_shown: bool | None = Field(
        description="whether they are pledged in battles, so that a friend sees what they say of these; null where that cannot be"
    )
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


class AskTemplate(OfGame):
    """Order lines to type over, for the question that is open."""

    call: Literal["template"] = "template"


class OrderTemplate(Reply):
    text: str = Field(description="empty where nothing is asked")


class AskOdds(OfGame):
    """What may come of what is going on, such as a battle, reckoned from what this seat knows."""

    call: Literal["odds"] = "odds"


class OddsShown(Reply):
    tables: tuple[Grid, ...] = Field(description="none where nothing goes on, or the game reckons nothing")


class AskClosing(OfGame):
    """How a game went, that is over."""

    call: Literal["closing"] = "closing"


class AskOpinion(OfGame):
    """Who stood better at each turn of a game that is over, as a built-in player judges it."""

    call: Literal["opinion"] = "opinion"


class ClosingShown(Reply):
    drawings: tuple[SvgDrawing, ...] = Field(description="none where the game draws nothing, or is not over")
    tables: tuple[Grid, ...]


class Rematch(Reply):
    """A further game alone: what “begin” wants for it."""

    what: Literal["again", "side", "stronger"]
    name: str = Field(description="the other side, or the stronger player; empty for “again”")
    game: str
    options: dict[str, Any]
    seat: str
    against: str


class Ended(ClosingShown):
    """How a game ended, and how it went."""

    outcome: str = Field(default="", description="“You lost, 7 to 6”; empty for who has only looked on")
    laid_open: SvgDrawing | None = Field(default=None, description="the last position with nothing hidden")
    rematches: tuple[Rematch, ...] = ()


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
    ground: Word = Field(default="", description="the ground of a drawing that the page has, by its name")


class OneTouch(Reply):
    at: str = Field(description="what is touched: “area:Fife”, “choice:PASS”")
    label: str
    draft: tuple[str, ...]
    note: str
    closes: bool
    listed: bool = Field(default=False, description="whether one of the numbered answers does the same")


class Preview(Reply):
    """The position as it will be once the whole lines of a draft are signed, as far as that is sure."""

    drawing: SvgDrawing | None = Field(description="what has moved stands where it was as a “pb-ghost”")
    scene: SvgDrawing | None
    says: tuple[str, ...] = Field(
        description="what the order uses up, limits that are exceeded, what is not decided: sentences"
    )
    takes_out: tuple[OneTouch, ...] = Field(description="what takes a line out of the draft again where it is touched")


class Touches(Reply):
    touches: tuple[OneTouch, ...]
    answers: tuple[OneTouch, ...] = Field(
        default=(),
        description="the numbered answers, as a letter has them, where no order is begun: each is a whole one",
    )
    closed: bool = Field(description="whether the draft is a whole and legal order")
    order: str = Field(description="the canonical text of it")
    unsaid: tuple[str, ...] = Field(description="what it means beyond its lines, in sentences")
    wrong: tuple[Wrong, ...] = Field(description="why it is none")
    preview: Preview | None = Field(
        default=None, description="null for an empty draft, or where nothing changes on the drawing"
    )


class Sign(OfQuestion):
    """Sign an order; in a game alone, play it."""

    call: Literal["sign"] = "sign"
    text: Text
    plans: Text = ""
    anyway: bool = Field(default=False, description="though the time that the question gives is in doubt")


class GoOn(OfGame):
    """Let the built-in players answer once, in a game alone."""

    call: Literal["go_on"] = "go_on"


class SetPlans(OfGame):
    """Let these be the standing plans."""

    call: Literal["plans"] = "plans"
    text: Text
    shown: bool | None = Field(
        default=None, description="whether they are pledged in battles, in a game of two; null leaves that as it is"
    )


class AskNotes(OfGame):
    """A player's private notes on a game, or other ones in their place."""

    call: Literal["notes"] = "notes"
    text: Text | None = None


class KeepDraft(OfGame):
    """The order that a player has begun for a question, or another in its place; no lines at all forget it."""

    call: Literal["draft"] = "draft"
    ask: int = Field(ge=0, description="the question, as the position had it: a draft is given for no other")
    lines: Annotated[tuple[Text, ...], Field(max_length=MAX_LINES)] | None = None


class DraftKept(Reply):
    lines: tuple[str, ...]
    said: tuple[str, ...] = Field(
        default=(), description="what each line is called, “” where nothing is known; of a draft that is recalled"
    )


class Say(OfGame):
    """Say something besides orders: sign it, and lay the letter ready."""

    call: Literal["say"] = "say"
    what: Says
    number: int | None = Field(default=None, ge=0, description="the offer, the question, or the hours")


class Press(OfGame):
    """Sign words for another seat, or for all."""

    call: Literal["press"] = "press"
    text: Text
    to: Word = ""


class SeenBy(Reply):
    """How one seat sees a position that is of no game."""

    seat: str
    name: str
    tables: tuple[Grid, ...]
    text: str = Field(description="the board in words, where it is no tables")
    hand: tuple[Said, ...]
    question: tuple[Said, ...]


PLAYING: dict[str, InOut] = {
    "position": InOut(AskPosition, Position),
    "story": InOut(AskStory, Moments),
    "template": InOut(AskTemplate, OrderTemplate),
    "odds": InOut(AskOdds, OddsShown),
    "closing": InOut(AskClosing, Ended),
    "opinion": InOut(AskOpinion, ClosingShown),
    "touches": InOut(AskTouches, Touches),
    "sign": InOut(Sign, Signed),
    "go_on": InOut(GoOn, Signed),
    "plans": InOut(SetPlans, Done),
    "notes": InOut(AskNotes, Done),
    "draft": InOut(KeepDraft, DraftKept),
    "say": InOut(Say, Signed),
    "press": InOut(Press, Signed),
}
"""By the name of the call: what goes in, and what comes out."""
