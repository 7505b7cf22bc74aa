"""The form of every entry and attachment (PROTOCOL 3): what fields each has and what each may hold.

What players sign in them stands in `statements`, the scalars in `fields`. One declaration serves three ends: `forms`
checks a parsed line against it, the JSON Schema is generated from it, and a reader sees in it what a log is. Whether an
entry fits the game, the question or the signature is for the verifier.

Every entry may have further fields whose names begin with `x:`. They change no verdict, and whoever does not know one
passes it over."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from pbem.i18n import N_, _
from pbem.ledger.canon import cj_read
from pbem.ledger.declared import Limits, Requirement, Tag, must, open_, strict
from pbem.ledger.fields import (
    EACH_ONCE,
    MAX_DRAWN,
    MAX_NUMBER,
    MAX_SIDES,
    AnyLabel,
    At,
    Count,
    Hex64,
    Hours,
    KeyLine,
    Label,
    Name,
    Positive,
    QuestionName,
    Reference,
    RulesId,
    Salt,
    Seat,
    Seen,
    Sig,
    Text,
)
from pbem.ledger.statements import AheadSay, JoinSay, Newcomer, OrderSay, ReadySay, RekeySay, SaySay

PROTO = "pbem-log/1"
"""The format that is written."""
CANDIDATE = "pbem-log/1-rc"
"""What it was called while it could still change: the same but for the name."""
SIGNED_KINDS = frozenset({"join", "ready", "order", "say", "rekey"})
MAX_OPTIONS = 32_768
"""Bytes of a game's options in canonical JSON: room for a whole position, or for the printed parts of a game."""
MAX_EXTRA = 4_096
"""Bytes of all `x:` fields of one entry in canonical JSON."""
MAX_SEATS = 64
MAX_EVENT = 64
"""Letters of the name of a rated game's event."""
PATH = 12
"""A deal's anchor stands that deep below the root of its tree, which so has 4,096."""


@strict
class Rules(TypedDict):
    """Which rules the game is played by: their id, version and the SHA-256 of their manifest."""

    id: RulesId
    ver: Count
    sha256: Hex64


@strict
class BuiltIn(TypedDict):
    """A seat held by a built-in player: which, in which version, and how many playouts it has for a decision."""

    player: Name
    ver: Count
    playouts: Count


@open_
class TermsFields(TypedDict):
    """What the players agreed on before the game.

    What becomes of a late answer; how many hours of leave a seat may take in all; how many hours each question has at the least
    (0: no limit), with how many of grace, and at the most. The others change no verdict: who plays a rated game, of which event,
    against which built-in players, and whether the page shows odds.
    """

    late: Literal["default", "claim"]
    leave: Hours
    hours: Hours
    grace: Hours
    most: Hours
    rated: NotRequired[bool]
    event: NotRequired[Annotated[str, Limits(min_length=1, max_length=MAX_EVENT)]]
    built_in: NotRequired[dict[Seat, BuiltIn]]
    odds: NotRequired[bool]


def only_terms(known: type[Any]) -> Requirement:
    """Return the condition that terms are those that a format knows, and what begins with `x:`."""

    def check(fields: dict[str, Any]) -> dict[str, Any]:
        for name in fields:
            if name not in known.__annotations__ and not name.startswith("x:"):
                raise ValueError(_("{name} is no term that this format knows", name=name))
        return fields

    return Requirement(check)


Terms: TypeAlias = Annotated[
    TermsFields,
    must(
        lambda terms: terms["most"] >= terms["hours"] + terms["grace"],
        N_("the longest time for a question (most) is shorter than hours and grace together"),
    ),
    only_terms(TermsFields),
]


Options: TypeAlias = Annotated[
    dict[str, Any],
    must(
        lambda options: len(cj_read(options)) <= MAX_OPTIONS,
        N_("the options have more than {most} bytes"),
        most=MAX_OPTIONS,
    ),
]


