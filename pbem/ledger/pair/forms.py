"""The form of every entry of a log of two, and of all that a seat says in its turns.

One declaration serves three ends, as in `pbem.ledger.entries`: lines are checked against it, the JSON Schema is made from it, and a
reader sees in it what such a log is. Whether something fits the game and its place is for `course` and for the rules.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from pbem.ledger import entries
from pbem.ledger.declared import Limits, Tag, open_, strict
from pbem.ledger.fields import EACH_ONCE, Hex64, Hours, KeyLine, Positive, Salt, Seat, Seen, Sig
from pbem.ledger.forms import Checks, fault, schema_of

MAX_ACTS = 512
"""So many acts one turn holds at the most; who has more to say goes on in another turn."""
MAX_CARDS = 256
MAX_SHUFFLE_PROOF = 34_231
"""Letters of the proof of a deck of so many cards."""
MAX_CARD = 64
"""Letters of what a card is called."""
MAX_DECKS = 4096
MAX_HIDDEN = 60_000
"""Letters of what is hidden, in base64."""
MAX_ORDER = 16_384
"""Letters of an order's text."""

Element: TypeAlias = Annotated[str, Limits(pattern=r"^[A-Za-z0-9+/]{43}$")]
ProofText: TypeAlias = Annotated[str, Limits(pattern=r"^[A-Za-z0-9+/]{43}\.[A-Za-z0-9+/]{43}$")]
Hidden: TypeAlias = Annotated[str, Limits(pattern=r"^[A-Za-z0-9+/]+={0,2}$", max_length=MAX_HIDDEN)]
"""What only some can read, in base64."""
OrderText: TypeAlias = Annotated[str, Limits(max_length=MAX_ORDER)]
Card: TypeAlias = Annotated[str, Limits(min_length=1, max_length=MAX_CARD)]
Place: TypeAlias = Annotated[int, Limits(ge=0, lt=MAX_CARDS)]
DeckNo: TypeAlias = Annotated[int, Limits(ge=1, le=MAX_DECKS)]


@strict
class SealAct(TypedDict):
    """An answer that is not to be seen yet: its digest, and the answer itself so that its author alone reads it."""

    do: Literal["seal"]
    d: Hex64
    c: Hidden


@strict
class OrderAct(TypedDict):
    """An answer that everybody may see."""

    do: Literal["order"]
    text: OrderText


@strict
class OpenAct(TypedDict):
    """The author's last seal is opened."""

    do: Literal["open"]
    salt: Salt
    text: OrderText


@strict
class LinkAct(TypedDict):
    """The next link of the author's chain: his share in the dice."""

    do: Literal["link"]
    x: Hex64


@strict
class TellAct(TypedDict):
    """What everybody hears and sees of a step that the author alone can work out, and perhaps what the other alone sees of it."""

    do: Literal["tell"]
    facts: list[Any]
    view: dict[str, Any]
    hand: NotRequired[Hidden]


@strict
class PartAct(TypedDict):
    """What the author knows of a step of which each seat knows a part."""

    do: Literal["part"]
    part: dict[str, Any]


@strict
class PledgeAct(TypedDict):
    """The author's plans answer in the contest that begins, if the other's do: sealed like an answer."""

    do: Literal["pledge"]
    d: Hex64
    c: Hidden


@strict
class MeetAct(TypedDict):
    """So do the author's, which everybody may see; "" if they do not."""

    do: Literal["meet"]
    text: OrderText


@strict
class DeckAct(TypedDict):
    """A deck laid out or shuffled, with the proof of it; who lays it out names the cards."""

    do: Literal["deck"]
    no: DeckNo
    cards: NotRequired[Annotated[list[Card], Limits(min_length=2, max_length=MAX_CARDS)]]
    key: Element
    deck: Annotated[list[Element], Limits(min_length=2, max_length=MAX_CARDS)]
    proof: Annotated[str, Limits(max_length=MAX_SHUFFLE_PROOF)]


@strict
class ShareAct(TypedDict):
    """The author's number taken off a place that is the other's."""

    do: Literal["share"]
    no: DeckNo
    place: Place
    share: Element
    proof: ProofText


@strict
class PlayAct(TypedDict):
    """A card that the author turns up, with the proof that it lies where he says."""

    do: Literal["play"]
    no: DeckNo
    place: Place
    card: Card
    proof: ProofText


