"""The form of every entry and attachment (PROTOCOL 3): what fields each has and what each may hold.

What players sign in them stands in `statements`, the scalars in `fields`. One declaration serves three ends: `entry_fault`
checks a parsed line against it, `json_schema` is generated from it, and a reader sees in it what a log is. It judges one line
by itself: whether an entry fits the game, the question or the signature is for the verifier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import AfterValidator, Field, StrictInt, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from pbem.ledger.fields import (
    MAX_HOURS,
    AnyLabel,
    At,
    Count,
    Hex64,
    KeyLine,
    Label,
    Name,
    Positive,
    RulesId,
    Salt,
    Seat,
    Seen,
    Sig,
    each_once,
    strict,
)
from pbem.ledger.statements import AheadSay, JoinSay, Newcomer, OrderSay, ReadySay, RekeySay, SaySay
from pbem.words import N_, _

PROTO = "pbem-log/0"
SIGNED_KINDS = frozenset({"join", "ready", "order", "say", "rekey"})


@strict
class Rules(TypedDict):
    """Which rules the game is played by: their id, version and the SHA-256 of their manifest."""

    id: RulesId
    ver: Count
    sha256: Hex64


@strict
class Terms(TypedDict):
    """What the players agreed on before the game: what becomes of a late answer, and how much leave a seat may take."""

    late: Literal["default", "claim"]
    leave: Annotated[int, Field(ge=0, le=MAX_HOURS)]


@strict
class Game(TypedDict):
    """Entry 0: what is played, by which seats, and the host's key and anchors."""

    k: Literal["game"]
    n: Literal[0]
    prev: Hex64
    proto: Literal["pbem-log/0"]
    nonce: Hex64
    rules: Rules
    opts: dict[str, Any]
    seats: Annotated[list[Seat], Field(min_length=1, max_length=16), AfterValidator(each_once)]
    host: KeyLine
    chains: dict[Label, Hex64]
    terms: NotRequired[Terms]