@strict
class Game(TypedDict):
    """Entry 0: what is played, by which seats, and the host's key and anchors; `deals` is the root over those of all deals."""

    k: Literal["game"]
    n: Literal[0]
    prev: Hex64
    at: At
    proto: Literal["pbem-log/1", "pbem-log/1-rc"]
    nonce: Hex64
    rules: Rules
    opts: Options
    seats: Annotated[list[Seat], Limits(min_length=1, max_length=MAX_SEATS), EACH_ONCE]
    host: KeyLine
    chains: dict[Label, Hex64]
    deals: Hex64
    terms: Terms


@strict
class Chained(TypedDict):
    """What every entry bears besides its kind, but for entry 0: its number, and the hash of the one above it."""

    n: Positive
    prev: Hex64


@strict
class Dated(Chained):
    """An entry that bears a moment."""

    at: At


@strict
class Signed(Dated):
    """An entry of which a seat has signed what it says."""

    by: Seat


@strict
class Join(Signed):
    """A player takes a seat."""

    k: Literal["join"]
    say: JoinSay
    sig: Sig


@strict
class Ready(Signed):
    """A player has seen who plays; mark 1."""

    k: Literal["ready"]
    say: ReadySay
    sig: Sig


@strict
class AskFields(Dated):
    """A question to one seat or several."""

    k: Literal["ask"]
    to: Annotated[list[Seat], Limits(min_length=1, max_length=MAX_SEATS), EACH_ONCE]
    what: QuestionName
    secret: Literal["no", "until resolved", "until end"]
    mark: NotRequired[Positive]
    due: NotRequired[At]


ONE_IN_THE_OPEN = must(
    lambda ask: ask["secret"] != "no" or len(ask["to"]) == 1,
    N_("a question to several seats is never answered in the open"),
)
Ask: TypeAlias = Annotated[AskFields, ONE_IN_THE_OPEN]


@strict
class Order(Signed):
    """A seat's answer, given when it was asked or sent ahead."""

    k: Literal["order"]
    say: Annotated[OrderSay | AheadSay, Tag("act")]
    sig: Sig


@strict
class Roll(TypedDict):
    """n dice of so many sides."""

    op: Literal["roll"]
    n: Annotated[int, Limits(ge=1, le=MAX_DRAWN)]
    sides: Annotated[int, Limits(ge=1, le=MAX_SIDES)]


@strict
class DrawFields(TypedDict):
    """n of a list, without putting back."""

    op: Literal["draw"]
    n: Annotated[int, Limits(ge=0, le=MAX_DRAWN)]
    of: Annotated[list[Any], Limits(max_length=MAX_DRAWN)]


Draw: TypeAlias = Annotated[
    DrawFields, must(lambda draw: draw["n"] <= len(draw["of"]), N_("more are drawn than there are"))
]
Request: TypeAlias = Annotated[Roll | Draw, Tag("op")]


def work(requests: list[dict[str, Any]]) -> int:
    """Return how many dice and names on lists one random event has, all its requests together."""
    return sum(request["n"] if request["op"] == "roll" else len(request["of"]) for request in requests)


Requests: TypeAlias = Annotated[
    list[Request],
    Limits(min_length=1, max_length=MAX_DRAWN),
    must(
        lambda requests: work(requests) <= MAX_DRAWN,
        N_("more than {most} dice and names are asked of one event"),
        most=MAX_DRAWN,
    ),
]


@strict
class PublicRand(Chained):
    """Public dice: link, request and result at once."""

    k: Literal["rand"]
    chain: Literal["pub"]
    i: Positive
    x: Hex64
    req: Requests
    res: list[list[Any]]


@strict
class PrivateRand(Chained):
    """One seat's draw: request and result sealed together, under the name of the seat."""

    k: Literal["rand"]
    chain: Annotated[str, Limits(pattern=r"^priv:[a-z][a-z0-9_]{0,39}$")]
    i: Positive
    seals: Annotated[
        dict[Seat, Hex64], must(lambda seals: len(seals) == 1, N_("a private draw has one seal, its owner's"))
    ]