@strict
class NumberAct(TypedDict):
    """The author's number of a deck whose cards have all been played."""

    do: Literal["number"]
    no: DeckNo
    x: Element


@strict
class SayAct(TypedDict):
    """Something besides play: the game is given up, a draw is offered, or the other's offer agreed to."""

    do: Literal["say"]
    what: Literal["resign", "draw", "agree"]


@strict
class WordSay(TypedDict):
    """What a seat signs while it is the other's turn; it counts if the next turn quotes it."""

    act: Literal["word"]
    game: Hex64
    seat: Seat
    seen: Seen
    what: Literal["resign", "draw", "back"]


@strict
class WordAct(TypedDict):
    """What the other has said while it was the author's turn."""

    do: Literal["word"]
    say: WordSay
    sig: Sig


@strict
class RekeyAct(TypedDict):
    """From the next turn on the author signs with another key. `kept` is his secret, so that who has that key alone reads it."""

    do: Literal["rekey"]
    key: KeyLine
    kept: Hidden


@strict
class OverAct(TypedDict):
    """The game is over with this result; the author's secret, by which everything of his is opened."""

    do: Literal["over"]
    result: dict[str, Any]
    secret: Hex64


Act: TypeAlias = Annotated[
    SealAct
    | OrderAct
    | OpenAct
    | LinkAct
    | TellAct
    | PartAct
    | PledgeAct
    | MeetAct
    | DeckAct
    | ShareAct
    | PlayAct
    | NumberAct
    | SayAct
    | WordAct
    | RekeyAct
    | OverAct,
    Tag("do"),
]


@strict
class PeerJoinSay(TypedDict):
    """What a player signs to take a seat: his key, what binds his secret, the anchor of his chain, and his half of a common key."""

    act: Literal["join"]
    game: Hex64
    seat: Seat
    seen: Seen
    key: KeyLine
    bound: Hex64
    anchor: Hex64
    mix: Element


@strict
class TurnSay(TypedDict):
    """What a player signs in play: the number of his turn, the entry above it, what he says; `more` if he goes on in another."""

    act: Literal["turn"]
    game: Hex64
    seat: Seat
    no: Positive
    seen: Seen
    acts: Annotated[list[Act], Limits(max_length=MAX_ACTS)]
    more: NotRequired[Literal[True]]


@open_
class PeerTermsFields(TypedDict):
    """What both agreed on: how many hours an answer should take (0: as long as it takes), and whether programs show odds."""

    hours: Hours
    odds: NotRequired[bool]


@strict
class PeerGameEntry(TypedDict):
    """Entry 0: the game, its rules and options, the two seats in the rules' order."""

    k: Literal["game"]
    n: Literal[0]
    prev: Hex64
    proto: Literal["pbem-peer/2"]
    nonce: Hex64
    rules: entries.Rules
    opts: entries.Options
    seats: Annotated[list[Seat], Limits(min_length=2, max_length=2), EACH_ONCE]
    terms: Annotated[PeerTermsFields, entries.only_terms(PeerTermsFields)]


@strict
class Enveloped(entries.Chained):
    """What can be asked of any signed entry before its signature is: then whoever signed answers for the rest."""

    k: Literal["join", "turn"]
    by: Seat
    say: dict[str, Any]
    sig: Sig


@strict
class PeerJoinEntry(entries.Chained):
    """A seat is taken."""

    k: Literal["join"]
    by: Seat
    say: PeerJoinSay
    sig: Sig


@strict
class TurnEntry(entries.Chained):
    """One mail of one seat."""

    k: Literal["turn"]
    by: Seat
    say: TurnSay
    sig: Sig


CHECKS = Checks(
    {"game": PeerGameEntry, "join": PeerJoinEntry, "turn": TurnEntry, "envelope": Enveloped, "word": WordSay}
)


def malformed(form: str, fields: Any) -> str | None:
    """Why an entry, or what surrounds its signature (`envelope`), has not its form, or None."""
    return fault(CHECKS[form], fields)


def pair_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a log of two."""
    return schema_of(PeerGameEntry | PeerJoinEntry | TurnEntry, "a line of a pbem log of two", ("k", "do", "act"))