@strict
class Join(TypedDict):
    """A player takes a seat."""

    k: Literal["join"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: JoinSay
    sig: Sig


@strict
class Ready(TypedDict):
    """A player has seen who plays; mark 1."""

    k: Literal["ready"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: ReadySay
    sig: Sig


def _seats_asked(ask: dict[str, Any]) -> dict[str, Any]:
    if ask["secret"] == "no" and len(ask["to"]) > 1:
        raise ValueError(_("a question to several seats is never answered in the open"))
    return ask


@strict
class AskFields(TypedDict):
    """A question to one seat or several."""

    k: Literal["ask"]
    n: Positive
    prev: Hex64
    to: Annotated[list[Seat], Field(min_length=1), AfterValidator(each_once)]
    what: str
    secret: Literal["no", "until resolved", "until end"]
    mark: NotRequired[Count]
    due: NotRequired[At]


Ask: TypeAlias = Annotated[AskFields, AfterValidator(_seats_asked)]


@strict
class Order(TypedDict):
    """A seat's answer, given when it was asked or sent ahead."""

    k: Literal["order"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: Annotated[OrderSay | AheadSay, Field(discriminator="act")]
    sig: Sig


@strict
class Roll(TypedDict):
    """n dice of so many sides."""

    op: Literal["roll"]
    n: Annotated[int, Field(ge=1, le=65536)]
    sides: Annotated[int, Field(ge=1, le=65536)]


@strict
class DrawFields(TypedDict):
    """n of a list, without putting back."""

    op: Literal["draw"]
    n: Annotated[int, Field(ge=0, le=65536)]
    of: Annotated[list[Any], Field(max_length=65536)]


def _enough_to_draw(draw: dict[str, Any]) -> dict[str, Any]:
    if draw["n"] > len(draw["of"]):
        raise ValueError(_("more are drawn than there are"))
    return draw


Request: TypeAlias = Annotated[Roll | Annotated[DrawFields, AfterValidator(_enough_to_draw)], Field(discriminator="op")]
Requests: TypeAlias = Annotated[list[Request], Field(min_length=1)]


@strict
class PublicRand(TypedDict):
    """Public dice: link, request and result at once."""

    k: Literal["rand"]
    n: Positive
    prev: Hex64
    chain: Literal["pub"]
    i: Positive
    x: Hex64
    req: Requests
    res: list[list[Any]]


def _one_seal(seals: dict[str, Any]) -> dict[str, Any]:
    if len(seals) != 1:
        raise ValueError(_("a private draw has one seal, its owner's"))
    return seals


@strict
class PrivateRand(TypedDict):
    """One seat's draw: request and result sealed together, under the name of the seat."""

    k: Literal["rand"]
    n: Positive
    prev: Hex64
    chain: Annotated[str, Field(pattern=r"^priv:[a-z][a-z0-9_]{0,39}$")]
    i: Positive
    seals: Annotated[dict[Seat, Hex64], AfterValidator(_one_seal)]


def _places(seals: dict[str, Any]) -> dict[str, Any]:
    count = len(seals) - ("req" in seals)
    if not count or any(f"p{i}" not in seals for i in range(count)):
        raise ValueError(_("the places of a deal are p0, p1, … without a gap"))
    return seals


def _request_once(deal: dict[str, Any]) -> dict[str, Any]:
    if ("req" in deal) == ("req" in deal["seals"]):
        raise ValueError(_("a deal shows its request or seals it, one of the two"))
    if "req" in deal and sum(r["n"] for r in deal["req"]) != len(deal["seals"]):
        raise ValueError(_("a deal has as many places as its request gives results"))
    return deal


@strict
class DealFields(TypedDict):
    """A hidden pile, shuffled once, every place sealed by itself."""

    k: Literal["rand"]
    n: Positive
    prev: Hex64
    chain: Annotated[str, Field(pattern=r"^deal:[1-9][0-9]{0,5}$")]
    i: Positive
    req: NotRequired[Requests]
    seals: Annotated[
        dict[Annotated[str, Field(pattern=r"^(req|p(0|[1-9][0-9]{0,4}))$")], Hex64], AfterValidator(_places)
    ]


Deal: TypeAlias = Annotated[DealFields, AfterValidator(_request_once)]


@strict
class Report(TypedDict):
    """What a tell says: facts in the rule book's words, and an RFC 7396 merge patch of the view."""

    facts: list[Any]
    view: dict[str, Any]


def _link_name(pair: list[Any]) -> list[Any]:
    if type(pair[0]) is not str or type(pair[1]) is not int or pair[1] < 1:
        raise ValueError(_("a link is named by [label, i]"))
    return pair


LinkName: TypeAlias = Annotated[list[Any], Field(min_length=2, max_length=2), AfterValidator(_link_name)]


@strict
class Tell(TypedDict):
    """What everybody and each seat learns at one stop; the seal "state" binds position and question."""

    k: Literal["tell"]
    n: Positive
    prev: Hex64
    pub: Report
    opens: list[Hex64]
    links: list[LinkName]
    rolls: list[Count]
    seals: dict[Name, Hex64]


@strict
class Skip(TypedDict):
    """A seat did not answer in time; its default answer is taken, without a link."""

    k: Literal["skip"]
    n: Positive
    prev: Hex64
    at: At
    to: Seat
    ask: Count
    why: str


@strict
class Say(TypedDict):
    """A seat resigns, offers, agrees, leaves or claims."""

    k: Literal["say"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: SaySay
    sig: Sig


@strict
class Rekey(TypedDict):
    """A seat goes on with another key; then all say again that they are ready."""

    k: Literal["rekey"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: RekeySay
    sig: Sig


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


@strict
class Amend(TypedDict):
    """What all seats agreed on in mid-game; `agreed` are the entries by which each of them did."""

    k: Literal["amend"]
    n: Positive
    prev: Hex64
    what: TakeBack | NewRules | NewPlayer
    agreed: Annotated[list[Count], Field(min_length=1), AfterValidator(each_once)]


@strict
class Host(TypedDict):
    """The game goes on under another host, from the head `seen`: his key and anchors, and by which entries all agreed.

    `mark` is that of being ready again; no seat has given a link so high.
    """

    k: Literal["host"]
    n: Positive
    prev: Hex64
    key: KeyLine
    chains: dict[Label, Hex64]
    mark: Positive
    seen: Seen
    agreed: Annotated[list[Count], Field(min_length=1), AfterValidator(each_once)]


@strict
class Extend(TypedDict):
    """More time to answer the open question; `cause` is the leave that asks for it."""

    k: Literal["extend"]
    n: Positive
    prev: Hex64
    ask: Count
    due: At
    why: str
    cause: NotRequired[Count]


@strict
class End(TypedDict):
    """The result; then everything is opened. `cause` is the say that ended the game, where it was not the rules."""

    k: Literal["end"]
    n: Positive
    prev: Hex64
    result: dict[str, Any]
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
    | Tell
    | Skip
    | Say
    | Rekey
    | Amend
    | Host
    | Extend
    | End
)

SealLine: TypeAlias = tuple[
    Literal["seal"], Hex64, Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")], StrictInt, Name, Salt, Any
]
LinkLine: TypeAlias = tuple[Literal["link"], Hex64, AnyLabel, Annotated[StrictInt, Field(ge=1)], Hex64]
HeadLine: TypeAlias = tuple[Literal["head"], Hex64, Annotated[StrictInt, Field(ge=0)], Hex64, Sig]
GotLine: TypeAlias = tuple[Literal["got"], Hex64, Hex64, At, Sig]
AttachmentLine: TypeAlias = SealLine | LinkLine | HeadLine | GotLine

_KINDS: dict[str, Any] = {
    "game": Game, "join": Join, "ready": Ready, "ask": Ask, "order": Order, "tell": Tell, "skip": Skip, "say": Say,
    "rekey": Rekey, "amend": Amend, "host": Host, "extend": Extend, "end": End,
}  # fmt: skip
_RANDS: dict[str, Any] = {"pub": PublicRand, "priv": PrivateRand, "deal": Deal}
_LINES: dict[str, Any] = {"seal": SealLine, "link": LinkLine, "head": HeadLine, "got": GotLine}

_Check: TypeAlias = Callable[[Any], Any]


def _checks(forms: dict[str, Any]) -> dict[str, _Check]:
    return {name: TypeAdapter(form).validator.validate_python for name, form in forms.items()}


_check_entry = _checks(_KINDS)
_check_rand = _checks(_RANDS)
_check_line = _checks(_LINES)
_check_value = _checks({"report": Report, "request": Requests, "draw": tuple[Requests, list[list[Any]]], "text": str})


_SENTENCES = {
    "missing": N_("the field is missing"),
    "extra_forbidden": N_("no such field is known here"),
    "string_pattern_mismatch": N_("it is not written as it should be"),
    "literal_error": N_("it is none of the words that may stand here"),
    "int_type": N_("a whole number was expected"),
    "string_type": N_("a text was expected"),
    "list_type": N_("a list was expected"),
    "dict_type": N_("an object was expected"),
}


def _sentence(why: ValidationError) -> str:
    first = why.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = _(_SENTENCES.get(first["type"], "")) or first["msg"].removeprefix("Value error, ")
    return _("{where}: {message}", where=where, message=message) if where else message


def _fault(check: _Check, value: Any) -> str | None:
    try:
        check(value)
    except ValidationError as why:
        return _sentence(why)
    return None


def entry_fault(entry: dict[str, Any]) -> str | None:
    """Why a chained entry has not the form of its kind, or None."""
    kind = entry.get("k")
    if kind == "rand":
        chain = entry.get("chain")
        check = _check_rand.get(chain.partition(":")[0]) if isinstance(chain, str) else None
        return _fault(check, entry) if check else _("chain: a random event is on pub, priv:<seat> or deal:<number>")
    if not isinstance(kind, str):
        return _("k: the kind of an entry is a word")
    if kind not in _check_entry:
        return _("k: {kind} is no kind of entry", kind=repr(kind))
    return _fault(_check_entry[kind], entry)


def line_fault(attachment: list[Any]) -> str | None:
    """Why an attachment has not the form of its kind, or None."""
    kind = attachment[0] if attachment else None
    if not isinstance(kind, str) or kind not in _check_line:
        return _("{kind} is no kind of attachment", kind=repr(kind))
    return _fault(_check_line[kind], attachment)


def value_fault(form: Literal["report", "request", "draw", "text"], value: Any) -> str | None:
    """Why a sealed value has not the form that its name asks for, or None."""
    return _fault(_check_value[form], value)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a log."""
    return TypeAdapter(Entry | AttachmentLine).json_schema() | {"title": "a line of a pbem log"}
