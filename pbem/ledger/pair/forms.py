"""The form of every entry of a log of two, and of every act in a turn.

One declaration serves three ends, as in `pbem.ledger.entries`: it checks lines, gives the JSON Schema, and shows readers the form
of such a log. Whether something fits the game and its place is for `course` and for the rules.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pbem.ledger import entries
from pbem.ledger.declared import Fields, Limits, each, form, one_of
from pbem.ledger.fields import EACH_ONCE, Hex64, Hours, KeyLine, Positive, Salt, Seat, Seen, Sig
from pbem.ledger.forms import Checks, fault, schema_of
from pbem.ledger.statements import said

MAX_ACTS = 512
"""The maximum number of acts in a turn; a seat with more to say adds another turn."""
MAX_CARDS = 256
MAX_SHUFFLE_PROOF = 34_231
"""The maximum number of letters of the shuffle proof for a deck of `MAX_CARDS` cards."""
MAX_CARD = 64
"""The characters of a card's name."""
MAX_DECKS = 4096
MAX_HIDDEN = 60_000
"""The maximum number of base64 letters of a hidden value."""
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


WordSay = said(
    "WordSay",
    "What a seat signs during the other's turn. It counts if the next turn quotes it.",
    "word",
    seen=Seen,
    what=Literal["resign", "draw", "back"],
)
_Cards: TypeAlias = Annotated[list[Card], Limits(min_length=2, max_length=MAX_CARDS)]
_HIDDEN_DECK: Fields = {
    "key": Element, "deck": Annotated[list[Element], Limits(min_length=2, max_length=MAX_CARDS)],
    "proof": Annotated[str, Limits(max_length=MAX_SHUFFLE_PROOF)],
}  # fmt: skip
_ACTS: dict[str, tuple[str, Fields]] = {
    "seal": (
        "An answer that the other may not see yet: its digest, and the text hidden for the author.",
        {"d": Hex64, "c": Hidden},
    ),
    "order": ("An open answer, in canonical form.", {"text": OrderText}),
    "open": ("Opens the author's last seal; a seal followed by another only at the end.", {"salt": Salt, "text": OrderText}),
    "link": ("The next link of the author's chain, counted from 1: his share in the dice.", {"x": Hex64}),
    "tell": (
        "The public result of a step that only the author can work out; in `hand` what only the other hears and sees.",
        {"facts": list[Any], "view": dict[str, Any], "hand": NotRequired[Hidden]},
    ),
    "part": ("The author's part of a step of which each seat knows a part.", {"part": dict[str, Any]}),
    "pledge": (
        "The author's plans will answer in the contest that begins, if the other's do. Sealed like an answer.",
        {"d": Hex64, "c": Hidden},
    ),
    "meet": ('The author\'s plans answer a pledge, in the open; "" if they do not.', {"text": OrderText}),
    "deck": (
        "Lays out a deck, or shuffles it, with a proof. Only the first seat names `cards`.",
        {"no": DeckNo, "cards": NotRequired[_Cards], **_HIDDEN_DECK},
    ),
    "share": (
        "Takes the author's number off a place that belongs to the other.",
        {"no": DeckNo, "place": Place, "share": Element, "proof": ProofText},
    ),
    "play": (
        "Turns up a card, with a proof that it is at this place.",
        {"no": DeckNo, "place": Place, "card": Card, "proof": ProofText},
    ),
    "number": ("The author's number of a deck with no hidden cards left.", {"no": DeckNo, "x": Element}),
    "say": (
        "Resigns, offers a draw, or accepts the other's offer.",
        {"what": Literal["resign", "draw", "agree"]},
    ),
    "word": (
        "Quotes what the other signed during the author's turn. Its `seen` is the entry above this turn.",
        {"say": WordSay, "sig": Sig},
    ),
    "rekey": (
        "Another key signs from the author's next turn on; `kept` is his secret, hidden for it.",
        {"key": KeyLine, "kept": Hidden},
    ),
    "over": (
        "The result, and the author's secret, which opens everything of his.",
        {"result": dict[str, Any], "secret": Hex64},
    ),
}  # fmt: skip
"""The acts of a turn: by name, a description and the fields."""
ACTS: dict[str, Any] = {
    do: form(f"{do.capitalize()}Act", says, {"do": Literal[do], **fields}) for do, (says, fields) in _ACTS.items()
}
PeerJoinSay = said(
    "PeerJoinSay",
    "What a player signs to take a seat: his key, a hash that binds his secret, the anchor of his chain, his half of a common key. "
    "The first seat may lay out the first deck.",
    "join",
    seen=Seen,
    key=KeyLine,
    bound=Hex64,
    anchor=Hex64,
    mix=Element,
    deck=NotRequired[
        form("LaidDeck", "The first deck, as the first seat lays it out.", {"cards": _Cards, **_HIDDEN_DECK})
    ],
)
TurnSay = said(
    "TurnSay",
    "What a player signs in play: the number of his turn, the entry above it, his acts; `more` if another turn of his follows.",
    "turn",
    no=Positive,
    seen=Seen,
    acts=Annotated[each(one_of(ACTS.values(), "do")), Limits(max_length=MAX_ACTS)],
    more=NotRequired[Literal[True]],
)
PeerTerms = form(
    "PeerTerms",
    "What both agreed on: the hours that an answer should take (0: no limit), and whether programs show odds.",
    {"hours": Hours, "odds": NotRequired[bool]},
    is_open=True,
)


def _signed(name: str, says: str, say: Any, *kinds: str) -> Any:
    return form(name, says, {**entries.CHAINED, "k": Literal[kinds], "by": Seat, "say": say, "sig": Sig})


KINDS: dict[str, Any] = {
    "game": form(
        "PeerGameEntry",
        "Entry 0: the game, its rules and options, the two seats in the rules' order.",
        {
            "k": Literal["game"], "n": Literal[0], "prev": Hex64, "proto": Literal["pbem-peer/2"], "nonce": Hex64,
            "rules": entries.Rules, "opts": entries.Options,
            "seats": Annotated[list[Seat], Limits(min_length=2, max_length=2), EACH_ONCE],
            "terms": Annotated[PeerTerms, entries.only_terms(PeerTerms)],
        },
    ),
    "join": _signed("PeerJoinEntry", "A player takes a seat. The first seat may lay out the first deck.", PeerJoinSay, "join"),
    "turn": _signed("TurnEntry", "What one seat sends at once; `more` if another turn of his follows.", TurnSay, "turn"),
}  # fmt: skip
"""The form of each kind of entry."""
_ENVELOPE = "What can be asked of any signed entry before its signature is: then whoever signed answers for the rest."
CHECKS = Checks({**KINDS, "envelope": _signed("Enveloped", _ENVELOPE, dict[str, Any], "join", "turn"), "word": WordSay})


def malformed(form: str, fields: Any) -> str | None:
    """Why an entry, or what surrounds its signature (`envelope`), has not its form, or None."""
    return fault(CHECKS[form], fields)


def pair_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a log of two."""
    return schema_of(one_of(KINDS.values()), "a line of a pbem log of two", ("k", "do", "act"))