def _are_places(seals: dict[str, Any]) -> bool:
    count = len(seals) - ("req" in seals)
    return count > 0 and all(f"p{i}" in seals for i in range(count))


PLACE = r"^(req|p(0|[1-9][0-9]{0,4}))$"
Seals: TypeAlias = Annotated[
    dict[Annotated[str, Limits(pattern=PLACE)], Hex64],
    Limits(max_length=MAX_DRAWN + 1),
    must(_are_places, N_("the places of a deal are p0, p1, … without a gap")),
]
REQUEST_ONCE = must(
    lambda deal: ("req" in deal) != ("req" in deal["seals"]),
    N_("a deal shows its request or seals it, one of the two"),
)
AS_MANY_PLACES = must(
    lambda deal: "req" not in deal or sum(r["n"] for r in deal["req"]) == len(deal["seals"]),
    N_("a deal has as many places as its request gives results"),
)


@strict
class DealFields(Chained):
    """A hidden pile, shuffled once, every place sealed by itself; its anchor, and the path from it to the root of its tree."""

    k: Literal["rand"]
    chain: Annotated[str, Limits(pattern=r"^deal:[1-9][0-9]{0,5}$")]
    i: Literal[1]
    anchor: Hex64
    path: Annotated[list[Hex64], Limits(min_length=PATH, max_length=PATH)]
    req: NotRequired[Requests]
    seals: Seals


Deal: TypeAlias = Annotated[DealFields, REQUEST_ONCE, AS_MANY_PLACES]


@strict
class AnewFields(Chained):
    """What no seat knew, dealt anew by another host."""

    k: Literal["rand"]
    chain: Annotated[str, Limits(pattern=r"^anew:[1-9][0-9]{0,5}$")]
    i: Literal[1]
    seals: Seals


Anew: TypeAlias = Annotated[AnewFields, REQUEST_ONCE]


@strict
class Report(TypedDict):
    """What a tell says to all: facts in the rule book's words, and an RFC 7396 merge patch of the view."""

    facts: Annotated[list[Any], Limits(max_length=MAX_DRAWN)]
    view: dict[str, Any]


@strict
class OwnReport(TypedDict):
    """What a tell says to one seat, given what it says to all: a whole number stands for the public fact of that index, and the
    patch is of the seat's view after the public patch."""

    facts: Annotated[
        list[Annotated[int, Limits(ge=0, le=MAX_DRAWN)] | dict[str, Any] | str], Limits(max_length=MAX_DRAWN)
    ]
    view: dict[str, Any]


LinkName: TypeAlias = Annotated[
    list[Any],
    Limits(min_length=2, max_length=2),
    must(
        lambda pair: type(pair[0]) is str and type(pair[1]) is int and 1 <= pair[1] <= MAX_NUMBER,
        N_("a link is named by [label, i]"),
    ),
]


@strict
class Tell(Chained):
    """What everybody and each seat learns at one stop; the seal "state" binds position and question."""

    k: Literal["tell"]
    pub: Report
    opens: Annotated[list[Hex64], Limits(max_length=MAX_DRAWN)]
    links: Annotated[list[LinkName], Limits(max_length=MAX_DRAWN)]
    rolls: Annotated[list[Count], Limits(max_length=MAX_DRAWN)]
    seals: dict[Name, Hex64]


@strict
class Skip(Dated):
    """A seat did not answer in time; its default answer is taken, without a link."""

    k: Literal["skip"]
    to: Seat
    ask: Count
    why: Literal["due", "late", "only", "out"]


@strict
class Say(Signed):
    """A seat resigns, offers, agrees, leaves or claims."""

    k: Literal["say"]
    say: SaySay
    sig: Sig


@strict
class Rekey(Signed):
    """A seat goes on with another key, or another chain; then all say again that they are ready, by `due`."""

    k: Literal["rekey"]
    say: RekeySay
    sig: Sig
    due: NotRequired[At]


