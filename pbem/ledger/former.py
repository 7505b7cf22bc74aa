"""What the lines of `pbem-log/0` had otherwise: that format is still read, and no longer written.

Its questions bore no moment, its says named no order before them, each deal had an anchor of its own in entry 0, and a
seat was told everything anew that all were told. What a log of that time holds of other keys, hosts, players or rules
is not judged any more."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from pbem.ledger import entries
from pbem.ledger.entries import Report, Requests, Rules, Seals, request_once, seats_asked
from pbem.ledger.fields import At, Count, Hex64, Hours, KeyLine, Positive, Seat, Seen, Sig, each_once, strict
from pbem.ledger.statements import about_fits


@strict
class Terms(TypedDict):
    """What became of a late answer, and how much leave a seat might take."""

    late: Literal["default", "claim"]
    leave: Hours


@strict
class Game(TypedDict):
    """Entry 0."""

    k: Literal["game"]
    n: Literal[0]
    prev: Hex64
    proto: Literal["pbem-log/0"]
    nonce: Hex64
    rules: Rules
    opts: dict[str, Any]
    seats: Annotated[list[Seat], Field(min_length=1, max_length=16), AfterValidator(each_once)]
    host: KeyLine
    chains: dict[Annotated[str, Field(pattern=r"^(pub|priv:[a-z][a-z0-9_]{0,39}|deal:[1-9][0-9]{0,5})$")], Hex64]
    terms: NotRequired[Terms]


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


@strict
class DealFields(TypedDict):
    """A hidden pile."""

    k: Literal["rand"]
    n: Positive
    prev: Hex64
    chain: Annotated[str, Field(pattern=r"^deal:[1-9][0-9]{0,5}$")]
    i: Positive
    req: NotRequired[Requests]
    seals: Seals


@strict
class Skip(TypedDict):
    """A seat did not answer in time."""

    k: Literal["skip"]
    n: Positive
    prev: Hex64
    at: At
    to: Seat
    ask: Count
    why: str


@strict
class SaySay(TypedDict):
    """What a seat said besides its orders."""

    act: Literal["resign", "draw", "takeback", "agree", "leave", "claim"]
    game: Hex64
    seat: Seat
    no: Count
    seen: Seen
    about: NotRequired[Count]
    what: NotRequired[Hex64]
    hours: NotRequired[Annotated[int, Field(ge=1, le=8760)]]


@strict
class Say(TypedDict):
    """A seat resigns, offers, agrees, leaves or claims."""

    k: Literal["say"]
    n: Positive
    prev: Hex64
    at: At
    by: Seat
    say: Annotated[SaySay, AfterValidator(about_fits)]
    sig: Sig


@strict
class Extend(TypedDict):
    """More time to answer the open question."""

    k: Literal["extend"]
    n: Positive
    prev: Hex64
    ask: Count
    due: At
    why: str
    cause: NotRequired[Count]


@strict
class End(TypedDict):
    """The result."""

    k: Literal["end"]
    n: Positive
    prev: Hex64
    result: dict[str, Any]
    cause: NotRequired[Count]


Ask: TypeAlias = Annotated[AskFields, AfterValidator(seats_asked)]
Deal: TypeAlias = Annotated[DealFields, AfterValidator(request_once)]

KINDS: dict[str, Any] = {
    "game": Game, "join": entries.Join, "ready": entries.Ready, "ask": Ask, "order": entries.Order, "tell": entries.Tell,
    "skip": Skip, "say": Say, "extend": Extend, "end": End,
}  # fmt: skip
RANDS: dict[str, Any] = {"pub": entries.PublicRand, "priv": entries.PrivateRand, "deal": Deal}
VALUES: dict[str, Any] = entries.VALUES | {"report": Report}
GONE = ("rekey", "amend", "host")
"""Kinds of entries that are not judged any more."""