@strict
class TakeBack(TypedDict):
    """The question that is put again, with the answers from it on taken back."""

    takeback: Count


@strict
class NewRules(TypedDict):
    """The rules by which the game goes on."""

    rules: Rules


@strict
class NewPlayer(TypedDict):
    """Who plays a seat from now on."""

    player: Newcomer


_Agreed: TypeAlias = Annotated[list[Count], Limits(min_length=1, max_length=MAX_SEATS + 1), EACH_ONCE]


@strict
class Amend(Dated):
    """What all seats agreed on in mid-game; `agreed` are the entries by which each of them did.

    A new player calls all to be ready again: by `due`.
    """

    k: Literal["amend"]
    what: TakeBack | NewRules | NewPlayer
    agreed: _Agreed
    due: NotRequired[At]


@strict
class Host(Dated):
    """The game goes on under another host, from the head `seen`: his key and anchors, and by which entries all agreed.

    `mark` is that of being ready again, by `due`; no seat has given a link so high.
    """

    k: Literal["host"]
    key: KeyLine
    chains: dict[Label, Hex64]
    deals: Hex64
    mark: Positive
    seen: Seen
    agreed: _Agreed
    due: NotRequired[At]


@strict
class Renew(Dated):
    """Chains of the host's that are nearly used up go on from new anchors; then all say again that they are ready, by `due`."""

    k: Literal["renew"]
    chains: dict[Label, Hex64]
    deals: NotRequired[Hex64]
    due: NotRequired[At]


@strict
class Extend(Dated):
    """More time to answer the open question, or to be ready; `ask` is the question, or what called; `cause` the leave
    that asks for it."""

    k: Literal["extend"]
    ask: Count
    due: At
    why: Text
    cause: NotRequired[Count]


@open_
class Result(TypedDict):
    """Who has won, a seat or "" (nobody, or nobody alone), and why; all else is the game's."""

    winner: Annotated[str, Limits(pattern=r"^([a-z][a-z0-9_]{0,39})?$")]
    why: str


@strict
class End(Dated):
    """The result; then everything is opened. `cause` is the say that ended the game, where it was not the rules."""

    k: Literal["end"]
    result: Result
    cause: NotRequired[Count]


Entry: TypeAlias = (
    Game
    | Join
    | Ready
    | Ask
    | Order
    | PublicRand
    | PrivateRand
    | Deal
    | Anew
    | Tell
    | Skip
    | Say
    | Rekey
    | Amend
    | Host
    | Renew
    | Extend
    | End
)

SealLine: TypeAlias = tuple[Literal["seal"], Hex64, Name, Annotated[Reference, Limits(strict=True)], Name, Salt, Any]
LinkLine: TypeAlias = tuple[Literal["link"], Hex64, AnyLabel, Annotated[Positive, Limits(strict=True)], Hex64]
HeadLine: TypeAlias = tuple[Literal["head"], Hex64, Annotated[Count, Limits(strict=True)], Hex64, Sig]
GotLine: TypeAlias = tuple[Literal["got"], Hex64, Hex64, At, Sig]
AttachmentLine: TypeAlias = SealLine | LinkLine | HeadLine | GotLine

KINDS: dict[str, Any] = {
    "game": Game, "join": Join, "ready": Ready, "ask": Ask, "order": Order, "tell": Tell, "skip": Skip, "say": Say,
    "rekey": Rekey, "amend": Amend, "host": Host, "renew": Renew, "extend": Extend, "end": End,
}  # fmt: skip
RANDS: dict[str, Any] = {"pub": PublicRand, "priv": PrivateRand, "deal": Deal, "anew": Anew}
LINES: dict[str, Any] = {"seal": SealLine, "link": LinkLine, "head": HeadLine, "got": GotLine}
VALUES: dict[str, Any] = {
    "report": OwnReport, "request": Requests, "draw": tuple[Requests, list[list[Any]]], "text": str,
}  # fmt: skip
